"""Query releases and read their files."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from django.db.models import Max, QuerySet
from django.shortcuts import get_object_or_404

from common.errors import FilesAway
from common.stores import store
from common.stores.base import no_such_file
from compressions.models import SystemOutput
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.models import ErasureToComplete, ImportedFacts, Release, ReleaseFile
from corpus.release.data_statement import Statement
from corpus.release.records import ReleasedOutput, ReleasedSource, is_over_length
from crowd.models import Campaign, Worker
from ratings.models import RaterPool, Rating
from ratings.selectors.kept import Basis, Changes, changes_since, newer_number, of_campaign

State = Release.State
MAX_IDS_IN_QUERY = 1000
AFTER_ALL_ROWS = 2**62


def releases_of_campaign(campaign: Campaign) -> QuerySet[Release]:
    return Release.objects.filter(campaign=campaign).select_related("campaign", "job").order_by("-version")


def newer_release(release: Release) -> Release | None:
    """Return the newest release of the campaign if that is ready and newer than this one."""
    return releases_of_campaign(release.campaign).filter(state=State.READY, version__gt=release.version).first()


def changes_since_release(release: Release) -> Changes:
    """Count what the next release could hold beside this one; what is not known of an early one counts as 0."""
    last = release.last_rows
    rating, version, compression = (
        last.get(name, AFTER_ALL_ROWS) for name in ("ratings", "rating_versions", "compressions")
    )
    since = changes_since(release.campaign, Basis(rating, version, compression, release.created_at.isoformat()))
    by_experts = Rating.objects.filter(of_campaign(release.campaign), rater_pool=RaterPool.EXPERTS, pk__gt=rating)
    return replace(
        since,
        expert_ratings=newer_number(by_experts.exclude(worker__is_test=True)),
        outputs=newer_number(_outputs_since(release)),
    )


def release_sources(release: Release) -> list[ReleasedSource]:
    """Return the sources of a finished release, read from its file, which later work does not change."""
    return list(release_stream(release))


@contextmanager
def release_file(release: Release, name: str) -> Iterator[Path]:
    """Yield a file of a finished release as one of this computer; raise FileNotFoundError if it is missing."""
    file = release.files.filter(name=name).first()
    if file is None:
        raise no_such_file(f"{release.name}/{name}")
    with store("releases").local(f"{release.folder}/{name}", file.sha256) as path:
        yield path


def release_stream(release: Release) -> Iterator[ReleasedSource]:
    """Yield the sources of a finished release."""
    with release_file(release, CORPUS_FILE) as path, path.open("rb") as stream:
        yield from jsonl_read(stream)


def release_slice(release: Release, begin: int, stop: int) -> list[ReleasedSource]:
    """Return a slice of the sources of a finished release, in file order."""
    with release_file(release, CORPUS_FILE) as path, path.open("rb") as stream:
        return list(jsonl_read(islice(stream, begin, stop)))


def release_places(release: Release, places: set[int]) -> dict[int, ReleasedSource]:
    """Return the sources of a finished release on the given lines of its file (from 0), by line."""
    with release_file(release, CORPUS_FILE) as path, path.open("rb") as stream:
        wanted = sorted(places)
        lines = (line for index, line in enumerate(stream) if index in places)
        return dict(zip(wanted, jsonl_read(lines), strict=True))


def youngest_output_since(release: Release) -> int | None:
    """Return the id of the last system output imported after a release was frozen, or None."""
    youngest: int | None = _outputs_since(release).aggregate(youngest=Max("pk"))["youngest"]
    return youngest


def add_outputs_since(release: Release, sources: list[ReleasedSource], last: int) -> None:
    """Add to the sources of a release the system outputs imported since, up to the output id `last`."""
    since = _outputs_since(release).filter(pk__lte=last)
    if len(sources) <= MAX_IDS_IN_QUERY:
        since = since.filter(source__source_id__in=[source.source_id for source in sources])
    by_id, percent = {source.source_id: source for source in sources}, output_limit(release.campaign)
    rows = since.order_by("system__name", "pk").values_list("source__source_id", "system__name", "target__text")
    for source_id, system, text in rows.iterator():
        if source_id in by_id:
            is_over = is_over_length(by_id[source_id].text, text, percent)
            by_id[source_id].outputs.append(ReleasedOutput(system, text, (), is_over_length=is_over))


def sources_with_outputs(release: Release) -> list[ReleasedSource]:
    """Return the sources of a finished release, with the system outputs imported since among the others."""
    sources, last = release_sources(release), youngest_output_since(release)
    if last is not None:
        add_outputs_since(release, sources, last)
    return sources


def output_limit(campaign: Campaign) -> int | None:
    """Return the percent of a source beyond which outputs are marked; None where an import has not told the limit."""
    return None if ImportedFacts.objects.filter(campaign=campaign).exists() else campaign.keep_percent


def _outputs_since(release: Release) -> QuerySet[SystemOutput]:
    return SystemOutput.objects.filter(
        system__campaign=release.campaign_id, pk__gt=release.last_rows.get("outputs", AFTER_ALL_ROWS)
    )


def releases_with(worker: Worker) -> list[Release]:
    """Return the releases whose files hold a text or rating of a person, or may do so because they cannot be read."""
    ready = releases_of_campaign(worker.campaign).filter(state=State.READY)
    return [release for release in ready if _may_hold(release, worker.public_name)]


def _may_hold(release: Release, name: str) -> bool:
    try:
        return any(_mentions(source, name) for source in release_stream(release))
    except (FileNotFoundError, FilesAway):
        return True


def _mentions(source: ReleasedSource, name: str) -> bool:
    if any(name in text.editors for text in source.texts):
        return True
    return any(rating.rater == name for each in source.subjects for rating in (*each.ratings, *each.expert_ratings))


def erasures_wait() -> bool:
    """Return whether erased rows may still be found in the files of the database."""
    return ErasureToComplete.objects.exists()


def statement_of_last(campaign: Campaign) -> Statement:
    """Return what the researchers said of the corpus when they froze its last release."""
    last = Release.objects.filter(campaign=campaign).order_by("-version").first()
    return last.data_statement if last else {}


def release_or_404(campaign: Campaign, version: int, *prefetched: str) -> Release:
    """Return a release of a campaign; anything else is a 404."""
    return get_object_or_404(releases_of_campaign(campaign).prefetch_related(*prefetched), version=version)


def release_file_or_404(campaign: Campaign, version: int, name: str) -> ReleaseFile:
    """Return a file of a finished release. Its name is looked up in the database, never on disk."""
    return get_object_or_404(
        ReleaseFile.objects.select_related("release__campaign"),
        release__campaign=campaign,
        release__version=version,
        release__state=State.READY,
        name=name,
    )
