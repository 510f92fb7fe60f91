"""What tells the reports on a release apart: their settings, and what was known when they were requested."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from edit_operations.forms import changed_settings
from edit_operations.models import OperationsReport

PAIRS = re.compile(r"\|pairs:(\d+)-")


def name_of(report: OperationsReport, *, corrections: Sequence[int]) -> str:
    """Return how a report differs from the default; `corrections` are the ids of the campaign's, in order."""
    return "; ".join(_differences(report, corrections)) or _("default settings")


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
