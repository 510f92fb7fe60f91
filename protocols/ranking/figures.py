"""The parameters of a report on rankings, and its figures, a row for each."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from django.utils.translation import gettext_lazy

from measures.core.drawn_sources import Ratio
from measures.core.item_means import ItemMean
from measures.core.rating_scale import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments import (
    PSEUDO_WINS,
    Friedman,
    PairResults,
    circular_triads,
    friedman,
    item_midranks,
    mean_ranks,
    pair_results,
    pair_strengths,
    place_slope,
    rank_agreement,
)
from protocols.parameters import CampaignParameters
from protocols.ranking.rankings import Rankings
from protocols.report_rows import About, ReportRow
from reports.parameters import draws, seed, switch

RANKS, STRENGTHS, AGREEMENT, PAIRS, TOGETHER = "ranks", "strengths", "agreement", "pairs", "all systems"
MIDRANK, GIVEN, STRENGTH, TIE = "mean rank", "mean of the numbers as given", "log strength", "tie parameter"
W, TAU_B, SPEARMAN, ALPHA = "Kendall's W", "Kendall's tau-b", "Spearman's rho", "Krippendorff's alpha, ordinal"
DIFFERENCE, CONOVER, CONOVER_HOLM, NEMENYI, WINS = (
    *("difference in mean rank", "p, Conover", "p, Conover, Holm", "p, Nemenyi", "wins, ties as a half"),
)
CHI2, CHI2_P, SHUFFLED_P = "Friedman's chi-square", "p of Friedman's test", "p of Friedman's test by shuffles"
CIRCLES, DECIDED, CIRCLE_SHARE, PLACE = (
    *("circular triads", "decided triads", "share of circular triads", "ranks per place"),
)
LEFT_OUT, SETS_LEFT_OUT = "systems left out", "sets left out"
ONE_SYSTEM = Undefined("fewer than two systems")


@dataclass(frozen=True)
class RankingParameters(CampaignParameters):
    """Whether strengths are kept finite, and how much is drawn.

    With `pseudo_wins` each system gets a tenth of a win over each other one. `draws` are those of sets for intervals,
    and of orders for Friedman's test.
    """

    pseudo_wins: bool = switch(
        label=gettext_lazy("Give each system 0.1 pseudo-wins over each other one"),
        api="Whether strengths are kept finite by 0.1 wins of each system over each other one.",
        option="keep strengths finite by 0.1 wins of each system over each other one",
    )
    draws: int = draws("draws of sets for intervals, and of orders for Friedman's test")
    seed: int = seed(is_folded=True)


def ranking_rows(found: Rankings, parameters: RankingParameters) -> Iterator[ReportRow]:
    """Yield all rows."""
    results = pair_results(found.given)
    yield from _ranks(found, parameters)
    yield from _strengths(found, results, parameters)
    yield from _agreement(found)
    yield from _together(found, results, parameters)


def _ranks(found: Rankings, parameters: RankingParameters) -> Iterator[ReportRow]:
    means = mean_ranks(found.given, draws=parameters.draws, seed=parameters.seed)
    for system, mean in zip(found.systems, means, strict=True):
        about = About(RANKS, found.kinds[system], system)
        yield _mean(about, MIDRANK, mean.midrank)
        yield _mean(about, GIVEN, mean.given)


def _mean(about: About, figure: str, mean: Ratio | Undefined) -> ReportRow:
    """Return the row of a mean over answers, which are what its denominator counts."""
    if isinstance(mean, Undefined):
        return about.row(figure, mean)
    return about.row(figure, mean.value, mean.interval, n=int(mean.units), sources=mean.sources)


def _strengths(found: Rankings, results: PairResults, parameters: RankingParameters) -> Iterator[ReportRow]:
    pseudo_wins = PSEUDO_WINS if parameters.pseudo_wins else 0.0
    fit = pair_strengths(results, pseudo_wins=pseudo_wins, draws=parameters.draws, seed=parameters.seed)
    for place, system in enumerate(found.systems):
        about = About(STRENGTHS, found.kinds[system], system)
        if isinstance(fit, Undefined):
            yield about.row(STRENGTH, fit, sources=len(found.sets))
        else:
            yield about.row(STRENGTH, fit.fit.log_strengths[place], fit.intervals[place], sources=fit.items)
    if not isinstance(fit, Undefined):
        yield About(TOGETHER, "", "").row(TIE, fit.fit.tie, fit.tie_interval, sources=fit.items)


def _agreement(found: Rankings) -> Iterator[ReportRow]:
    agreement, about = rank_agreement(found.shown), About(AGREEMENT, "", "")
    values = {W: agreement.w, TAU_B: agreement.tau_b, SPEARMAN: agreement.spearman, ALPHA: agreement.alpha}
    for figure, mean in values.items():
        if isinstance(mean, ItemMean):
            yield about.row(figure, mean.value, mean.interval, n=found.answers, sources=mean.items)
        else:
            yield about.row(figure, mean)


def _together(found: Rankings, results: PairResults, parameters: RankingParameters) -> Iterator[ReportRow]:
    test: Friedman | Undefined = ONE_SYSTEM
    if len(found.systems) > 1:
        means = item_midranks(found.given).round(DECIMALS)
        test = friedman(means, shuffles=parameters.draws, seed=parameters.seed)
    about = About(TOGETHER, "", "")
    if isinstance(test, Undefined):
        yield about.row(CHI2, test)
    else:
        sets = test.people
        yield about.row(CHI2, test.chi2, sources=sets)
        yield about.row(CHI2_P, test.p, sources=sets)
        yield about.row(SHUFFLED_P, test.permutation_p, sources=sets)
    yield from _pairs(found, results, test)
    triads = circular_triads(results.half_wins)
    yield about.row(CIRCLES, triads.circular)
    yield about.row(DECIDED, triads.decided)
    yield about.row(CIRCLE_SHARE, triads.share, n=triads.decided)
    slope = place_slope(found.shown, found.places, draws=parameters.draws, seed=parameters.seed)
    yield replace(about.ratio(PLACE, slope), n=None)  # its denominator counts nothing
    yield about.row(LEFT_OUT, found.left_out)
    yield about.row(SETS_LEFT_OUT, found.sets_left_out)


def _pairs(found: Rankings, results: PairResults, test: Friedman | Undefined) -> Iterator[ReportRow]:
    """Yield how each two systems differ: by ranks within the sets that have all systems, and by pairs of texts."""
    half_wins, number = results.half_wins, (results.wins + results.wins.transpose(0, 2, 1) + results.ties).sum(axis=0)
    for place, (one, other) in enumerate(combinations(range(len(found.systems)), 2)):
        about = About(PAIRS, found.systems[one], found.systems[other])
        if not isinstance(test, Undefined):
            pair, sets = test.pairs[place], test.people
            p, by_holm = (
                (pair.conover, pair.conover)
                if isinstance(pair.conover, Undefined)
                else (pair.conover.p, pair.conover.holm)
            )
            yield about.row(DIFFERENCE, pair.difference, sources=sets)
            yield about.row(CONOVER, p, sources=sets)
            yield about.row(CONOVER_HOLM, by_holm, sources=sets)
            yield about.row(NEMENYI, pair.nemenyi, sources=sets)
        yield about.row(WINS, float(half_wins[one, other]), n=int(number[one, other]))
