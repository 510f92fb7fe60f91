"""Measure how often the 95% intervals of an evaluation report hold the true value, in the designs of `coverage.py`.

Systems differ in quality, in how far a metric follows it, and in what the metric gives them for nothing; their outputs
of a source share what the design says of sources, and 25 raters give three ratings of each. With fewer than five
systems the true value is that of these systems, and else of systems drawn anew, always for many inputs and other
raters. For input level, what a percentile bootstrap of inputs and systems (BOOT-BOTH) gives stands beside.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.coverage import DESIGNS, WANTED, Design, drawn_raters, is_outside, points, share_with_error
from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    Correlation,
    GivenRatings,
    JudgedOutputs,
    bootstrap_input_level,
    corpus_level,
    corpus_level_interval,
    input_level,
    input_level_intervals,
)
from measures.meta_evaluation.correlation_intervals import LEAST_SYSTEMS_DRAWN, LEAST_SYSTEMS_RANKED

SIZES = ((2, 100), (4, 785), (5, 100), (5, 785), (8, 300), (20, 200))
"""Systems and inputs; 4 and 785 are those of Toutanova et al. 2016."""
RATERS, RATINGS = 25, 3
SPREAD, SLOPE, OFFSET, NOISE = 0.5, 0.3, 0.3, 1.0
"""Spreads of systems' quality, of how far the metric follows it, and of what it adds; noise of the metric."""
MANY_SYSTEMS, MANY_INPUTS, TIMES = 12, 2000, 60
BOOTSTRAPS, DRAWS = 5, 200
"""One of so many campaigns is drawn again, so often."""


class Systems(NamedTuple):
    """What the systems of a campaign are like, an entry each."""

    quality: FloatArray
    slope: FloatArray
    offset: FloatArray


def drawn_systems(rng: np.random.Generator, number: int) -> Systems:
    return Systems(
        SPREAD * rng.normal(size=number),
        np.maximum(0, 1 + SLOPE * rng.normal(size=number)),
        OFFSET * rng.normal(size=number),
    )


def drawn(
    design: Design, rng: np.random.Generator, systems: Systems, inputs: int, *, many_raters: bool = False
) -> tuple[JudgedOutputs, GivenRatings]:
    """Return outputs with a metric and ratings; with many raters each rating is another person's."""
    shape = len(systems.quality), inputs
    true = systems.quality[:, None] + design.source * rng.normal(size=inputs) + design.text * rng.normal(size=shape)
    everyone = RATERS if not many_raters else shape[0] * inputs * RATINGS
    if many_raters:
        raters = np.arange(everyone).reshape(*shape, RATINGS)
    else:
        raters = drawn_raters(design, rng, shape[0] * inputs, RATERS, RATINGS).reshape(*shape, RATINGS)
    lean = design.severity * rng.normal(size=everyone)
    given = points(design, true[..., None] + lean[raters] + rng.normal(size=raters.shape))
    scores = systems.slope[:, None] * true + systems.offset[:, None] + NOISE * rng.normal(size=shape)
    names = [tuple(f"{each:05}" for each in range(number)) for number in shape]
    return JudgedOutputs(("metric",), names[0], names[1], scores[None], given.mean(axis=2)), GivenRatings(given, raters)


def truth_of(design: Design, rng: np.random.Generator, systems: Systems) -> float:
    """Return the correlation at input level for these systems."""
    outputs, _ = drawn(design, rng, systems, 10 * MANY_INPUTS, many_raters=True)
    return float(input_level(outputs).means[0])


def truths(design: Design) -> dict[str, float]:
    """Return the correlations for systems drawn anew."""
    rng, means, level = np.random.default_rng(1), [], []
    for _ in range(TIMES):
        outputs, _ratings = drawn(design, rng, drawn_systems(rng, MANY_SYSTEMS), MANY_INPUTS, many_raters=True)
        level.append(float(input_level(outputs).means[0]))
    for _ in range(10 * TIMES):
        outputs, _ratings = drawn(design, rng, drawn_systems(rng, MANY_SYSTEMS), MANY_INPUTS // 10, many_raters=True)
        means.append(np.stack([outputs.scores[0].mean(axis=1), outputs.quality.mean(axis=1)]))
    scores, quality = np.concatenate(means, axis=1)[:, :, None]
    names = tuple(f"{each:05}" for each in range(len(quality)))
    every = JudgedOutputs(("metric",), names, ("mean",), scores[None], quality)
    found = {method: corpus_level(every, method=method)[0].r for method in get_args(Correlation)}
    return {"input level": float(np.mean(level))} | {
        name: float(r) for name, r in found.items() if isinstance(r, float)
    }


class Held(NamedTuple):
    """Whether each interval held the true value, and how many there were none of."""

    hits: dict[str, list[bool]]
    missing: dict[str, int]

    def add(self, name: str, ends: tuple[float, float] | None, true: float) -> None:
        if ends is None:
            self.missing[name] += 1
        else:
            self.hits[name].append(ends[0] <= true <= ends[1])


def covered(design: Design, systems: int, inputs: int, replications: int, true: dict[str, float]) -> Held:
    held = Held(defaultdict(list), defaultdict(int))
    for replication in range(replications):
        rng = np.random.default_rng([2016, replication])
        chosen = drawn_systems(rng, systems)
        outputs, ratings = drawn(design, rng, chosen, inputs)
        # The bootstrap says that it draws systems, however few.
        level = true["input level"] if systems >= LEAST_SYSTEMS_DRAWN else truth_of(design, rng, chosen)
        (found,) = input_level_intervals(outputs, ratings=ratings)
        held.add("input level", None if isinstance(found, Undefined) else (found.low, found.high), level)
        if replication % BOOTSTRAPS == 0:
            (both,) = bootstrap_input_level(outputs, seed=replication, draws=DRAWS).intervals
            ends = None if isinstance(both, Undefined) else (both.low, both.high)
            held.add("input level, BOOT-BOTH", ends, true["input level"])
        for method in get_args(Correlation):
            if systems >= (LEAST_SYSTEMS_DRAWN if method == "pearson" else LEAST_SYSTEMS_RANKED):
                pair = corpus_level_interval(corpus_level(outputs, method=method)[0], method)
                held.add(f"corpus level, {method}", None if isinstance(pair, Undefined) else pair, true[method])
    return held


def main(print_line: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replications", type=int, default=400)
    parser.add_argument("--design", choices=[each.name for each in DESIGNS[:4]], help="only this one")
    arguments = parser.parse_args()
    print_line(
        f"{arguments.replications} campaigns each, {RATINGS} ratings by {RATERS} raters; wanted: {WANTED[0]} to "
        f"{WANTED[1]}, before rounding; BOOT-BOTH in one of {BOOTSTRAPS}"
    )
    outside = 0
    for design in DESIGNS[:4]:
        if arguments.design not in (None, design.name):
            continue
        true = truths(design)
        for systems, inputs in SIZES:
            held = covered(design, systems, inputs, arguments.replications, true)
            print_line(f"{design.name}: {systems} systems, {inputs} inputs")
            for name, hits in held.hits.items():
                is_ours = "BOOT" not in name
                mark = "  outside" if is_ours and is_outside(hits) else ""
                outside += bool(mark)
                print_line(f"  {name:28} {share_with_error(hits)}  no interval {held.missing[name]:4}{mark}")
    print_line(f"{outside} intervals of the report outside")


if __name__ == "__main__":
    main()
