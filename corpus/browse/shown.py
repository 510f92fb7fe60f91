"""A source of a release as people read it: its texts beside it, what was done to the words, ratings and histories.

The page of staff and the site in a release show the same, by the same template.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.templatetags.formatting import figure
from compressions.genres import genre_words
from corpus.browse.compared import compared, words_of
from corpus.browse.marked_words import MarkedTexts
from corpus.browse.steps import History, Log, history_of
from corpus.release.records import Ratings, ReleasedComparison, ReleasedOutput, ReleasedSource, ReleasedText
from crowd.scales import Scale


@dataclass(frozen=True)
class ShownText:
    """A compression or output; `marked` is None where it is too long to be compared with its source."""

    text: str
    by: str
    marked: MarkedTexts | None
    notes: list[str]
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


@dataclass(frozen=True)
class Showing:
    """Prepares sources whose ratings are on some scales."""

    scales: Sequence[Scale]

    def of(
        self, number: int, source: ReleasedSource, logs: Sequence[Log] = (), most_marked: int | None = None
    ) -> ShownSource:
        """Show a source with the logs of its texts; words are marked in the first `most_marked` texts."""
        words = words_of(source.text)
        histories = [history for log in logs if (history := history_of(log))]
        subjects: list[ReleasedText | ReleasedOutput] = [*source.texts, *source.outputs]
        texts = []
        for place, each in enumerate(subjects):
            is_marked = most_marked is None or place < most_marked
            marked = compared(source.text, words, each.text, each.alignment) if is_marked else None
            own = [history for history in histories if _is_of(history, each)]
            texts.append(ShownText(each.text, _by(each), marked, self._notes(each), own))
        comparisons = [(each, self._ratings(each.ratings, each.expert_ratings)) for each in source.comparisons]
        return ShownSource(number, source, texts, comparisons)

    def _notes(self, each: ReleasedText | ReleasedOutput) -> list[str]:
        notes = self._ratings(each.ratings, each.expert_ratings) or [_("Not rated")]
        if each.alignment is not None:
            notes.append(_("The alignment was corrected by hand."))
        if isinstance(each, ReleasedOutput) and each.is_over_length:
            notes.append(_("Longer than editors could write"))
        return notes

    def _ratings(self, crowd: Ratings, experts: Ratings) -> list[str]:
        """Say for each scale what the crowd gave and what experts gave, and who they are."""
        found = ((_("Ratings"), self._points(crowd)), (_("Ratings by experts"), self._points(experts)))
        return [f"{pool}: {points}" for pool, points in found if points]

    def _points(self, ratings: Ratings) -> str:
        """Return the points scale by scale, in the order of the raters; a dash where one gave none."""
        found = []
        for scale in self.scales:
            points = [each.scores.get(scale.key) for each in ratings]
            given = [point for point in points if point is not None]
            if given:
                row = ", ".join("–" if point is None else str(point) for point in points)
                mean = "" if scale.is_preference else _(" (mean %(mean)s)") % {"mean": figure(fmean(given))}
                found.append(f"{scale.name} {row}{mean}")
        if not found:
            return ""
        raters = ", ".join(each.rater or "?" for each in ratings)
        return "; ".join([*found, _("by %(raters)s") % {"raters": raters}])


def _by(each: ReleasedText | ReleasedOutput) -> str:
    if isinstance(each, ReleasedOutput):
        return _("System %(system)s") % {"system": each.system}
    if not each.editors:
        return _("Editor unknown")
    words = ngettext("Editor %(editors)s", "Editors %(editors)s", len(each.editors))
    return words % {"editors": ", ".join(each.editors)}


def _is_of(history: History, subject: ReleasedText | ReleasedOutput) -> bool:
    return isinstance(subject, ReleasedText) and history.text == subject.text and history.editor in subject.editors
