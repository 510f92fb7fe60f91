"""Two scales for the same texts: golden values, dense and plain computations beside, and how often intervals hold."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement.intraclass import intraclass, spearman_brown
from measures.core.arrays import FloatArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments import (
    ArmFigure,
    Information,
    detectable_scale_difference,
    icc_standard_error,
    mcnemar,
    point_coefficients,
    same_thing,
    scale_difference,
    shared_information,
    split_half,
    system_pairs,
    tied_pairs,
)
from measures.experiments.latent_judging import LatentIcc, latent_icc, pair_correlations, same_judging
from measures.experiments.paired import paired_tests
from measures.experiments.scale_arms import ScaleArm, pair_counts, scale_arm

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "scales.json").read_text())
ARMS = GOLDEN["scales_two_arms"]
RATINGS = "ratings (text = source * 3 + system; 4 people)"


def golden_arm(points: str) -> ScaleArm:
    return scale_arm(ARMS[points][RATINGS], categories=int(points))


def value(found: float | Undefined) -> float:
    assert not isinstance(found, Undefined)
    return found


@pytest.mark.parametrize("points", ["3", "5"])
def test_the_golden_coefficients(points: str) -> None:
    arm, golden = golden_arm(points), ARMS[points]
    found = point_coefficients(arm)
    pairs = {
        "agreement": found.agreement,
        "kappa_unweighted (mean of pairs, labels passed)": found.kappa,
        "kappa_linear (mean of pairs, labels passed)": found.kappa_linear,
        "kappa_quadratic (mean of pairs, labels passed)": found.kappa_quadratic,
        "alpha_nominal": found.alpha_nominal,
        "alpha_ordinal": found.alpha_ordinal,
        "alpha_interval": found.alpha_interval,
        "split_half (mean of the 3 splits, stepped up)": split_half(arm),
        "tied_pairs_of_texts": tied_pairs(arm),
    }
    assert pairs == pytest.approx({key: golden[key] for key in pairs}, abs=1e-8)


@pytest.mark.parametrize("points", ["3", "5"])
def test_the_golden_latent_correlation(points: str) -> None:
    found = latent_icc(golden_arm(points))
    assert isinstance(found, LatentIcc)
    assert found.value == pytest.approx(ARMS[points]["latent_icc (ordered probit, tolerance 1e-3)"], abs=1e-4)
    assert found.log_likelihood == pytest.approx(ARMS[points]["log_likelihood"], abs=1e-6)
    assert len(found.thresholds) == int(points) - 1


@pytest.mark.parametrize("points", ["3", "5"])
def test_the_golden_information(points: str) -> None:
    found = shared_information(golden_arm(points), minutes=0.5)
    assert isinstance(found, Information)
    assert found.plain == pytest.approx(ARMS[points]["shared_information_bits (plug-in)"], abs=1e-8)
    assert found.pairs == 24 * 6
    assert found.plain - found.bits == pytest.approx((int(points) - 1) ** 2 / (2 * 144 * np.log(2)))
    assert found.per_minute == 2 * found.bits


@pytest.mark.parametrize("points", ["3", "5"])
def test_the_golden_pairs_of_systems(points: str) -> None:
    found = system_pairs(golden_arm(points), np.repeat(range(8), 3), list(range(3)) * 8)
    p = {f"{each.first}-{each.second}": each.test.p for each in found if not isinstance(each.test, Undefined)}
    assert p == pytest.approx(ARMS[points]["system_pairs_paired_t_p"], abs=1e-8)
    assert [each.apart for each in found] == [each < 0.05 for each in p.values()]
    smallest = min(found, key=lambda each: p[f"{each.first}-{each.second}"])
    assert smallest.p_holm == pytest.approx(3 * min(p.values()))


def test_the_golden_difference_between_arms() -> None:
    three, five = golden_arm("3"), golden_arm("5")
    golden = ARMS["between arms"]
    found = same_thing(three, five)
    assert found.texts == 24
    assert [found.correlation, found.disattenuated] == pytest.approx(
        [golden["pearson_of_means"], golden["disattenuated"]], abs=1e-8
    )
    difference = scale_difference(three, five, np.repeat(range(8), 3), minutes=(0.5, 1.0), draws=5, seed=1)
    assert difference.single.difference == pytest.approx(golden["difference icc_1 (3 - 5)"], abs=1e-8)
    assert difference.panel.difference == pytest.approx(golden["difference icc_1k"], abs=1e-8)
    for points, single, panel in (
        ("3", difference.single.first, difference.panel.first),
        ("5", difference.single.second, difference.panel.second),
    ):
        assert [single, panel] == pytest.approx([ARMS[points]["icc_1"], ARMS[points]["icc_1k"]], abs=1e-8)
    few = Undefined("no interval from fewer than 10 sources")
    assert difference.single.intervals == (few, few, few)
    # In the time of four ratings of half a minute there are two of a minute.
    assert difference.equal_minutes == pytest.approx((ARMS["3"]["icc_1k"], spearman_brown(ARMS["5"]["icc_1"], 2)))


@pytest.mark.parametrize("name", list(GOLDEN["scales_same_judging"]["values"]))
def test_the_golden_values_of_one_judging(name: str) -> None:
    golden = GOLDEN["scales_same_judging"]["values"][name]
    found = same_judging(float(name.split()[1].rstrip(",")), golden["shares"])
    wanted = {
        "agreement": found.agreement,
        "kappa": found.kappa,
        "kappa_linear": found.kappa_linear,
        "kappa_quadratic = alpha_interval = ICC = Pearson": found.kappa_quadratic,
        "alpha_ordinal": found.alpha_ordinal,
        "shared_information_bits": found.information,
        "entropy_bits": found.entropy,
        "reliability_of_mean_of_4": found.reliability,
    }
    assert wanted == pytest.approx({key: golden[key] for key in wanted}, abs=1e-5)
    simulated = GOLDEN["scales_same_judging"][
        "T16 pair (a rater, the rounded mean of four others), agreement and quadratic kappa, simulated with 400,000 "
        "texts (tolerance .01)"
    ]
    if name in simulated:
        assert list(found.against_mean) == pytest.approx(simulated[name], abs=0.01)


def test_more_points_never_share_less_and_never_more_than_the_latent_judgements() -> None:
    for rho, latent in GOLDEN["scales_same_judging"]["latent_information_bits"].items():
        bits = [same_judging(float(rho), shares).information for shares in ([0.2, 0.8], [0.2, 0.3, 0.5], [0.1] * 10)]
        assert bits == sorted(bits)
        assert bits[-1] < latent


@pytest.mark.parametrize("row", GOLDEN["scales_power"]["rows"])
def test_the_golden_power(row: dict[str, float]) -> None:
    design = row["icc"], int(row["texts"]), int(row["people per text and arm"])
    assert icc_standard_error(*design) == pytest.approx(row["se of one icc"], abs=1e-8)
    smallest = row["smallest difference found with 80% (arms independent)"]
    assert detectable_scale_difference(*design) == pytest.approx(smallest, abs=1e-6)


def test_the_standard_error_is_that_of_simulated_ratings() -> None:
    assert GOLDEN["scales_power"]["simulated sd of icc_1, 100 texts, 5 people, .3 (4,000 runs, normal ratings)"] == (
        pytest.approx(icc_standard_error(0.3, 100, 5), rel=0.02)
    )


def test_pairs_of_a_table_have_the_latent_correlation_of_the_bivariate_normal() -> None:
    cuts = np.array([-1.2, 0.1, 0.9])
    ends = np.array([-9, *cuts, 9.0])
    for rho in (-0.5, 0.0, 0.3, 0.8, 0.95):
        below = scipy.stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]])
        corners = np.array([[below.cdf([a, b]) for b in ends] for a in ends])
        table = np.diff(np.diff(corners, axis=0), axis=1)
        assert pair_correlations(np.stack([table, 7 * table])) == pytest.approx([rho, rho], abs=2e-4)


def test_tables_without_a_correlation() -> None:
    assert np.isnan(pair_correlations(np.array([np.zeros((2, 2)), [[5.0, 0], [0, 0]]]))).all()
    # Two points that always agree are at the end of what is looked for.
    assert pair_correlations(np.array([[[5.0, 0], [0, 5]]])) == pytest.approx(0.98)


MATRICES = st.integers(2, 4).flatmap(
    lambda k: st.lists(
        st.lists(st.sampled_from([1, 2, 3, 4, float("nan")]), min_size=k, max_size=k), min_size=2, max_size=9
    )
)


@given(MATRICES)
def test_pairs_and_ties_are_those_of_plain_loops(rows: list[list[float]]) -> None:
    arm = scale_arm(rows, categories=4)
    kept = [[int(each) for each in row if not np.isnan(each)] for row in rows]
    counts = np.zeros((4, 4))
    for row in kept:
        for i, one in enumerate(row):
            for j, other in enumerate(row):
                counts[one - 1, other - 1] += i != j
    assert (pair_counts(arm) == counts).all()
    means = [Fraction(sum(row), len(row)) for row in kept if row]
    if len(means) < 2:
        assert tied_pairs(arm) == Undefined("fewer than two texts with ratings")
    else:
        ties = [one == other for one, other in combinations(means, 2)]
        assert tied_pairs(arm) == pytest.approx(np.mean(ties))
    assert arm.means.tolist() == pytest.approx([float(np.mean(row)) if row else np.nan for row in kept], nan_ok=True)


def test_odd_numbers_of_ratings_are_split_with_one_left_out() -> None:
    rows = np.random.default_rng(1).integers(1, 6, (30, 3))
    found = split_half(scale_arm(np.vstack([rows, [1, np.nan, 2]]), categories=5))
    stepped = [spearman_brown(np.corrcoef(rows[:, i], rows[:, j])[0, 1], 3) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found == pytest.approx(np.mean(stepped))
    assert split_half(scale_arm(np.ones((5, 11)), categories=2)) == Undefined(
        "no two texts with all ratings, of 2 to 10"
    )
    assert split_half(scale_arm(np.ones((5, 2)), categories=2)) == Undefined("an arm gives all texts the same mean")


def test_arms_that_tell_pairs_apart() -> None:
    assert mcnemar([True, True, False, True], [False, False, True, True]) == 1.0
    assert mcnemar([True] * 8, [False] * 8) == pytest.approx(2 * 0.5**8)
    assert mcnemar([True, False], [True, False]) == Undefined("both arms tell the same pairs apart")


def test_systems_are_compared_over_the_sources_that_both_have() -> None:
    arm = scale_arm(
        [[1.0, 2], [3.0, 3], [2.0, 2], [3.0, 2], [np.nan, np.nan], [1.0, 3], [2.0, 3], [1.0, 1]], categories=3
    )
    found = {
        (each.first, each.second): each
        for each in system_pairs(arm, [0, 0, 1, 1, 2, 2, 3, 3], ["a", "b", "a", "b", "a", "b", "b", "c"])
    }
    theirs = paired_tests([1.5, 0.5], draws=1, seed=1)
    assert not isinstance(theirs, Undefined)
    assert found["a", "b"].test == theirs.t
    assert found["b", "c"].test == found["b", "c"].p_holm == Undefined("fewer than two pairs")
    assert not found["b", "c"].apart


def planted(seed: int, severity: float, texts: int = 120, people: int = 20) -> tuple[ScaleArm, ScaleArm, FloatArray]:
    """Two arms with the latent correlation .5, whose people judge alike; five of each arm's people judge a text."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=texts) * 0.5**0.5
    arms = []
    for points in (3, 5):
        who = rng.permuted(np.tile(np.arange(people), (texts, 1)), axis=1)[:, :5]
        severe = rng.normal(size=people) * severity
        own = rng.normal(size=(texts, 5)) * (0.5 - severity**2) ** 0.5
        latent = quality[:, None] + severe[who] + own
        cuts = scipy.stats.norm.ppf(np.cumsum([0.03, 0.17, 0.8] if points == 3 else [0.03, 0.07, 0.1, 0.3, 0.5])[:-1])
        arms.append(scale_arm(1 + (latent[..., None] > cuts).sum(axis=-1), who, categories=points))
    return arms[0], arms[1], np.repeat(np.arange(texts // 2), 2).astype(float)


def interval(figure: ArmFigure, place: int) -> Interval:
    found = figure.intervals[place]
    assert isinstance(found, Interval)
    return found


def test_the_draws_begin_at_the_estimates_and_are_reproducible() -> None:
    first, second, sources = planted(1, 0.2)
    one, again = (scale_difference(first, second, sources, draws=300, seed=1) for _ in range(2))
    assert one == again
    assert one != scale_difference(first, second, sources, draws=300, seed=2)
    for figure in (one.latent, one.single, one.panel):
        for place, estimate in enumerate((figure.first, figure.second, figure.difference)):
            assert interval(figure, place).low < value(estimate) < interval(figure, place).high
            assert interval(figure, place).mean == pytest.approx(value(estimate), abs=0.06)
    icc = intraclass(second.matrix, categories=5)
    assert not isinstance(icc, Undefined)
    assert (one.single.second, one.panel.second) == (icc.single, icc.panel)
    assert one.equal_minutes is None


def test_both_arms_have_the_same_draw_of_sources() -> None:
    """The same ratings in both arms, by people of whom nobody is drawn otherwise, differ by nothing."""
    first, _, sources = planted(1, 0.0)
    same = scale_difference(first, first, sources, draws=300, seed=1)
    apart = scale_difference(first, planted(2, 0.0)[0], sources, draws=300, seed=1)
    assert interval(same.single, 2).width < 0.9 * interval(apart.single, 2).width


@pytest.mark.slow
@pytest.mark.parametrize("severity", [0.0, 0.3])
def test_intervals_hold_the_planted_value(severity: float) -> None:
    """Of 100 campaigns at least 90; what the ICC of points are for one judging is known from the model."""
    three, five = (same_judging(0.5, each).kappa_quadratic for each in ([0.03, 0.17, 0.8], [0.03, 0.07, 0.1, 0.3, 0.5]))
    truth = {"latent": (0.5, 0.5, 0.0), "single": (three, five, three - five)}
    held = {(name, place): 0 for name in truth for place in range(3)}
    for seed in range(100):
        found = scale_difference(*planted(seed, severity), draws=400, seed=seed)
        for name, places in truth.items():
            for place, true in enumerate(places):
                drawn = interval(getattr(found, name), place)
                held[name, place] += drawn.low <= true <= drawn.high
    assert min(held.values()) >= 90, held


def test_few_people_have_no_interval() -> None:
    first, second, sources = planted(1, 0.0, people=5)
    found = scale_difference(first, second, sources, draws=5, seed=1)
    assert found.latent.intervals[2] == Undefined("no interval from fewer than 6 people in an arm")
    assert found.latent.difference == pytest.approx(value(found.latent.first) - value(found.latent.second))


def test_ratings_without_a_value() -> None:
    alike = scale_arm([[2, 2], [2, 2]], categories=3)
    agreed = scale_arm([[2, 2], [1, 1]], categories=3)
    alone = scale_arm([[2, np.nan], [1, np.nan]], categories=3)
    assert latent_icc(alike) == Undefined("all ratings are in one category")
    assert latent_icc(agreed) == Undefined("no text has two different ratings")
    assert latent_icc(alone) == shared_information(alone) == Undefined("no item has two ratings")
    assert point_coefficients(alone).agreement == Undefined("no item has two ratings")
    assert point_coefficients(agreed).kappa == Undefined("no two people have 5 texts in common")
    assert point_coefficients(scale_arm([[2, 2]] * 5, categories=3)).kappa == Undefined(
        "all ratings are in one category"
    )
    assert same_thing(alike, agreed).correlation == Undefined("an arm gives all texts the same mean")
    opposed = scale_arm([[1, 3], [3, 1], [1, 2], [2, 2]], categories=3)
    assert same_thing(opposed, opposed).disattenuated == Undefined("the means of an arm are not reliable at all")
    found = scale_difference(agreed, alike, [0, 1], draws=5, seed=1)
    assert found.single.second == found.single.difference == Undefined("all ratings are the same")


def test_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="two or more points"):
        scale_arm([[1]], categories=1)
    with pytest.raises(ValueError, match="a person for each rating"):
        scale_arm([[1, 2]], [[1]], categories=3)
    with pytest.raises(ValueError, match="rated a text twice"):
        scale_arm([[1, 2]], [[1, 1]], categories=3)
    with pytest.raises(ValueError, match="rating 4 is not one"):
        scale_arm([[4]], categories=3)
    arm, other = scale_arm([[1, 2]], categories=3), scale_arm([[1, 2], [1, 2]], categories=3)
    with pytest.raises(ValueError, match="the same texts, not 1 and 2"):
        same_thing(arm, other)
    with pytest.raises(ValueError, match="a source for each of 2 texts"):
        scale_difference(other, other, [1], seed=1)
    with pytest.raises(ValueError, match="one draw or more"):
        scale_difference(other, other, [1, 2], draws=0, seed=1)
    with pytest.raises(ValueError, match="minutes must be above 0"):
        scale_difference(other, other, [1, 2], minutes=(1.0, 0.0), seed=1)
    with pytest.raises(ValueError, match="minutes must be above 0"):
        shared_information(arm, 0.0)
    with pytest.raises(ValueError, match="a source and a system"):
        system_pairs(other, [1], [1, 2])
    for rho, shares in ((0.95, [0.5, 0.5]), (-0.1, [0.5, 0.5]), (0.5, [1.0]), (0.5, [0.5, 0.6]), (0.5, [0.0, 1.0])):
        with pytest.raises(ValueError, match="shares above 0"):
            same_judging(rho, shares)
    for icc, texts, people in ((-0.1, 9, 9), (1.1, 9, 9), (0.5, 1, 9), (0.5, 9, 1)):
        with pytest.raises(ValueError, match="two or more texts and people"):
            icc_standard_error(icc, texts, people)
