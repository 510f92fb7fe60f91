"""Benchmark metrics against ratings at the size of Toutanova et al. 2016, beside plain loops; run it on one core.

With --chance, count instead what chance alone is given credit for, in made-up worlds with a known truth: how often
noise has a smallest difference that can be trusted, and how much too high the best of 68 metrics is.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scipy.stats import pearsonr, wilcoxon

from measures.core.arrays import BoolArray, FloatArray
from measures.meta_evaluation import (
    BestOfMany,
    JudgedOutputs,
    best_of_many,
    bootstrap_input_level,
    calibrated_accuracy,
    compare_input_level,
    dominance,
    heterogeneity_ranking,
    input_level,
    soft_pairwise_accuracy,
    trusted_differences,
    verdicts,
    williams_test,
    williams_tests,
)
from measures.meta_evaluation.swapped_correlations import swaps

SYSTEMS, INPUTS, METRICS, DRAWS = 4, 785, 80, 1000
RUNS, FEWER, LUCKY = 2000, 20, 68
"""Worlds; of many metrics, a share of them: one in 20."""
MANY_SYSTEMS, MANY_INPUTS, MANY_DRAWS = 20, 1000, 50
PART_SETS, PART_EPSILONS, PART_DRAWS = 20, 5, 20


class Case(NamedTuple):
    """A computation, and a part of its plain loop with the factor by which the part's time is scaled up."""

    name: str
    mark: float
    fast: Callable[[], object]
    loop: Callable[[], object] | None = None
    scale: float = 1.0


def cases(outputs: JudgedOutputs, draws: int = DRAWS) -> list[Case]:
    """Return what is timed."""
    metrics, systems, inputs = outputs.scores.shape
    pairs = len(outputs.pairs)
    both = outputs.scores, outputs.quality
    return [
        Case(
            "Williams and dominance",
            0.05,
            partial(compare, outputs),
            partial(plain_williams, outputs),
            metrics / 2 * pairs,
        ),
        Case(
            f"signed ranks of {metrics + 1} scores",
            0.1,
            partial(verdicts, outputs),
            partial(plain_ranks, outputs),
            pairs,
        ),
        Case(
            f"bootstrap of inputs, {draws:,} draws",
            0.2,
            partial(bootstrap_input_level, outputs, seed=1, resampled="inputs", draws=draws),
            partial(plain_bootstrap, outputs),
            draws,
        ),
        Case(
            f"heterogeneity of {systems * inputs:,} outputs",
            0.5,
            partial(heterogeneity_ranking, outputs.scores),
            partial(plain_heterogeneity, outputs),
            systems * (systems - 1) * inputs / PART_SETS,
        ),
        Case(
            f"soft pairwise accuracy, {draws:,} draws",
            0.1,
            partial(soft_pairwise_accuracy, *both, draws=draws),
            partial(plain_soft_accuracy, outputs, draws),
            (metrics + 1) * pairs,
        ),
        Case(
            f"tie calibration of {metrics} metrics",
            0.1,
            partial(calibrated_accuracy, *both),
            partial(plain_calibration, outputs),
            metrics * pairs * inputs / PART_EPSILONS,
        ),
        Case(
            f"PERM-BOTH of {metrics * (metrics - 1) // 2:,} pairs, {draws:,} draws",
            5.0,
            partial(compare_input_level, *both, draws=draws),
            partial(plain_permutation, outputs),
            metrics * (metrics - 1) / 2 * draws / PART_DRAWS,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=INPUTS, help="fewer inputs, to see it work; marks are for 785")
    parser.add_argument("--metrics", type=int, default=METRICS, help="fewer metrics; marks are for 80")
    parser.add_argument("--chance", action="store_true", help="count what chance is given credit for; takes 20 minutes")
    parser.add_argument("--runs", type=int, default=RUNS, help="fewer worlds; figures in docs/methods.md are of 2,000")
    parser.add_argument("--draws", type=int, default=DRAWS, help="fewer draws; marks are for 1,000")
    options = parser.parse_args()
    if options.chance:
        chance(options.runs, options.draws)
        return
    print(f"{SYSTEMS} systems, {options.inputs} inputs, {options.metrics} metrics; processor seconds, best of 3.")
    print("Plain loops are timed on a part in the same run, and the time is multiplied up to the whole.")
    for case in cases(made(options.inputs, options.metrics), options.draws):
        fast = min(cpu_seconds(case.fast) for _ in range(3))
        loop = "" if case.loop is None else f"  plain loop, scaled: {cpu_seconds(case.loop) * case.scale:8.1f}"
        print(f"{case.name:44} {fast:7.3f}  mark {case.mark:5.2f}{loop}")
    compare_swaps(options.metrics)


def chance(runs: int, draws: int) -> None:
    print("smallest difference that can be trusted: share of worlds in which a metric has one")
    print("systems  inputs  systems differ  noise, any level  follows people (r .9), 80%")
    for systems in (4, 6, 10, 24):
        for inputs, apart in ((50, 0.0), (50, 1.0), (200, 0.3)):
            noise = sum(has_difference(systems, inputs, apart, 0.0, seed, draws) for seed in range(runs))
            good = sum(has_difference(systems, inputs, apart, 0.9, seed, draws) for seed in range(runs // FEWER))
            shares = f"{noise / runs:>16.4f}  {good / max(1, runs // FEWER):>26.2f}"
            print(f"{systems:>7}  {inputs:>6}  {apart:>14}  {shares}", flush=True)
    print(
        "best of 68 metrics by r, 4 systems: mean of r minus the truth, as it is and adjusted; truly best in the group"
    )
    print("inputs  true r       as it is  adjusted  in the group  size of the group")
    for low, high in ((0.4, 0.4), (0.2, 0.6), (0.5, 0.6)):
        for inputs in (40, 100, 785):
            found = [luck(inputs, low, high, seed) for seed in range(runs // FEWER)]
            plain, adjusted, held, size = np.mean(found, axis=0)
            print(
                f"{inputs:>6}  {low}..{high}  {plain:>13.3f}  {adjusted:>8.3f}  {held:>12.2f}  {size:>17.1f}",
                flush=True,
            )


def has_difference(systems: int, inputs: int, apart: float, r: float, seed: int, draws: int) -> bool:
    """Return whether a metric of a made-up world has a difference that can be trusted; `apart` is how systems vary."""
    rng = np.random.default_rng([systems, inputs, seed])
    first, second = (
        apart * rng.normal(size=(systems, 1)) + rng.normal(size=(1, inputs)) + rng.normal(size=(systems, inputs))
        for _score in range(2)
    )
    scores = r * first + np.sqrt(1 - r * r) * second
    outputs = JudgedOutputs(("metric",), names(systems), names(inputs), scores[None], first)
    (found,) = trusted_differences(outputs, verdicts(outputs), seed=seed, draws=draws)
    return isinstance(found.smallest[0.8], float)


def luck(inputs: int, low: float, high: float, seed: int) -> tuple[float, float, bool, int]:
    """Return how much too high the best metric is, as it is and adjusted, and about its group."""
    rng = np.random.default_rng([inputs, seed])
    truth, kinds = rng.uniform(low, high, size=LUCKY), rng.integers(6, size=LUCKY)
    quality, shared = rng.normal(size=(SYSTEMS, inputs)), rng.normal(size=(6, SYSTEMS, inputs))
    own = np.sqrt(0.6) * shared[kinds] + np.sqrt(0.4) * rng.normal(size=(LUCKY, SYSTEMS, inputs))
    scores = truth[:, None, None] * quality + np.sqrt(1 - truth**2)[:, None, None] * own
    found = best_of_many(JudgedOutputs(names(LUCKY), names(SYSTEMS), names(inputs), scores, quality), seed=seed)
    assert isinstance(found, BestOfMany)
    best = truth[found.metric]
    return found.r - best, found.adjusted - best, int(np.argmax(truth)) in found.group, len(found.group)


def names(number: int) -> tuple[str, ...]:
    return tuple(f"{place:04}" for place in range(number))


def compare_swaps(metrics: int) -> None:
    """Time the permutation test of many systems beside the same test done swap by swap, and compare their counts."""
    outputs = made(MANY_INPUTS, metrics, MANY_SYSTEMS)
    found: list[FloatArray] = []
    ways = (many_swaps, swap_by_swap)
    quick, plain = (cpu_seconds(partial(_keep, found, way, outputs)) for way in ways)
    print(f"PERM-BOTH, {MANY_SYSTEMS} systems, {MANY_INPUTS} inputs, {MANY_DRAWS} draws: {quick:.2f}", end=", ")
    print(f"each swap and pair of systems by itself {plain:.2f}: {plain / quick:.1f} times as long", end="; ")
    print(f"largest difference between the counts {np.abs(found[0] - found[1]).max():.0f}")


def _keep(found: list[FloatArray], way: Callable[[JudgedOutputs], FloatArray], outputs: JudgedOutputs) -> None:
    found.append(way(outputs))


def many_swaps(outputs: JudgedOutputs) -> FloatArray:
    return compare_input_level(outputs.scores, outputs.quality, draws=MANY_DRAWS, seed=1).greater.astype(np.float64)


def swap_by_swap(outputs: JudgedOutputs) -> FloatArray:
    """Count as PERM-BOTH does: each swap and each complement by itself, over all pairs of systems."""
    z = [(each - each.mean()) / each.std() for each in outputs.scores]
    x, q = np.array(z, dtype=np.float32).transpose(1, 2, 0), outputs.quality
    every = np.ones(q.shape, dtype=np.bool_)
    own = correlations(x, q, every, outputs.pairs)
    found = np.zeros(own.shape)
    drawn = np.concatenate(list(swaps("both", *q.shape, draws=MANY_DRAWS, seed=1)))
    for kept in (*drawn, *~drawn):
        r = correlations(x, q, kept, outputs.pairs)
        found += r - r.T >= own - own.T - 2e-6
    return found


def correlations(
    x: npt.NDArray[np.float32], q: FloatArray, kept: BoolArray, pairs: Sequence[tuple[int, int]]
) -> FloatArray:
    """Return the mean correlation of each metric (row) with the scores of each other (column) swapped in."""
    total = np.zeros((x.shape[2], x.shape[2]))
    for a, b in pairs:
        d = (q[a] - q[b]).astype(np.float32)
        d = (d - d.mean()) / np.sqrt(((d - d.mean()) ** 2).sum())
        in_a, in_b = kept[a].astype(np.float32)[:, None], kept[b].astype(np.float32)[:, None]
        row = x[a] * in_a - x[b] * in_b
        column = x[a] * (1 - in_a) - x[b] * (1 - in_b)
        squares = (row * row).sum(axis=0)[:, None] + (column * column).sum(axis=0) + 2 * row.T @ column
        sums = row.sum(axis=0)[:, None] + column.sum(axis=0)
        total += ((d @ row)[:, None] + d @ column) / np.sqrt(squares - sums * sums / len(d))
    return total / len(pairs)


def made(inputs: int = INPUTS, metrics: int = METRICS, systems: int = SYSTEMS) -> JudgedOutputs:
    rng = np.random.default_rng(2016)
    true = rng.normal(size=(systems, inputs)) + np.linspace(0, 1, systems)[:, None]
    quality = np.clip(np.round(true[..., None] + rng.normal(size=(systems, inputs, 3)) + 2), 1, 3).mean(axis=2)
    scores = true + rng.normal(size=(metrics, systems, inputs)) * np.linspace(0.5, 3, metrics)[:, None, None]
    names = [tuple(f"{number:03}" for number in range(size)) for size in (metrics, systems, inputs)]
    return JudgedOutputs(names[0], names[1], names[2], scores, quality)


def compare(outputs: JudgedOutputs) -> None:
    dominance(williams_tests(input_level(outputs)))


def plain_williams(outputs: JudgedOutputs) -> None:
    """Compare one metric with all others on one pair of systems."""
    x, q = outputs.scores[:, 0] - outputs.scores[:, 1], outputs.quality[0] - outputs.quality[1]
    for other in range(1, len(x)):
        r = [float(pearsonr(*each).statistic) for each in ((x[0], q), (x[other], q), (x[0], x[other]))]
        williams_test(r[0], r[1], r[2], len(q))


def plain_ranks(outputs: JudgedOutputs) -> None:
    """Test one pair of systems."""
    for scores in (outputs.quality, *outputs.scores):
        wilcoxon(scores[0] - scores[1])


def plain_bootstrap(outputs: JudgedOutputs) -> None:
    """Make one draw."""
    inputs = len(outputs.inputs)
    chosen = np.random.default_rng(1).integers(inputs, size=inputs)
    for scores in outputs.scores:
        for a, b in outputs.pairs:
            pearsonr((scores[a] - scores[b])[chosen], (outputs.quality[a] - outputs.quality[b])[chosen])


def plain_heterogeneity(outputs: JudgedOutputs) -> None:
    """Find H of the sets of measures that corroborate some ordered pairs of outputs."""
    d = np.concatenate([outputs.scores[:, a] - outputs.scores[:, b] for a, b in outputs.pairs], axis=1)
    for pair in range(PART_SETS):
        chosen = d[d[:, pair] >= 0]
        float(np.mean((chosen > 0).any(axis=0) & (chosen < 0).any(axis=0)))


def plain_soft_accuracy(outputs: JudgedOutputs, draws: int) -> None:
    """Find p of one score on one pair of systems."""
    rng = np.random.default_rng(1)
    d = outputs.scores[0, 0] - outputs.scores[0, 1]
    whole = d.sum()
    sum(float(rng.choice((-1, 1), size=len(d)) @ d >= whole) for _ in range(draws))


def plain_calibration(outputs: JudgedOutputs) -> None:
    """Find the accuracy of one metric at some thresholds."""
    d, q = (np.array([each[a] - each[b] for a, b in outputs.pairs]) for each in (outputs.scores[0], outputs.quality))
    for epsilon in np.abs(d).ravel()[:PART_EPSILONS]:
        float((np.sign(d) * (np.abs(d) > epsilon) == np.sign(q)).mean(axis=0).mean())


def plain_permutation(outputs: JudgedOutputs) -> None:
    """Compare two metrics in some draws."""
    z = [(each - each.mean()) / each.std() for each in outputs.scores[:2]]
    rng = np.random.default_rng(1)
    for _ in range(PART_DRAWS):
        kept = rng.random(z[0].shape) < 0.5
        mean_correlation(np.where(kept, z[0], z[1]), outputs) - mean_correlation(np.where(kept, z[1], z[0]), outputs)


def mean_correlation(scores: FloatArray, outputs: JudgedOutputs) -> float:
    q = outputs.quality
    found = [pearsonr(scores[a] - scores[b], q[a] - q[b]).statistic for a, b in outputs.pairs]
    return float(np.mean(found))


def cpu_seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


if __name__ == "__main__":
    main()
