"""What has been added to a campaign since a report was requested, so that a new one would say more."""

from django.utils.translation import gettext as _

from compressions.selectors.translations import last_translation
from evaluation.models import EvaluationReport
from evaluation.selectors import runs_to_evaluate
from ratings.selectors.model_ratings import last_model_rating


def news_since(report: EvaluationReport) -> list[str]:
    """Return a sentence for each kind of thing that the report does not have."""
    news = []
    if [run.pk for run in runs_to_evaluate(report.release)] != [each["id"] for each in report.score_runs]:
        news.append(_("Scores have been added or computed again since this report was requested."))
    if report.last_model_rating != last_model_rating(report.release.campaign):
        news.append(_("Ratings by models have been added or deleted since this report was requested."))
    if report.last_translation != last_translation(report.release.campaign):
        news.append(_("Translations have been added or deleted since this report was requested."))
    return news
