"""Asking for agreement, and computing it once."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from agreement.models import AgreementResult
from agreement.report import ReportParameters, agreement_rows
from corpus.models import Release
from corpus.selectors import release_sources
from crowd.clock import database_now
from crowd.errors import Refused
from crowd.services.jobs import Progress, job_enqueue
from measures.pairs import Rounding

AGREEMENT_JOB = "agreement_report"


@transaction.atomic
def agreement_request(*, release: Release, parameters: ReportParameters, user: User) -> AgreementResult:
    """Ask for a report; the same question again gets the answer that is there, or the run that is under way."""
    result = agreement_question(release=release, parameters=parameters)
    failed = result.job is not None and result.job.state == result.job.State.FAILED
    if result.rows is None and (result.job is None or failed):
        result.job = job_enqueue(
            campaign=release.campaign, kind=AGREEMENT_JOB, parameters={"result": result.pk}, user=user
        )
        result.save(update_fields=["job"])
    return result


def agreement_question(*, release: Release, parameters: ReportParameters) -> AgreementResult:
    if release.state != Release.State.READY:
        raise Refused(f"{release.name} is not ready, so it has no agreement yet.")
    asked = asdict(parameters)
    result, _ = AgreementResult.objects.select_related("job").get_or_create(
        release=release,
        digest=_digest(asked),
        defaults={"parameters": asked, "release_checksum": release.checksum},
    )
    return result


def agreement_compute(*, result: AgreementResult, progress: Progress) -> None:
    """Answer a question from the release's own files, unless it is answered."""
    if result.rows is not None:
        return
    asked = result.parameters
    parameters = ReportParameters(**{**asked, "rounding": Rounding(asked["rounding"])})
    rows = agreement_rows(release_sources(result.release), result.release.campaign.rating_scales, parameters, progress)
    result.rows, result.finished_at = rows, database_now()
    result.save(update_fields=["rows", "finished_at"])


def _digest(parameters: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()
