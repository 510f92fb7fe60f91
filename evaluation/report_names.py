"""What tells the reports on a release apart: their settings, and the scores that they stand on."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.forms import changed_settings
from evaluation.models import EvaluationReport


def name_of(report: EvaluationReport) -> str:
    return "; ".join([*_scores(report), *changed_settings(report.parameters)])


def _scores(report: EvaluationReport) -> list[str]:
    number = len(report.score_runs)
    found = [ngettext("%(n)s set of scores", "%(n)s sets of scores", number) % {"n": f"{number:,}"}]
    if report.last_model_rating:
        found.append(_("ratings by models"))
    if report.last_translation:
        found.append(_("translations"))
    return found
