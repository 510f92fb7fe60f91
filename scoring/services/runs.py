"""Request the scores of a release and compute them part by part."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from common.clock import database_now
from common.computed_results import get_or_request
from common.errors import Refused
from common.job_attempts import NO_JOB, Attempt
from common.jobs import Progress
from common.json_values import file_sha256
from common.leased_parts import POLL_SECONDS, LostPart, held, parts_compute, slices_of
from common.models import Job
from common.scratch import scratch_folder
from common.stores import store, stored_names
from common.stores.unnamed_paths import OwnPath, path_give_up, path_of_attempt
from corpus.models import Release
from corpus.selectors import add_outputs_since, release_slice, youngest_output_since
from measures.core.arrays import FloatArray
from measures.metrics import Models, Text, analyse_distinct, compare, score
from scoring.entries import JACKKNIFED, PEOPLE, ScoredText, scored_texts, written_texts
from scoring.models import JOBS, ScorePart, ScoreRun
from scoring.parquet_tables import number_of_outputs, read_part, refuse_without_parquet, wide_table, write_long
from scoring.settings import ScoreSettings
from scoring.summary import summary_of

if TYPE_CHECKING:
    import pyarrow as pa

SOURCES_PER_PART = 250
IS_OPEN = Q(outputs=None)


def scores_request(*, release: Release, settings: ScoreSettings, user: User | None) -> ScoreRun:
    """Request scores; the same settings again return the existing run and resume what failed."""
    _refuse_unfit(release, settings)
    with transaction.atomic():
        run = _run_get_or_create(release, settings)
        if run.summary is None:
            parts = run.parts.filter(outputs=None).count()
            JOBS.enqueue(run.pk, campaign_id=release.campaign_id, user=user, parts=parts)
    return run


def score_run_get_or_create(*, release: Release, settings: ScoreSettings) -> ScoreRun:
    """Return the run with these settings, with open parts if it is new or its files are lost."""
    _refuse_unfit(release, settings)
    return _run_get_or_create(release, settings)


def _refuse_unfit(release: Release, settings: ScoreSettings) -> None:
    """Raise Refused if a release cannot be scored. Call before a transaction: this may load a parser."""
    if release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so it cannot be scored.") % {"release": release.name})
    refuse_without_parquet()
    try:
        settings.check()
    except (ValueError, ModuleNotFoundError) as error:
        raise Refused(str(error)) from error


@transaction.atomic
def _run_get_or_create(release: Release, settings: ScoreSettings) -> ScoreRun:
    last_output = youngest_output_since(release)
    defaults = {
        "kind": ScoreRun.Kind.COMPUTED,
        "settings": settings.stored(),
        "signatures": settings.signatures,
        "release_checksum": release.checksum,
        "last_output": last_output,
    }
    run, is_new = get_or_request(release.score_runs, defaults, digest=settings.digest(last_output))
    if is_new:
        _create_parts(run, release.summary["sources"])
    reset_lost_parts(run)
    return run


def _create_parts(run: ScoreRun, sources: int) -> None:
    ScorePart.objects.bulk_create([ScorePart(run=run, **each) for each in slices_of(sources, SOURCES_PER_PART)])


def reset_lost_parts(run: ScoreRun) -> None:
    """Reopen the parts whose files are missing, and the run with them, so that they are computed again."""
    there = set(stored_names(store("scores"), run.folder))
    lost = [part.pk for part in run.parts.exclude(outputs=None) if part.file not in there]
    is_finished = run.summary is not None
    if lost or (is_finished and run.file not in there):
        ScorePart.objects.filter(pk__in=lost).update(outputs=None)
        run.summary = run.finished_at = None
        run.save(update_fields=["summary", "finished_at"])


def scores_complete(*, run: ScoreRun, progress: Progress, job: Job | None = None) -> ScoreRun:
    """Compute free parts until the run is finished, waiting for other workers and taking over their expired leases."""
    while True:
        scores_compute(run=run, progress=progress, job=job)
        current = ScoreRun.objects.get(pk=run.pk)
        if current.summary is not None:
            return current
        progress(current.parts.exclude(outputs=None).count(), current.parts.count())
        time.sleep(POLL_SECONDS)


def scores_compute(*, run: ScoreRun, progress: Progress, job: Job | None = None) -> None:
    """Compute parts until none is free; finalize the run if all parts are done."""
    refuse_without_parquet()
    attempt = Attempt.of(job)
    parts_compute(run.parts.all(), IS_OPEN, partial(_compute_part, run, attempt), progress, job)
    if not run.parts.filter(IS_OPEN).exists():
        finalize(run, attempt)


def _compute_part(run: ScoreRun, attempt: Attempt, part: ScorePart, heartbeat: Callable[[], None]) -> None:
    """Score the texts of a part's sources and store them, renewing the lease meanwhile."""
    sources = release_slice(run.release, part.begin, part.stop)
    if run.last_output is not None:
        add_outputs_since(run.release, sources, run.last_output)
    settings = ScoreSettings.of(run.settings)
    entries = list(scored_texts(sources, part.begin, settings))
    scores = _scores(entries, settings, _models_of(run, settings, heartbeat), heartbeat)
    table = wide_table(entries, [metric.name for metric in settings.chosen], scores)
    part_store(part=part, table=table, attempt=attempt)


def part_store(*, part: ScorePart, table: pa.Table, attempt: Attempt = NO_JOB) -> None:
    """Write the file of a part and mark it done; raise LostPart if somebody else has taken the part over.

    If interrupted in between, the part is computed again, identically.
    """
    import pyarrow.parquet as pq

    with scratch_folder() as folder:
        path = folder / "part.parquet"
        pq.write_table(table, path, compression="zstd")
        digest, name = file_sha256(path), f"{part.run.folder}/part-{part.number:05}-{token_hex(4)}.parquet"
        with path_of_attempt("scores", name, attempt) as own:
            store("scores").put(path, name)
            _name_part(part, own, digest, number_of_outputs(table), attempt)


@transaction.atomic
def _name_part(part: ScorePart, own: OwnPath, digest: str, outputs: int, attempt: Attempt) -> None:
    attempt.fence()
    before = held(part).select_for_update(no_key=True).first()
    if before is None:
        raise LostPart
    own.name_it()
    if before.file:
        path_give_up("scores", before.file)
    held(part).update(outputs=outputs, file=own.row.path, file_sha256=digest, lease_ends_at=None)


_MODELS: dict[tuple[int, str], tuple[Models, dict[str, int] | None]] = {}
"""Of the run that this process scored last: vectors are read once for all of its parts."""


def _models_of(run: ScoreRun, settings: ScoreSettings, heartbeat: Callable[[], None]) -> Models:
    """Return vectors and models; raise Refused if their files are others than when the scores were asked for."""
    return _models_and_coverage(run, settings, heartbeat)[0]


def _models_and_coverage(
    run: ScoreRun, settings: ScoreSettings, heartbeat: Callable[[], None]
) -> tuple[Models, dict[str, int] | None]:
    analysis = settings.analysis
    if not (analysis.vectors or analysis.encoder):
        return Models(), None
    try:
        if settings.signatures != run.signatures:
            words = _("The files of vectors have changed since these scores were requested. Request them again.")
            raise Refused(words)
        key = run.pk, settings.digest(run.last_output)
        if key not in _MODELS:
            _MODELS.clear()
            words_of_texts = list(_words_of_release(run, settings, heartbeat)) if analysis.vectors else []
            models = analysis.models(words_of_texts)
            found = models.words and models.words.coverage(text.words for text in words_of_texts)
            _MODELS[key] = models, asdict(found) if found else None
    except (ValueError, ModuleNotFoundError) as error:
        raise Refused(str(error)) from error
    return _MODELS[key]


def _words_of_release(run: ScoreRun, settings: ScoreSettings, heartbeat: Callable[[], None]) -> Iterator[Text]:
    """Yield the distinct texts of each source, cut into words but not parsed."""
    analysis = replace(settings.analysis, parser="")
    for part in run.parts.order_by("number"):
        sources = release_slice(run.release, part.begin, part.stop)
        if run.last_output is not None:
            add_outputs_since(run.release, sources, run.last_output)
        for source in sources:
            texts = dict.fromkeys([*written_texts(source), *(output.text for output in source.outputs)])
            yield from analysis.texts(list(texts))
        heartbeat()


def _scores(
    entries: Sequence[ScoredText], settings: ScoreSettings, models: Models, heartbeat: Callable[[], None]
) -> FloatArray:
    every_text = (text for each in entries for text in (each.text, *each.references))
    texts = analyse_distinct(settings.analysis, every_text, heartbeat)  # a parser may be slow
    originals: list[Text] | None = None
    if any(metric.wants_sources for metric in settings.chosen):
        words = analyse_distinct(replace(settings.analysis, parser=""), (each.source.text for each in entries))
        originals = [words[each.source.text] for each in entries]
    compared = compare(
        [texts[each.text] for each in entries],
        [[texts[text] for text in each.references] for each in entries],
        [each.ground == JACKKNIFED and each.system != PEOPLE for each in entries],
        originals,
    )
    return score(compared, [metric.name for metric in settings.chosen], settings.options, models)


def _why_nothing(run: ScoreRun) -> str:
    if not run.release.summary.get("compressions"):
        return _(
            "%(release)s has nothing to score: no source has a text by a person, so outputs have no references. Scores "
            "that were computed elsewhere can be imported."
        )
    return _("%(release)s has nothing to score: no output of a system, and no source with two texts.")


def finalize(run: ScoreRun, attempt: Attempt = NO_JOB) -> None:
    """Write the file for downloads and the summary, unless somebody else has done so meanwhile."""
    import pyarrow as pa

    if ScoreRun.objects.filter(pk=run.pk, summary__isnull=False).exists():
        return
    parts = [part for part in run.parts.order_by("number") if part.outputs]
    if not parts:
        raise Refused(_why_nothing(run) % {"release": run.release.name})
    wide = [read_part(part, run) for part in parts]
    summary = summary_of(pa.concat_tables(wide))
    if run.kind == ScoreRun.Kind.COMPUTED:
        covered = _models_and_coverage(run, ScoreSettings.of(run.settings), lambda: None)[1]
        summary |= {"coverage": covered} if covered else {}
    with scratch_folder() as folder:
        path = folder / "scores.parquet"
        write_long(wide, run.signatures, path)
        digest, name = file_sha256(path), f"{run.folder}/scores-{token_hex(4)}.parquet"
        with path_of_attempt("scores", name, attempt) as own:
            store("scores").put(path, name)
            _publish(run, own, digest, summary, attempt)


@transaction.atomic
def _publish(run: ScoreRun, own: OwnPath, digest: str, summary: dict[str, Any], attempt: Attempt) -> None:
    attempt.fence()
    current = ScoreRun.objects.select_for_update(no_key=True).get(pk=run.pk)
    # Somebody may have finished the run, or found files missing and opened its parts again.
    if current.summary is not None or run.parts.filter(outputs=None).exists():
        return
    own.name_it()
    if current.file:
        path_give_up("scores", current.file)
    outputs = run.parts.aggregate(all=Sum("outputs"))["all"]
    ScoreRun.objects.filter(pk=run.pk).update(
        summary=summary, outputs=outputs, finished_at=database_now(), file=own.row.path, file_sha256=digest
    )
