"""Rows of a list whose boxes staff have ticked, to do the same to all of them."""

import re

from django.http import QueryDict

CHOSEN = "chosen"
MOST = 200


def chosen_numbers(posted: QueryDict) -> list[int]:
    """Return the numbers of the rows that were ticked; what cannot be one counts as absent.

    >>> chosen_numbers(QueryDict("chosen=12&chosen=3&chosen=x&chosen=12"))
    [3, 12]
    """
    return sorted({int(each) for each in posted.getlist(CHOSEN)[:MOST] if re.fullmatch("[0-9]{1,9}", each)})
