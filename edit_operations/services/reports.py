"""Request reports on editing operations, and compute each of them once, part by part."""

import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from common.clock import database_now
from common.computed_results import get_or_request, store_once
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress, job_enqueue
from common.json_values import encoded_json, json_digest
from common.leased_parts import LEASE_DURATION, POLL_SECONDS, LostPart, held, parts_compute, slices_of
from common.models import Job
from compressions.selectors.alignments import last_correction
from compressions.text_aligner import TextAligner
from corpus.models import Release
from corpus.selectors import youngest_output_since
from edit_operations.aligned import AlignedSource
from edit_operations.aligning import aligned_sources, text_aligner
from edit_operations.models import MAX_PARALLEL_JOBS, OPERATIONS_JOB, OperationsPart, OperationsReport
from edit_operations.parameters import OperationsParameters, parameters_of
from edit_operations.report import REPORT_VERSION, Report, operations_report
from edit_operations.word_pairs import NO_PAIRS, PairList
from measures.alignment import WordPairs, word_pairs

SOURCES_PER_PART = 250
IS_OPEN = Q(sources__isnull=True)


def report_request(
    *, release: Release, parameters: OperationsParameters, user: User | None, pairs: PairList = NO_PAIRS
) -> OperationsReport:
    """Request a report; the same request again returns the existing one, and resumes what failed."""
    aligner = _aligner(release, parameters, pairs.pairs)
    with transaction.atomic():
        report = _report_get_or_create(release, parameters, pairs.text, aligner)
        under_way = report.jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
        if report.rows is None and not under_way.exists():
            open_parts = report.parts.filter(IS_OPEN).count()
            for _number in range(max(1, min(MAX_PARALLEL_JOBS, open_parts))):
                asked = {"report": report.pk}
                job_enqueue(campaign_id=release.campaign_id, kind=OPERATIONS_JOB, parameters=asked, user=user)
    return report


def report_get_or_create(
    *, release: Release, parameters: OperationsParameters, pairs: PairList = NO_PAIRS
) -> OperationsReport:
    """Return the report with these parameters, with open parts if it is new."""
    aligner = _aligner(release, parameters, pairs.pairs)
    return _report_get_or_create(release, parameters, pairs.text, aligner)


def _aligner(release: Release, parameters: OperationsParameters, pairs: WordPairs) -> TextAligner:
    """Return the aligner that was asked for; raise Refused if there is none. This may load a pipeline."""
    if release.state != Release.State.READY:
        words = _("%(release)s is not ready, so its editing operations are not known yet.")
        raise Refused(words % {"release": release.name})
    try:
        return text_aligner(release.campaign.language, pairs=pairs, vectors=parameters.vectors)
    except (ValueError, ModuleNotFoundError) as error:
        raise Refused(str(error)) from error


@transaction.atomic
def _report_get_or_create(
    release: Release, parameters: OperationsParameters, pairs_text: str, aligner: TextAligner
) -> OperationsReport:
    stored = {**asdict(parameters), "language": release.campaign.language}
    pinned = {"last_correction": last_correction(release.campaign) or None}
    pinned["last_output"] = youngest_output_since(release)
    identity = {"report": REPORT_VERSION, "signature": aligner.signature, **stored, **pinned}
    defaults = {
        "parameters": stored,
        "word_pairs": pairs_text,
        "signature": aligner.signature,
        "release_checksum": release.checksum,
        "report_version": REPORT_VERSION,
        **pinned,
    }
    report, is_new = get_or_request(release.operations_reports, defaults, digest=json_digest(identity))
    if is_new:
        slices = slices_of(release.summary["sources"], SOURCES_PER_PART)
        OperationsPart.objects.bulk_create([OperationsPart(report=report, **each) for each in slices])
    return report


def report_complete(*, report: OperationsReport, progress: Progress, job: Job | None = None) -> OperationsReport:
    """Compute free parts until the report is ready, waiting for other workers and taking over expired leases."""
    while True:
        report_compute(report=report, progress=progress, job=job)
        current = OperationsReport.objects.select_related("release__campaign").get(pk=report.pk)
        if current.rows is not None:
            return current
        progress(current.parts.exclude(IS_OPEN).count(), current.parts.count())
        time.sleep(POLL_SECONDS)


def report_compute(*, report: OperationsReport, progress: Progress, job: Job | None = None) -> None:
    """Align parts until none is free; sum up if all of them are done."""
    if OperationsReport.objects.filter(pk=report.pk, rows__isnull=False).exists():
        return
    attempt = Attempt.of(job)
    if report.parts.filter(IS_OPEN).exists():
        aligner = _aligner_of(report)
        parts_compute(report.parts.all(), IS_OPEN, partial(_align_part, report, aligner, attempt), progress, job)
    if not report.parts.filter(IS_OPEN).exists():
        _finalize(report, attempt)


def _aligner_of(report: OperationsReport) -> TextAligner:
    parameters = parameters_of(report.parameters)
    try:
        pairs = word_pairs(report.word_pairs.splitlines())
        aligner = text_aligner(report.parameters["language"], pairs=pairs, vectors=parameters.vectors)
    except (ValueError, ModuleNotFoundError) as error:
        raise Refused(str(error)) from error
    if aligner.signature != report.signature or report.report_version != REPORT_VERSION:
        raise Refused(_("Précis has been updated since this report was requested. Please request it again."))
    return aligner


def _align_part(
    report: OperationsReport,
    aligner: TextAligner,
    attempt: Attempt,
    part: OperationsPart,
    heartbeat: Callable[[], None],
) -> None:
    """Align the texts of a part's sources and store them, renewing the lease meanwhile."""
    sources = aligned_sources(report, part.begin, part.stop, aligner, heartbeat)
    stored = encoded_json([each.stored() for each in sources])
    with transaction.atomic():
        attempt.fence()
        if not held(part).update(sources=stored, lease_ends_at=None):
            raise LostPart


def _finalize(report: OperationsReport, attempt: Attempt) -> None:
    """Compute the report from its parts, unless another worker has done so or is doing so."""
    unfinished = OperationsReport.objects.filter(pk=report.pk, rows__isnull=True)
    now = database_now()
    is_free = Q(lease_ends_at=None) | Q(lease_ends_at__lt=now)
    with transaction.atomic():
        attempt.fence()
        if not unfinished.filter(is_free).update(lease_ends_at=now + LEASE_DURATION):
            return
    try:
        found = _report_of_parts(report)
        rows, figures = encoded_json(found.rows), encoded_json(found.figures)
        store_once(report, attempt, rows=rows, figures=figures, texts=found.texts, lease_ends_at=None)
    except BaseException:  # let another worker begin at once
        unfinished.update(lease_ends_at=None)
        raise


def _report_of_parts(report: OperationsReport) -> Report:
    parts = report.parts.order_by("number").values_list("sources", flat=True).iterator(chunk_size=1)
    sources = [AlignedSource.of(each) for part in parts for each in part or []]
    return operations_report(sources, report.release.campaign.rating_scales, parameters_of(report.parameters))
