"""The aligned texts of a report, filtered by what was done to them and how they were rated.

Pages, files and the API find texts here, so that the same filter gives the same texts in the same order.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice

from common.api.pages import Page
from compressions.genres import genre_label
from compressions.models import Target, text_digest
from crowd.scales import Scale
from edit_operations.aligned import AlignedSource, AlignedText
from reports.models import Report

PAGE = 50
PARTS_AT_ONCE = 4  # read for one answer: some 5,000 texts
PEOPLE, SYSTEMS = "people", "systems"


@dataclass(frozen=True)
class TextFilter:
    """Which texts are wanted; None is any. `by` is people or systems, an empty `genre` is unknown, `scale` is a key.

    `source_sentences` is the number of sentences of the source, `sentences` what happened to them if there are two.
    """

    by: str | None = None
    compression: str | None = None
    sentences: str | None = None
    paraphrased: bool | None = None
    inserted: bool | None = None
    reordered: bool | None = None
    corrected: bool | None = None
    genre: str | None = None
    split: str | None = None
    editor: str | None = None
    system: str | None = None
    source_sentences: int | None = None
    scale: str | None = None
    least: float | None = None
    most: float | None = None

    def has_source(self, source: AlignedSource) -> bool:
        given = (genre_label(source.genre), source.split, source.sentences)
        genre = None if self.genre is None else genre_label(self.genre)
        wanted = (genre, self.split, self.source_sentences)
        return all(want is None or want == has for want, has in zip(wanted, given, strict=True))

    def has_text(self, text: AlignedText) -> bool:
        return self._is_by(text) and self._has_operations(text) and self._is_rated(text)

    def _is_by(self, text: AlignedText) -> bool:
        if self.by is not None and (self.by == SYSTEMS) != text.is_output:
            return False
        return self.system in (None, text.system) and (self.editor is None or self.editor in text.editors)

    def _has_operations(self, text: AlignedText) -> bool:
        has = (text.compression, text.sentences, text.substitutes, text.inserts, text.reorders)
        wanted = (self.compression, self.sentences, self.paraphrased, self.inserted, self.reordered)
        is_corrected = self.corrected in (None, text.correction is not None)
        return is_corrected and all(want is None or want == each for want, each in zip(wanted, has, strict=True))

    def _is_rated(self, text: AlignedText) -> bool:
        """Return whether the mean rating is in the range; a text without a rating is in none."""
        if self.least is None and self.most is None:
            return True
        means = [mean for scale, mean in (text.quality or {}).items() if self.scale in (None, scale)]
        return any(self._is_between(mean) for mean in means)

    def _is_between(self, mean: float) -> bool:
        return (self.least is None or mean >= self.least) and (self.most is None or mean <= self.most)


ANY_TEXT = TextFilter()


def first_scale(scales: Iterable[Scale]) -> str | None:
    """Return the key of the scale that a range of ratings is on unless another is named."""
    return next((scale.key for scale in scales if not scale.is_preference), None)


@dataclass(frozen=True)
class FoundText:
    """An aligned text with its source; `target_id` is that of the page of its alignment, None if it was erased."""

    number: int
    source: AlignedSource
    text: AlignedText
    target_id: int | None = None


@dataclass(frozen=True)
class FoundTexts:
    """A page of the texts that were found, and how many there are; `has_more` if others follow."""

    texts: list[FoundText]
    total: int
    first: int

    @property
    def has_more(self) -> bool:
        return self.first + len(self.texts) < self.total


@dataclass
class _Page:
    """Collects one page out of all texts, and counts them."""

    first: int
    size: int
    total: int = 0
    texts: list[FoundText] = field(default_factory=list)

    def add(self, text: FoundText) -> None:
        if self.first <= self.total < self.first + self.size:
            self.texts.append(text)
        self.total += 1


def texts_found(
    report: Report, wanted: TextFilter = ANY_TEXT, *, page: int = 1, size: int = PAGE, parts: range | None = None
) -> FoundTexts:
    """Return a page of texts in the order of the release, with two queries; one part is in memory at a time."""
    found = _Page((page - 1) * size, size)
    for each in texts_stream(report, wanted, parts):
        found.add(each)
    return FoundTexts(_with_targets(report, found.texts), found.total, found.first)


def texts_after(report: Report, wanted: TextFilter, *, cursor: int, limit: int) -> Page:
    """Return the next texts after the one with a number.

    No more than `PARTS_AT_ONCE` parts are read, so that a page may have fewer texts than the limit and yet a cursor. Of
    a report that was computed before its texts were counted by part, all parts are read from the first one on.
    """
    before = [0, *accumulate(report.pinned.get("texts_of_parts", ()))]
    first = bisect_right(before, max(cursor, 0)) - 1
    stop = first + PARTS_AT_ONCE
    is_end = stop >= len(before) - 1
    stream = texts_stream(report, wanted, None if len(before) == 1 else range(first, stop), before[first])
    found = list(islice((each for each in stream if each.number > cursor), limit + 1))
    if len(found) > limit:
        return Page(_with_targets(report, found[:limit]), found[limit - 1].number)
    return Page(_with_targets(report, found), None if is_end else before[stop])


def texts_stream(
    report: Report, wanted: TextFilter = ANY_TEXT, parts: range | None = None, number: int = 0
) -> Iterator[FoundText]:
    """Yield the texts that are wanted, in the order of the release, without the ids of their alignments.

    `parts` are those to read, by default all, and `number` is how many texts come before them.
    """
    for source in aligned_stream(report, parts):
        has_source = wanted.has_source(source)
        for text in source.texts:
            number += 1
            if has_source and wanted.has_text(text):
                yield FoundText(number, source, text)


def aligned_stream(report: Report, parts: range | None = None) -> Iterator[AlignedSource]:
    """Yield the sources of a report with their texts, part by part."""
    found = report.parts.order_by("number").values_list("content", flat=True)
    if parts is not None:
        found = found.filter(number__gte=parts.start, number__lt=parts.stop)
    for part in found.iterator(chunk_size=1):
        yield from map(AlignedSource.of, part or [])


def _with_targets(report: Report, texts: list[FoundText]) -> list[FoundText]:
    targets = Target.objects.filter(
        source__campaign=report.of_release.campaign_id,
        source__source_id__in={each.source.source_id for each in texts},
        digest__in={text_digest(each.text.text) for each in texts},
    )
    ids = {(source, digest): pk for pk, source, digest in targets.values_list("pk", "source__source_id", "digest")}
    return [replace(each, target_id=ids.get((each.source.source_id, text_digest(each.text.text)))) for each in texts]
