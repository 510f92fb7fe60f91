"""What tells the reports on a release apart: their settings, and the scores that they stand on."""

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.forms import changed_settings
from evaluation.models import EvaluationReport

DIGEST_SHOWN = 8


def named_reports(reports: Iterable[EvaluationReport]) -> list[tuple[EvaluationReport, str]]:
    """Return each report with a line that says how it differs from the default; equal lines get the digest."""
    named = [(each, "; ".join([*_scores(each), *changed_settings(each.parameters)])) for each in reports]
    number = Counter(words for _report, words in named)
    return [(each, words if number[words] == 1 else f"{words} ({each.digest[:DIGEST_SHOWN]})") for each, words in named]


def _scores(report: EvaluationReport) -> list[str]:
    number = len(report.score_runs)
    found = [ngettext("%(n)s set of scores", "%(n)s sets of scores", number) % {"n": f"{number:,}"}]
    if report.last_model_rating:
        found.append(_("ratings by models"))
    if report.last_translation:
        found.append(_("translations"))
    return found
