"""Systems compared by people, against golden values, plain loops and the laws of a comparison."""

import json
from fractions import Fraction
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from measures.core.undefined import Undefined
from measures.experiments import (
    Comparison,
    JudgeAgreement,
    Judgements,
    MeanKappa,
    MetricBesidePeople,
    SourceMeans,
    compare_systems,
    judge_agreement,
    judgements,
    metric_beside_people,
    rank_systems,
    rating_models,
    source_means,
)
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.ordered_model import OrderedModel, ordered_model
from measures.experiments.small_samples import TTest

LIKERT = json.loads((Path(__file__).parent / "golden" / "likert.json").read_text())
ROWS = st.lists(
    st.tuples(st.integers(1, 5), st.sampled_from("abc"), st.sampled_from("stuv"), st.sampled_from("xyz")),
    min_size=1,
    max_size=36,
    unique_by=lambda row: row[1:],
)


def of_rows(rows: list[tuple[int, str, str, str]]) -> Judgements:
    return judgements(*map(list, zip(*rows, strict=True)), categories=5)


def likert() -> Judgements:
    return of_rows(
        [
            (points, system, f"{source:02}", f"j{judge}")
            for system in ("baseline", "system")
            for source, row in enumerate(LIKERT[system])
            for judge, points in enumerate(row)
        ]
    )


def only(found: list[Comparison | Undefined]) -> Comparison:
    (pair,) = found
    assert isinstance(pair, Comparison)
    return pair


def test_the_golden_comparison() -> None:
    pair = only(compare_systems(likert(), seed=1))
    tests = pair.tests
    assert [tests.better, tests.equal, tests.worse] == LIKERT["better_equal_worse"]
    assert list(pair.means) == pytest.approx(LIKERT["mean"], abs=1e-8)
    assert isinstance(tests.t, TTest)
    assert [tests.t.t, tests.t.p, tests.t.df] == pytest.approx([LIKERT["t"], LIKERT["p"], 9], abs=1e-8)
    assert [tests.t.low, tests.t.high] == pytest.approx(LIKERT["ci"], abs=1e-8)
    ranks = tests.signed_rank
    assert [min(ranks.w_plus, ranks.w_minus), ranks.p] == pytest.approx(LIKERT["wilcoxon"], abs=1e-8)
    assert tests.sign_p == pytest.approx(LIKERT["sign_p"], abs=1e-8)
    assert [list(each) for each in pair.categories] == LIKERT["categories_half_up"]
    assert pair.shares(1) == (0, 0.2, 0.3, 0.4, 0.1)
    assert (pair.first, pair.second, pair.t_p_holm, pair.left_out) == ("baseline", "system", tests.t.p, 0)
    assert not isinstance(tests.superiority.interval, Undefined)
    assert tests.superiority.interval.low < tests.superiority.value == 0.85


def test_the_golden_agreement() -> None:
    found = judge_agreement(likert(), draws=500, seed=1)
    assert [each.kappa for each in found.pairs] == pytest.approx(LIKERT["pairwise_kappa"], abs=1e-8)
    for mean, key in ((found.kappa, "mean_kappa"), (found.quadratic, "mean_quadratic_kappa")):
        assert isinstance(mean, MeanKappa)
        assert mean.value == pytest.approx(LIKERT[key], abs=1e-8)
        assert (mean.pairs, mean.undefined) == (3, 0)
        assert not isinstance(mean.interval, Undefined)
        assert mean.interval.low < mean.value < mean.interval.high
    assert not isinstance(found.alpha, Undefined)
    assert found.alpha.alpha == pytest.approx(LIKERT["alpha_ordinal"], abs=1e-8)
    assert not isinstance(found.alpha.interval, Undefined)
    assert found.alpha.interval.sources == 10


def plain(rows: list[tuple[int, str, str, str]], judges: str) -> dict[str, list[list[int]]]:
    """The ratings of a and b that count, by source."""
    found = {}
    for source in sorted({row[2] for row in rows}):
        of = {(row[1], row[3]): row[0] for row in rows if row[2] == source}
        mine = [
            [
                of[system, judge]
                for judge in "xyz"
                if (system, judge) in of and (judges == "all" or {("a", judge), ("b", judge)} <= set(of))
            ]
            for system in "ab"
        ]
        if all(mine):
            found[source] = mine
    return found


@given(ROWS, st.sampled_from(["both", "all"]), st.sampled_from(["mean", "median"]))
def test_sums_are_those_of_plain_loops(rows: list[tuple[int, str, str, str]], judges: str, middle: str) -> None:
    table = of_rows(rows)
    if not {"a", "b"} <= set(table.systems):
        return
    wanted = plain(rows, judges)
    found = source_means(table, ["a", "b"], judges=judges)  # type: ignore[arg-type]
    pairs = compare_systems(table, ["a", "b"], judges=judges, middle=middle, draws=20, seed=1)  # type: ignore[arg-type]
    if not wanted:
        assert found == pairs[0] == Undefined("no source has judgements of all systems that are compared")
        return
    assert isinstance(found, SourceMeans)
    pair = only(pairs)
    means = [[Fraction(sum(each), len(each)) for each in both] for both in wanted.values()]
    assert found.sources == tuple(wanted)
    assert found.left_out == pair.left_out == len(table.sources) - len(wanted)
    assert [found.mean(0), found.mean(1)] == [sum(column) / len(means) for column in zip(*means, strict=True)]
    signs = [(b > a) - (b < a) for a, b in means]
    assert (pair.tests.better, pair.tests.equal, pair.tests.worse) == tuple(map(signs.count, (1, 0, -1)))
    assert found.differences(1, 0).tolist() == pytest.approx([float(b - a) for a, b in means])
    for place in (0, 1):
        middles = [
            Fraction(sum(both[place]), len(both[place])) if middle == "mean" else Fraction(median(both[place]))
            for both in wanted.values()
        ]
        whole = [int(each + Fraction(1, 2)) for each in middles]
        assert pair.categories[place] == tuple(map(whole.count, range(1, 6)))


def test_judges_of_one_system_count_only_if_all_do() -> None:
    table = of_rows([(2, "a", "s", "x"), (3, "b", "s", "x"), (5, "b", "s", "y"), (1, "a", "t", "z")])
    both, everybody = source_means(table), source_means(table, judges="all")
    assert isinstance(both, SourceMeans)
    assert isinstance(everybody, SourceMeans)
    assert (both.means.tolist(), everybody.means.tolist(), both.left_out) == ([[2, 3]], [[2, 4]], 1)


def three_systems(seed: int = 1, sources: int = 14) -> Judgements:
    rng = np.random.default_rng(seed)
    return of_rows(
        [
            (int(np.clip(np.round(better + latent + rng.normal() / 2), 1, 5)), system, f"{source:02}", judge)
            for source, latent in enumerate(rng.normal(size=sources))
            for system, better in (("a", 2.6), ("b", 3.0), ("c", 3.5))
            for judge in "xyz"
        ]
    )


def test_pairs_of_systems_are_one_family() -> None:
    table = three_systems()
    pairs = [pair for pair in compare_systems(table, draws=20, seed=1) if isinstance(pair, Comparison)]
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    raw = [pair.tests.t.p for pair in pairs if isinstance(pair.tests.t, TTest)]
    order = np.argsort(raw)
    corrected = [0.0] * 3
    highest = 0.0
    for factor, place in zip((3, 2, 1), order.tolist(), strict=True):
        highest = corrected[place] = min(1.0, max(highest, factor * raw[place]))
    assert [pair.t_p_holm for pair in pairs] == pytest.approx(corrected)
    turned = only(compare_systems(table, ["c", "a"], draws=20, seed=1))
    assert turned.tests.mean == pytest.approx(-pairs[1].tests.mean)
    assert turned.categories == pairs[1].categories[::-1]


def test_ranks_of_systems() -> None:
    found = source_means(three_systems())
    assert isinstance(found, SourceMeans)
    ranked = rank_systems(found, draws=400, seed=1)
    assert [(each.system, each.rank) for each in ranked] == [("c", 1.0), ("b", 2.0), ("a", 3.0)]
    for each in ranked:
        values = found.means[:, found.systems.index(each.system)]
        ends = scipy.stats.ttest_1samp(values, 0).confidence_interval()
        assert (each.low, each.high) == pytest.approx((ends.low, ends.high))
        assert each.mean == pytest.approx(values.mean())
        assert not isinstance(each.rank_interval, Undefined)
        assert each.rank_interval.low <= each.rank <= each.rank_interval.high
    assert sum(each.rank_interval.mean for each in ranked if not isinstance(each.rank_interval, Undefined)) == (
        pytest.approx(6)
    )


def test_equal_systems_share_their_rank_in_every_draw() -> None:
    rows = [
        (points, system, f"{source:02}", "xyz"[judge])
        for source in range(12)
        for judge in range(3)
        for system, points in (("a", 1 + (source + judge) % 3), ("b", 1 + (source + 2 - judge) % 3), ("c", 5))
    ]
    even = source_means(of_rows(rows))
    assert isinstance(even, SourceMeans)
    best, *others = rank_systems(even, draws=50, seed=1)
    assert (best.system, best.rank) == ("c", 1.0)
    assert [(each.rank, each.rank_interval.low, each.rank_interval.high) for each in others  # type: ignore[union-attr]
            ] == [(2.5, 2.5, 2.5)] * 2  # fmt: skip
    few = source_means(of_rows([row for row in rows if int(row[2]) < 9]))
    assert isinstance(few, SourceMeans)
    assert isinstance(rank_systems(few, draws=5, seed=1)[0].rank_interval, Undefined)
    one = source_means(of_rows([row for row in rows if int(row[2]) < 1]))
    assert isinstance(one, SourceMeans)
    assert rank_systems(one, draws=5, seed=1)[0].low == Undefined("fewer than two sources")


def test_kappas_are_those_of_scikit_learn_over_five_common_texts() -> None:
    rng = np.random.default_rng(3)
    rows = [
        (int(points), "a", f"{source:02}", judge)
        for source in range(12)
        for judge, points in zip("wxyz", rng.integers(1, 6, 4), strict=True)
        if not (judge == "w" and source >= 4) and not (judge == "x" and source >= 5)
    ]
    found = judge_agreement(of_rows(rows), draws=50, seed=1)
    # w has four texts and is in no pair; x has five.
    assert [(each.rater_a, each.rater_b, each.items) for each in found.pairs] == [(1, 2, 5), (1, 3, 5), (2, 3, 12)]
    assert found.common.tolist() == [[4, 4, 4, 4], [4, 5, 5, 5], [4, 5, 12, 12], [4, 5, 12, 12]]
    of = {judge: {row[2]: row[0] for row in rows if row[3] == judge} for judge in "xyz"}
    for mean, weights in ((found.kappa, None), (found.quadratic, "quadratic")):
        theirs = []
        for one, two in (of["x"], of["y"]), (of["x"], of["z"]), (of["y"], of["z"]):
            common = [text for text in one if text in two]
            a, b = ([each[text] for text in common] for each in (one, two))
            theirs.append(cohen_kappa_score(a, b, labels=range(1, 6), weights=weights))
        assert isinstance(mean, MeanKappa)
        assert mean.value == pytest.approx(np.mean(theirs))


def test_kappas_that_are_undefined() -> None:
    few = judge_agreement(of_rows([(1, "a", str(text), judge) for text in range(4) for judge in "xy"]), seed=1)
    assert few.pairs == ()
    assert few.kappa == few.quadratic == Undefined("no two judges have 5 texts in common")
    rows = [(3 if judge in "xy" else 1 + text % 3, "a", str(text), judge) for text in range(6) for judge in "xyz"]
    one_category = judge_agreement(of_rows([row for row in rows if row[3] != "z"]), draws=9, seed=1)
    assert isinstance(one_category, JudgeAgreement)
    assert one_category.kappa == Undefined("no pair of judges has a kappa: each used one category")
    assert one_category.alpha == Undefined("all ratings are in one category")
    some = judge_agreement(of_rows(rows), draws=9, seed=1).kappa
    assert isinstance(some, MeanKappa)
    assert (some.value, some.pairs, some.undefined) == (0.0, 2, 1)
    assert some.interval == Undefined("no interval from fewer than 10 sources")


def test_the_models_are_those_of_single_ratings() -> None:
    table = three_systems(2, 30)
    found = rating_models(table, "b")
    predictors = {"a": table.system == 0, "c": table.system == 2}
    assert found.crossed == crossed_model(table.points, predictors, table.source, table.judge, ["a", "c"])
    text = table.source * 3 + table.system
    assert found.ordered == ordered_model(table.points, predictors, text, table.judge, table.source)
    assert isinstance(found.crossed, CrossedModel)
    assert isinstance(found.ordered, OrderedModel)
    assert found.crossed.coefficients["a"].value < 0 < found.crossed.coefficients["c"].value
    assert found.ordered.coefficients["a"].value < 0 < found.ordered.coefficients["c"].value
    with pytest.raises(ValueError, match="z is not one of the systems"):
        rating_models(table, "z")


FLOATS = st.integers(-20, 20).map(lambda whole: whole / 10)


@given(st.lists(st.tuples(FLOATS, st.integers(-3, 3)), min_size=2, max_size=15))
def test_a_metric_beside_people(rows: list[tuple[float, int]]) -> None:
    one, other = np.array(rows, dtype=float).T
    found = metric_beside_people(one, other, draws=20, seed=1)
    assert isinstance(found, MetricBesidePeople)
    assert found.same_sign == np.mean([np.sign(a) == np.sign(b) for a, b in rows])
    assert found.sources == found.tests.pairs == len(rows)
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert found.rho == Undefined("one side has the same difference for every source")
    else:
        assert found.rho == pytest.approx(scipy.stats.spearmanr(one, other).statistic)


def test_rho_has_the_interval_of_drawn_sources() -> None:
    rng = np.random.default_rng(1)
    one = rng.integers(-4, 5, 40) / 2
    other = one + rng.integers(-4, 5, 40)
    found = metric_beside_people(one, other, draws=2_000, seed=1)
    assert isinstance(found, MetricBesidePeople)
    assert not isinstance(found.interval, Undefined)
    places = rng.integers(0, 40, (2_000, 40))
    drawn = [scipy.stats.spearmanr(one[each], other[each]).statistic for each in places]
    assert [found.interval.low, found.interval.high] == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.03)
    assert found.interval.mean == pytest.approx(np.mean(drawn), abs=0.01)


def test_what_cannot_be_held_beside_people() -> None:
    assert metric_beside_people([], [], seed=1) == Undefined("there are no pairs")
    alone = metric_beside_people([1.0], [2.0], seed=1)
    assert isinstance(alone, MetricBesidePeople)
    assert alone.rho == Undefined("fewer than two sources")
    for one, other in (([1.0], [1.0, 2.0]), ([1.0], [float("nan")]), ([float("inf")], [1.0])):
        with pytest.raises(ValueError, match="finite"):
            metric_beside_people(one, other, seed=1)


def test_what_cannot_be() -> None:
    good = {"points": [1, 2], "systems": ["a", "b"], "sources": ["s", "s"], "judges": ["x", "x"], "categories": 5}
    for change, message in (
        ({"points": [1, 6]}, "rating 6 is not one of the categories"),
        ({"points": [1, float("nan")]}, "a rating is missing"),
        ({"points": [1]}, "one length"),
        ({"systems": ["a", "a"]}, "rated an output twice"),
        ({"categories": [1, 2.5]}, "whole, successive"),
    ):
        with pytest.raises(ValueError, match=message):
            judgements(**{**good, **change})  # type: ignore[arg-type]
    many = 300
    with pytest.raises(ValueError, match="more than can be compared at once"):
        judgements([1] * many, range(many), range(many), range(many), categories=5)
    table = judgements(**good)  # type: ignore[arg-type]
    for systems in (["a"], ["a", "a"], ["a", "z"]):
        with pytest.raises(ValueError, match="two or more distinct systems"):
            source_means(table, systems)
    with pytest.raises(ValueError, match="both or all"):
        source_means(table, judges="any")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mean or median"):
        compare_systems(table, middle="mode", seed=1)  # type: ignore[arg-type]
