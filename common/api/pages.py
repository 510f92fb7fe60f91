"""Long lists, a page at a time. A cursor is the key of the last row seen, so what is added meanwhile shifts nothing.

The cursors of Django REST framework read querysets only, and some lists are computed; these pages are of both.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

DEFAULT_LIMIT, MOST = 100, 1000
LARGEST_KEY = 2**63 - 1


class PageQuery(serializers.Serializer[Any]):
    """What every list takes."""

    limit = serializers.IntegerField(
        default=DEFAULT_LIMIT, min_value=1, max_value=MOST, help_text="The maximum number of rows."
    )
    cursor = serializers.IntegerField(
        default=-1,
        min_value=-1,
        max_value=LARGEST_KEY,
        help_text="Where to continue: the `cursor` of the previous page.",
    )


@dataclass(frozen=True)
class Page:
    """Some rows in the order of their keys, and the cursor of the next page; None if this is the last one."""

    rows: list[Any]
    cursor: int | None


@dataclass(frozen=True)
class Completed:
    """A list whose rows are completed a page at a time: `complete` returns those it gets, in their order."""

    found: QuerySet[Any, Any] | Sequence[Any]
    complete: Callable[[list[Any]], Sequence[Any]]


def page_of(
    found: QuerySet[Any, Any] | Sequence[Any] | Completed | Page, *, limit: int, cursor: int, key: str = "pk"
) -> Page:
    """Return the rows behind a cursor; `key` names a whole number that no two rows share."""
    if isinstance(found, Page):
        return found
    if isinstance(found, Completed):
        page = page_of(found.found, limit=limit, cursor=cursor, key=key)
        return Page(list(found.complete(page.rows)), page.cursor)
    if isinstance(found, QuerySet):
        rows = list(found.filter(**{f"{key}__gt": cursor}).order_by(key)[: limit + 1])
    else:
        ordered = sorted(found, key=attrgetter(key))
        begin = bisect_right(ordered, cursor, key=attrgetter(key))
        rows = ordered[begin : begin + limit + 1]
    is_last = len(rows) <= limit
    return Page(rows[:limit], None if is_last else attrgetter(key)(rows[limit - 1]))
