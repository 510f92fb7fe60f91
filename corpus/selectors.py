"""Reading releases."""

from collections.abc import Iterator
from itertools import islice

from django.db.models import Max, QuerySet

from compressions.models import SystemOutput
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedSource
from crowd.models import Campaign, Worker

MAX_NAMED = 1000
MAX_ROWS = 2**62


def releases_of_campaign(campaign: Campaign) -> QuerySet[Release]:
    return Release.objects.filter(campaign=campaign).select_related("campaign", "job").order_by("-version")


def release_sources(release: Release) -> list[ReleasedSource]:
    """The content of a finished release, from its own file: later work does not change it."""
    return list(release_stream(release))


def release_stream(release: Release) -> Iterator[ReleasedSource]:
    with (release.folder / CORPUS_FILE).open("rb") as stream:
        yield from jsonl_read(stream)


def release_slice(release: Release, begin: int, stop: int) -> list[ReleasedSource]:
    """Some sources of a finished release, by their places in its file."""
    with (release.folder / CORPUS_FILE).open("rb") as stream:
        return list(jsonl_read(islice(stream, begin, stop)))


def release_places(release: Release, places: set[int]) -> dict[int, ReleasedSource]:
    """Those sources of a finished release that stand in certain places of its file."""
    with (release.folder / CORPUS_FILE).open("rb") as stream:
        wanted = sorted(places)
        lines = (line for place, line in enumerate(stream) if place in places)
        return dict(zip(wanted, jsonl_read(lines), strict=True))


def youngest_output_since(release: Release) -> int | None:
    """The last output of a system that was imported after a release was frozen."""
    youngest: int | None = _outputs_since(release).aggregate(youngest=Max("pk"))["youngest"]
    return youngest


def add_outputs_since(release: Release, sources: list[ReleasedSource], last: int) -> None:
    """Give sources of a release what systems made of them after it was frozen, up to a last output."""
    since = _outputs_since(release).filter(pk__lte=last)
    if len(sources) <= MAX_NAMED:
        since = since.filter(source__source_id__in=[source.source_id for source in sources])
    by_id = {source.source_id: source for source in sources}
    rows = since.order_by("system__name", "pk").values_list("source__source_id", "system__name", "target__text")
    for source_id, system, text in rows.iterator():
        if source_id in by_id:
            by_id[source_id].outputs.append(ReleasedOutput(system, text, ()))


def _outputs_since(release: Release) -> QuerySet[SystemOutput]:
    return SystemOutput.objects.filter(
        system__campaign=release.campaign_id, pk__gt=release.last_rows.get("outputs", MAX_ROWS)
    )


def releases_with(worker: Worker) -> list[Release]:
    """The releases whose files hold a text or a judgement of a person, or may do so: their files are not here."""
    ready = releases_of_campaign(worker.campaign).filter(state=Release.State.READY)
    return [release for release in ready if _may_hold(release, worker.public_name)]


def _may_hold(release: Release, name: str) -> bool:
    try:
        return any(_names(source, name) for source in release_stream(release))
    except FileNotFoundError:
        return True


def _names(source: ReleasedSource, name: str) -> bool:
    if any(name in text.editors for text in source.texts):
        return True
    return any(rating.rater == name for each in source.judged for rating in (*each.ratings, *each.expert_ratings))
