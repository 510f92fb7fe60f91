"""What more ratings would bring: the model of the ratings, and plans against campaigns drawn rating by rating."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement.cohen import kappa_of_table
from measures.agreement.mean_rounding import Rounding
from measures.agreement.rating_model import (
    FEW_RATERS,
    FEW_SOURCES,
    ONE_TEXT_EACH,
    UNKNOWN_RATERS,
    RatingModel,
    category_probabilities,
    fit_rating_model,
    normal_nodes,
)
from measures.agreement.sample_size import Plan, Plans, Prediction, plan_ratings
from measures.agreement.sampled_ratings import SampledRatings, sampled_ratings
from measures.agreement.simulated_pairs import expected_cells
from measures.agreement.two_way import ONE_SOURCE
from measures.core.confidence import degrees_of_freedom, student_t_quantile
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

N = np.nan
SHARES = (0.1, 0.25, 0.65)
# Shares of the variance that sources, items and raters have, and the texts of a source.
DESIGNS = {
    "independent": (0.0, 0.5, 0.0, 1),
    "clustered": (0.3, 0.2, 0.0, 5),
    "severity": (0.0, 0.45, 0.15, 1),
    "both": (0.25, 0.2, 0.15, 5),
}


def model_of(shares: Sequence[float], source: float, item: float, rater: float) -> RatingModel:
    cuts = tuple(NormalDist().inv_cdf(share) for share in accumulate(shares[:-1]))
    return RatingModel(cuts, source, item, rater)


def drawn(model: RatingModel, items: int, number: int, raters: int, per_source: int, seed: Any) -> SampledRatings:
    """Ratings as the model has them: what each rater sees of each item, cut into points."""
    rng = np.random.default_rng(seed)
    source, (of_source, of_item, of_rater) = np.arange(items) // per_source, model.shares
    people = np.argsort(rng.random((items, raters)), axis=1)[:, :number]
    quality = np.sqrt(of_source) * rng.standard_normal(items)[source] + np.sqrt(of_item) * rng.standard_normal(items)
    severity = np.sqrt(of_rater) * rng.standard_normal(raters)[people]
    noise = np.sqrt(1 - of_source - of_item - of_rater) * rng.standard_normal((items, number))
    seen = quality[:, None] + severity + noise
    points = 1.0 + (seen[:, :, None] > model.thresholds).sum(axis=2)
    return sampled_ratings(points, categories=len(model.thresholds) + 1, sources=source, raters=people)


def planned(ratings: SampledRatings, numbers: Sequence[int], items: Sequence[int], **options: Any) -> list[Plan]:
    found = plan_ratings(ratings, categories=3, ratings_per_item=numbers, items=items, **options)
    assert isinstance(found, Plans)
    return found.plans


def reach(plan: Plan) -> float:
    assert isinstance(plan.kappa, Prediction)
    return plan.kappa.reach


def of_mean(plan: Plan) -> Prediction:
    assert isinstance(plan.mean, Prediction)
    return plan.mean


def kappa_and_mean(ratings: SampledRatings) -> tuple[float, float]:
    """The statistics of a campaign: kappa averaged over which rater is drawn, and the mean of the items' means."""
    table = expected_cells(ratings.counts, categories=3).sum(axis=0).reshape(3, 3)
    means = ratings.counts @ np.array([1, 2, 3]) / ratings.counts.sum(axis=1)
    return float(kappa_of_table(table)), float(means.mean())


@pytest.mark.parametrize("design", DESIGNS)
def test_the_model_is_found_again_in_what_was_drawn_from_it(design: str) -> None:
    *shares, per_source = DESIGNS[design]
    model = model_of(SHARES, *shares)
    found = fit_rating_model(drawn(model, 8000, 4, 400, per_source, seed=3))
    assert isinstance(found, RatingModel)
    assert found.thresholds == pytest.approx(model.thresholds, abs=0.05)
    assert found.shares == pytest.approx(tuple(shares), abs=0.03)
    assert (found.source == ONE_TEXT_EACH) == (per_source == 1)


@pytest.mark.parametrize("design", DESIGNS)
def test_predicted_and_real_spread_are_within_fifteen_percent(design: str) -> None:
    """The model is fitted to a large campaign; the spread is that of small ones, drawn rating by rating."""
    *shares, per_source = DESIGNS[design]
    model = model_of(SHARES, *shares)
    large = drawn(model, 6000, 3, 500, per_source, seed=4)
    for plan in planned(large, [3, 5], [300]):
        campaigns = [
            kappa_and_mean(drawn(model, 300, plan.ratings_per_item, plan.raters, per_source, [5, seed]))
            for seed in range(300)
        ]
        quantile = student_t_quantile(0.975, degrees_of_freedom(plan.sources, plan.raters))
        (kappa, mean), (kappa_spread, mean_spread) = np.mean(campaigns, axis=0), np.std(campaigns, axis=0)
        assert isinstance(plan.kappa, Prediction)
        assert plan.kappa.reach / quantile == pytest.approx(kappa_spread, rel=0.15)
        assert of_mean(plan).reach / quantile == pytest.approx(mean_spread, rel=0.15)
        assert plan.kappa.value == pytest.approx(kappa, abs=0.03)
        assert of_mean(plan).value == pytest.approx(mean, abs=0.05)


@given(st.sampled_from(sorted(DESIGNS)), st.integers(0, 50), st.sampled_from(list(Rounding)))
def test_more_of_anything_never_gives_a_wider_interval(design: str, seed: int, rounding: Rounding) -> None:
    *shares, per_source = DESIGNS[design]
    ratings = drawn(model_of(SHARES, *shares), 60, 3, 12, per_source, seed)
    numbers, sizes = [2, 3, 4, 5, 6, 7, 10], [20, 50, 51, 100, 400]
    found = {(plan.ratings_per_item, plan.items): plan for plan in planned(ratings, numbers, sizes, rounding=rounding)}
    for number in numbers:
        for less, more in pairwise(sizes):
            assert reach(found[number, more]) <= reach(found[number, less]) + 1e-12
            assert of_mean(found[number, more]).reach <= of_mean(found[number, less]).reach + 1e-12
    for size in sizes:
        for less, more in pairwise(numbers):
            assert reach(found[more, size]) <= reach(found[less, size]) + 1e-12
            assert of_mean(found[more, size]).reach <= of_mean(found[less, size]).reach + 1e-12


def test_plans_say_how_many_sources_and_raters_they_take() -> None:
    ratings = drawn(model_of(SHARES, *DESIGNS["both"][:3]), 100, 3, 20, 5, seed=1)
    (plan,) = planned(ratings, [6], [400])
    # A source has five texts and a rater gives fifteen ratings, as so far.
    assert (plan.ratings, plan.sources, plan.raters) == (2400, 80, 160)
    without = replace(ratings, raters=0)
    (plan,) = planned(without, [6], [400])
    assert (plan.sources, plan.raters) == (80, 0)


def test_raters_who_differ_and_texts_of_one_source_widen_the_plan() -> None:
    reaches = {
        design: reach(planned(drawn(model_of(SHARES, *shares[:3]), 6000, 3, 500, shares[3], seed=2), [3], [300])[0])
        for design, shares in DESIGNS.items()
    }
    assert reaches["independent"] < reaches["clustered"] < reaches["both"]
    assert reaches["independent"] < reaches["severity"] < reaches["both"]


def test_the_data_say_when_they_cannot_tell() -> None:
    ratings = drawn(model_of(SHARES, *DESIGNS["both"][:3]), 45, 3, 9, 5, seed=1)
    found = fit_rating_model(ratings)
    assert isinstance(found, RatingModel)
    assert (found.source, found.rater) == (FEW_SOURCES, FEW_RATERS)
    found = fit_rating_model(replace(ratings, raters=0))
    assert isinstance(found, RatingModel)
    assert found.rater == UNKNOWN_RATERS
    assert found.shares[0] == found.shares[2] == 0


def test_where_raters_always_agree_so_do_more_of_them() -> None:
    ratings = sampled_ratings([[1, 1], [3, 3], [3, 3]], categories=3)
    model = fit_rating_model(ratings)
    assert isinstance(model, RatingModel)
    assert model.item == 1
    (plan,) = planned(ratings, [5], [500])
    assert isinstance(plan.kappa, Prediction)
    assert plan.kappa.value == pytest.approx(1, abs=1e-6)
    assert plan.kappa.reach == pytest.approx(0, abs=1e-4)


def test_where_raters_agree_no_more_than_chance_items_do_not_differ() -> None:
    model = fit_rating_model(sampled_ratings([[1, 2], [2, 1]], categories=2))
    assert isinstance(model, RatingModel)
    assert (model.thresholds, model.item) == ((0,), 0)


def test_a_category_that_nobody_used_is_not_predicted() -> None:
    model = fit_rating_model(sampled_ratings([[1, 1], [1, 3], [3, 3]], categories=3))
    assert isinstance(model, RatingModel)
    assert category_probabilities(model.thresholds, normal_nodes(9), 0.5)[:, 1].max() == 0


def test_sixteen_times_the_items_give_a_quarter_of_the_width() -> None:
    ratings = drawn(model_of(SHARES, *DESIGNS["independent"][:3]), 300, 3, 30, 1, seed=3)
    few, many = planned(replace(ratings, raters=0), [3], [1000, 16_000])
    assert reach(few) / reach(many) == pytest.approx(4, rel=0.01)
    assert of_mean(few).reach / of_mean(many).reach == pytest.approx(4, rel=0.01)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_the_value_of_kappa_is_that_of_a_large_campaign(weights: Any) -> None:
    ratings = drawn(model_of(SHARES, *DESIGNS["independent"][:3]), 20_000, 3, 200, 1, seed=9)
    (plan,) = planned(ratings, [3], [100], weights=weights)
    table = expected_cells(ratings.counts, categories=3).sum(axis=0).reshape(3, 3)
    assert isinstance(plan.kappa, Prediction)
    assert plan.kappa.value == pytest.approx(float(kappa_of_table(table, weights)), abs=0.02)


def test_without_pairs_or_with_one_category_there_is_no_plan() -> None:
    for matrix, reason in (([[3.0, N], [N, 2.0]], NO_PAIRS), ([[3.0, 3.0], [3.0, 3.0]], ONE_CATEGORY)):
        ratings = sampled_ratings(matrix, categories=3)
        assert plan_ratings(ratings, categories=3, ratings_per_item=[3], items=[10]) == reason


def test_no_interval_is_wider_than_the_range_of_values_and_one_source_has_none() -> None:
    ratings = drawn(model_of(SHARES, *DESIGNS["both"][:3]), 100, 3, 20, 5, seed=1)
    one, two = planned(ratings, [3], [5, 10])
    assert one.predictions == (ONE_SOURCE, ONE_SOURCE)
    assert of_mean(two).reach <= 1
    assert reach(two) <= 1


def test_a_plan_does_not_depend_on_those_of_other_sizes() -> None:
    ratings = drawn(model_of(SHARES, *DESIGNS["both"][:3]), 100, 3, 20, 5, seed=1)
    assert planned(ratings, [3, 5], [10, 50])[3] == planned(ratings, [3, 5], [50])[1]


@pytest.mark.parametrize(
    ("numbers", "items", "categories", "reason"),
    [
        ([1], [10], 3, "a plan wants"),
        ([3], [0], 3, "a plan wants"),
        ([3], [10], 4, "do not fit"),
        ([3], [10], [1, 2, 5], "successive"),
    ],
)
def test_what_is_no_plan_is_refused(numbers: list[int], items: list[int], categories: Any, reason: str) -> None:
    ratings = sampled_ratings([[3, 2], [1, 2]], categories=3)
    with pytest.raises(ValueError, match=reason):
        plan_ratings(ratings, categories=categories, ratings_per_item=numbers, items=items)


def test_an_undefined_model_has_its_reason() -> None:
    assert isinstance(fit_rating_model(sampled_ratings([[3.0, N]], categories=3)), Undefined)
