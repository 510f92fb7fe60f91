"""Intervals over sources and raters, against the definition written as plain loops."""

from collections import defaultdict
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement.cohen import kappa_of_table, weighted_kappa
from measures.agreement.mean_rounding import Rounding, rounded_means
from measures.agreement.rater_vs_others import group_agreement
from measures.agreement.rating_patterns import count_patterns
from measures.agreement.sampled_ratings import SampledRatings, sampled_ratings
from measures.agreement.simulated_pairs import expected_table
from measures.agreement.table_intervals import crowd_intervals, pair_intervals, reference_intervals
from measures.agreement.two_way import NO_SPREAD, ONE_SOURCE, ONE_SOURCE_DECIDES, rater_variance, two_way_interval
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import Undefined

N = np.nan
RATERS = 6


def mean_terms(counts: IntArray) -> FloatArray:
    """The mean of an item's ratings, and that it has one."""
    number = counts.sum(axis=1)
    means = counts @ np.array([1.0, 2.0, 3.0]) / np.maximum(number, 1)
    return np.column_stack([means, number > 0]).astype(np.float64)


def mean_of(sums: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[:, 0] / sums[:, 1])


def mean_interval(ratings: SampledRatings) -> ConfidenceInterval | Undefined:
    return two_way_interval(ratings, mean_terms, mean_of, bounds=(1, 3))


def crowd(
    items: int = 60, sources: int = 20, seed: int = 3, spread: float = 0.8
) -> tuple[FloatArray, IntArray, IntArray]:
    """Ratings by raters of different severity of texts of different sources: the matrix, sources and raters."""
    rng = np.random.default_rng(seed)
    source = rng.integers(0, sources, items)
    quality = rng.normal(0, 1, sources)[source] + rng.normal(0, 1, items)
    severity = rng.normal(0, spread, RATERS)
    raters = np.argsort(rng.random((items, RATERS)), axis=1)[:, :4]
    seen = quality[:, None] + severity[raters] + rng.normal(0, 1, raters.shape)
    points = np.asarray(1.0 + (seen > -1) + (seen > 0.5), dtype=np.float64)
    points[rng.random(items) < 0.3, 3] = N
    return points, source, raters.astype(np.int64)


def plain_variance(
    points: FloatArray, source: IntArray, raters: IntArray, statistic: Callable[[FloatArray, FloatArray], float]
) -> tuple[float, float]:
    """The parts of sources and raters, where `statistic` takes the matrix and a weight for each item.

    Weights stand for the sums of terms: an item with and without a rating, weighted step and minus step, adds the step
    times what goes with the rating.
    """
    items = np.ones(len(points))
    whole = statistic(points, items)
    labels = np.unique(source)
    jackknife = sum((statistic(points, items * (source != each)) - whole) ** 2 for each in labels)
    moved: dict[int, list[tuple[tuple[int, int], float]]] = defaultdict(list)
    step = 1e-4
    for item, column in product(*map(range, points.shape)):
        if not np.isnan(points[item, column]):
            without = points[item].copy()
            without[column] = N
            ends = [
                statistic(np.vstack([points, points[item], without]), np.append(items, [sign * step, -sign * step]))
                for sign in (1, -1)
            ]
            cell, number = (int(raters[item, column]), int(source[item])), int((~np.isnan(points[item])).sum())
            moved[number].append((cell, (ends[0] - ends[1]) / (2 * step)))
    cells: dict[tuple[int, int], float] = defaultdict(float)
    for of_number in moved.values():
        common = sum(value for _, value in of_number) / len(of_number)
        for cell, value in of_number:
            cells[cell] += value - common
    by_rater = [[value for (rater, _), value in cells.items() if rater == each] for each in range(RATERS)]
    return jackknife * (len(labels) - 1) / len(labels), plain_rater_variance(by_rater)


def plain_rater_variance(by_rater: list[list[float]]) -> float:
    """The variance over raters of the mean influence of a cell, by weighted moments, for the work that each did."""
    work = sum(map(len, by_rater))
    evenness = sum((len(values) / work) ** 2 for values in by_rater)
    several = [values for values in by_rater if len(values) > 1]
    known = [
        (len(values), (sum(values) ** 2 - sum(each**2 for each in values)) / len(values) / (len(values) - 1))
        for values in several
    ]
    seen = [1 - 2 * number / work + evenness for number, _ in known]

    def estimate(weights: list[float]) -> float:
        found = sum(weight * product for weight, (_, product) in zip(weights, known, strict=True))
        return found / sum(weight * each for weight, each in zip(weights, seen, strict=True))

    between = estimate([number - 1 for number, _ in known])
    if between <= 0:
        return 0.0
    noise = sum(each**2 for values in by_rater for each in values) / work - between
    shares = [between / (between + max(0, noise) / number) for number, _ in known]
    again = estimate([(number - 1) / number * share**2 for (number, _), share in zip(known, shares, strict=True)])
    return max(0.0, again) * sum(len(values) ** 2 for values in by_rater)


def weighted_mean(points: FloatArray, weights: FloatArray) -> float:
    return float(np.average(np.nanmean(points, axis=1), weights=weights))


def weighted_crowd_kappa(points: FloatArray, weights: FloatArray) -> float:
    tables = [expected_table(count_patterns(row[None], 3), categories=3) for row in points]
    return float(kappa_of_table(np.tensordot(weights, np.array(tables), axes=1)))


def test_the_variance_of_a_mean_is_that_of_the_definition() -> None:
    points, source, raters = crowd()
    parts = plain_variance(points, source, raters, weighted_mean)
    found = mean_interval(sampled_ratings(points, categories=3, sources=source, raters=raters))
    assert isinstance(found, ConfidenceInterval)
    assert min(parts) > 0
    assert found.standard_error == pytest.approx(sum(parts) ** 0.5, rel=1e-4)
    assert (found.sources, found.raters) == (len(np.unique(source)), RATERS)


def test_the_variance_of_kappa_is_that_of_the_definition() -> None:
    points, source, raters = crowd()
    parts = plain_variance(points, source, raters, weighted_crowd_kappa)
    ratings = sampled_ratings(points, categories=3, sources=source, raters=raters, min_ratings=2)
    found = crowd_intervals(ratings, categories=3).kappa
    assert isinstance(found, ConfidenceInterval)
    assert found.standard_error == pytest.approx(sum(parts) ** 0.5, rel=1e-4)


def test_a_sample_in_which_raters_differ_less_than_by_chance_adds_nothing_for_them() -> None:
    points, source, raters = crowd(seed=6, spread=0)
    of_sources, of_raters = plain_variance(points, source, raters, weighted_mean)
    found = mean_interval(sampled_ratings(points, categories=3, sources=source, raters=raters))
    assert of_raters == 0
    assert isinstance(found, ConfidenceInterval)
    assert found.standard_error == pytest.approx(of_sources**0.5)


def test_without_raters_only_the_sources_count() -> None:
    points, source, raters = crowd()
    alone = mean_interval(sampled_ratings(points, categories=3, sources=source))
    both = mean_interval(sampled_ratings(points, categories=3, sources=source, raters=raters))
    unknown = raters.copy()
    unknown[0, 0] = -1
    partly = mean_interval(sampled_ratings(points, categories=3, sources=source, raters=unknown))
    assert isinstance(alone, ConfidenceInterval)
    assert isinstance(both, ConfidenceInterval)
    assert partly == alone
    assert alone.raters == 0
    assert alone.standard_error == pytest.approx(plain_variance(points, source, raters, weighted_mean)[0] ** 0.5)
    assert alone.width < both.width


def test_with_a_source_for_each_item_the_error_of_a_mean_is_the_usual_one() -> None:
    points = crowd()[0]
    found = mean_interval(sampled_ratings(points, categories=3))
    assert isinstance(found, ConfidenceInterval)
    assert found.standard_error == pytest.approx(np.nanmean(points, axis=1).std(ddof=1) / len(points) ** 0.5)


@given(st.permutations(range(20)), st.permutations(range(RATERS)), st.permutations(range(60)))
def test_names_and_order_do_not_matter(sources: list[int], raters: list[int], order: list[int]) -> None:
    points, source, rater = crowd()
    plain = mean_interval(sampled_ratings(points, categories=3, sources=source, raters=rater))
    renamed = [f"source {sources[each]}" for each in source[order]]
    numbers = np.array(raters)[rater[order]] * 7 + 3
    other = mean_interval(sampled_ratings(points[order], categories=3, sources=renamed, raters=numbers))
    assert isinstance(plain, ConfidenceInterval)
    assert isinstance(other, ConfidenceInterval)
    assert [other.low, other.high] == pytest.approx([plain.low, plain.high])


def test_texts_that_repeat_their_source_tell_nothing_new() -> None:
    """Each item three times, as texts of one source: the interval of the items once."""
    points = crowd(30)[0]
    once = mean_interval(sampled_ratings(points, categories=3))
    thrice = mean_interval(sampled_ratings(np.tile(points, (3, 1)), categories=3, sources=list(range(30)) * 3))
    as_if_apart = mean_interval(sampled_ratings(np.tile(points, (3, 1)), categories=3))
    assert isinstance(once, ConfidenceInterval)
    assert isinstance(thrice, ConfidenceInterval)
    assert isinstance(as_if_apart, ConfidenceInterval)
    assert thrice.standard_error == pytest.approx(once.standard_error)
    assert as_if_apart.width < 0.6 * once.width


def test_raters_who_differ_in_severity_widen_the_interval() -> None:
    rng = np.random.default_rng(8)
    raters = np.argsort(rng.random((200, 10)), axis=1)[:, :3]
    fair = 1.0 + rng.integers(0, 3, (200, 3))
    severe = np.clip(fair - (raters < 5), 1, 3)
    widths = [
        found.width
        for points in (fair, severe)
        if isinstance(found := mean_interval(sampled_ratings(points, categories=3, raters=raters)), ConfidenceInterval)
    ]
    assert widths[1] > 2 * widths[0]


def test_the_value_given_is_the_middle_of_the_interval() -> None:
    points, source, _ = crowd()
    ratings = sampled_ratings(points, categories=3, sources=source)
    found = crowd_intervals(ratings, categories=3, kappa=0.0).kappa
    assert isinstance(found, ConfidenceInterval)
    assert found.low == pytest.approx(-found.high)


def test_what_has_no_interval_says_why() -> None:
    assert mean_interval(sampled_ratings([[3.0, 2.0], [1.0, N]], categories=3, sources=[4, 4])) == ONE_SOURCE
    assert mean_interval(sampled_ratings([[3.0, 3.0], [3.0, N]], categories=3)) == NO_SPREAD
    found = crowd_intervals(sampled_ratings([[3, 3], [3, 3], [1, 3]], categories=3), categories=3)
    assert found.kappa == ONE_SOURCE_DECIDES
    assert isinstance(found.agreement, ConfidenceInterval)
    assert pair_intervals([], [], categories=3).kappa == ONE_SOURCE


def test_a_reference_is_compared_with_the_rounded_mean_of_the_crowd() -> None:
    points, source, _ = crowd()
    reference = np.random.default_rng(4).integers(1, 4, len(points))
    ratings = sampled_ratings(points, categories=3, sources=source, groups=reference - 1)
    found = reference_intervals(ratings, categories=3, rounding=Rounding.HALF_EVEN)
    means = rounded_means(points, Rounding.HALF_EVEN)
    plain = pair_intervals(reference, means, categories=3, sources=source)
    assert found == plain
    assert isinstance(found.kappa, ConfidenceInterval)
    assert found.kappa.low < weighted_kappa(reference, means, categories=3) < found.kappa.high  # type: ignore[operator]


@pytest.mark.parametrize("grouped", [False, True])
def test_a_rater_has_the_interval_of_their_own_pairs(grouped: bool) -> None:
    points, source, raters = crowd()
    found = group_agreement(points, raters, categories=3, sources=source if grouped else None)
    for each in found:
        rows, columns = np.nonzero((raters == each.group) & ~np.isnan(points))
        others = [np.nansum(np.delete(points[row], column)) for row, column in zip(rows, columns, strict=True)]
        numbers = (~np.isnan(points[rows])).sum(axis=1) - 1
        means = np.floor(np.array(others) / numbers + 0.5)
        plain = pair_intervals(points[rows, columns], means, categories=3, sources=source[rows] if grouped else None)
        assert each.intervals == plain


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sources": [1]}, "a source for each item"),
        ({"groups": [1]}, "a group for each item"),
        ({"raters": [[1, 2]]}, "a rater for each rating of 2 items"),
        ({"categories": 2}, "rating 3 is not one"),
    ],
)
def test_wrong_shapes_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sampled_ratings([[3.0, 2.0], [1.0, N]], **{"categories": 3} | options)


def test_a_list_is_no_matrix() -> None:
    with pytest.raises(ValueError, match="a matrix of items by raters"):
        sampled_ratings([3, 2], categories=3)


def test_the_busiest_rater_does_not_decide_how_far_raters_differ() -> None:
    """Where the busiest of ten lies on the mean, the others still show how far raters differ."""
    rng = np.random.default_rng(5)
    number = np.array([200, *[40] * 9])
    rater = np.repeat(np.arange(10), number)
    lean = np.array([0.0, *rng.permutation(np.linspace(-1, 1, 9))])
    cells = lean[rater] + 0.1 * rng.normal(size=len(rater))
    variance, as_many = rater_variance(cells - cells.mean(), rater)
    differ = float(lean[1:].var(ddof=1))
    assert variance == pytest.approx(differ * float((number**2).sum()), rel=0.25)
    assert as_many == pytest.approx(float(number.sum()) ** 2 / float((number**2).sum()))


def test_raters_with_equal_work_count_alike() -> None:
    rng = np.random.default_rng(6)
    rater = np.repeat(np.arange(8), 30)
    cells = rng.normal(size=8)[rater] + rng.normal(size=240)
    cells -= cells.mean()
    sums, squares = (np.bincount(rater, weights=each) for each in (cells, cells**2))
    products = float((sums**2 - squares).sum())
    assert rater_variance(cells, rater)[0] == pytest.approx(products * 30 / 29 * 8 / 7)
    assert rater_variance(np.array([1.0, -1.0]), np.array([0, 1]))[0] == 0


def test_raters_who_do_little_count_for_little() -> None:
    rater = np.repeat(np.arange(4), [60, 20, 10, 10])
    assert rater_variance(np.where(rater % 2, 1.0, -1.0), rater)[1] == pytest.approx(1 / (0.6**2 + 0.2**2 + 0.02))
    assert rater_variance(np.array([1.0, -1.0]), np.array([0, 1])) == (0.0, 2.0)
