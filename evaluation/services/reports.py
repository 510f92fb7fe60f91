"""Request reports on metrics against ratings, and compute each of them once."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.computed_results import get_or_request, store_once
from common.errors import Refused
from common.job_attempts import NO_JOB, Attempt
from common.jobs import Progress, job_enqueue
from common.json_values import encoded_json, json_digest
from compressions.selectors.translations import last_translation, translation_counts
from corpus.models import Release
from evaluation.loading import judged_release
from evaluation.models import EVALUATION_JOB, EvaluationPart, EvaluationReport
from evaluation.parameters import EvaluationParameters
from evaluation.report import REPORT_VERSION, evaluation_report
from evaluation.scored_outputs import metrics_of
from evaluation.sections.base import Row
from evaluation.selectors import runs_to_evaluate
from ratings.selectors.model_ratings import last_model_rating, model_rating_counts

MAX_METRICS = 400
PARTS_AT_A_TIME = 20


@transaction.atomic
def report_request(*, release: Release, parameters: EvaluationParameters, user: User | None) -> EvaluationReport:
    """Request a report; the same request again returns the existing one, finished or under way."""
    report = report_get_or_create(release=release, parameters=parameters)
    has_failed = report.job is not None and report.job.state == report.job.State.FAILED
    if report.rows is None and (report.job is None or has_failed):
        report.job = job_enqueue(
            campaign_id=release.campaign_id, kind=EVALUATION_JOB, parameters={"report": report.pk}, user=user
        )
        report.save(update_fields=["job"])
    return report


@transaction.atomic
def report_get_or_create(*, release: Release, parameters: EvaluationParameters) -> EvaluationReport:
    """Return the report with these parameters on the scores that are there now."""
    stored, pinned = asdict(parameters), _pinned(release, parameters)
    # The numbers change if ratings of a model or translations are deleted, when the last one may stay the same.
    models = model_rating_counts(release.campaign)
    translated = _translations_known(release) if pinned["last_translation"] else None
    known = {"report": REPORT_VERSION, "models": models, "translations": translated}
    about = {"parameters": stored, "release_checksum": release.checksum, "report_version": REPORT_VERSION, **pinned}
    digest = json_digest({**known, **stored, **pinned})
    return get_or_request(release.evaluation_reports, about, digest=digest)[0]


def _pinned(release: Release, parameters: EvaluationParameters) -> dict[str, Any]:
    """Return what a report stands on beside the release; raise Refused if there is nothing to evaluate."""
    if release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so its metrics can't be evaluated.") % {"release": release.name})
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
    return {
        "score_runs": [{"id": run.pk, "digest": run.digest} for run in runs],
        "last_model_rating": last_model_rating(release.campaign),
        "last_translation": last_translation(release.campaign),
    }


def _translations_known(release: Release) -> dict[str, Any]:
    """Return what else the figures of translated texts are computed with."""
    campaign = release.campaign
    counts = [list(each) for each in translation_counts(campaign)]
    return {"language": campaign.language, "keep_percent": campaign.keep_percent, "counts": counts}


def report_compute(*, report: EvaluationReport, progress: Progress, attempt: Attempt = NO_JOB) -> None:
    """Compute a report, unless that is done already."""
    if report.rows is not None:
        return
    if report.report_version != REPORT_VERSION:
        raise Refused(_("Précis has been updated since this report was requested. Please request it again."))
    found = evaluation_report(judged_release(report), progress)
    rows, figures = encoded_json(found.rows), encoded_json(found.figures)
    parts = _parts(report, found.by_pair)
    with transaction.atomic():
        if store_once(report, attempt, rows=rows, figures=figures):
            EvaluationPart.objects.bulk_create(parts, batch_size=PARTS_AT_A_TIME)
    report.refresh_from_db()


def _parts(report: EvaluationReport, by_pair: Iterable[Row]) -> list[EvaluationPart]:
    """Return the rows of each metric, encoded."""
    of_metrics: dict[str, list[Row]] = {}
    for row in by_pair:
        of_metrics.setdefault(row["metric"], []).append(row)
    return [EvaluationPart(report=report, metric=metric, rows=encoded_json(of)) for metric, of in of_metrics.items()]
