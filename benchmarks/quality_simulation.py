"""Simulate how well the worker filter finds careless people: precision and recall by the fewest items.

The design is described in docs/methods.md, "How well the filter finds careless people".
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.agreement.simulated_pairs import simulated_pair_agreement
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.quality_control.role_decisions import RoleOutcome
from measures.quality_control.worker_filter import Authorship, FilterParameters, Outcome, Ratings, apply_filter

CARELESS, SCALES = 0.1, 2
TEXT_DEVIATION, LENIENCY = 0.15, 0.06
NOISE = (0.05, 0.30)
THRESHOLDS = (0.25, 0.50)
EDITORS_PER_SOURCE, RATINGS_PER_TEXT = 5, 3
SOURCES, RUNS, SEED = 300, 200, 2016
LIMITS = ((10, 20), (20, 40), (40, 80))
MIN_ITEMS = (1, 5, 10, 20)
ROLES = ("editors", "raters")


@dataclass(frozen=True, eq=False)
class Crowd:
    """One simulated campaign: its data, and who in it is careless."""

    ratings: Ratings
    authorship: Authorship
    careless_editors: BoolArray
    careless_raters: BoolArray


@dataclass
class Counts:
    """Numbers of people of one role, and of their texts or ratings, summed over campaigns."""

    people: int = 0
    assessed: int = 0
    removed: int = 0
    careless: int = 0
    careless_removed: int = 0
    work: int = 0
    careless_work: int = 0
    work_left: int = 0
    careless_work_left: int = 0

    def add(self, careless: BoolArray, role: RoleOutcome, work: IntArray) -> None:
        """Count one campaign; `work` is the number of texts or ratings of each person."""
        self.people += len(careless)
        self.assessed += int((~role.unassessed).sum())
        self.removed += int(role.removed.sum())
        self.careless += int(careless.sum())
        self.careless_removed += int((careless & role.removed).sum())
        self.work += int(work.sum())
        self.careless_work += int(work[careless].sum())
        self.work_left += int(work[~role.removed].sum())
        self.careless_work_left += int(work[careless & ~role.removed].sum())

    @property
    def precision(self) -> float:
        """Share of those removed who are careless; NaN if nobody is removed."""
        return _share(self.careless_removed, self.removed)

    @property
    def recall(self) -> float:
        """Share of the careless who are removed."""
        return _share(self.careless_removed, self.careless)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=int, default=SOURCES)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    print(
        f"{options.runs} campaigns of {options.sources} sources with {EDITORS_PER_SOURCE} editors each and "
        f"{RATINGS_PER_TEXT} ratings per text, seed {options.seed}; {CARELESS:.0%} of all people are careless"
    )
    print_agreement(simulated_crowd(np.random.default_rng(options.seed), LIMITS[0], 10 * options.sources))
    for limits in LIMITS:
        found = simulate(limits, options.sources, options.runs, options.seed)
        print(f"\nat most {limits[0]} texts per editor, {limits[1]} ratings per rater")
        print("           min_items  precision  recall  not assessed  careless work before -> after")
        for role in ROLES:
            for min_items in MIN_ITEMS:
                print_row(role, min_items, found[role, min_items])


def print_agreement(crowd: Crowd) -> None:
    """Print what a release would say of the ratings before and after the filter, to compare with real corpora."""
    ((_, outcome),) = outcomes(crowd, [FilterParameters().min_items])
    for name, rows in (("before", np.ones(len(outcome.kept_rating), dtype=np.bool_)), ("after", outcome.kept_rating)):
        scores, text = crowd.ratings.scores[rows, 0], crowd.ratings.text[rows]
        found = simulated_pair_agreement(_matrix(text, scores), categories=3, draws=100, seed=1)
        assert not isinstance(found, Undefined)
        assert not isinstance(found.kappa, Undefined)
        print(
            f"{name + ' the filter:':18} mean {scores.mean():.2f}, agreement {found.agreement.mean:.2f}, "
            f"kappa {found.kappa.mean:.2f} (one rater and the rounded mean of the others)"
        )


def print_row(role: str, min_items: int, counts: Counts) -> None:
    before, after = _share(counts.careless_work, counts.work), _share(counts.careless_work_left, counts.work_left)
    print(
        f"{role:10} {min_items:9} {counts.precision:10.2f} {counts.recall:7.2f} "
        f"{_share(counts.people - counts.assessed, counts.people):12.0%} {before:22.1%} -> {after:.1%}"
    )


def simulate(limits: tuple[int, int], sources: int, runs: int, seed: int) -> dict[tuple[str, int], Counts]:
    """Apply the filter to `runs` campaigns and return the counts of each role and fewest number of items."""
    by_role = {(role, min_items): Counts() for role in ROLES for min_items in MIN_ITEMS}
    for run in range(runs):
        crowd = simulated_crowd(np.random.default_rng([seed, *limits, run]), limits, sources)
        for min_items, outcome in outcomes(crowd, MIN_ITEMS):
            texts, ratings = _work(crowd)
            by_role["editors", min_items].add(crowd.careless_editors, outcome.editors, texts)
            by_role["raters", min_items].add(crowd.careless_raters, outcome.raters, ratings)
    return by_role


def outcomes(crowd: Crowd, min_items: Sequence[int]) -> Iterator[tuple[int, Outcome]]:
    """Apply the filter with its defaults, but for the fewest number of items."""
    for least in min_items:
        yield (
            least,
            apply_filter(
                crowd.ratings,
                crowd.authorship,
                rater_ids=np.arange(len(crowd.careless_raters)),
                editor_ids=np.arange(len(crowd.careless_editors)),
                n_texts=len(crowd.authorship.text),
                parameters=replace(FilterParameters(), min_items=least),
            ),
        )


def simulated_crowd(rng: np.random.Generator, limits: tuple[int, int], sources: int) -> Crowd:
    """Simulate who writes and rates what, how good the texts are, and what the raters say of them."""
    text_limit, rating_limit = limits
    editors, source = _assigned(rng, sources, EDITORS_PER_SOURCE, text_limit)
    texts = len(source)
    raters, text = _assigned(rng, texts, RATINGS_PER_TEXT, rating_limit)
    careless_editors, careless_raters = (_careless(rng, people.max() + 1) for people in (editors, raters))
    skill = np.where(careless_editors, rng.beta(2, 6, len(careless_editors)), rng.beta(6, 2, len(careless_editors)))
    quality = rng.normal(skill[editors][:, None], TEXT_DEVIATION, (texts, SCALES))
    points = _points(rng, quality[text], raters, len(careless_raters))
    # Who is careless answers without reading, as often with each point as the others do.
    guessing = careless_raters[raters]
    for column in points.T:
        column[guessing] = rng.choice(column[~guessing], guessing.sum())
    return Crowd(
        Ratings(text, raters, points), Authorship(np.arange(texts), editors), careless_editors, careless_raters
    )


def _assigned(rng: np.random.Generator, things: int, times: int, limit: int) -> tuple[IntArray, IntArray]:
    """Return the person and the thing of each task: people come one after another and take the next things."""
    thing = np.concatenate([rng.permutation(things) for _ in range(times)])
    numbers = np.minimum(rng.geometric(1 / limit, len(thing)), limit)
    person = np.repeat(np.arange(len(thing)), numbers)[: len(thing)]
    # A thing that would come to a person twice is skipped.
    chosen = np.sort(np.unique(person * things + thing, return_index=True)[1])
    return person[chosen], thing[chosen]


def _careless(rng: np.random.Generator, people: int) -> BoolArray:
    careless = np.arange(people) < round(CARELESS * people)
    return np.asarray(rng.permutation(careless))


def _points(rng: np.random.Generator, quality: FloatArray, rater: IntArray, raters: int) -> FloatArray:
    """Return what careful raters say, 1 to 3: each perceives the quality with a leniency and a noise of their own."""
    leniency, noise = rng.normal(0, LENIENCY, raters), rng.uniform(*NOISE, raters)
    perceived = quality + leniency[rater][:, None] + rng.normal(0, 1, quality.shape) * noise[rater][:, None]
    return np.searchsorted(THRESHOLDS, perceived).astype(np.float64) + 1


def _matrix(text: IntArray, scores: FloatArray) -> FloatArray:
    """Return the ratings of each text in a row, NaN where there are fewer than elsewhere."""
    order = np.argsort(text, kind="stable")
    numbers = np.bincount(text)
    column = np.arange(len(text)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    matrix = np.full((len(numbers), numbers.max()), np.nan)
    matrix[text[order], column] = scores[order]
    return matrix


def _work(crowd: Crowd) -> tuple[IntArray, IntArray]:
    """Return the number of texts of each editor, and of ratings of each rater."""
    texts = np.bincount(crowd.authorship.editor, minlength=len(crowd.careless_editors))
    return texts, np.bincount(crowd.ratings.rater, minlength=len(crowd.careless_raters))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


if __name__ == "__main__":
    main()
