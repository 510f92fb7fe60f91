"""Measure how often the 95% intervals of an agreement report hold the true value, in made-up designs.

Texts are independent; or five of them share a source; or raters differ in severity; or both. In three more designs
raters differ in severity, and the work of the n-th busiest is 1/n of the busiest one's (Zipf), or the points 1, 2 and 3
have shares of 3, 17 and 80%, or both. The true value of each statistic is that of a very large campaign of the same
design. "As if independent" is the same interval without sources and raters, each text drawn by itself.

Then, or alone with --numbers, come ratings from 0 to 100 in whole or real numbers, in the first four of these designs,
with Zipf's workloads, and where a good third of the ratings are at the end of the scale.

At the end, or alone with --shares, stand the intervals of a share of words, which draw the sources, from few sources
with five texts each.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.agreement.cohen import Weights, kappa_of_table, pair_table
from measures.agreement.gwet import GwetResult, gwet_agreement
from measures.agreement.intraclass import IntraclassResult
from measures.agreement.krippendorff import AlphaResult, Level, krippendorff_alpha
from measures.agreement.mean_rounding import rounded_means
from measures.agreement.number_scales import interval_alpha, number_intraclass, sampled_numbers
from measures.agreement.rating_patterns import count_patterns
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.simulated_pairs import expected_table
from measures.agreement.table_intervals import AgreementIntervals, crowd_intervals, pair_intervals, reference_intervals
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.drawn_sources import DRAWS, LEAST_SOURCES, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
GWET: tuple[tuple[str, Weights], ...] = (("AC1", "none"), ("AC2", "quadratic"))
CUTS = (-1.6, -0.2)
SHARES = (0.03, 0.2)
WANTED = (0.93, 0.98)
LARGE = 40_000
SOURCES, TEXTS_OF_EACH = (5, 10, 20, 50, 100), 5
Found = dict[str, tuple[float, ConfidenceInterval | Undefined]]


@dataclass(frozen=True)
class Design:
    """How ratings come about: spreads of source, text and severity beside a noise of 1, and the texts of a source.

    With `zipf`, some raters do far more than others; with `shares`, the points have them, whatever the spreads. With
    `middle`, ratings are numbers from 0 to 100 around it, whole ones if they are `rounded`.
    """

    name: str
    source: float
    text: float
    severity: float
    per_source: int
    zipf: bool = False
    shares: tuple[float, float] | None = None
    middle: float | None = None
    rounded: bool = True

    @property
    def cuts(self) -> tuple[float, float]:
        """Above which a rater gives 2 and 3 points."""
        if self.shares is None:
            return CUTS
        spread = NormalDist(0, (self.source**2 + self.text**2 + self.severity**2 + 1) ** 0.5)
        return spread.inv_cdf(self.shares[0]), spread.inv_cdf(self.shares[1])


DESIGNS = (
    Design("independent", 0.0, 1.0, 0.0, 1),
    Design("clustered by source", 0.8, 0.6, 0.0, 5),
    Design("raters differ in severity", 0.0, 1.0, 0.6, 1),
    Design("both", 0.8, 0.6, 0.6, 5),
    Design("severity, Zipf's workloads", 0.0, 1.0, 0.6, 1, zipf=True),
    Design("severity, points 3, 17 and 80%", 0.0, 1.0, 0.6, 1, shares=SHARES),
    Design("severity, Zipf's workloads, points 3, 17 and 80%", 0.0, 1.0, 0.6, 1, zipf=True, shares=SHARES),
)
MIDDLE, AT_THE_END, PER_UNIT = 50.0, 95.0, 12.0
"""Of ratings from 0 to 100: their mean, that where many are 100, and by how much a unit of the spreads moves them."""
NUMBER_DESIGNS = (
    *(
        replace(each, name=f"{each.name}, {'whole' if rounded else 'real'} numbers", middle=MIDDLE, rounded=rounded)
        for rounded in (True, False)
        for each in DESIGNS[:5]
    ),
    replace(DESIGNS[3], name="both, a third of the whole numbers are 100", middle=AT_THE_END),
)


@dataclass(frozen=True, eq=False)
class Campaign:
    """Ratings by the crowd and by two experts, with sources and raters."""

    crowd: FloatArray
    experts: FloatArray
    sources: IntArray
    raters: IntArray


def campaign_of(design: Design, rng: np.random.Generator, texts: int, raters: int, ratings: int) -> Campaign:
    sources = np.arange(texts) // design.per_source
    quality = rng.normal(0, design.text, texts) + rng.normal(0, 1, texts)[sources] * design.source
    chosen = drawn_raters(design, rng, texts, raters, ratings) if raters < 1000 else _any(rng, texts, ratings)
    severity = rng.normal(0, 1, int(chosen.max()) + 1) * design.severity
    crowd = points(design, quality[:, None] + severity[chosen] + rng.normal(0, 1, chosen.shape))
    experts = points(design, quality[:, None] + rng.normal(0, 0.7, (texts, 2)))
    return Campaign(crowd, experts, sources, chosen)


def drawn_raters(design: Design, rng: np.random.Generator, texts: int, raters: int, ratings: int) -> IntArray:
    """Return different raters of each text, all alike or the n-th with 1/n of the chance of the first."""
    drawn = rng.random((texts, raters))
    if design.zipf:
        drawn = -np.log(drawn) * np.arange(1, raters + 1)
    return np.asarray(np.argsort(drawn, axis=1)[:, :ratings])


def _any(rng: np.random.Generator, texts: int, ratings: int) -> IntArray:
    """Return raters of a campaign so large that each text has its own."""
    return np.asarray(rng.permutation(texts * ratings).reshape(texts, ratings))


def points(design: Design, seen: FloatArray) -> FloatArray:
    if design.middle is not None:
        numbers = np.clip(design.middle + PER_UNIT * seen, 0, 100)
        return np.asarray(np.rint(numbers) if design.rounded else numbers)
    low, high = design.cuts
    return np.asarray(1.0 + (seen > low) + (seen > high), dtype=np.float64)


def intervals(design: Design, campaign: Campaign, *, clustered: bool) -> Found:
    """Return the value and the interval of each statistic of a report."""
    return (point_intervals if design.middle is None else number_intervals)(campaign, clustered=clustered)


def number_intervals(campaign: Campaign, *, clustered: bool) -> Found:
    """Return what a report has of scales with more points than kappa takes."""
    sources = campaign.sources if clustered else None
    ratings = sampled_numbers(campaign.crowd, sources=sources, raters=campaign.raters if clustered else None)
    alpha, within = interval_alpha(ratings), number_intraclass(ratings)
    assert isinstance(alpha, AlphaResult)
    assert isinstance(within, IntraclassResult)
    assert isinstance(within.panel, float)
    return {
        "Krippendorff's alpha, interval": (alpha.alpha, alpha.interval),
        "ICC(1)": (within.single, within.single_interval),
        "ICC(1,k)": (within.panel, within.panel_interval),
    }


def point_intervals(campaign: Campaign, *, clustered: bool) -> Found:
    """Return what a report has of scales of few points."""
    sources = campaign.sources if clustered else None
    raters = campaign.raters if clustered else None
    ratings = sampled_ratings(campaign.crowd, categories=3, sources=sources, raters=raters, min_ratings=2)
    found = _pair("worker vs worker", crowd_intervals(ratings, categories=3))
    for level in LEVELS:
        alpha = krippendorff_alpha(campaign.crowd, level=level, categories=3, sources=sources, raters=raters)
        assert isinstance(alpha, AlphaResult)
        found[f"Krippendorff's alpha, {level}"] = alpha.alpha, alpha.interval
    for name, weights in GWET:
        gwet = gwet_agreement(campaign.crowd, categories=3, weights=weights, sources=sources, raters=raters)
        assert isinstance(gwet, GwetResult)
        assert isinstance(gwet.coefficient, float)
        found[f"share of pairs that agree, {weights}"] = gwet.agreement, gwet.agreement_interval
        found[f"Gwet's {name}"] = gwet.coefficient, gwet.coefficient_interval
    one, other = campaign.experts.T
    found |= _pair("expert vs expert", pair_intervals(one, other, categories=3, sources=sources))
    means = rounded_means(campaign.experts)
    with_reference = sampled_ratings(
        campaign.crowd, categories=3, sources=sources, raters=raters, groups=means.astype(np.int64) - 1
    )
    return found | _pair("expert vs worker", reference_intervals(with_reference, categories=3))


def _pair(name: str, found: AgreementIntervals) -> Found:
    return {f"{name}, agreement": (0.0, found.agreement), f"{name}, kappa": (0.0, found.kappa)}


def truth(design: Design) -> dict[str, float]:
    """Return the value of each statistic in a very large campaign."""
    campaign = campaign_of(design, np.random.default_rng(1), LARGE, 10**9, 3)
    found = {name: value for name, (value, _) in intervals(design, campaign, clustered=False).items()}
    if design.middle is not None:
        return found
    tables = {
        "worker vs worker": expected_table(count_patterns(campaign.crowd, 3), categories=3),
        "expert vs expert": pair_table(campaign.experts[:, 0], campaign.experts[:, 1], 3),
        "expert vs worker": pair_table(rounded_means(campaign.experts), rounded_means(campaign.crowd), 3),
    }
    for name, table in tables.items():
        found |= {
            f"{name}, agreement": float(table.trace() / table.sum()),
            f"{name}, kappa": float(kappa_of_table(table)),
        }
    return found


def covered(design: Design, arguments: argparse.Namespace) -> dict[str, tuple[list[bool], list[bool], int]]:
    """Return where both kinds of interval hold the true value, and how often there is none."""
    true, hits = truth(design), defaultdict[str, list[list[bool]]](lambda: [[], []])
    missing: defaultdict[str, int] = defaultdict(int)
    for replication in range(arguments.replications):
        rng = np.random.default_rng([2016, replication])
        campaign = campaign_of(design, rng, arguments.texts, arguments.raters, arguments.ratings)
        for kind, clustered in enumerate((True, False)):
            for name, (_, interval) in intervals(design, campaign, clustered=clustered).items():
                if isinstance(interval, ConfidenceInterval):
                    hits[name][kind].append(interval.low <= true[name] <= interval.high)
                else:
                    missing[name] += clustered
    return {name: (both[0], both[1], missing[name]) for name, both in hits.items()}


def words_of(rng: np.random.Generator, sources: int) -> tuple[FloatArray, FloatArray]:
    """Return how many words of each source's texts have an operation, and how many there are."""
    lean = 0.5 + 0.8 * rng.normal(size=(sources, 1)) + 0.6 * rng.normal(size=(sources, TEXTS_OF_EACH))
    words = rng.integers(8, 21, size=lean.shape)
    having = rng.binomial(words, 1 / (1 + np.exp(-lean)))
    return having.sum(axis=1).astype(np.float64), words.sum(axis=1).astype(np.float64)


def shares_covered(sources: int, replications: int, true: float) -> list[bool]:
    """Return where the percentiles of draws of the sources hold the true share, also below the fewest sources."""
    held = []
    for replication in range(replications):
        above, below = words_of(np.random.default_rng([2016, sources, replication]), sources)
        drawn = np.concatenate([(times @ above) / (times @ below) for times in source_draws(sources, DRAWS, 1)])
        interval = Interval.of(drawn)
        held.append(interval.low <= true <= interval.high)
    return held


def print_shares(replications: int, print_line: Callable[[str], None]) -> None:
    above, below = words_of(np.random.default_rng(1), 10 * LARGE)
    true = float(above.sum() / below.sum())
    print_line(f"share of words, {TEXTS_OF_EACH} texts a source; no report has one below {LEAST_SOURCES} sources")
    for sources in SOURCES:
        print_line(f"  {sources:3} sources {share_with_error(shares_covered(sources, replications, true))}")


def share_with_error(held: Sequence[bool]) -> str:
    """Return the share of intervals that hold the true value, with its Monte Carlo error."""
    share = float(np.mean(held))
    return f"{share:.4f} ±{(share * (1 - share) / len(held)) ** 0.5:.4f}"


def is_outside(held: Sequence[bool]) -> bool:
    """Tell whether the share itself, not rounded, is outside what is wanted."""
    return not WANTED[0] <= float(np.mean(held)) <= WANTED[1]


def main(print_line: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("replications", 400), ("texts", 300), ("raters", 25), ("ratings", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--design", choices=[each.name for each in (*DESIGNS, *NUMBER_DESIGNS)], help="only this one")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--numbers", action="store_true", help="only ratings from 0 to 100")
    only.add_argument("--shares", action="store_true", help="only the intervals of shares of words")
    arguments = parser.parse_args()
    if not arguments.shares:
        print_agreement(NUMBER_DESIGNS if arguments.numbers else DESIGNS + NUMBER_DESIGNS, arguments, print_line)
    if not arguments.numbers:
        print_shares(arguments.replications, print_line)


def print_agreement(
    designs: Sequence[Design], arguments: argparse.Namespace, print_line: Callable[[str], None]
) -> None:
    print_line(
        f"{arguments.replications} campaigns of {arguments.texts} texts with {arguments.ratings} ratings each, by "
        f"{arguments.raters} raters and two experts; wanted: {WANTED[0]} to {WANTED[1]}, before rounding"
    )
    outside = 0
    for design in designs:
        if arguments.design not in (None, design.name):
            continue
        print_line(f"{design.name:50} {'report':>6} {'as if independent':>22} {'no interval':>12}")
        for name, (ours, alone, missing) in covered(design, arguments).items():
            mark = "  outside" if is_outside(ours) else ""
            outside += bool(mark)
            print_line(f"  {name:38} {share_with_error(ours)} {share_with_error(alone):>19} {missing:12}{mark}")
    print_line(f"{outside} intervals outside")


if __name__ == "__main__":
    main()
