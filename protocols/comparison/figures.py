"""The figures of a comparison of systems: one row for each number, with its scale, table and reason."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

from measures.agreement.krippendorff import AlphaResult
from measures.core.confidence import ConfidenceInterval
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments import (
    Comparison,
    JudgeAgreement,
    MeanKappa,
    SourceMeans,
    compare_systems,
    judge_agreement,
    rank_systems,
    rating_models,
    source_means,
)
from measures.experiments.friedman import Friedman, friedman
from measures.experiments.judge_agreement import LEAST_COMMON
from measures.experiments.paired import PairedTests
from protocols.comparison.judged import UNKNOWN, JudgedScale
from protocols.comparison.parameters import ComparisonParameters

Row = dict[str, Any]
Who = tuple[str, str, str]
"""The first and the second that a row compares, and what it is about beside."""
NOBODY: Who = ("", "", "")
Ends = Interval | ConfidenceInterval | tuple[float, float] | Undefined | None
Value = float | Undefined | None
MEANS, SHARES, DIRECTION, TESTS, EFFECTS, AGREEMENT, JUDGES, ORDER, MODELS, DIFFERENCES = (
    *("means", "shares", "direction", "tests", "effects", "agreement", "judges", "order", "models", "differences"),
)
COLUMNS = (
    *("scale", "table", "first", "second", "group", "figure", "value", "low", "high", "n", "p", "p_holm", "reason"),
)
MOST_JUDGES, MOST_CELLS, FEWEST_DRAWS = 300, 100_000_000, 200
"""Agreement of more judges is a matter of the agreement report; of many, there are fewer draws, so that it ends."""
MOST_LISTED = 20
"""Of more judges, pairs without a kappa are counted and not listed: in a crowd, most have nothing in common."""
TOO_MANY_JUDGES = Undefined(f"more than {MOST_JUDGES} judges; the agreement report has the agreement of a crowd")


def scale_rows(judged: JudgedScale, parameters: ComparisonParameters) -> Iterator[Row]:
    """Yield all rows of one scale but the differences of sources."""
    drawn = {"draws": parameters.draws, "seed": parameters.seed}
    pairs = compare_systems(judged.ratings, judged.systems, judges=parameters.judges, middle=parameters.middle, **drawn)
    together = source_means(judged.ratings, judged.systems, judges=parameters.judges)
    agreement = _agreement(judged, parameters)
    steps: Sequence[Iterator[Row]] = (
        _means(judged, together, parameters),
        _pairs(judged, pairs),
        _agreement_rows(agreement),
        _judge_rows(judged, agreement),
        _order(judged, together, parameters) if len(judged.systems) > 2 else iter(()),
        _models(judged),
    )
    yield from ({**row, "scale": judged.scale.key} for row in chain.from_iterable(steps))


def difference_rows(judged: JudgedScale, parameters: ComparisonParameters) -> Mapping[str, list[Row]]:
    """Return the difference of each system and the baseline for each source, the largest first, by system."""
    first, *others = judged.systems
    found = {}
    for second in others:
        table = source_means(judged.ratings, (first, second), judges=parameters.judges)
        if not isinstance(table, Undefined):
            given = zip(table.differences(1, 0).tolist(), table.sources, table.numbers[:, 1].tolist(), strict=True)
            ordered = sorted(given, key=lambda each: (-each[0], str(each[1])))
            found[second] = [
                {**_row(DIFFERENCES, "difference", value, who=(first, second, str(source)), n=number)}
                | {"scale": judged.scale.key}
                for value, source, number in ordered
            ]
    return found


def _row(
    table: str,
    figure: str,
    value: Value,
    ends: Ends = None,
    *,
    who: Who = NOBODY,
    n: int | None = None,
    p: Value = None,
    p_holm: Value = None,
) -> Row:
    first, second, group = who
    reasons = [each.reason for each in (value, ends, p, p_holm) if isinstance(each, Undefined)]
    low, high = _ends(ends)
    return {
        **{"scale": "", "table": table, "first": first, "second": second, "group": group, "figure": figure},
        **{"value": _known(value), "low": low, "high": high, "n": n, "p": _known(p), "p_holm": _known(p_holm)},
        "reason": reasons[0] if reasons else "",
    }


def _known(value: Value) -> float | None:
    return None if value is None or isinstance(value, Undefined) else float(value)


def _ends(ends: Ends) -> tuple[float | None, float | None]:
    if ends is None or isinstance(ends, Undefined):
        return None, None
    low, high = ends if isinstance(ends, tuple) else (ends.low, ends.high)
    return float(low), float(high)


def _means(judged: JudgedScale, table: SourceMeans | Undefined, parameters: ComparisonParameters) -> Iterator[Row]:
    if isinstance(table, Undefined):
        for system in judged.systems:
            yield _row(MEANS, "mean", table, who=("", "", system))
        return
    ranked = rank_systems(table, draws=parameters.draws, seed=parameters.seed)
    for each in ranked:
        ends: Ends = each.low if isinstance(each.low, Undefined) else (each.low, _known(each.high) or 0.0)
        yield _row(MEANS, "mean", each.mean, ends, who=("", "", str(each.system)), n=len(table.sources))
    if len(judged.systems) > 2:
        for each in ranked:
            yield _row(
                MEANS, "rank", each.rank, each.rank_interval, who=("", "", str(each.system)), n=len(table.sources)
            )


def _pairs(judged: JudgedScale, pairs: Sequence[Comparison | Undefined]) -> Iterator[Row]:
    named = list(zip(combinations(judged.systems, 2), pairs, strict=True))
    corrected = _corrected([pair for _, pair in named])
    for place, ((first, second), pair) in enumerate(named):
        names = {"first": first, "second": second}
        if isinstance(pair, Undefined):
            yield {**_row(EFFECTS, "difference", pair), **names}
            continue
        of_pair = (
            *_shares(judged, pair),
            *_direction(pair.tests, pair.left_out),
            *_tests(pair.tests, {name: found[place] for name, found in corrected.items()}),
            *_effects(pair.tests),
        )
        yield from ({**row, **names} for row in of_pair)


TEST_P: Mapping[str, Callable[[PairedTests], Value]] = {
    "t": lambda tests: tests.t if isinstance(tests.t, Undefined) else tests.t.p,
    "wilcoxon": lambda tests: tests.signed_rank.p,
    "sign": lambda tests: tests.sign_p,
    "permutation": lambda tests: tests.permutation_p,
}


def _corrected(pairs: Sequence[Comparison | Undefined]) -> dict[str, list[Value]]:
    """Return each test's p of every pair, by Holm over all pairs."""
    found = {}
    for name, p_of in TEST_P.items():
        raw = [pair if isinstance(pair, Undefined) else p_of(pair.tests) for pair in pairs]
        by_holm = holm([np.nan if isinstance(p, Undefined) or p is None else p for p in raw]).tolist()
        found[name] = [p if isinstance(p, Undefined) else each for p, each in zip(raw, by_holm, strict=True)]
    return found


def _shares(judged: JudgedScale, pair: Comparison) -> Iterator[Row]:
    for place, system in enumerate((pair.first, pair.second)):
        counted = zip(judged.scale.values, pair.categories[place], pair.shares(place), strict=True)
        for point, number, share in counted:
            yield _row(SHARES, str(point), share, who=("", "", str(system)), n=number)


def _direction(tests: PairedTests, left_out: int) -> Iterator[Row]:
    for figure in ("better", "equal", "worse"):
        number = getattr(tests, figure)
        yield _row(DIRECTION, figure, number / tests.pairs, n=number)
    yield _row(DIRECTION, "superiority", tests.superiority.value, tests.superiority.interval, n=tests.pairs)
    yield _row(DIRECTION, "left_out", float(left_out))


def _tests(tests: PairedTests, by_holm: Mapping[str, Value]) -> Iterator[Row]:
    statistics: dict[str, Value] = {
        "t": tests.t if isinstance(tests.t, Undefined) else tests.t.t,
        "wilcoxon": tests.signed_rank.w_plus,
        "sign": float(tests.better),
        "permutation": tests.mean,
    }
    counted = {"wilcoxon": tests.pairs - tests.equal, "sign": tests.pairs - tests.equal}
    for name, value in statistics.items():
        n = counted.get(name, tests.pairs)
        yield _row(TESTS, name, value, n=n, p=TEST_P[name](tests), p_holm=by_holm[name])


def _effects(tests: PairedTests) -> Iterator[Row]:
    t, effect, n = tests.t, tests.effect, tests.pairs
    yield _row(EFFECTS, "difference", tests.mean, t if isinstance(t, Undefined) else (t.low, t.high), n=n)
    if isinstance(effect, Undefined):
        for figure in ("d_z", "g"):
            yield _row(EFFECTS, figure, effect, n=n)
        return
    yield _row(EFFECTS, "d_z", effect.d_z, (effect.low, effect.high), n=n)
    yield _row(EFFECTS, "g", effect.g, (effect.g_low, effect.g_high), n=n)


def _agreement(judged: JudgedScale, parameters: ComparisonParameters) -> JudgeAgreement | Undefined:
    judges = len(judged.ratings.judges)
    if judges > MOST_JUDGES:
        return TOO_MANY_JUDGES
    cells = max(1, judges * (judges - 1) // 2 * len(judged.scale.values) ** 2)
    draws = min(parameters.draws, max(FEWEST_DRAWS, MOST_CELLS // cells))
    return judge_agreement(judged.ratings, draws=draws, seed=parameters.seed)


def _agreement_rows(found: JudgeAgreement | Undefined) -> Iterator[Row]:
    if isinstance(found, Undefined):
        yield _row(AGREEMENT, "kappa", found)
        return
    of_pairs: dict[str, MeanKappa | Undefined] = {"kappa": found.kappa, "kappa_quadratic": found.quadratic}
    for figure, mean in of_pairs.items():
        if isinstance(mean, Undefined):
            yield _row(AGREEMENT, figure, mean)
        else:
            yield _row(AGREEMENT, figure, mean.value, mean.interval, n=mean.pairs)
    alpha: AlphaResult | Undefined = found.alpha
    if isinstance(alpha, Undefined):
        yield _row(AGREEMENT, "alpha_ordinal", alpha)
    else:
        yield _row(AGREEMENT, "alpha_ordinal", alpha.alpha, alpha.interval, n=alpha.items)


def _judge_rows(judged: JudgedScale, found: JudgeAgreement | Undefined) -> Iterator[Row]:
    """Yield the kappa of each two judges, and the mean of each judge's ratings: who is severe."""
    if isinstance(found, Undefined):
        return
    names = [str(each) for each in judged.ratings.judges]
    known = [place for place, name in enumerate(names) if not name.startswith(UNKNOWN)]
    by_place = {(pair.rater_a, pair.rater_b): pair for pair in found.pairs}
    listed = combinations(known, 2) if len(known) <= MOST_LISTED else sorted(by_place)
    for one, other in listed:
        who, pair = (names[one], names[other], ""), by_place.get((one, other))
        if pair is None:
            n = int(found.common[one, other])
            yield _row(JUDGES, "kappa", _few_common(n), n=n, who=who)
        else:
            interval = None if isinstance(pair.kappa, Undefined) else pair.intervals.kappa
            yield _row(JUDGES, "kappa", pair.kappa, interval, n=pair.items, who=who)
    if len(known) > MOST_LISTED:
        yield _row(JUDGES, "few_common", float(len(known) * (len(known) - 1) // 2 - len(by_place)))
    for place, name in enumerate(names):
        points = judged.ratings.points[judged.ratings.judge == place]
        yield _row(JUDGES, "mean", float(points.mean()), who=(name, "", ""), n=len(points))


def _few_common(n: int) -> Undefined:
    return Undefined(f"{n} of {LEAST_COMMON} texts in common" if n else "no text in common")


def _order(judged: JudgedScale, table: SourceMeans | Undefined, parameters: ComparisonParameters) -> Iterator[Row]:
    found: Friedman | Undefined = table if isinstance(table, Undefined) else _friedman(table, parameters)
    if isinstance(found, Undefined):
        yield _row(ORDER, "friedman", found)
        return
    yield _row(ORDER, "friedman", found.chi2, n=found.people, p=found.p)
    yield _row(ORDER, "permutation", found.chi2, n=found.people, p=found.permutation_p)
    yield _row(ORDER, "kendall_w", found.kendall_w, n=found.people)
    for pair in found.pairs:
        who = judged.systems[pair.a], judged.systems[pair.b], ""
        conover = pair.conover
        p, by_holm = (conover, conover) if isinstance(conover, Undefined) else (conover.p, conover.holm)
        yield _row(ORDER, "conover", -pair.difference, n=found.people, p=p, p_holm=by_holm, who=who)
        yield _row(ORDER, "nemenyi", -pair.difference, n=found.people, p_holm=pair.nemenyi, who=who)


def _friedman(table: SourceMeans, parameters: ComparisonParameters) -> Friedman | Undefined:
    return friedman(table.means, shuffles=parameters.draws, seed=parameters.seed)


def _models(judged: JudgedScale) -> Iterator[Row]:
    """Yield the models of single ratings: rating ~ system + (1 | source) + (1 | judge)."""
    first, *others = judged.systems
    found = rating_models(judged.ratings, first)
    crossed, ordered, n = found.crossed, found.ordered, len(judged.ratings.points)
    for second in others:
        who = first, second, ""
        if isinstance(crossed, Undefined):
            yield _row(MODELS, "mixed", crossed, n=n, who=who)
        else:
            one = crossed.coefficients[second]
            test = one.test
            ends, p = (test, test) if isinstance(test, Undefined) else ((test.low, test.high), test.p)
            yield _row(MODELS, "mixed", one.value, ends, n=n, p=p, who=who)
        if isinstance(ordered, Undefined):
            yield _row(MODELS, "ordered", ordered, n=n, who=who)
        elif ordered.few is not None:
            yield _row(MODELS, "ordered", ordered.coefficients[second].value, ordered.few, n=n, who=who)
        else:
            log_odds = ordered.coefficients[second]
            yield _row(MODELS, "ordered", log_odds.value, (log_odds.low, log_odds.high), n=n, p=log_odds.p, who=who)
    if not isinstance(crossed, Undefined):
        for figure, variance in (("sd_sources", crossed.variances.source), ("sd_judges", crossed.variances.editor)):
            yield _row(MODELS, figure, variance**0.5)
