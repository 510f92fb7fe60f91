"""Benchmark the agreement measures at the size of Toutanova et al. 2016 against plain loops over scikit-learn."""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.agreement.bootstrap import bootstrap_agreement
from measures.agreement.krippendorff import krippendorff_alpha
from measures.agreement.mean_rounding import rounded
from measures.agreement.rating_patterns import Patterns, count_patterns
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.simulated_pairs import simulated_pair_agreement
from measures.agreement.table_intervals import crowd_intervals
from measures.core.arrays import FloatArray, IntArray

ITEMS, DRAWS, REPLICATIONS, EXPERT_ITEMS = 26_423, 1000, 25_000, 116
LOOP_DRAWS, LOOP_REPLICATIONS = 2, 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=ITEMS)
    items = parser.parse_args().items
    scales, tenfold = corpus(items), [count_patterns(each, 3) for each in corpus(10 * items)]
    patterns: list[Patterns] = []
    counting = cpu_seconds(lambda: patterns.extend(count_patterns(each, 3) for each in scales))
    drawing, drawing_tenfold = (cpu_seconds(partial(draw_all, each)) for each in (patterns, tenfold))
    sizes = [min(EXPERT_ITEMS, items), items]
    replicating = [cpu_seconds(partial(replicate, scales[0][:size])) for size in sizes]
    sources, raters = sources_of(items), raters_of(scales[0])
    interval = cpu_seconds(lambda: intervals(scales, sources, raters))
    bootstrap = cpu_seconds(lambda: item_bootstrap(patterns))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rng = np.random.default_rng(1)
    plain_kappa([1, 2], [2, 2])  # imports the library before timing it
    loop = cpu_seconds(lambda: [plain_draws(each, rng) for each in scales]) * DRAWS / LOOP_DRAWS
    print(f"{items:,} items of 3 to 5 ratings, two scales; CPU seconds")
    print_row("counting the patterns, once", counting)
    print_row(f"{DRAWS:,} draws of both scales", drawing, loop)
    print_row(f"{DRAWS:,} draws of both scales, ten times the items", drawing_tenfold)
    print_row("intervals of kappa and alpha over sources and raters", interval)
    print_row(f"{DRAWS:,} draws of items for the interval of kappa alone", bootstrap)
    for size, fast in zip(sizes, replicating, strict=True):
        slow = cpu_seconds(partial(plain_bootstrap, scales[0][:size], rng)) * REPLICATIONS / LOOP_REPLICATIONS
        print_row(f"{REPLICATIONS:,} replications on {size:,} items", fast, slow)
    print(f"peak memory before the plain loops, with NumPy and ten times the items: {peak:.0f} MB")


def print_row(name: str, fast: float, slow: float | None = None) -> None:
    comparison = "" if slow is None else f"  plain loop, scaled: {slow:10.1f}  {slow / fast:10,.0f} times"
    print(f"{name:50} {fast:8.4f}{comparison}")


def corpus(items: int) -> list[FloatArray]:
    rng = np.random.default_rng(2016)
    return [ratings(rng, items) for _ in range(2)]


def ratings(rng: np.random.Generator, items: int) -> FloatArray:
    """Return mostly good ratings, correlated within items, with 3 to 5 per item."""
    probabilities = rng.dirichlet([0.15, 0.4, 2.0], size=items)
    points = 1 + (rng.random((items, 5, 1)) > probabilities.cumsum(axis=1)[:, None, :]).sum(axis=2)
    is_rated = np.arange(5) < rng.integers(3, 6, items)[:, None]
    return np.where(is_rated, np.minimum(points, 3), np.nan)


def draw_all(scales: list[Patterns]) -> None:
    for patterns in scales:
        simulated_pair_agreement(patterns, categories=3, draws=DRAWS, seed=1)


def sources_of(items: int) -> IntArray:
    """Return the source of each item: 4.2 compressions each, as in the corpus of the paper."""
    return np.asarray(np.arange(items) // 4.2, dtype=np.int64)


def raters_of(matrix: FloatArray) -> IntArray:
    """Return the rater of each rating: 120 people, none of them twice at an item."""
    first = np.random.default_rng(7).integers(0, 120, len(matrix))
    return np.asarray((first[:, None] + 7 * np.arange(matrix.shape[1])) % 120)


def intervals(scales: list[FloatArray], sources: IntArray, raters: IntArray) -> None:
    for matrix in scales:
        ratings = sampled_ratings(matrix, categories=3, sources=sources, raters=raters, min_ratings=2)
        crowd_intervals(ratings, categories=3)
        krippendorff_alpha(matrix, level="interval", categories=3, sources=sources, raters=raters)


def item_bootstrap(scales: list[Patterns]) -> None:
    for patterns in scales:
        simulated_pair_agreement(patterns, categories=3, draws=DRAWS, seed=1, resample_items=True)


def replicate(matrix: FloatArray) -> None:
    bootstrap_agreement(matrix[:, 0], matrix[:, 1], categories=3, replications=REPLICATIONS, seed=1)


def plain_draws(matrix: FloatArray, rng: np.random.Generator) -> list[float]:
    """Return kappas of one rater against the rounded mean of the others, drawn item by item."""
    rows = [row[~np.isnan(row)].astype(int) for row in matrix]
    kappas = []
    for _ in range(LOOP_DRAWS):
        one, others = [], []
        for row in rows:
            chosen = rng.integers(len(row))
            one.append(row[chosen])
            others.append(int(rounded(row.sum() - row[chosen], len(row) - 1)))
        kappas.append(plain_kappa(one, others))
    return kappas


def plain_bootstrap(matrix: FloatArray, rng: np.random.Generator) -> None:
    a, b = matrix[:, :2].astype(int).T
    for _ in range(LOOP_REPLICATIONS):
        chosen = rng.integers(len(a), size=len(a))
        plain_kappa(a[chosen], b[chosen])


def plain_kappa(a: Sequence[int], b: Sequence[int]) -> float:
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415  (not counted in the peak memory)

    return float(cohen_kappa_score(a, b, labels=[1, 2, 3], weights="quadratic"))


def cpu_seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


if __name__ == "__main__":
    main()
