"""What agreement costs at the size of Toutanova et al. 2016, beside the same by plain loops over scikit-learn."""

import argparse
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.metrics import cohen_kappa_score

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.arrays import FloatArray
from measures.bootstrap import bootstrap_agreement
from measures.pairs import PairAgreement, Patterns, count_patterns, rounded, simulated_pair_agreement
from measures.undefined import Undefined

ITEMS, DRAWS, REPLICATIONS, EXPERT_ITEMS = 26_423, 1000, 25_000, 116
LOOP_DRAWS, LOOP_REPLICATIONS = 2, 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=ITEMS)
    options = parser.parse_args()
    rng = np.random.default_rng(2016)
    scales = [ratings(rng, options.items) for _ in range(2)]
    patterns: list[Patterns] = []
    counting = cpu(lambda: patterns.extend(count_patterns(each, 3) for each in scales))
    drawing = cpu(lambda: [draws(each) for each in patterns])
    loop = cpu(lambda: [plain_draws(each, rng) for each in scales]) * DRAWS / LOOP_DRAWS
    print(f"{options.items:,} items of 3 to 5 ratings, two scales; seconds of CPU")
    row("counting the patterns, once", counting)
    row(f"{DRAWS:,} draws of both scales", drawing, loop)
    for items in (EXPERT_ITEMS, options.items):
        pair = scales[0][:items, :2].T
        fast = cpu(partial(bootstrap_agreement, pair[0], pair[1], categories=3, replications=REPLICATIONS, seed=1))
        slow = cpu(partial(plain_bootstrap, pair[0], pair[1], rng))
        row(f"{REPLICATIONS:,} replications on {items:,} items", fast, slow * REPLICATIONS / LOOP_REPLICATIONS)
    print(f"peak of memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, libraries included")


def row(name: str, fast: float, slow: float | None = None) -> None:
    beside = "" if slow is None else f"  plain loop, scaled: {slow:10.1f}  {slow / fast:10,.0f} times"
    print(f"{name:45} {fast:8.4f}{beside}")


def ratings(rng: np.random.Generator, items: int) -> FloatArray:
    """Mostly good; raters of an item are more alike than those of two."""
    chances = rng.dirichlet([0.15, 0.4, 2.0], size=items)
    points = 1 + (rng.random((items, 5, 1)) > chances.cumsum(axis=1)[:, None, :]).sum(axis=2)
    given = np.arange(5) < rng.integers(3, 6, items)[:, None]
    return np.where(given, np.minimum(points, 3), np.nan)


def draws(patterns: Patterns) -> PairAgreement | Undefined:
    return simulated_pair_agreement(patterns, categories=3, draws=DRAWS, seed=1)


def plain_draws(matrix: FloatArray, rng: np.random.Generator) -> list[float]:
    """A rater of each item, item by item, against the rounded mean of the others."""
    rows = [row[~np.isnan(row)].astype(int) for row in matrix]
    kappas = []
    for _ in range(LOOP_DRAWS):
        one, others = [], []
        for row_ in rows:
            chosen = rng.integers(len(row_))
            one.append(row_[chosen])
            others.append(int(rounded(row_.sum() - row_[chosen], len(row_) - 1)))
        kappas.append(cohen_kappa_score(one, others, labels=[1, 2, 3], weights="quadratic"))
    return kappas


def plain_bootstrap(a: FloatArray, b: FloatArray, rng: np.random.Generator) -> None:
    for _ in range(LOOP_REPLICATIONS):
        chosen = rng.integers(len(a), size=len(a))
        cohen_kappa_score(a[chosen], b[chosen], labels=[1, 2, 3], weights="quadratic")


def cpu(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
