"""What the model of Dawid and Skene costs at the size of Toutanova et al. 2016, beside the same in crowd-kit."""

import argparse
import importlib.util
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.dawid_skene import dawid_skene_accuracy, fit_dawid_skene
from measures.quality_control.tables import Ratings

TEXTS, RATERS, POINTS, SCALES, RUNS = 26_423, 150, 3, 2, 3
SETTLED = 1e-9
TOLERANCES, LIMIT = (1e-5, 1e-6, 1e-7, 1e-8), 1e-11
SMALLER = ((100, 15), (300, 25), (300, 60), (1000, 60), (3000, 150))
CROWDS_OF_EACH = 4
SMALL_CROWDS = ((40, 6, 200), (100, 15, 100))
"""Texts, raters and how many crowds; none of them had a part in the choice of the constants."""
FIRST_SEED, NEAR = 5000, 1e-3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=TEXTS)
    parser.add_argument("--distances", action="store_true", help="how far from its limit EM ends, by the tolerance")
    parser.add_argument("--plateaus", action="store_true", help="how often EM ends on a plateau of a small table")
    options = parser.parse_args()
    if options.distances or options.plateaus:
        (print_distances if options.distances else print_plateaus)()
        return
    ratings = made_up(options.texts, seed=2016)
    print(f"{len(ratings.text):,} ratings by {RATERS} raters, {POINTS} points, {SCALES} scales; seconds of CPU")
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = [cpu(lambda: accuracy(ratings)) for _ in range(RUNS)]
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begun) / 1024
    models = [fit_dawid_skene(ratings.text, ratings.rater, label) for label in labels(ratings)]
    steps = ", ".join(str(len(model.objective)) for model in models)
    print(f"Précis      {min(seconds):7.2f} to {max(seconds):.2f}  in {steps} steps, {peak:.0f} MB more memory")
    settled = accuracy(ratings, tolerance=SETTLED, iterations=100_000)
    print(f"            accuracies within {away(accuracy(ratings), settled):.5f} of those settled to {SETTLED:g}")
    if importlib.util.find_spec("crowdkit") is None:
        print("crowd-kit   not installed")
        return
    other: list[tuple[FloatArray, list[int]]] = []
    crowd_kit(Ratings(ratings.text[:9], ratings.rater[:9], ratings.scores[:9]))  # loads it before its time is taken
    slow = cpu(lambda: other.append(crowd_kit(ratings)))
    found, its_steps = other[0]
    a_step = (slow / sum(its_steps)) / (min(seconds) / sum(len(model.objective) for model in models))
    print(
        f"crowd-kit   {slow:7.2f}          in {its_steps[0]}, {its_steps[1]} steps, {a_step:.0f} times as long for each"
    )
    print(f"            accuracies within {away(found, settled):.5f} of those settled")


def print_distances() -> None:
    """Print how far the accuracies are from the limit of EM where it ends, at worst over simulated crowds."""
    tables = [
        (each.text, each.rater, label)
        for texts, raters in SMALLER
        for each in (made_up(texts, seed, raters) for seed in range(CROWDS_OF_EACH))
        for label in labels(each)
    ]
    found = [fit_dawid_skene(*table, tolerance=LIMIT, iterations=100_000).accuracy for table in tables]
    print(f"{len(tables)} simulated tables of {SMALLER[0][0]} to {SMALLER[-1][0]:,} texts")
    for tolerance in TOLERANCES:
        models = [fit_dawid_skene(*table, tolerance=tolerance, iterations=100_000) for table in tables]
        distances = [away(model.accuracy, limit) for model, limit in zip(models, found, strict=True)]
        steps = sorted(model.convergence.steps for model in models)
        print(f"tolerance {tolerance:.0e}: at most {max(distances):.5f} from the limit of EM, {steps[-1]:,} steps")


def print_plateaus() -> None:
    """Print in how many small tables the accuracies are far from the limit of EM: as fitted, and by 1e-7 alone."""
    for texts, raters, crowds in SMALL_CROWDS:
        found: dict[str, list[float]] = {"as fitted": [], "1e-7 alone": []}
        for seed in range(FIRST_SEED, FIRST_SEED + crowds):
            ratings = made_up(texts, seed, raters)
            table = ratings.text, ratings.rater, labels(ratings)[0]
            limit = fit_dawid_skene(*table, tolerance=LIMIT, iterations=100_000).accuracy
            found["as fitted"].append(away(fit_dawid_skene(*table).accuracy, limit))
            with mock.patch("measures.quality_control.dawid_skene.NUDGES", 0):
                alone = fit_dawid_skene(*table, tolerance=1e-7, iterations=100_000).accuracy
            found["1e-7 alone"].append(away(alone, limit))
        counts = (f"{name} {sum(each > NEAR for each in off)}, at worst {max(off):.3f}" for name, off in found.items())
        print(f"{crowds} tables of {texts} texts, more than {NEAR} off: {'; '.join(counts)}", flush=True)


def made_up(texts: int, seed: int, raters: int = RATERS) -> Ratings:
    """3 to 5 ratings of each text; people of many skills, some of whom rate much more than others."""
    rng = np.random.default_rng(seed)
    text = np.repeat(np.arange(texts), rng.integers(3, 6, texts))
    rater = rng.choice(raters, len(text), p=rng.dirichlet(np.ones(raters)))
    scores = [given(rng, rng.choice(POINTS, texts, p=[0.12, 0.28, 0.6])[text], rater, raters) for _ in range(SCALES)]
    return Ratings(text, rater, np.stack(scores, axis=1).astype(np.float64))


def given(rng: np.random.Generator, truth: IntArray, rater: IntArray, raters: int) -> IntArray:
    """The points, 1 and up: who does not know says anything, each with leanings of their own."""
    skill = rng.beta(6, 3, raters)[:, None, None]
    rates = skill * np.eye(POINTS) + (1 - skill) * rng.dirichlet(np.full(POINTS, 1.5), (raters, POINTS))
    reached = rng.random((len(truth), 1)) > rates[rater, truth].cumsum(axis=1)
    points: IntArray = np.minimum(1 + reached.sum(axis=1), POINTS)
    return points


def labels(ratings: Ratings) -> list[IntArray]:
    return list(ratings.scores.astype(np.int64).T)


def accuracy(ratings: Ratings, **settings: Any) -> FloatArray:
    return dawid_skene_accuracy(ratings, RATERS, points=(POINTS,) * SCALES, **settings).quality


def crowd_kit(ratings: Ratings) -> tuple[FloatArray, list[int]]:
    """The accuracies, and the steps of each scale until what it stops by."""
    import pandas as pd  # noqa: PLC0415  (their memory is not ours)
    from crowdkit.aggregation.classification import DawidSkene  # noqa: PLC0415

    warnings.simplefilter("ignore", DeprecationWarning)
    found, steps = np.full((SCALES, RATERS), np.nan), []
    for of_scale, label in zip(found, labels(ratings), strict=True):
        model: Any = DawidSkene().fit(pd.DataFrame({"task": ratings.text, "worker": ratings.rater, "label": label}))
        of_scale[np.unique(ratings.rater)] = 0
        for (rater, point), rates in model.errors_.iterrows():
            of_scale[rater] += model.priors_[point] * rates[point]
        steps.append(len(model.loss_history_))
    return found.mean(axis=0), steps


def away(found: FloatArray, settled: FloatArray) -> float:
    return float(np.nanmax(np.abs(found - settled)))


def cpu(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
