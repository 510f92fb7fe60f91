"""Reading releases."""

from collections.abc import Iterator

from django.db.models import QuerySet

from corpus.content import ReleasedSource
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.models import Release
from crowd.models import Campaign, Worker


def releases_of_campaign(campaign: Campaign) -> QuerySet[Release]:
    return Release.objects.filter(campaign=campaign).select_related("campaign", "job").order_by("-version")


def release_sources(release: Release) -> list[ReleasedSource]:
    """The content of a finished release, from its own file: later work does not change it."""
    return list(release_stream(release))


def release_stream(release: Release) -> Iterator[ReleasedSource]:
    with (release.folder / CORPUS_FILE).open("rb") as stream:
        yield from jsonl_read(stream)


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
