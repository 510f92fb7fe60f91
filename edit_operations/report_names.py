"""What tells the reports on a release apart: their settings, and what was known when they were requested."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from edit_operations.forms import changed_settings
from edit_operations.models import OperationsReport

PAIRS = re.compile(r"\|pairs:(\d+)-")
DIGEST_SHOWN = 8


def named_reports(
    reports: Iterable[OperationsReport], corrections: Sequence[int]
) -> list[tuple[OperationsReport, str]]:
    """Return each report with a line that says how it differs from the default; equal lines get the digest.

    `corrections` are the ids of the campaign's corrected alignments, in order.
    """
    named = [(each, "; ".join(_differences(each, corrections)) or _("default settings")) for each in reports]
    number = Counter(words for _report, words in named)
    return [(each, words if number[words] == 1 else f"{words} ({_short(each)})") for each, words in named]


def pair_count(report: OperationsReport) -> int:
    """Return how many pairs of words the aligner used; its signature has the number, so no list is loaded."""
    found = PAIRS.search(report.signature)
    return int(found[1]) if found else 0


def _differences(report: OperationsReport, corrections: Sequence[int]) -> list[str]:
    found = changed_settings(report.parameters)
    if pairs := pair_count(report):
        found.append(ngettext("%(n)s word pair", "%(n)s word pairs", pairs) % {"n": f"{pairs:,}"})
    if corrected := bisect_right(corrections, report.last_correction or 0):
        words = ngettext("%(n)s correction of an alignment", "%(n)s corrections of alignments", corrected)
        found.append(words % {"n": f"{corrected:,}"})
    if report.last_output is not None:
        found.append(_("system outputs imported after the release"))
    return found


def _short(report: OperationsReport) -> str:
    return report.digest[:DIGEST_SHOWN]
