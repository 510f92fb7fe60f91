"""What neither the order of items nor the names of raters may change, what categories do, and that nothing is NaN."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from math import isclose, isfinite
from typing import Any, TypeAlias, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from measures.agreement import (
    Interval,
    PairKappa,
    Patterns,
    RaterVsOthers,
    Rounding,
    Undefined,
    Weights,
    bootstrap_agreement,
    count_patterns,
    group_agreement,
    gwet_agreement,
    kappa_of_table,
    pair_table,
    pairwise_kappa,
    plan_ratings,
    rater_agreement,
    rounded_means,
    sampled_ratings,
    simulated_pair_agreement,
    weighted_kappa,
)
from measures.agreement.krippendorff import Level, krippendorff_alpha
from measures.agreement.sample_size import Plan, Prediction
from measures.agreement.two_way import NO_SPREAD, ONE_SOURCE, ONE_SOURCE_DECIDES
from measures.core.arrays import FloatArray, IntArray

Measure: TypeAlias = Callable[[FloatArray, Sequence[int]], object]

REASONS = {
    "no item has two ratings",
    "no rating of an item that somebody else rated",
    "all ratings are in one category",
    "all ratings are in one category in every draw",
    "the scale has one category",
    *(each.reason for each in (ONE_SOURCE, ONE_SOURCE_DECIDES, NO_SPREAD)),
}
SEED, FEW = 5, 20
LAST_BITS = 1e-9


@st.composite
def scales(draw: st.DrawFn, least: int = 1) -> list[int]:
    """Up to five whole numbers that follow one another, from below 0 or above."""
    first, number = draw(st.integers(-3, 2)), draw(st.integers(least, 5))
    return list(range(first, first + number))


@st.composite
def campaigns(draw: st.DrawFn, least: int = 1) -> tuple[FloatArray, list[int]]:
    """Up to nine items by up to five raters, many of them missing, on some scale."""
    scale = draw(scales(least))
    items, raters = draw(st.integers(0, 9)), draw(st.integers(1, 5))
    some = st.sampled_from([*scale, *[None] * draw(st.integers(0, 4))])
    flat = draw(st.lists(some, min_size=items * raters, max_size=items * raters))
    return np.array(flat, dtype=np.float64).reshape(items, raters), scale


def both_rated(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two raters of the same items."""
    first, last = matrix[:, 0], matrix[:, -1]
    both = ~np.isnan(first) & ~np.isnan(last)
    return first[both], last[both]


def by_parity(matrix: FloatArray) -> IntArray:
    """Groups that go with the columns."""
    return np.asarray(np.broadcast_to(np.arange(matrix.shape[1]) % 2, matrix.shape), dtype=np.int64)


def of_weights(weights: Weights, rounding: Rounding) -> dict[str, Measure]:
    """Those that have weights or a rounding, each as a function of the matrix and its scale."""

    def table(matrix: FloatArray, scale: Sequence[int]) -> object:
        kappa = float(kappa_of_table(pair_table(*both_rated(matrix), scale), weights))
        return Undefined("no item has two ratings") if np.isnan(kappa) else kappa

    def plain(matrix: FloatArray, scale: Sequence[int]) -> object:
        return weighted_kappa(*both_rated(matrix), categories=scale, weights=weights)

    def bootstrap(matrix: FloatArray, scale: Sequence[int]) -> object:
        options: Any = {"categories": scale, "weights": weights, "replications": FEW, "seed": SEED}
        return bootstrap_agreement(*both_rated(matrix), **options)

    def simulated(matrix: FloatArray, scale: Sequence[int], resample_items: bool) -> object:
        options: Any = {"categories": scale, "weights": weights, "rounding": rounding, "draws": FEW, "seed": SEED}
        return simulated_pair_agreement(matrix, resample_items=resample_items, **options)

    def gwet(matrix: FloatArray, scale: Sequence[int]) -> object:
        return gwet_agreement(matrix, categories=scale, weights=weights)

    def pairwise(matrix: FloatArray, scale: Sequence[int]) -> object:
        return pairwise_kappa(matrix, categories=scale, weights=weights, min_items=1)

    def raters(matrix: FloatArray, scale: Sequence[int]) -> object:
        return rater_agreement(matrix, categories=scale, weights=weights, rounding=rounding)

    def groups(matrix: FloatArray, scale: Sequence[int]) -> object:
        return group_agreement(matrix, by_parity(matrix), categories=scale, weights=weights, rounding=rounding)

    def plans(matrix: FloatArray, scale: Sequence[int]) -> object:
        options: Any = {"categories": scale, "weights": weights, "rounding": rounding}
        ratings = sampled_ratings(matrix, categories=scale)
        found = plan_ratings(ratings, ratings_per_item=[2, 5], items=[1, 30], **options)
        return found if isinstance(found, Undefined) else found.plans

    return {
        "kappa_of_table": table,
        "weighted_kappa": plain,
        "bootstrap_agreement": bootstrap,
        "simulated_pair_agreement": partial(simulated, resample_items=False),
        "simulated_pair_agreement, items drawn": partial(simulated, resample_items=True),
        "gwet_agreement": gwet,
        "pairwise_kappa": pairwise,
        "rater_agreement": raters,
        "group_agreement": groups,
        "plan_ratings": plans,
    }


def alpha(matrix: FloatArray, scale: Sequence[int], level: Level) -> object:
    return krippendorff_alpha(matrix, level=level, categories=scale)


PLAIN = of_weights("quadratic", Rounding.HALF_UP)
ALPHAS: dict[str, Measure] = {f"alpha, {level}": partial(alpha, level=level) for level in get_args(Level)}
ALL = PLAIN | ALPHAS
EACH_OPTION = [
    pytest.param(measure, id=f"{name}, {weights}, {rounding.value}")
    for weights in get_args(Weights)
    for rounding in Rounding
    for name, measure in of_weights(weights, rounding).items()
] + [pytest.param(measure, id=name) for name, measure in ALPHAS.items()]
OF_ALL_RATERS = [
    *(name for name in PLAIN if name.startswith(("simulated", "gwet", "plan"))),
    *ALPHAS,
]
"""Of these the whole result is the same whoever stands in which column."""


def leaves(result: object) -> Iterator[object]:
    """The numbers of a result, and what stands for one that does not exist."""
    if isinstance(result, list | tuple | np.ndarray):
        for each in result:
            yield from leaves(each)
    elif is_dataclass(result) and not isinstance(result, Undefined | type):
        for field in fields(result):
            yield from leaves(getattr(result, field.name))
    else:
        yield result


def intervals(result: object) -> Iterator[Interval]:
    if isinstance(result, Interval):
        yield result
    elif isinstance(result, list):
        for each in result:
            yield from intervals(each)
    elif is_dataclass(result):
        for field in fields(result):
            yield from intervals(getattr(result, field.name))


def alike(first: object, second: object) -> bool:
    """Whether two results differ by no more than the order of sums."""
    ones, others = list(leaves(first)), list(leaves(second))
    return len(ones) == len(others) and all(map(_close, ones, others))


def _close(one: object, other: object) -> bool:
    if isinstance(one, float | int | np.number) and isinstance(other, float | int | np.number):
        return isclose(one, other, rel_tol=LAST_BITS, abs_tol=LAST_BITS)
    return one == other


@pytest.mark.parametrize("name", ALL)
@given(campaigns(), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(name: str, campaign: tuple[FloatArray, list[int]], chance: Any) -> None:
    matrix, scale = campaign
    order = chance.sample(range(len(matrix)), len(matrix))
    assert alike(ALL[name](matrix[order], scale), ALL[name](matrix, scale))


@pytest.mark.parametrize("name", OF_ALL_RATERS)
@given(campaigns(), st.integers(0, 2**32 - 1))
def test_who_of_the_raters_stands_where_does_not_matter(
    name: str, campaign: tuple[FloatArray, list[int]], seed: int
) -> None:
    """Not even where each item has its own order, as where nobody knows who they were."""
    matrix, scale = campaign
    renamed = np.random.default_rng(seed).permuted(matrix, axis=1)
    widened = np.insert(renamed, 0, np.nan, axis=1)
    assert alike(ALL[name](renamed, scale), ALL[name](matrix, scale))
    assert alike(ALL[name](widened, scale), ALL[name](matrix, scale))


@given(campaigns(), st.integers(0, 2**32 - 1), st.sampled_from(Rounding))
def test_what_is_counted_of_items_goes_without_names(
    campaign: tuple[FloatArray, list[int]], seed: int, rounding: Rounding
) -> None:
    matrix, scale = campaign
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(matrix))
    mixed = rng.permuted(matrix[order], axis=1)
    assert_allclose(rounded_means(mixed, rounding), rounded_means(matrix, rounding)[order])
    one, other = count_patterns(mixed, scale), count_patterns(matrix, scale)
    assert one.counts.tolist() == other.counts.tolist()
    assert (one.items.tolist(), one.left_out) == (other.items.tolist(), other.left_out)


@pytest.mark.parametrize("weights", get_args(Weights))
@given(campaigns())
def test_two_raters_may_change_places(weights: Weights, campaign: tuple[FloatArray, list[int]]) -> None:
    matrix, scale = campaign
    a, b = both_rated(matrix)
    kappas = [weighted_kappa(*pair, categories=scale, weights=weights) for pair in ((a, b), (b, a))]
    assert alike(*kappas)
    assert pair_table(a, b, scale).tolist() == pair_table(b, a, scale).T.tolist()


@given(campaigns(), st.data())
def test_each_rater_keeps_what_is_theirs_under_any_name(
    campaign: tuple[FloatArray, list[int]], data: st.DataObject
) -> None:
    """Columns in another order, and names of any size, bring the same numbers for the same people."""
    matrix, scale = campaign
    raters = matrix.shape[1]
    order = data.draw(st.permutations(range(raters)))
    moved = matrix[:, order]
    theirs = rater_agreement(matrix, categories=scale)
    for place, of_rater in enumerate(rater_agreement(moved, categories=scale)):
        assert alike(_without_group(of_rater), _without_group(theirs[order[place]]))
    names = data.draw(st.lists(st.integers(0, 10_000), min_size=raters, max_size=raters, unique=True))
    whose = np.broadcast_to(np.array(names)[order], moved.shape)
    here = {(names[each.rater_a], names[each.rater_b]): each for each in pairwise_kappa(matrix, categories=scale)}
    there = pairwise_kappa(moved, raters=whose, categories=scale)
    assert [(each.rater_a, each.rater_b) for each in there] == sorted(tuple(sorted(pair)) for pair in here)
    for each in there:
        known = here.get((each.rater_a, each.rater_b)) or here[each.rater_b, each.rater_a]
        assert alike(_without_names(each), _without_names(known))


def _without_group(found: RaterVsOthers) -> list[object]:
    return [found.ratings, found.agreement, found.kappa, found.bias]


def _without_names(found: PairKappa) -> list[object]:
    return [found.items, found.agreement, found.kappa]


@given(campaigns(), st.integers(0, 2**32 - 1))
def test_groups_hold_ratings_and_not_columns(campaign: tuple[FloatArray, list[int]], seed: int) -> None:
    """A rating takes its group along wherever it stands in its row."""
    matrix, scale = campaign
    rng = np.random.default_rng(seed)
    groups = rng.integers(-1, 3, matrix.shape)
    places = rng.permuted(np.tile(np.arange(matrix.shape[1]), (len(matrix), 1)), axis=1)
    moved, taken_along = (np.take_along_axis(each, places, axis=1) for each in (matrix, groups))
    found = group_agreement(moved, taken_along, categories=scale)
    assert alike(found, group_agreement(matrix, groups, categories=scale))


@given(campaigns(least=2), st.integers(-4, 4))
def test_a_scale_may_start_anywhere(campaign: tuple[FloatArray, list[int]], by: int) -> None:
    """Adding a number to all points changes nothing but means that are told in points."""
    matrix, scale = campaign
    shifted = [point + by for point in scale]
    for name, measure in ALL.items():
        here, there = measure(matrix, scale), measure(matrix + by, shifted)
        if isinstance(here, list) and here and isinstance(here[0], Plan):
            assert isinstance(there, list)
            assert alike([plan.kappa for plan in here], [plan.kappa for plan in there]), name
        else:
            assert alike(here, there), name


ORDERED = [[1, 1, 2], [2, 2, 1], [3, 3, 3], [4, 4, 3], [1, 2, 2], [4, 3, 4], [1, 1, 1], [2, 2, 2]]
"""Four raters' points that are never further apart than neighbours."""


def one_number(result: object) -> float:
    """A coefficient of the result: of many the last."""
    assert not isinstance(result, Undefined)
    for name in ("alpha", "coefficient", "kappa"):
        if isinstance(value := getattr(result, name, None), float):
            return value
        if isinstance(value, Interval):
            return value.mean
        if isinstance(value, Prediction):
            return value.value
    if isinstance(result, list):
        return one_number(result[-1])
    assert isinstance(result, float)
    return result


def by_order(name: str) -> Measure:
    return {**of_weights("linear", Rounding.HALF_UP), **ALPHAS}[name]


@pytest.mark.parametrize("name", [name for name in ALL if name != "alpha, nominal"])
def test_the_order_of_categories_does_matter(name: str) -> None:
    """The same pairs of raters say 1 and 2 as before 1 and 4: no near miss any more."""
    matrix = np.array(ORDERED, dtype=np.float64)
    torn = np.array([0, 1, 4, 3, 2])[matrix.astype(np.int64)].astype(np.float64)
    for measure in (ALL[name], by_order(name)):
        assert one_number(measure(matrix, [1, 2, 3, 4])) > one_number(measure(torn, [1, 2, 3, 4])) + 0.03


@pytest.mark.parametrize(
    "measure",
    [
        partial(alpha, level="nominal"),
        *(of_weights("none", Rounding.HALF_UP)[name] for name in ("weighted_kappa", "gwet_agreement")),
    ],
)
@given(campaigns(), st.data())
def test_without_an_order_the_names_of_categories_do_not_matter(
    measure: Measure, campaign: tuple[FloatArray, list[int]], data: st.DataObject
) -> None:
    matrix, scale = campaign
    other = data.draw(st.permutations(scale))
    renamed = np.full(matrix.shape, np.nan)
    for point, name in zip(scale, other, strict=True):
        renamed[matrix == point] = name
    assert alike(measure(renamed, scale), measure(matrix, scale))


@pytest.mark.parametrize("measure", EACH_OPTION)
@given(campaigns())
def test_a_result_is_finite_or_has_a_reason(measure: Measure, campaign: tuple[FloatArray, list[int]]) -> None:
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        result = measure(*campaign)
    for value in leaves(result):
        if isinstance(value, Undefined):
            assert value.reason in REASONS
        elif value is not None:
            assert isinstance(value, float | int | np.number)
            assert isfinite(value)
    for interval in intervals(result):
        assert interval.low <= interval.high
        assert interval.variance >= 0


@given(campaigns())
def test_what_does_not_exist_is_said_and_what_does_is_not_left_out(campaign: tuple[FloatArray, list[int]]) -> None:
    """There is a coefficient of all raters just where an item has two ratings, and these are not all alike."""
    matrix, scale = campaign
    require_pairs = matrix[(~np.isnan(matrix)).sum(axis=1) >= 2]
    used = len(np.unique(require_pairs[~np.isnan(require_pairs)]))
    for name in OF_ALL_RATERS:
        result = ALL[name](matrix, scale)
        if not len(require_pairs):
            assert result == Undefined("no item has two ratings"), name
        elif name == "gwet_agreement":
            assert isinstance(result, Undefined) == (len(scale) == 1)
        elif used == 1:
            found = getattr(result, "kappa", result)
            assert isinstance(found, Undefined), name
            assert found.reason.startswith("all ratings are in one category"), name


@given(campaigns(), st.integers(1, 50))
def test_patterns_say_the_same_as_the_matrix(campaign: tuple[FloatArray, list[int]], times: int) -> None:
    """A matrix that is repeated is its patterns with so many items each."""
    matrix, scale = campaign
    counted = count_patterns(matrix, scale)
    many = Patterns(counted.counts, counted.items * times, counted.left_out * times)
    repeated = np.tile(matrix, (times, 1))
    options: Any = {"categories": scale, "seed": SEED}
    assert alike(
        simulated_pair_agreement(many, draws=FEW, **options), simulated_pair_agreement(repeated, draws=FEW, **options)
    )
