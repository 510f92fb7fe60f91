"""Reading what a release is made of, and releases."""

from collections import defaultdict

import numpy as np
from django.db.models import QuerySet

from compressions.models import Compression, Source, Target
from corpus.content import Content, LeftOut, ReleasedRating, ReleasedSource, ReleasedText
from corpus.formats.jsonl import jsonl_read
from corpus.models import Release
from crowd.models import Campaign, Round
from measures.arrays import FloatArray
from ratings.models import QualityRun, Rating
from ratings.selectors.quality import removed_workers

CORPUS_FILE = "corpus.jsonl"


def releases_of_campaign(campaign: Campaign) -> QuerySet[Release]:
    return Release.objects.filter(campaign=campaign).select_related("campaign", "job").order_by("-version")


def release_content(campaign: Campaign, quality_run: QualityRun | None) -> Content:
    """What the campaign's next release holds, in a fixed number of queries.

    Rows are only ever added, and a rating is younger than its text: reading from the youngest to the oldest table
    gives a consistent picture while people go on working.
    """
    removed_raters = removed_workers(quality_run, Round.RATE)
    removed_editors = removed_workers(quality_run, Round.EDIT)
    ratings, ratings_dropped = _ratings_by_target(campaign, removed_raters)
    editors, orphans = _editors_by_target(campaign, removed_editors)
    texts, unrated = _texts_by_source(campaign, ratings, editors)
    sources = [source for source in _sources(campaign, texts) if source.texts]
    left_out = LeftOut(
        removed_raters=len(removed_raters),
        removed_editors=len(removed_editors),
        ratings_of_removed_raters=ratings_dropped,
        texts_of_removed_editors=orphans,
        texts_without_rating=unrated,
        sources_without_text=Source.objects.filter(campaign=campaign).count() - len(sources),
    )
    return Content(sources, left_out)


def _ratings_by_target(campaign: Campaign, removed: frozenset[int]) -> tuple[dict[int, list[ReleasedRating]], int]:
    rows = Rating.objects.filter(target__source__campaign=campaign).order_by("pk")
    kept: dict[int, list[ReleasedRating]] = defaultdict(list)
    dropped = 0
    for target_id, rater, meaning, grammar in rows.values_list(
        "target_id", "worker_id", "meaning", "grammar"
    ).iterator():
        if rater in removed:
            dropped += 1
        else:
            kept[target_id].append(ReleasedRating(rater, meaning, grammar))
    return kept, dropped


def _editors_by_target(campaign: Campaign, removed: frozenset[int]) -> tuple[dict[int, list[int]], int]:
    rows = Compression.objects.filter(source__campaign=campaign).order_by("pk")
    kept: dict[int, list[int]] = defaultdict(list)
    written: set[int] = set()
    for target_id, editor in rows.values_list("target_id", "worker_id").iterator():
        written.add(target_id)
        if editor not in removed:
            kept[target_id].append(editor)
    return kept, len(written) - len(kept)


def _texts_by_source(
    campaign: Campaign, ratings: dict[int, list[ReleasedRating]], editors: dict[int, list[int]]
) -> tuple[dict[int, list[ReleasedText]], int]:
    """A text without a rating stays out: the loaders in use divide by the number of ratings."""
    rows = Target.objects.filter(source__campaign=campaign).order_by("pk")
    texts: dict[int, list[ReleasedText]] = defaultdict(list)
    unrated = 0
    for pk, source_id, text in rows.values_list("pk", "source_id", "text").iterator():
        if pk not in editors:
            continue
        if pk not in ratings:
            unrated += 1
            continue
        texts[source_id].append(ReleasedText(text, tuple(editors[pk]), tuple(ratings[pk])))
    return texts, unrated


def _sources(campaign: Campaign, texts: dict[int, list[ReleasedText]]) -> list[ReleasedSource]:
    rows = Source.objects.filter(campaign=campaign).order_by("pk").select_related("paragraph")
    return [
        ReleasedSource(
            source_id=source.source_id,
            genre=source.genre,
            text=source.text,
            sentences=source.sentences,
            paragraph_id=source.paragraph.source_id if source.paragraph else "",
            family=source.family,
            texts=texts.get(source.pk, []),
        )
        for source in rows.iterator()
    ]


def release_sources(release: Release) -> list[ReleasedSource]:
    """The content of a finished release, from its own file: later work does not change it."""
    with (release.folder / CORPUS_FILE).open("rb") as stream:
        return list(jsonl_read(stream))


def rating_matrix(sources: list[ReleasedSource], scale: str) -> FloatArray:
    """Texts x raters, NaN where somebody did not rate; raters in the order of their ids."""
    texts = [text for source in sources for text in source.texts]
    raters = sorted({rating.rater for text in texts for rating in text.ratings})
    column = {rater: index for index, rater in enumerate(raters)}
    matrix = np.full((len(texts), len(raters)), np.nan)
    for row, text in enumerate(texts):
        for rating in text.ratings:
            matrix[row, column[rating.rater]] = getattr(rating, scale)
    return matrix
