"""How often a model of quality calls an operation significant that has no effect, in made-up campaigns.

Each source has four compressions by some of eight editors, each text three ratings of 1 to 3 points. The operation
varies within the sources, or between them. Beside the tests of the mixed model stands the same t on a normal
distribution (z), and, with --bootstrap, a parametric bootstrap: ratings drawn from the model without the operation,
fitted again. With --ordered it is the model of ordered categories, of ratings by raters who differ in severity. Wanted:
.03 to .07.
"""

import argparse
import sys
import time
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments import CrossedModel, crossed_model, ordered_model

SOURCES = (6, 12, 18, 36, 60, 100, 200)
EDITORS, TEXTS_OF_EACH, RATINGS, RATERS = 8, 4, 3, 12
OF_SOURCE, OF_EDITOR, OF_TEXT, OF_RATING, OF_RATER = 0.8, 0.4, 0.5, 1.0, 0.5
CUTS = (-1.0, 0.4)
LEVEL, WANTED = 0.05, (0.03, 0.07)


class Campaign(NamedTuple):
    """Points of each text's ratings and their raters, which texts have the operation, their sources and editors."""

    points: FloatArray
    rater: IntArray
    has: FloatArray
    source: IntArray
    editor: IntArray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1600, help="runs up to 36 sources")
    parser.add_argument("--runs-above", type=int, default=400, help="runs of more sources")
    parser.add_argument("--sources", type=int, nargs="*", default=SOURCES)
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--bootstrap", type=int, default=0, metavar="DRAWS", help="draws of a parametric bootstrap")
    one.add_argument("--ordered", action="store_true", help="the model of ordered categories instead")
    options = parser.parse_args()
    names = ("product", "z", "bootstrap")[: 3 if options.bootstrap else 2]
    print(f"{'operation':>10} {'sources':>8} {'runs':>6} {' '.join(f'{name:>13}' for name in names)}  method, seconds")
    for within in (True, False):
        for sources in options.sources:
            runs = options.runs if sources <= 36 else options.runs_above
            print_line(within, sources, runs, options.ordered, options.bootstrap)


def print_line(within: bool, sources: int, runs: int, ordered: bool, draws: int) -> None:
    begun, found, methods = time.process_time(), [], set[str]()
    for run in range(runs):
        rng = np.random.default_rng([2016, sources, within, run])
        campaign = campaign_of(rng, sources, within, OF_RATER if ordered else 0.0)
        tested = ordered_p(campaign) if ordered else crossed_p(rng, campaign, draws)
        if tested is not None:
            found.append(tested[1:])
            methods.add(tested[0])
    if not found:
        print(f"{'within' if within else 'between':>10} {sources:8} {0:6}  no p")
        return
    rates = (np.array(found) <= LEVEL).mean(axis=0)
    line = f"{'within' if within else 'between':>10} {sources:8} {len(found):6}"
    line += "".join(f" {rate:6.3f} ±{sqrt(rate * (1 - rate) / len(found)):.3f}" for rate in rates)
    outside = "" if WANTED[0] <= rates[0] <= WANTED[1] else "  outside"
    print(f"{line}  {', '.join(sorted(methods))}, {time.process_time() - begun:.0f}{outside}", flush=True)


def campaign_of(rng: np.random.Generator, sources: int, within: bool, of_rater: float) -> Campaign:
    """Return a campaign in which the operation has no effect."""
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
    rater = np.argsort(rng.random((len(source), RATERS)), axis=1)[:, :RATINGS]
    seen += of_rater * rng.normal(size=RATERS)[rater]
    points = np.asarray(1.0 + (seen > CUTS[0]) + (seen > CUTS[1]), dtype=np.float64)
    return Campaign(points, rater, has.astype(np.float64), source, editor)


def ordered_p(campaign: Campaign) -> tuple[str, float, float] | None:
    """Return the p of the model of ordered categories and that of its z as normal, None where it has none."""
    text = np.repeat(np.arange(len(campaign.has)), RATINGS)
    predictors, source = {"operation": campaign.has[text]}, campaign.source[text]
    model = ordered_model(campaign.points.ravel(), predictors, text, campaign.rater.ravel(), source)
    if isinstance(model, Undefined) or model.few is not None:
        return None
    found = model.coefficients["operation"]
    return "Laplace", found.p, 2 * (1 - NormalDist().cdf(abs(found.z)))


def crossed_p(rng: np.random.Generator, campaign: Campaign, draws: int) -> tuple[str, *tuple[float, ...]] | None:
    """Return the method and p of the mixed model, of its t as z, and of a bootstrap with so many draws."""
    model = fitted(campaign.points.mean(axis=1), campaign)
    if model is None:
        return None
    test = model.coefficients["operation"].test
    assert not isinstance(test, Undefined)
    normal = 2 * (1 - NormalDist().cdf(abs(test.t)))
    bootstrapped = (bootstrap_p(rng, campaign, abs(test.t), draws),) if draws else ()
    return model.method, test.p, normal, *bootstrapped


def fitted(y: FloatArray, campaign: Campaign) -> CrossedModel | None:
    found = crossed_model(y, {"operation": campaign.has}, campaign.source, campaign.editor)
    return None if isinstance(found, Undefined) else found


def bootstrap_p(rng: np.random.Generator, campaign: Campaign, t: float, draws: int) -> float:
    """Return how often the model without the operation gives a t at least as far from 0."""
    null = crossed_model(campaign.points.mean(axis=1), {}, campaign.source, campaign.editor)
    assert isinstance(null, CrossedModel)
    of, reached = null.variances, 1
    for _ in range(draws):
        drawn = null.coefficients["intercept"].value + sqrt(of.error) * rng.normal(size=null.texts)
        drawn += sqrt(of.source) * rng.normal(size=null.sources)[campaign.source]
        drawn += sqrt(of.editor) * rng.normal(size=EDITORS)[campaign.editor]
        model = fitted(drawn, campaign)
        assert model is not None
        test = model.coefficients["operation"].test
        assert not isinstance(test, Undefined)
        reached += abs(test.t) >= t
    return reached / (draws + 1)


if __name__ == "__main__":
    main()
