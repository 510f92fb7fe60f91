"""Request reports, and compute each of them once: as a whole or part by part, by jobs or by a command."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from common.clock import database_now
from common.computed_results import get_or_request
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress
from common.json_values import encoded_json, json_digest, packed_json
from common.leased_parts import LEASE_DURATION, POLL_SECONDS, LostPart, held, parts_compute, slices_of
from common.models import Job
from crowd.services.account_bounds import upload_take
from reports.kinds import Parts, ReportKind, kind_of
from reports.models import Basis, Report, ReportPart, ReportRows
from reports.parameters import NOTHING, Attachment, ReportParameters
from reports.selectors import campaign_of, jobs_for, running_job

IS_OPEN = Q(content__isnull=True)
ROWS_AT_A_TIME = 20


def report_request(
    *,
    kind: ReportKind,
    on: Basis,
    parameters: ReportParameters,
    user: User | None,
    attached: Attachment = NOTHING,
) -> Report:
    """Request a report; the same request again returns the existing one, and resumes what failed."""
    if user is not None and attached.text:
        upload_take(user, len(attached.text.encode()))
    pinned = kind.pins(on, parameters, attached)  # outside the transaction: this may load a pipeline
    with transaction.atomic():
        report = _get_or_create(kind, on, parameters, attached, pinned)
        if report.rows is None:
            parts = report.parts.filter(IS_OPEN).count() if kind.parts else 1
            jobs_for(kind).enqueue(report.pk, campaign_id=campaign_of(on).pk, user=user, parts=parts)
    return report


def report_get_or_create(
    *, kind: ReportKind, on: Basis, parameters: ReportParameters, attached: Attachment = NOTHING
) -> Report:
    """Return the report with these parameters, with open parts if it is new and computed in parts."""
    return _get_or_create(kind, on, parameters, attached, kind.pins(on, parameters, attached))


@transaction.atomic
def _get_or_create(
    kind: ReportKind, on: Basis, parameters: ReportParameters, attached: Attachment, pinned: dict[str, Any]
) -> Report:
    stored = kind.stored(on, parameters)
    defaults = {
        "parameters": stored,
        "attached": attached.text,
        "pinned": pinned,
        "checksum": kind.checksum(on, pinned),
        "report_version": kind.version,
    }
    digest = json_digest(kind.identity(on, stored, pinned))
    report, is_new = get_or_request(on.reports, defaults, kind=kind.key, digest=digest)
    if is_new and kind.parts:
        slices = slices_of(report.of_release.summary["sources"], kind.parts.size)
        ReportPart.objects.bulk_create([ReportPart(report=report, **each) for each in slices])
    return report


def report_complete(*, report: Report, progress: Progress, job: Job | None = None) -> Report:
    """Compute a report, or what is free of it until it is ready, waiting for others and taking over expired leases.

    A command waits for a job that computes the same, and computes it only if the job does not.
    """
    while True:
        report_compute(report=report, progress=progress, job=job)
        current = Report.objects.select_related("release__campaign").get(pk=report.pk)
        if current.rows is not None:
            return current
        _show_progress(current, progress)
        time.sleep(POLL_SECONDS)


def _show_progress(report: Report, progress: Progress) -> None:
    if kind_of(report).parts:
        progress(report.parts.exclude(IS_OPEN).count(), report.parts.count())
    elif job := running_job(report):
        progress(job.done, job.total)


def report_compute(*, report: Report, progress: Progress, job: Job | None = None) -> None:
    """Compute a report unless that is done or another is at it; of one in parts, all parts that are free."""
    kind, attempt = kind_of(report), Attempt.of(job)
    if Report.objects.filter(pk=report.pk, rows__isnull=False).exists():
        return
    if report.report_version != kind.version and not kind.computes_earlier:
        raise Refused(_("Précis has been updated since this report was requested. Request it again."))
    if kind.parts is None:
        if job is not None or running_job(report) is None:
            _store(report, kind, attempt, progress)
        return
    if report.parts.filter(IS_OPEN).exists():
        prepared = kind.parts.prepare(report)
        compute = partial(_part_compute, report, kind.parts, prepared, attempt)
        parts_compute(report.parts.all(), IS_OPEN, compute, progress, job)
    if not report.parts.filter(IS_OPEN).exists():
        _sum_up(report, kind, attempt, progress)


def _part_compute(
    report: Report, parts: Parts, prepared: Any, attempt: Attempt, part: ReportPart, heartbeat: Callable[[], None]
) -> None:
    """Compute the content of a part and store it, renewing the lease meanwhile."""
    content = encoded_json(parts.compute(report, prepared, part, heartbeat))
    with transaction.atomic():
        attempt.fence()
        if not held(part).update(content=content, lease_ends_at=None):
            raise LostPart


def _sum_up(report: Report, kind: ReportKind, attempt: Attempt, progress: Progress) -> None:
    """Compute a report from its parts, unless another worker has done so or is doing so."""
    unfinished = Report.objects.filter(pk=report.pk, rows__isnull=True)
    now = database_now()
    is_free = Q(lease_ends_at=None) | Q(lease_ends_at__lt=now)
    with transaction.atomic():
        attempt.fence()
        if not unfinished.filter(is_free).update(lease_ends_at=now + LEASE_DURATION):
            return
    try:
        _store(report, kind, attempt, progress)
    except BaseException:  # let another worker begin at once
        unfinished.update(lease_ends_at=None)
        raise


def _store(report: Report, kind: ReportKind, attempt: Attempt, progress: Progress) -> None:
    """Compute a report and store it, unless another has done so meanwhile."""
    found = kind.compute(report, progress)
    values = {"rows": encoded_json(found.rows), "figures": encoded_json(found.figures)}
    keyed = [ReportRows(report=report, key=key, packed=packed_json(rows)) for key, rows in found.by_key.items()]
    known = {"pinned": {**report.pinned, **found.counted}, "report_version": kind.version, "lease_ends_at": None}
    with transaction.atomic():
        attempt.fence()
        unfinished = Report.objects.filter(
            pk=report.pk, finished_at=None
        )  # another may have stored one: that one stays
        if unfinished.update(**values, **known, finished_at=database_now()):
            ReportRows.objects.bulk_create(keyed, batch_size=ROWS_AT_A_TIME)
