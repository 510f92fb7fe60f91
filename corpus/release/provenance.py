"""What the work in a release was done under: counted source by source, while the release is read.

Editors and raters are ids of people here, versions are ids of rows; `corpus/release/collection.py` turns them into what
a release says.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NamedTuple

from corpus.release.records import ReleasedSource
from crowd.models import Worker
from measures.text.normalization import length
from ratings.models import RaterPool


class Origin(StrEnum):
    """Where work comes from: people in this campaign, a simulated crowd, or another release."""

    COLLECTED = "collected"
    SIMULATED = "simulated"
    IMPORTED = "imported"


class Work(StrEnum):
    """What is counted. Ratings are those of people's texts and comparisons; others are counted apart."""

    COMPRESSIONS = "compressions"
    RATINGS = "ratings"
    OUTPUT_RATINGS = "output_ratings"
    EXPERT_RATINGS = "expert_ratings"


class Done(NamedTuple):
    """A compression or a rating: who did it, and under which versions; None where that is not known."""

    worker: int | None
    settings: int | None
    guidelines: int | None
    at: datetime | None = None
    pool: str = RaterPool.CROWD


def origin_of(worker: Worker | None) -> Origin:
    """Return where a person's work comes from; ratings of nobody are always imported."""
    if worker is None or worker.is_imported:
        return Origin.IMPORTED
    return Origin.SIMULATED if worker.is_simulated else Origin.COLLECTED


@dataclass
class Provenance:
    """Counts over the sources that a release keeps."""

    people: Mapping[int, Worker]
    work: dict[tuple[Origin, int | None], Counter[Work]] = field(default_factory=lambda: defaultdict(Counter))
    # (person, version of the guidelines) -> how much they did after reading it
    editors: Counter[tuple[int, int | None]] = field(default_factory=Counter)
    raters: Counter[tuple[int, int | None]] = field(default_factory=Counter)
    experts: Counter[tuple[int, int | None]] = field(default_factory=Counter)
    first_rating: dict[int, datetime | None] = field(default_factory=dict)
    editors_per_source: Counter[int] = field(default_factory=Counter)
    ratings_per_text: Counter[int] = field(default_factory=Counter)
    ratings_per_comparison: Counter[int] = field(default_factory=Counter)
    given_splits: int = 0
    longest_percent: float | None = None
    days: dict[Work, tuple[date, date]] = field(default_factory=dict)
    """The first and the last day of work by people and simulated people of this campaign, in UTC."""

    def add(self, source: ReleasedSource) -> None:
        """Count what is seen in a source that is kept."""
        self.given_splits += bool(source.split)
        if source.texts:
            self.editors_per_source[len({editor for text in source.texts for editor in text.editors})] += 1
            whole = max(1, length(source.text))
            longest = max(100 * length(text.text) / whole for text in source.texts)
            self.longest_percent = max(longest, self.longest_percent or 0)
        self.ratings_per_text.update(len(text.ratings) for text in source.texts)
        self.ratings_per_comparison.update(len(pair.ratings) for pair in source.comparisons)

    def add_compressions(self, written: Iterable[Done]) -> None:
        for each in written:
            self._count(each, Work.COMPRESSIONS)
            if each.worker is not None:
                self.editors[each.worker, each.guidelines] += 1

    def add_ratings(self, given: Iterable[Done], work: Work) -> None:
        """Count ratings of one kind of subject; those by experts are told apart by their pool."""
        for each in given:
            is_expert = each.pool == RaterPool.EXPERTS
            self._count(each, Work.EXPERT_RATINGS if is_expert else work)
            if each.worker is not None:
                (self.experts if is_expert else self.raters)[each.worker, each.guidelines] += 1
                if not is_expert:
                    self._note_first(each.worker, each.at)

    def _count(self, done: Done, work: Work) -> None:
        origin = origin_of(self.people[done.worker] if done.worker is not None else None)
        self.work[origin, done.settings][work] += 1
        if origin != Origin.IMPORTED and done.at is not None:
            day = done.at.astimezone(UTC).date()
            first, last = self.days.get(work, (day, day))
            self.days[work] = min(first, day), max(last, day)

    def _note_first(self, worker: int, at: datetime | None) -> None:
        known = self.first_rating.get(worker, at)
        self.first_rating[worker] = min(known, at) if known and at else None
