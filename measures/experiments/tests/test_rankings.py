"""Ranks and the agreement of judges against values from elsewhere, with the laws that they keep."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.core.arrays import FloatArray
from measures.core.drawn_sources import Ratio
from measures.core.item_means import ItemMean
from measures.core.undefined import Undefined
from measures.experiments.rank_agreement import ALL_TIED, ONE_JUDGE, ONE_TEXT, kendall_w, rank_agreement
from measures.experiments.rankings import answered, dense_ranks, item_midranks, mean_ranks, midranks, place_slope

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "rankings.json").read_text())
ANSWERS = np.array(GOLDEN["given"], dtype=np.float64)
numbers = st.integers(1, 4).map(float)
rankings = st.integers(2, 5).flatmap(lambda judges: arrays(np.float64, (judges, 5), elements=numbers))


def value(mean: ItemMean | Ratio | Undefined) -> float:
    assert not isinstance(mean, Undefined)
    return mean.value


def test_midranks_and_their_means_are_those_of_scipy() -> None:
    assert midranks(ANSWERS).tolist() == GOLDEN["midranks"]
    means = mean_ranks(ANSWERS[None], seed=1)
    assert [value(each.midrank) for each in means] == pytest.approx(GOLDEN["mean_midrank"])
    assert [value(each.given) for each in means] == pytest.approx(GOLDEN["mean_given"])
    assert item_midranks(ANSWERS[None])[0] == pytest.approx(GOLDEN["mean_midrank"])


def test_agreement_is_that_of_scipy_and_krippendorff() -> None:
    agreement = rank_agreement(ANSWERS[None])
    assert value(agreement.w) == pytest.approx(GOLDEN["kendall_W"], abs=1e-8)
    assert value(agreement.spearman) == pytest.approx(GOLDEN["mean_spearman"], abs=1e-8)
    assert value(agreement.tau_b) == pytest.approx(GOLDEN["mean_tau_b"], abs=1e-8)
    assert value(agreement.alpha) == pytest.approx(GOLDEN["alpha_ordinal_midranks"], abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(rankings)
def test_w_is_friedmans_statistic_over_its_greatest(answers: FloatArray) -> None:
    w = kendall_w(answers)
    if (answers == answers[:, :1]).all():
        assert w is ALL_TIED
        return
    found = scipy.stats.friedmanchisquare(*answers.T).statistic
    assert w == pytest.approx(found / (len(answers) * 4), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(rankings)
def test_pairs_of_judges_are_those_of_scipy(answers: FloatArray) -> None:
    telling = [row for row in answers if len(set(row)) > 1]
    pairs = [(a, b) for i, a in enumerate(telling) for b in telling[:i]]
    agreement = rank_agreement(answers[None])
    if not pairs:
        assert isinstance(agreement.spearman, Undefined)
        assert isinstance(agreement.tau_b, Undefined)
        return
    rho = np.mean([scipy.stats.spearmanr(a, b).statistic for a, b in pairs])
    tau = np.mean([scipy.stats.kendalltau(a, b).statistic for a, b in pairs])
    assert value(agreement.spearman) == pytest.approx(rho, abs=1e-9)
    assert value(agreement.tau_b) == pytest.approx(tau, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(rankings)
def test_how_ties_are_written_does_not_matter(answers: FloatArray) -> None:
    dense = dense_ranks(answers)
    assert dense.tolist() == [scipy.stats.rankdata(row, method="dense").tolist() for row in answers]
    assert (midranks(dense) == midranks(answers)).all()
    assert (midranks(7 * answers - 3) == midranks(answers)).all()
    assert kendall_w(dense) == kendall_w(answers)


def test_items_have_systems_and_answers_of_their_own() -> None:
    nan = np.nan
    given_ranks = [[[1, 2, nan], [2, 1, nan]], [[nan, 1, 2], [nan, nan, nan]]]
    means = [value(each.midrank) for each in mean_ranks(given_ranks, seed=1)]
    assert means == pytest.approx([1.5, 4 / 3, 2])
    agreement = rank_agreement(given_ranks)
    assert isinstance(agreement.w, ItemMean)
    assert (agreement.w.items, agreement.w.left_out) == (1, 1)


def test_what_is_undefined_says_why() -> None:
    assert kendall_w([[1, 2, 3]]) is ONE_JUDGE
    assert kendall_w([[1], [1]]) is ONE_TEXT
    assert kendall_w([[2, 2], [1, 1]]) is ALL_TIED
    assert isinstance(rank_agreement([[[1, 1], [1, 1]]]).alpha, Undefined)
    nobody = mean_ranks([[[1, np.nan]]], seed=1)[1]
    assert isinstance(nobody.midrank, Undefined)
    assert isinstance(place_slope([[[1]]], [[[1]]], seed=1), Undefined)


@pytest.mark.parametrize(
    ("given_ranks", "message"),
    [
        ([[[1, 2], [1, np.nan]]], "answer 1 to item 0 has no rank for the text of system 1"),
        ([[1, 2]], "shape"),
        ([[[1, np.inf]]], "finite"),
    ],
)
def test_incomplete_answers_are_refused(given_ranks: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        answered(given_ranks)


def test_missing_places_are_refused() -> None:
    with pytest.raises(ValueError, match="place"):
        place_slope([[[1, 2]]], [[[1, np.nan]]], seed=1)
    with pytest.raises(ValueError, match="judges, texts"):
        kendall_w([[1, np.nan]])


def test_the_slope_of_places_is_that_of_least_squares_within_answers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = np.argsort(rng.random((12, 3, 5)), axis=2) + 1
    given_ranks = dense_ranks(rng.integers(1, 5, (12, 3, 5)) + 0.5 * places)
    slope = place_slope(given_ranks, places, draws=200, seed=1)
    assert isinstance(slope, Ratio)
    assert not isinstance(slope.interval, Undefined)
    x, y = (each.reshape(-1, 5) - each.mean(axis=2).reshape(-1, 1) for each in (places, midranks(given_ranks)))
    assert slope.value == pytest.approx(scipy.stats.linregress(x.ravel(), y.ravel()).slope)
    assert slope.interval.low < slope.value < slope.interval.high
