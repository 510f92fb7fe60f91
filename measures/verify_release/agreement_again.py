"""The numbers of an agreement report, computed again from the ratings of the release that it is about.

What raters agree on as a whole: the rows of the paper's Table 4 with their intervals, and the coefficients of all
raters and of all experts, on scales of a few points. Written from the definitions and not from the code of the app.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from measures.agreement.bootstrap import BootstrapAgreement, bootstrap_agreement
from measures.agreement.cohen import Weights
from measures.agreement.gwet import gwet_agreement
from measures.agreement.intraclass import intraclass, ratings_needed
from measures.agreement.krippendorff import Level, krippendorff_alpha
from measures.agreement.mean_rounding import Rounding, rounded_means
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.simulated_pairs import PairAgreement, simulated_pair_agreement
from measures.agreement.table_intervals import AgreementIntervals, crowd_intervals, pair_intervals, reference_intervals
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.intervals import Interval
from measures.core.rating_scale import category_indices
from measures.core.undefined import Undefined
from measures.verify_release.records import scores_of

Key = tuple[str, str]
Numbers = dict[str, float | int | None]
WORKERS, ALL_RATINGS = "worker versus worker", "worker versus worker, all ratings"
EXPERTS, EXPERTS_WORKERS = "expert versus expert", "expert versus worker"
RELIABLE = 0.8
_ROUNDING_ERROR = 1e-15


@dataclass(frozen=True)
class Parameters:
    """Those of the report: they decide what is drawn, so that the same is drawn again."""

    draws: int
    seed: int
    rounding: Rounding
    weights: Weights
    replications: int

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Parameters:
        """Take those of a report; ValueError or KeyError if it does not have them as reports do."""
        draws, replications, seed = (int(given[name]) for name in ("draws", "replications", "seed"))
        if not (0 < draws <= 100_000 and 0 < replications <= 1_000_000 and seed >= 0):
            raise ValueError("draws, replications or seed beyond what a report can have")
        if given["weights"] not in get_args(Weights):
            raise ValueError(f"weights {given['weights']!r}")
        return cls(draws, seed, Rounding(given["rounding"]), given["weights"], replications)


@dataclass
class Ratings:
    """The ratings of people's texts and of comparisons as they come from the records, one subject after the other."""

    crowd: list[list[Any]] = field(default_factory=list)
    experts: list[list[Any]] = field(default_factory=list)
    families: list[str] = field(default_factory=list)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take what the crowd rated of a record, with the experts' ratings of the same."""
        for each in (*row["compressions"], *row.get("comparisons", ())):
            if each["ratings"]:
                self.crowd.append([(rating["rater"], scores_of(rating)) for rating in each["ratings"]])
                self.experts.append([(rating["rater"], scores_of(rating)) for rating in each.get("expert_ratings", ())])
                self.families.append(row["paragraph"] or row["id"])


@dataclass(frozen=True, eq=False)
class Matrix:
    """Points, raters and places among a subject's ratings: a row for each subject, in the order of raters."""

    points: FloatArray
    raters: IntArray
    order: IntArray


def matrix(subjects: Sequence[Iterable[tuple[str | int | None, Mapping[str, Any]]]], scale: str) -> Matrix:
    """Lay out ratings on one scale; ratings of a subject under one name, or none, are of different people."""
    rows = [sorted(_people(each), key=lambda rating: _order(rating[0])) for each in subjects]
    people = sorted({person for row in rows for person, _, _ in row if person[0]}, key=_order)
    places = {person: place for place, person in enumerate(people)}
    shape = len(rows), max(map(len, rows), default=0)
    points, raters, order = np.full(shape, np.nan), np.full(shape, -1), np.zeros(shape, np.int64)
    for number, row in enumerate(rows):
        for column, (person, scores, place) in enumerate(row):
            points[number, column] = scores.get(scale, np.nan)
            raters[number, column] = places.get(person, -1)
            order[number, column] = place
    return Matrix(points, raters, order)


def _people(
    ratings: Iterable[tuple[str | int | None, Mapping[str, Any]]],
) -> Iterator[tuple[tuple[str, int], Any, int]]:
    seen: Counter[str] = Counter()
    for place, (rater, scores) in enumerate(ratings):
        name = "" if rater is None else str(rater)
        yield (name, seen[name]), scores, place
        seen[name] += 1


def _order(person: tuple[str, int]) -> tuple[bool, int, str, int]:
    """Numbers by their value, then other names, then nobody."""
    name, nth = person
    return not name, int(name) if name.isascii() and name.isdecimal() else 2**63, name, nth


class OnScale:
    """The numbers of one scale of ``points`` points.

    Parameters
    ----------
    ratings : Ratings
        Those of the release.
    scale : str
        The scale's key.
    points : int
        How many points it has.
    given : Parameters
        Those of the report.
    first_ratings : int or None
        How many ratings of each subject count, where raters were asked because earlier ones disagreed.
    """

    def __init__(
        self, ratings: Ratings, scale: str, points: int, given: Parameters, first_ratings: int | None = None
    ) -> None:
        crowd = matrix(ratings.crowd, scale)
        self.all_crowd, self.raters = crowd.points, crowd.raters
        counts = np.ones(crowd.points.shape, np.bool_) if first_ratings is None else crowd.order < first_ratings
        self.crowd = np.where(counts, crowd.points, np.nan)
        self.experts = matrix(ratings.experts, scale).points
        self.families = np.unique(np.array(ratings.families, np.str_), return_inverse=True)[1].reshape(-1)
        self.points, self.given = points, given

    def numbers(self) -> dict[Key, Numbers]:
        """Return the numbers by comparison and measure."""
        given = self.given
        other = Rounding.HALF_EVEN if given.rounding is Rounding.HALF_UP else Rounding.HALF_UP
        found = self._crowd(WORKERS, self.crowd, given.rounding, with_paper=True)
        found |= self._crowd(f"{WORKERS}, rounded {other.value}", self.crowd, other)
        if (~np.isnan(self.all_crowd)).sum() > (~np.isnan(self.crowd)).sum():
            found |= self._crowd(ALL_RATINGS, self.all_crowd, given.rounding)
        found |= self._of_all("all raters", self.crowd, self.raters)
        if not np.isnan(self.experts).all():
            found |= self._experts() | self._of_all("all experts", self.experts, None)
        return found

    def _crowd(
        self, comparison: str, ratings: FloatArray, rounding: Rounding, *, with_paper: bool = False
    ) -> dict[Key, Numbers]:
        common: dict[str, Any] = {"categories": self.points, "rounding": rounding, "weights": self.given.weights}
        drawn: dict[str, Any] = {"draws": self.given.draws, "seed": self.given.seed}
        mean = simulated_pair_agreement(ratings, **common, **drawn)
        if isinstance(mean, Undefined):
            return _table(comparison, {}, {})
        paper = simulated_pair_agreement(ratings, **common, **drawn, resample_items=True) if with_paper else None
        sampled = sampled_ratings(
            ratings, categories=self.points, sources=self.families, raters=self.raters, min_ratings=2
        )
        kappa = None if isinstance(mean.kappa, Undefined) else mean.kappa
        intervals = crowd_intervals(
            sampled, **common, agreement=mean.agreement.mean, kappa=None if kappa is None else kappa.mean
        )
        of_paper = paper if isinstance(paper, PairAgreement) else None
        first = _drawn(mean.agreement, None if of_paper is None else of_paper.agreement, mean.draws) | {
            "value": mean.agreement.mean
        }
        second = (
            {}
            if kappa is None
            else _drawn(kappa, None if of_paper is None else of_paper.kappa, mean.draws - mean.undefined_draws)
        )
        return _table(
            comparison, first, second | ({} if kappa is None else {"value": kappa.mean}), intervals, mean.items
        )

    def _experts(self) -> dict[Key, Numbers]:
        order = np.argsort(np.isnan(self.experts), axis=1, kind="stable")[:, :2]
        two = np.take_along_axis(self.experts, order, axis=1)
        one, second = two[:, 0], two[:, 1] if two.shape[1] > 1 else np.full(len(two), np.nan)
        both, given = ~np.isnan(one) & ~np.isnan(second), self.given
        between = pair_intervals(
            one[both], second[both], categories=self.points, sources=self.families[both], weights=given.weights
        )
        mean, crowd = rounded_means(self.experts, given.rounding), rounded_means(self.all_crowd, given.rounding)
        rows = ~np.isnan(mean)
        sampled = sampled_ratings(
            self.all_crowd[rows],
            categories=self.points,
            sources=self.families[rows],
            raters=self.raters[rows],
            groups=category_indices(mean[rows], self.points),
        )
        beside = reference_intervals(sampled, categories=self.points, rounding=given.rounding, weights=given.weights)
        return self._bootstrapped(EXPERTS, one, second, between) | self._bootstrapped(
            EXPERTS_WORKERS, mean, crowd, beside
        )

    def _bootstrapped(
        self, comparison: str, a: FloatArray, b: FloatArray, intervals: AgreementIntervals
    ) -> dict[Key, Numbers]:
        both, given = ~np.isnan(a) & ~np.isnan(b), self.given
        found = bootstrap_agreement(
            *(a[both], b[both]),
            categories=self.points,
            replications=given.replications,
            seed=given.seed,
            weights=given.weights,
        )
        if not isinstance(found, BootstrapAgreement):
            return _table(comparison, {}, {})
        first = _drawn(found.agreement_interval, found.agreement_interval, found.replications)
        second: Numbers = {}
        if not isinstance(found.kappa, Undefined):
            second = {"value": found.kappa}
            if not isinstance(found.kappa_interval, Undefined):
                second |= _drawn(
                    found.kappa_interval, found.kappa_interval, found.replications - found.undefined_replications
                )
        return _table(comparison, first | {"value": found.agreement}, second, intervals, found.items)

    def _of_all(self, judges: str, points: FloatArray, raters: IntArray | None) -> dict[Key, Numbers]:
        common: dict[str, Any] = {"categories": self.points, "sources": self.families, "raters": raters}
        found: dict[Key, Numbers] = {}
        for level in get_args(Level):
            alpha = krippendorff_alpha(points, level=level, **common)
            own = {} if isinstance(alpha, Undefined) else _row(alpha.alpha, alpha.interval, alpha.items)
            found[judges, f"Krippendorff's alpha ({level})"] = own
        percent, weights = "share of pairs that agree", self.given.weights
        wanted: list[tuple[Weights, str, str]] = [("none", "Gwet's AC1", percent)]
        if weights != "none":
            wanted.append((weights, f"Gwet's AC2 ({weights})", f"{percent} ({weights})"))
        for each, coefficient, share in wanted:
            gwet = gwet_agreement(points, weights=each, **common)
            found[judges, share] = found[judges, coefficient] = {}
            if isinstance(gwet, Undefined):
                continue
            found[judges, share] = _row(gwet.agreement, gwet.agreement_interval, gwet.items)
            if not isinstance(gwet.coefficient, Undefined):
                found[judges, coefficient] = _row(gwet.coefficient, gwet.coefficient_interval, gwet.items)
        return found | self._intraclass(judges, points, common)

    @staticmethod
    def _intraclass(judges: str, points: FloatArray, common: Mapping[str, Any]) -> dict[Key, Numbers]:
        names = (
            "ICC(1), one rating",
            "ICC(1,k), mean of a text's ratings",
            f"ratings of a text for ICC(1,k) = {RELIABLE}",
        )
        result = intraclass(points, **common)
        if isinstance(result, Undefined):
            return {(judges, name): {} for name in names}
        needed = ratings_needed(result.single, RELIABLE)
        rows: tuple[Numbers, ...] = (
            _row(result.single, result.single_interval, result.items),
            {} if isinstance(result.panel, Undefined) else _row(result.panel, result.panel_interval, result.items),
            {} if isinstance(needed, Undefined) else {"value": needed},
        )
        return {(judges, name): row for name, row in zip(names, rows, strict=True)}


def _row(value: float, interval: ConfidenceInterval | Undefined, items: int | None) -> Numbers:
    row: Numbers = {"value": value, "items": items}
    if isinstance(interval, Undefined):
        return row
    names = ("low", "high", "standard_error", "sources", "raters")
    return row | {name: getattr(interval, name) for name in names}


def _drawn(drawn: Interval, paper: Interval | Undefined | None, draws: int) -> Numbers:
    ends = (paper.low, paper.high) if isinstance(paper, Interval) else (None, None)
    variance = drawn.variance if drawn.variance > _ROUNDING_ERROR else 0.0
    return {"variance": variance, "paper_low": ends[0], "paper_high": ends[1], "draws": draws}


def _table(
    comparison: str,
    agreement: Numbers,
    kappa: Numbers,
    intervals: AgreementIntervals | None = None,
    items: int | None = None,
) -> dict[Key, Numbers]:
    """Return both rows of a comparison; what has no value is empty."""
    found: dict[Key, Numbers] = {}
    for measure, numbers in (("agreement", agreement), ("kappa", kappa)):
        value = numbers.get("value")
        if value is None or intervals is None:
            found[comparison, measure] = {}
        else:
            found[comparison, measure] = numbers | _row(value, getattr(intervals, measure), items)
    return found
