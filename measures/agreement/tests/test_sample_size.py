"""What more ratings would buy: the model of the items, and the plans drawn from it."""

from collections.abc import Sequence
from itertools import accumulate
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import pytest

from measures.agreement.cohen import weighted_kappa
from measures.agreement.mean_rounding import rounded
from measures.agreement.rating_patterns import count_patterns
from measures.agreement.sample_size import ItemModel, Plan, category_probabilities, fit_item_model, plan_ratings
from measures.agreement.simulated_pairs import PairAgreement, simulated_pair_agreement
from measures.core.arrays import FloatArray
from measures.core.intervals import Interval
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY

N = np.nan
QUANTILE = NormalDist().inv_cdf


def model_of(shares: Sequence[float], correlation: float) -> ItemModel:
    return ItemModel(tuple(QUANTILE(share) for share in accumulate(shares[:-1])), correlation)


def drawn(model: ItemModel, items: int, raters: int, seed: int = 3) -> FloatArray:
    """Ratings as the model has them: what each rater sees of each item, cut into points."""
    rng = np.random.default_rng(seed)
    quality, noise = rng.standard_normal((items, 1)), rng.standard_normal((items, raters))
    seen = np.sqrt(model.correlation) * quality + np.sqrt(1 - model.correlation) * noise
    return np.asarray(1.0 + (seen[:, :, None] > model.thresholds).sum(axis=2))


def width(interval: object) -> float:
    assert isinstance(interval, Interval)
    return interval.high - interval.low


def plans(matrix: npt.ArrayLike, raters: list[int], items: list[int]) -> list[Plan]:
    found = plan_ratings(matrix, categories=3, raters=raters, items=items, replications=400, seed=1)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("shares", [(0.1, 0.2, 0.7), (0.5, 0.5), (0.2, 0.2, 0.2, 0.2, 0.2)])
@pytest.mark.parametrize("correlation", [0.1, 0.5, 0.9])
def test_the_model_is_found_again_in_what_was_drawn_from_it(shares: tuple[float, ...], correlation: float) -> None:
    model = model_of(shares, correlation)
    found = fit_item_model(count_patterns(drawn(model, 20_000, 4), len(shares)))
    assert isinstance(found, ItemModel)
    assert found.thresholds == pytest.approx(model.thresholds, abs=0.03)
    assert found.correlation == pytest.approx(correlation, abs=0.03)


@pytest.mark.parametrize("correlation", [0, 0.4, 0.999, 1])
def test_the_chances_of_all_items_make_the_shares(correlation: float) -> None:
    chances = category_probabilities(model_of((0.1, 0.2, 0.7), correlation))
    assert chances.mean(axis=0) == pytest.approx([0.1, 0.2, 0.7], abs=2e-3)
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(1)


def test_where_raters_always_agree_so_do_more_of_them() -> None:
    matrix = [[1, 1], [3, 3], [3, 3]]
    model = fit_item_model(count_patterns(matrix, 3))
    assert isinstance(model, ItemModel)
    assert model.correlation == 1
    (plan,) = plans(matrix, [5], [500])
    assert plan.kappa == Interval(1, 0, 1, 1)


def test_where_raters_agree_no_more_than_chance_items_do_not_differ() -> None:
    assert fit_item_model(count_patterns([[1, 2], [2, 1]], 2)) == ItemModel((0,), 0)


def test_a_category_that_nobody_used_is_not_drawn() -> None:
    (plan,) = plans([[1, 1], [1, 3], [3, 3], [3, 1]], [2], [1000])
    assert plan.mean.low > 1
    model = fit_item_model(count_patterns([[1, 1], [1, 3], [3, 3]], 3))
    assert isinstance(model, ItemModel)
    assert category_probabilities(model)[:, 1].max() == 0


def plain_campaigns(model: ItemModel, items: int, raters: int) -> tuple[list[float], list[float]]:
    """The mean and the kappa of campaigns that were drawn rating by rating."""
    means, kappas = [], []
    for seed in range(300):
        matrix = drawn(model, items, raters, seed)
        others = rounded(matrix[:, 1:].sum(axis=1), np.full(items, raters - 1))
        kappa = weighted_kappa(matrix[:, 0], others, categories=3)
        assert isinstance(kappa, float)
        means.append(float(matrix.mean()))
        kappas.append(kappa)
    return means, kappas


@pytest.mark.parametrize("raters", [2, 3, 6])
def test_plans_are_what_campaigns_drawn_rating_by_rating_show(raters: int) -> None:
    model = model_of((0.2, 0.2, 0.6), 0.6)
    (plan,) = plans(drawn(model, 50_000, 3), [raters], [200])
    means, kappas = plain_campaigns(model, 200, raters)
    for interval, plain in ((plan.mean, means), (plan.kappa, kappas)):
        assert isinstance(interval, Interval)
        assert interval.mean == pytest.approx(np.mean(plain), abs=0.015)
        assert interval.variance == pytest.approx(np.var(plain), rel=0.3)
        assert interval.low == pytest.approx(np.percentile(plain, 2.5), abs=0.03)
        assert interval.high == pytest.approx(np.percentile(plain, 97.5), abs=0.03)


def test_a_plan_of_the_size_that_there_is_shows_what_there_is() -> None:
    matrix = drawn(model_of((0.1, 0.2, 0.7), 0.6), 1500, 4)
    (plan,) = plans(matrix, [4], [1500])
    found = simulated_pair_agreement(matrix, categories=3, draws=400, seed=1, resample_items=True)
    assert isinstance(plan.kappa, Interval)
    assert isinstance(found, PairAgreement)
    assert found.kappa.mean == pytest.approx(plan.kappa.mean, abs=0.03)
    assert width(found.kappa) == pytest.approx(width(plan.kappa), rel=0.15)
    assert plan.mean.mean == pytest.approx(matrix.mean(), abs=0.01)


def test_more_items_and_more_raters_narrow_the_intervals() -> None:
    matrix = drawn(model_of((0.2, 0.3, 0.5), 0.5), 300, 3)
    found = {(plan.raters, plan.items): plan for plan in plans(matrix, [3, 6], [100, 1600])}
    assert [each.ratings for each in found.values()] == [300, 4800, 600, 9600]
    for raters in (3, 6):
        # Sixteen times the items: a quarter of the width.
        for name in ("mean", "kappa"):
            few, many = (width(getattr(found[raters, items], name)) for items in (100, 1600))
            assert few / many == pytest.approx(4, rel=0.25)
    assert width(found[6, 100].mean) < width(found[3, 100].mean)


def test_without_pairs_or_with_one_category_there_is_no_plan() -> None:
    for matrix, reason in (([[3, N], [N, 2]], NO_PAIRS), ([[3, 3], [3, 3]], ONE_CATEGORY)):
        assert plan_ratings(matrix, categories=3, raters=[3], items=[10], seed=1) == reason


@pytest.mark.parametrize(("raters", "items", "replications"), [([1], [10], 10), ([3], [0], 10), ([3], [10], 0)])
def test_what_is_no_plan_is_refused(raters: list[int], items: list[int], replications: int) -> None:
    with pytest.raises(ValueError, match="a plan wants"):
        plan_ratings([[3, 2]], categories=3, raters=raters, items=items, replications=replications, seed=1)


def test_a_scale_whose_means_cannot_be_rounded_to_it_has_no_plans() -> None:
    with pytest.raises(ValueError, match="successive"):
        plan_ratings([[1, 5]], categories=[1, 5], raters=[3], items=[10], seed=1)


def test_a_plan_does_not_depend_on_the_others() -> None:
    matrix = drawn(model_of((0.2, 0.3, 0.5), 0.5), 100, 3)
    assert plans(matrix, [3, 5], [10, 50])[3] == plans(matrix, [5], [50])[0]


def test_how_often_kappa_is_undefined_is_said() -> None:
    (plan,) = plans([[3, 3, 3]] * 40 + [[3, 3, 2]], [3], [41])
    assert 0.2 < plan.undefined < 0.9
    (plan,) = plans(drawn(model_of((0.2, 0.3, 0.5), 0.5), 100, 3), [3], [100])
    assert plan.undefined == 0


def test_patterns_of_another_scale_or_of_single_ratings_are_refused() -> None:
    for patterns, reason in (
        (count_patterns([[1, 2]], 2), "do not fit"),
        (count_patterns([[1, 2, N], [1, N, N]], 3, min_ratings=1), "fewer than two ratings"),
    ):
        with pytest.raises(ValueError, match=reason):
            plan_ratings(patterns, categories=3, raters=[3], items=[10], seed=1)
