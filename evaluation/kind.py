"""The report on what the metrics of a release are worth, by its ratings."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.errors import Refused
from common.jobs import Progress
from compressions.selectors.translations import last_translation, translation_counts
from corpus.models import Release
from evaluation import sections
from evaluation.judged_release import JudgedRelease
from evaluation.loading import judged_release
from evaluation.parameters import EvaluationParameters
from evaluation.planned_analysis import planned_analysis
from evaluation.published import published_metrics
from evaluation.report_page import TABS, answer_context, method_context
from evaluation.scored_outputs import metrics_of
from evaluation.sections.base import COLUMNS, Figures, ReportSection, Row, SectionResult
from evaluation.selectors import runs_to_evaluate
from evaluation.tables import FIRST, SECTIONS, evaluation_tables
from ratings.selectors.imported_ratings import last_model_rating, model_rating_counts
from reports.kinds import Found, ReportKind, sections_in
from reports.models import Report
from reports.parameters import Attachment, changed
from scoring.parquet_tables import refuse_without_parquet

# Raise it whenever a report would say something new, so that the same request gives a new report.
REPORT_VERSION = 3
COMPUTED: list[ReportSection] = sections_in(sections)


def evaluation_report(judged: JudgedRelease, progress: Progress) -> SectionResult:
    """Compute all sections."""
    rows: list[Row] = []
    by_pair: list[Row] = []
    figures: Figures = {}
    done, steps = 0, sum(section.cost for section in COMPUTED)
    for section in COMPUTED:
        found = section.compute(judged)
        rows += found.rows
        by_pair += found.by_pair
        figures |= found.figures
        done += section.cost
        progress(done, steps)
    return SectionResult(rows, figures, by_pair)


MAX_METRICS = 400
ABOUT = "report_"
"""Before the name of a parameter in the CSV file, so that it is never that of a column of the rows."""


class Evaluation(ReportKind):
    key, namespace, job = "evaluation", "evaluation", "evaluation_report"
    job_label = gettext_lazy("Holding metrics against ratings")
    job_done = gettext_lazy("The metrics of %(release)s are evaluated.")
    help = "What the metrics of a release are worth, by its ratings."
    version = REPORT_VERSION
    parameters = EvaluationParameters
    title = gettext_lazy("Metrics against ratings in %(name)s")
    template = "evaluation/report.html"
    tabs, kept = TABS, ("judgement",)
    button = gettext_lazy("Evaluate metrics")
    sections, first_sections = SECTIONS, FIRST
    first_columns = COLUMNS

    def pins(self, release: Release, parameters: Any, attached: Attachment) -> dict[str, Any]:
        if release.state != Release.State.READY:
            raise Refused(_("%(release)s is not ready, so its metrics can't be evaluated.") % {"release": release.name})
        refuse_without_parquet()
        runs = runs_to_evaluate(release)
        metrics = [each.name for each in metrics_of(runs)]
        if not metrics:
            words = _("%(release)s has no scores yet. Compute or import scores first.")
            raise Refused(words % {"release": release.name})
        if len(metrics) > MAX_METRICS:
            words = _("%(release)s has %(n)s metrics. A report takes at most %(most)s.")
            raise Refused(words % {"release": release.name, "n": len(metrics), "most": MAX_METRICS})
        if unknown := [name for name in parameters.smaller_is_better if name not in metrics]:
            raise Refused(_("There is no metric called “%(name)s”.") % {"name": unknown[0][:80]})
        plan = planned_analysis(release.campaign, parameters.pool)
        return {
            "score_runs": [{"id": run.pk, "digest": run.digest} for run in runs],
            "last_model_rating": last_model_rating(release.campaign),
            "last_translation": last_translation(release.campaign),
            **({"planned_analysis": plan} if plan else {}),
            **({"compares_answers": True} if release.campaign.task.completes_sources else {}),
        }

    def identity(self, release: Release, stored: Mapping[str, Any], pinned: Mapping[str, Any]) -> Any:
        # The numbers change if ratings of a model or translations are deleted, when the last one may stay the same.
        models = model_rating_counts(release.campaign)
        translated = _translations_known(release) if pinned["last_translation"] else None
        return {"report": self.version, "models": models, "translations": translated, **stored, **pinned}

    def compute(self, report: Report, progress: Progress) -> Found:
        found = evaluation_report(judged_release(report), progress)
        by_metric: dict[str, list[Row]] = {}
        for row in found.by_pair:
            by_metric.setdefault(row["metric"], []).append(row)
        return Found(found.rows, found.figures, by_metric)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return answer_context(report, query)

    def method(self, report: Report) -> dict[str, Any]:
        return method_context(report)

    def news(self, report: Report) -> list[str]:
        news = super().news(report)
        known = [each["id"] for each in report.pinned["score_runs"]]
        if [run.pk for run in runs_to_evaluate(report.of_release)] != known:
            news.append(_("Scores have been added or computed again since this report was requested."))
        if report.pinned["last_model_rating"] != last_model_rating(report.of_release.campaign):
            news.append(_("Ratings by models have been added or deleted since this report was requested."))
        if report.pinned["last_translation"] != last_translation(report.of_release.campaign):
            news.append(_("Translations have been added or deleted since this report was requested."))
        return news

    def changes(self, report: Report) -> list[str]:
        number = len(report.pinned["score_runs"])
        found = [ngettext("%(n)s set of scores", "%(n)s sets of scores", number) % {"n": f"{number:,}"}]
        if report.pinned["last_model_rating"]:
            found.append(_("ratings by models"))
        if report.pinned["last_translation"]:
            found.append(_("translations"))
        return [*found, *changed(EvaluationParameters, report.parameters)]

    def about(self, report: Report) -> dict[str, Any]:
        return {
            **super().about(report),
            "scores": [each["digest"] for each in report.pinned["score_runs"]],
            "last_model_rating": report.pinned["last_model_rating"],
            "last_translation": report.pinned["last_translation"],
            **{name: report.pinned[name] for name in ("planned_analysis",) if name in report.pinned},
        }

    def csv_about(self, report: Report) -> dict[str, Any]:
        return {ABOUT + name.removeprefix(ABOUT): value for name, value in super().csv_about(report).items()}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        return {**super().json_content(report, rows), "published": published_metrics()}

    def latex_tables(self, report: Report) -> list[str]:
        return evaluation_tables(report)


def _translations_known(release: Release) -> dict[str, Any]:
    """Return what else the figures of translated texts are computed with."""
    campaign = release.campaign
    counts = [list(each) for each in translation_counts(campaign)]
    return {"language": campaign.language, "keep_percent": campaign.keep_percent, "counts": counts}


KIND = Evaluation()
