"""How often the mixed model calls an operation significant that has no effect, in made-up campaigns.

Each source has four compressions by some of eight editors, each text three ratings of 1 to 3 points. The operation
varies within the sources, or between them. Beside the tests of the product stands the same t on a normal distribution
(z), and, with --bootstrap, a parametric bootstrap: ratings drawn from the model without the operation, fitted again.
Wanted: .03 to .07.
"""

import argparse
import sys
import time
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments import CrossedModel, crossed_model

SOURCES = (6, 12, 18, 36, 60, 100, 200)
EDITORS, TEXTS_OF_EACH, RATINGS = 8, 4, 3
OF_SOURCE, OF_EDITOR, OF_TEXT, OF_RATING = 0.8, 0.4, 0.5, 1.0
CUTS = (-1.0, 0.4)
LEVEL, WANTED = 0.05, (0.03, 0.07)
Campaign = tuple[FloatArray, FloatArray, IntArray, IntArray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1600, help="runs up to 36 sources")
    parser.add_argument("--runs-above", type=int, default=400, help="runs of more sources")
    parser.add_argument("--sources", type=int, nargs="*", default=SOURCES)
    parser.add_argument("--bootstrap", type=int, default=0, metavar="DRAWS", help="draws of a parametric bootstrap")
    options = parser.parse_args()
    print(f"{'operation':>10} {'sources':>8} {'runs':>6} {'product':>9} {'error':>7} {'z':>7}", end="")
    print(f" {'bootstrap':>10}" if options.bootstrap else "", " method, seconds", flush=True)
    for within in (True, False):
        for sources in options.sources:
            print_line(within, sources, options.runs if sources <= 36 else options.runs_above, options.bootstrap)


def print_line(within: bool, sources: int, runs: int, draws: int) -> None:
    begun, found = time.process_time(), []
    methods = set()
    for run in range(runs):
        rng = np.random.default_rng([2016, sources, within, run])
        campaign = campaign_of(rng, sources, within)
        model = fitted(*campaign)
        if model is None:
            continue
        methods.add(model.method)
        coefficient = model.coefficients["operation"]
        assert not isinstance(coefficient.test, Undefined)
        normal = 2 * (1 - NormalDist().cdf(abs(coefficient.test.t)))
        bootstrapped = bootstrap_p(rng, campaign, abs(coefficient.test.t), draws) if draws else np.nan
        found.append((coefficient.test.p, normal, bootstrapped))
    rates = (np.array(found) < LEVEL).mean(axis=0)
    error = sqrt(rates[0] * (1 - rates[0]) / len(found))
    line = f"{'within' if within else 'between':>10} {sources:8} {len(found):6} {rates[0]:9.3f} {error:7.3f}"
    line += f" {rates[1]:7.3f}"
    line += f" {rates[2]:10.3f}" if draws else ""
    outside = "" if WANTED[0] <= rates[0] <= WANTED[1] else "  outside"
    print(f"{line}  {', '.join(sorted(methods))}, {time.process_time() - begun:.0f}{outside}", flush=True)


def campaign_of(rng: np.random.Generator, sources: int, within: bool) -> Campaign:
    """Return mean ratings, which texts have the operation, and the source and editor of each text."""
    source = np.repeat(np.arange(sources), TEXTS_OF_EACH)
    editor = np.argsort(rng.random((sources, EDITORS)), axis=1)[:, :TEXTS_OF_EACH].ravel()
    if within:
        has = np.argsort(rng.random((sources, TEXTS_OF_EACH)), axis=1).ravel() < TEXTS_OF_EACH // 2
    else:
        has = (rng.permutation(sources) % 2 == 0)[source]
    quality = OF_SOURCE * rng.normal(size=sources)[source] + OF_EDITOR * rng.normal(size=EDITORS)[editor]
    seen = (quality + OF_TEXT * rng.normal(size=len(source)))[:, None] + OF_RATING * rng.normal(
        size=(len(source), RATINGS)
    )
    points = 1.0 + (seen > CUTS[0]) + (seen > CUTS[1])
    return points.mean(axis=1), has.astype(np.float64), source, editor


def fitted(y: FloatArray, has: FloatArray, source: IntArray, editor: IntArray) -> CrossedModel | None:
    found = crossed_model(y, {"operation": has}, source, editor)
    return None if isinstance(found, Undefined) else found


def bootstrap_p(rng: np.random.Generator, campaign: Campaign, t: float, draws: int) -> float:
    """Return how often the model without the operation gives a t at least as far from 0."""
    y, has, source, editor = campaign
    null = crossed_model(y, {}, source, editor)
    assert isinstance(null, CrossedModel)
    of, reached = null.variances, 1
    for _ in range(draws):
        drawn = null.coefficients["intercept"].value + sqrt(of.error) * rng.normal(size=len(y))
        drawn += sqrt(of.source) * rng.normal(size=null.sources)[source]
        drawn += sqrt(of.editor) * rng.normal(size=EDITORS)[editor]
        model = fitted(drawn, has, source, editor)
        assert model is not None
        test = model.coefficients["operation"].test
        assert not isinstance(test, Undefined)
        reached += abs(test.t) >= t
    return reached / (draws + 1)


if __name__ == "__main__":
    main()
