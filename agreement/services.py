"""Request agreement reports and compute each one once."""

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from agreement.extra_raters import first_ratings_of_release
from agreement.models import AgreementResult
from agreement.parameters import ReportParameters, parameters_of
from agreement.report import REPORT_VERSION, agreement_report
from agreement.scale_ratings import ReleaseContext
from agreement.sections.registry import SECTIONS
from common.computed_results import get_or_request, store_once
from common.errors import Refused
from common.job_attempts import NO_JOB, Attempt
from common.jobs import Progress, job_enqueue
from common.json_values import encoded_json, json_digest
from corpus.models import Release
from corpus.selectors import release_sources

AGREEMENT_JOB = "agreement_report"


@transaction.atomic
def agreement_request(*, release: Release, parameters: ReportParameters, user: User) -> AgreementResult:
    """Request a report; the same request again returns the existing result, finished or under way."""
    result = report_get_or_create(release=release, parameters=parameters)
    failed = result.job is not None and result.job.state == result.job.State.FAILED
    if result.rows is None and (result.job is None or failed):
        result.job = job_enqueue(
            campaign_id=release.campaign_id, kind=AGREEMENT_JOB, parameters={"result": result.pk}, user=user
        )
        result.save(update_fields=["job"])
    return result


@transaction.atomic
def report_get_or_create(*, release: Release, parameters: ReportParameters) -> AgreementResult:
    if release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so it has no agreement yet.") % {"release": release.name})
    if release.summary.get("ratings") == 0:
        words = _(
            "%(release)s has no ratings of compressions by editors, whose agreement could be reported. Ratings of "
            "outputs of systems are not in this report."
        )
        raise Refused(words % {"release": release.name})
    stored = asdict(parameters)
    defaults = {"parameters": stored, "release_checksum": release.checksum}
    return get_or_request(release.agreement_results, defaults, digest=_digest(stored))[0]


def agreement_compute(*, result: AgreementResult, progress: Progress, attempt: Attempt = NO_JOB) -> None:
    """Compute the report from the release's files, unless that is done already."""
    if result.rows is not None:
        return
    sources, scales = release_sources(result.release), result.release.campaign.rating_scales
    release = result.release
    context = ReleaseContext(first_ratings_of_release(release), release.summary.get("before_cleaning"))
    report = agreement_report(sources, scales, parameters_of(result.parameters), progress, context)
    store_once(
        result,
        attempt,
        rows=encoded_json(report.rows),
        figures=encoded_json(report.figures),
        report_version=REPORT_VERSION,
        first_ratings=context.first_ratings,
    )
    result.refresh_from_db()


def _digest(parameters: dict[str, Any]) -> str:
    versioned = {"report": REPORT_VERSION, **parameters}
    if extensions := [section.comparison for section in SECTIONS if section.heading]:
        versioned["sections"] = extensions
    return json_digest(versioned)
