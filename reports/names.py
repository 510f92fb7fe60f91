"""What tells the reports on a release apart."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from common.computed_results import ComputedResult

DIGEST_SHOWN = 8
Report = TypeVar("Report", bound=ComputedResult)


def named_reports(reports: Iterable[Report], words_of: Callable[[Report], str]) -> list[tuple[Report, str]]:
    """Return each report with a line that says how it differs from the default; equal lines get the digest."""
    named = [(each, words_of(each)) for each in reports]
    number = Counter(words for _report, words in named)
    return [(each, words if number[words] == 1 else f"{words} ({each.digest[:DIGEST_SHOWN]})") for each, words in named]
