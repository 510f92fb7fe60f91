"""Freezing a release: pin the quality decisions, draw the splits, write the files with their checksums."""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from corpus.content import Content, ReleasedSource
from corpus.formats.jsonl import jsonl_write
from corpus.formats.rawdata import outputs_write, rawdata_write
from corpus.matrices import crowd_ratings
from corpus.models import Release, ReleaseFile
from corpus.selectors import CORPUS_FILE, release_content
from crowd.clock import database_now
from crowd.errors import Refused
from crowd.models import Campaign, Exclusion
from crowd.scales import Scale
from crowd.services.jobs import Progress, job_enqueue
from measures.splits import split_sources
from ratings.models import Judges, QualityDecision, Rating
from ratings.selectors.quality import latest_quality_run

RELEASE_JOB = "freeze_release"
# The sizes of Toutanova et al. 2016, §3.1, as proportions; its files call the development set "valid".
DEFAULT_SHARES: Mapping[str, int] = {"train": 4936, "valid": 448, "test": 785}
DEFAULT_SEED = 2016
MANIFEST = "manifest.json"

Writer = Callable[[BinaryIO], object]


@transaction.atomic
def release_create(
    *, campaign: Campaign, seed: int = DEFAULT_SEED, shares: Mapping[str, float] = DEFAULT_SHARES
) -> Release:
    """Take the next version number, and pin the quality decisions in force."""
    if not _is_rated(campaign):
        raise Refused("There is nothing to release yet: no compression has been rated.")
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    last = Release.objects.filter(campaign=campaign).aggregate(last=Max("version"))["last"]
    return Release.objects.create(
        campaign=campaign,
        version=(last or 0) + 1,
        seed=seed,
        shares=dict(shares),
        quality_run=latest_quality_run(campaign),
    )


def _is_rated(campaign: Campaign) -> bool:
    single = Rating.objects.filter(target__source__campaign=campaign, judges=Judges.CROWD)
    side_by_side = Rating.objects.filter(pair__first__source__campaign=campaign)
    return single.exists() or side_by_side.exists()


@transaction.atomic
def release_request(*, campaign: Campaign, user: User) -> Release:
    """Make a release and ask for its files to be written."""
    release = release_create(campaign=campaign)
    release.job = job_enqueue(campaign=campaign, kind=RELEASE_JOB, parameters={"release": release.pk}, user=user)
    release.save(update_fields=["job"])
    return release


def release_build(*, release: Release, progress: Progress) -> None:
    """Write the files of a release; if that fails the release says so, and can be built again."""
    if release.state == Release.State.READY:
        return
    try:
        _build(release, progress)
    except BaseException:
        Release.objects.filter(pk=release.pk).update(state=Release.State.FAILED)
        raise


def _build(release: Release, progress: Progress) -> None:
    """Write into a folder that appears only when all files are complete."""
    content = release_content(release.campaign, release.quality_run)
    if not content.sources:
        raise Refused("There is nothing to release: the quality decisions leave no rated compression.")
    _draw_splits(release, content.sources)
    partial_folder = release.folder.with_name(release.folder.name + ".partial")
    shutil.rmtree(partial_folder, ignore_errors=True)
    scales = release.campaign.rating_scales
    files = _write_files(partial_folder, _writers(content.sources, scales), progress)
    summary = _summary(content, scales)
    manifest = _manifest(release, content, summary, files)
    checksum = _write_file(partial_folder / MANIFEST, lambda stream: stream.write(manifest)).sha256
    shutil.rmtree(release.folder, ignore_errors=True)  # of an earlier try that was cut off
    partial_folder.rename(release.folder)
    _finish(release, files, summary, checksum)


def _draw_splits(release: Release, sources: Sequence[ReleasedSource]) -> None:
    # A sentence goes with its paragraph, so it counts to the paragraph's stratum; where the paragraph itself is not
    # released, the first of its sentences speaks for all.
    strata = {source.family: source.stratum for source in reversed(sources)}
    strata |= {source.source_id: source.stratum for source in sources}
    splits = split_sources(
        [source.source_id for source in sources],
        [source.family for source in sources],
        [strata[source.family] for source in sources],
        shares=release.shares,
        seed=release.seed,
    )
    for source in sources:  # what an imported release says stays
        source.split = source.split or splits[source.source_id]


def _writers(sources: Sequence[ReleasedSource], scales: tuple[Scale, ...]) -> dict[str, Writer]:
    by_split: dict[str, list[ReleasedSource]] = {"train": [], "valid": [], "test": []}
    for source in sources:
        by_split.setdefault(source.split, []).append(source)
    writers: dict[str, Writer] = {}
    for split, members in by_split.items():
        judged = [source for source in members if any(text.ratings for text in source.texts)]
        writers[f"RawData/{split}.tsv"] = partial(rawdata_write, sources=judged, scales=scales)
    for split, members in by_split.items():
        for system in sorted({output.system for source in members for output in source.outputs}):
            name = f"RawData/{split}_output.{system}.tsv"
            writers[name] = partial(outputs_write, sources=members, system=system, scales=scales)
    writers[CORPUS_FILE] = partial(jsonl_write, sources=sources)
    return writers


class _CheckedStream:
    """A binary stream that knows its size and SHA-256 as it is written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self.size += len(data)
        return self._stream.write(data)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


def _write_file(path: Path, writer: Writer) -> ReleaseFile:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        checked = _CheckedStream(stream)
        writer(checked)  # type: ignore[arg-type]  # all that writers do with a stream is write
        stream.flush()
        os.fsync(stream.fileno())
    return ReleaseFile(size=checked.size, sha256=checked.sha256)


def _write_files(folder: Path, writers: Mapping[str, Writer], progress: Progress) -> list[ReleaseFile]:
    files: list[ReleaseFile] = []
    for number, (name, writer) in enumerate(writers.items(), start=1):
        file = _write_file(folder / name, writer)
        file.name = name
        files.append(file)
        progress(number, len(writers))
    return files


def _summary(content: Content, scales: tuple[Scale, ...]) -> dict[str, Any]:
    """Figures of the crowd's judgements of people's texts; what experts and systems did is counted apart."""
    judged = list(crowd_ratings(content.sources))
    ratings = [rating for each in judged for rating in each]
    texts = [text for source in content.sources for text in source.texts]
    outputs = [output for source in content.sources for output in source.outputs]
    return {
        "sources": len(content.sources),
        "compressions": len(texts),
        "comparisons": sum(len(source.comparisons) for source in content.sources),
        "ratings": len(ratings),
        "compressions_per_source": len(texts) / len(content.sources),
        "means": {scale.key: _mean([rating.scores[scale.key] for rating in ratings]) for scale in scales},
        "expert_ratings": sum(len(each.expert_ratings) for source in content.sources for each in source.judged),
        "systems": dict(sorted(Counter(output.system for output in outputs).items())),
        "splits": dict(sorted(Counter(source.split for source in content.sources).items())),
        "genres": dict(sorted(Counter(source.genre for source in content.sources).items())),
        "left_out": asdict(content.left_out),
    }


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _manifest(release: Release, content: Content, summary: Mapping[str, Any], files: Sequence[ReleaseFile]) -> bytes:
    run = release.quality_run
    manifest = {
        "release": release.name,
        "campaign": release.campaign.name,
        "created_at": release.created_at.isoformat(),
        "task": release.campaign.rating_task,
        "scales": release.campaign.scales,
        "seed": release.seed,
        "shares": release.shares,
        "quality": {"rule": run.rule, "parameters": run.parameters, "summary": run.summary} if run else None,
        "left_out_workers": _left_out_workers(release),
        "summary": summary,
        "splits": {source.source_id: source.split for source in content.sources},
        "files": [{"name": file.name, "size": file.size, "sha256": file.sha256} for file in files],
    }
    return json.dumps(manifest, indent=1, ensure_ascii=False).encode() + b"\n"


def _left_out_workers(release: Release) -> list[dict[str, Any]]:
    """Who is left out by the rule or by hand, and why."""
    removed = QualityDecision.objects.filter(run=release.quality_run, removed=True).select_related("worker")
    by_rule = [(each.worker, each.round, each.reason) for each in removed]
    in_force = Exclusion.objects.filter(worker__campaign=release.campaign, withdrawn_at=None).select_related("worker")
    by_hand = [(each.worker, each.round, "excluded by hand") for each in in_force]
    return [
        {"worker": worker.public_name, "round": work_round, "reason": reason}
        for worker, work_round, reason in sorted([*by_rule, *by_hand], key=lambda row: (row[1], row[0].number))
    ]


def _finish(release: Release, files: Sequence[ReleaseFile], summary: dict[str, Any], checksum: str) -> None:
    manifest = ReleaseFile(name=MANIFEST, size=(release.folder / MANIFEST).stat().st_size, sha256=checksum)
    with transaction.atomic():
        release.files.all().delete()
        for file in (*files, manifest):
            file.release = release
        ReleaseFile.objects.bulk_create([*files, manifest])
        release.state = Release.State.READY
        release.summary = summary
        release.checksum = checksum
        release.finished_at = database_now()
        release.save(update_fields=["state", "summary", "checksum", "finished_at"])
