"""Asking for the scores of a release, and computing them part by part."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, Sum

from common.clock import database_now
from common.errors import Refused
from common.jobs import Progress, job_enqueue
from common.models import Job
from corpus.models import Release
from corpus.selectors import add_outputs_since, release_slice, youngest_output_since
from measures.core.arrays import FloatArray
from measures.metrics import Analysis, Text, compare, score
from scoring.entries import ScoredText, scored_texts
from scoring.models import MAX_PARALLEL_JOBS, SCORE_JOB, ScorePart, ScoreRun
from scoring.parquet_tables import publish, wide_table, write_long
from scoring.settings import ScoreSettings
from scoring.summary import summary_of

SOURCES_OF_PART = 250
HELD = timedelta(minutes=2)
LOOK_AGAIN_SECONDS = 0.5
TEXTS_BETWEEN_SIGNS = 200


@transaction.atomic
def scores_request(*, release: Release, settings: ScoreSettings, user: User | None) -> ScoreRun:
    """Ask for scores; the same settings again gets the run that there is, and goes on with what failed."""
    run = score_run_get_or_create(release=release, settings=settings)
    wanted = run.parts.filter(outputs=None).count()
    under_way = run.jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if run.summary is None and not under_way.exists():
        for _ in range(max(1, min(MAX_PARALLEL_JOBS, wanted))):
            job_enqueue(campaign_id=release.campaign_id, kind=SCORE_JOB, parameters={"run": run.pk}, user=user)
    return run


@transaction.atomic
def score_run_get_or_create(*, release: Release, settings: ScoreSettings) -> ScoreRun:
    """The run that answers a settings, with its parts to be computed if it is new or its files are lost."""
    if release.state != Release.State.READY:
        raise Refused(f"{release.name} is not ready, so it cannot be scored.")
    try:
        settings.check()
    except (ValueError, ModuleNotFoundError) as error:
        raise Refused(str(error)) from error
    last_output = youngest_output_since(release)
    found, is_new = ScoreRun.objects.get_or_create(
        release=release,
        digest=settings.digest(last_output),
        defaults={
            "kind": ScoreRun.Kind.COMPUTED,
            "settings": settings.stored(),
            "signatures": settings.signatures,
            "release_checksum": release.checksum,
            "last_output": last_output,
        },
    )
    if is_new:
        _divide(found, release.summary["sources"])
    run = ScoreRun.objects.select_for_update().get(pk=found.pk)
    take_back_what_is_lost(run)
    return run


def _divide(run: ScoreRun, sources: int) -> None:
    begins = range(0, sources, SOURCES_OF_PART)
    ScorePart.objects.bulk_create(
        [
            ScorePart(run=run, number=number, begin=begin, stop=min(begin + SOURCES_OF_PART, sources))
            for number, begin in enumerate(begins)
        ]
    )


def take_back_what_is_lost(run: ScoreRun) -> None:
    """Scores whose files are gone are to be computed again."""
    done = run.parts.exclude(outputs=None).select_related("run")
    lost = [part.pk for part in done if not part.file.exists()]
    is_summed_up = run.summary is not None
    if lost or (is_summed_up and not run.long_file.exists()):
        ScorePart.objects.filter(pk__in=lost).update(outputs=None)
        run.summary = run.finished_at = None
        run.save(update_fields=["summary", "finished_at"])


def scores_complete(*, run: ScoreRun, progress: Progress, job: Job | None = None) -> ScoreRun:
    """Compute what nobody else computes, and wait for the others: who of them vanishes loses what they hold."""
    while True:
        scores_compute(run=run, progress=progress, job=job)
        now = ScoreRun.objects.get(pk=run.pk)
        if now.summary is not None:
            return now
        progress(now.parts.exclude(outputs=None).count(), now.parts.count())
        time.sleep(LOOK_AGAIN_SECONDS)


def scores_compute(*, run: ScoreRun, progress: Progress, job: Job | None = None) -> None:
    """Compute parts that nobody else computes, until there are none; who finds all done sums up."""
    total = run.parts.count()
    while (part := _hold_part(run, job)) is not None:
        done = run.parts.exclude(outputs=None).count()
        try:
            _compute_part(run, part, partial(progress, done, total))
        except BaseException:  # so that it can be asked for again at once
            ScorePart.objects.filter(pk=part.pk).update(lease_ends_at=None)
            raise
        progress(done + 1, total)
    if not run.parts.filter(outputs=None).exists():
        finalize(run)


def _hold_part(run: ScoreRun, job: Job | None) -> ScorePart | None:
    """Take a part; a holder who has not come back in time has lost it."""
    now = database_now()
    is_free = Q(lease_ends_at=None) | Q(held_until__lt=now)
    if job is not None:
        is_free |= Q(job=job)  # a job that is run again comes back for what it held
    for part in run.parts.filter(is_free, outputs=None).order_by("number"):
        if ScorePart.objects.filter(is_free, pk=part.pk, outputs=None).update(lease_ends_at=now + HELD, job=job):
            return part
    return None


def _compute_part(run: ScoreRun, part: ScorePart, sign_of_life: Callable[[], None]) -> None:
    """Scores of some sources."""
    sources = release_slice(run.release, part.begin, part.stop)
    if run.last_output is not None:
        add_outputs_since(run.release, sources, run.last_output)
    entries = list(scored_texts(sources, part.begin))
    settings = ScoreSettings.of(run.settings)

    def still_here() -> None:
        ScorePart.objects.filter(pk=part.pk).update(lease_ends_at=database_now() + HELD)
        sign_of_life()

    scores = _scores(entries, settings, still_here)
    part_store(part=part, table=wide_table(entries, [metric.name for metric in settings.chosen], scores))


def part_store(*, part: ScorePart, table: pa.Table) -> None:
    """The file comes first: done again it is written again, the same."""
    part.run.folder.mkdir(parents=True, exist_ok=True)
    with publish(part.file) as unfinished:
        pq.write_table(table, unfinished, compression="zstd")
    ScorePart.objects.filter(pk=part.pk).update(outputs=len(table), lease_ends_at=None)


def _scores(entries: Sequence[ScoredText], settings: ScoreSettings, still_here: Callable[[], None]) -> FloatArray:
    texts = _analysed(entries, settings.analysis, still_here)
    compared = compare(
        [texts[each.text] for each in entries], [[texts[text] for text in each.references] for each in entries]
    )
    return score(compared, [metric.name for metric in settings.chosen], settings.options)


def _analysed(entries: Sequence[ScoredText], analysis: Analysis, still_here: Callable[[], None]) -> dict[str, Text]:
    """Each text once; a slow parser gives a sign of life now and then."""
    distinct = list(dict.fromkeys(text for each in entries for text in (each.text, *each.references)))
    analysed: dict[str, Text] = {}
    for text, found in zip(distinct, analysis.texts(distinct), strict=True):
        analysed[text] = found
        if len(analysed) % TEXTS_BETWEEN_SIGNS == 0:
            still_here()
    return analysed


def finalize(run: ScoreRun) -> None:
    """Means and the file for others. Two who come at once both do it, with the same result."""
    if ScoreRun.objects.filter(pk=run.pk, summary__isnull=False).exists():
        return
    files = [part.file for part in run.parts.select_related("run").order_by("number") if part.outputs]
    if not files:
        raise Refused(f"{run.release.name} has nothing to score: no output of a system, and no source with two texts.")
    write_long(files, run.signatures, run.long_file)
    outputs = run.parts.aggregate(all=Sum("outputs"))["all"]
    unfinished = ScoreRun.objects.filter(pk=run.pk, summary__isnull=True)
    unfinished.update(summary=summary_of(files), outputs=outputs, finished_at=database_now())
