"""A source of a release as people read it: its texts beside it, what was done to the words, ratings and histories.

The page of staff and the site in a release show the same, by the same template.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from django.utils.translation import gettext as _

from common.templatetags.formatting import figure
from compressions.genres import genre_words
from compressions.text_aligner import SplitText, TextAligner, TextPair
from corpus.browse.marked_words import MarkedTexts, marked_texts
from corpus.browse.steps import History, Log, history_of
from corpus.release.records import Ratings, ReleasedComparison, ReleasedOutput, ReleasedSource, ReleasedText
from crowd.scales import Scale

MOST_CHARACTERS = 10_000
"""Longer texts are shown as they are: cutting them into words and aligning these takes long."""


@dataclass(frozen=True)
class _Cut:
    text: str
    words: Sequence[str]
    places: Sequence[int | None] = ()
    classes: Sequence[str] = ()
    moved: Sequence[int] = ()


@dataclass(frozen=True)
class ShownText:
    """A compression or output; `marked` is None where its words are not aligned."""

    subject: ReleasedText | ReleasedOutput
    marked: MarkedTexts | None
    ratings: list[str]
    histories: list[History]


@dataclass(frozen=True)
class ShownSource:
    """A source, its place in the release from 1, and what was made of it."""

    number: int
    source: ReleasedSource
    texts: list[ShownText]
    comparisons: list[tuple[ReleasedComparison, list[str]]]

    @property
    def genre(self) -> str:
        return genre_words(self.source.genre)


class Showing:
    """Prepares sources whose texts are in a language and whose ratings are on some scales."""

    def __init__(self, language: str, scales: Sequence[Scale]) -> None:
        self._language, self._scales = language, scales

    @cached_property
    def _aligner(self) -> TextAligner:
        return TextAligner.of(self._language)

    def of(
        self, number: int, source: ReleasedSource, logs: Sequence[Log] = (), most_marked: int | None = None
    ) -> ShownSource:
        """Show a source with the logs of its texts; words are marked in the first `most_marked` texts."""
        split = self._split(source.text)
        histories = [history for log in logs if (history := history_of(log))]
        subjects: list[ReleasedText | ReleasedOutput] = [*source.texts, *source.outputs]
        texts = []
        for place, subject in enumerate(subjects):
            is_marked = most_marked is None or place < most_marked
            marked = self._marked(source, split, subject) if split and is_marked else None
            own = [each for each in histories if _is_of(each, subject)]
            texts.append(ShownText(subject, marked, self._ratings(subject.ratings, subject.expert_ratings), own))
        comparisons = [(each, self._ratings(each.ratings, each.expert_ratings)) for each in source.comparisons]
        return ShownSource(number, source, texts, comparisons)

    def _split(self, text: str) -> SplitText | None:
        return self._aligner.split(text) if len(text) <= MOST_CHARACTERS else None

    def _marked(
        self, source: ReleasedSource, split: SplitText, subject: ReleasedText | ReleasedOutput
    ) -> MarkedTexts | None:
        """Mark by the alignment that staff corrected, where its words are the same, else by the aligner's."""
        own = self._split(subject.text)
        if own is None:
            return None
        pair, made = TextPair(split, own), subject.alignment
        is_corrected = made is not None and (made.source_words, made.words) == (split.words, own.words)
        places = made.places if made is not None and is_corrected else self._aligner.places(pair)
        done = self._aligner.operations(pair, places)
        text = _Cut(subject.text, own.words, places, done.target_classes, done.moved)
        return marked_texts(_Cut(source.text, split.words), text)

    def _ratings(self, crowd: Ratings, experts: Ratings) -> list[str]:
        """Say for each scale what the crowd gave and what experts gave, and who they are."""
        lines = [f"{_('Ratings')}: {words}" for words in [self._points(crowd)] if words]
        return lines + [f"{_('Ratings by experts')}: {words}" for words in [self._points(experts)] if words]

    def _points(self, ratings: Ratings) -> str:
        found = []
        for scale in self._scales:
            points = [each.scores.get(scale.key) for each in ratings]
            given = [point for point in points if point is not None]
            if given:
                row = ", ".join("–" if point is None else str(point) for point in points)
                found.append(f"{scale.name} {row}" + ("" if scale.is_preference else f" ({_mean(given)})"))
        if not found:
            return ""
        raters = ", ".join(each.rater or "?" for each in ratings)
        return "; ".join([*found, _("by %(raters)s") % {"raters": raters}])


def _mean(given: Sequence[float]) -> str:
    return _("mean %(mean)s") % {"mean": figure(fmean(given))}


def _is_of(history: History, subject: ReleasedText | ReleasedOutput) -> bool:
    return isinstance(subject, ReleasedText) and history.text == subject.text and history.editor in subject.editors
