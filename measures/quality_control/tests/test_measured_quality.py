"""How sure a quality is, and how far it lies from the cut."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.gold_accuracy import GoldAnswers, gold_accuracy
from measures.quality_control.lowest_share import lowest_share
from measures.quality_control.measured_quality import gap_to_cut, in_standard_errors, mean_quality, share_error
from measures.quality_control.parameters import RaterQuality, Roles
from measures.quality_control.tables import Authorship, Ratings
from measures.quality_control.tests.campaigns import N_RATERS, campaign, easy_campaign, manual, run
from measures.quality_control.worker_quality import editor_quality, rater_deviation

N = 4
items = st.lists(st.tuples(st.integers(0, N - 1), st.integers(2, 6).map(lambda half: half / 2)), max_size=30)


def columns(rows: list[tuple[int, float]]) -> tuple[IntArray, FloatArray]:
    return np.array([worker for worker, _ in rows], dtype=np.int64), np.array([value for _, value in rows], dtype=float)


# The standard error of a mean


def test_an_editor_s_items_are_texts_whatever_the_number_of_their_ratings() -> None:
    """Texts of quality 3, 2 and 1 with one, two and three ratings: s = 1, and 1 / sqrt(3)."""
    text, points = np.array([0, 1, 1, 2, 2, 2]), np.array([3, 2, 2, 1, 1, 1])
    ratings = Ratings(text, np.array([0, 0, 1, 0, 1, 2]), np.stack([points, points], axis=1).astype(float))
    found = editor_quality(ratings, Authorship(np.arange(3), np.zeros(3, dtype=np.int64)), 3, 1)
    assert (found.quality.tolist(), found.items.tolist()) == ([2], [3])
    assert found.standard_error.tolist() == [pytest.approx(1 / np.sqrt(3))]


def test_a_rater_s_items_are_the_ratings_compared() -> None:
    """Rater 0 is 0, 1 and 2 from the other rater of three texts: s = 1; the fourth text nobody else rated."""
    ratings = Ratings(
        np.array([0, 0, 1, 1, 2, 2, 3]), np.array([0, 1, 0, 1, 0, 1, 0]), np.array([[3, 3, 3, 2, 3, 1, 1]]).T
    )
    found = rater_deviation(ratings, 4, 2)
    assert (found.quality.tolist(), found.items.tolist()) == ([1, 1], [3, 3])
    assert found.standard_error.tolist() == [pytest.approx(1 / np.sqrt(3))] * 2


@given(items)
def test_the_error_is_that_of_the_textbook(rows: list[tuple[int, float]]) -> None:
    found = mean_quality(*columns(rows), N)
    for worker in range(N):
        values = [value for who, value in rows if who == worker]
        wanted = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
        np.testing.assert_allclose(found.standard_error[worker], wanted, atol=1e-9)
        np.testing.assert_allclose(found.quality[worker], np.mean(values) if values else np.nan, atol=1e-12)
    assert found.items.tolist() == [sum(who == worker for who, _ in rows) for worker in range(N)]


@given(items, st.permutations(range(N)), st.randoms(use_true_random=False))
def test_neither_names_nor_order_matter(
    rows: list[tuple[int, float]], names: list[int], random: np.random.Generator
) -> None:
    plain = mean_quality(*columns(rows), N).standard_error
    renamed = [(names[worker], value) for worker, value in rows]
    random.shuffle(renamed)
    found = mean_quality(*columns(renamed), N).standard_error
    np.testing.assert_allclose(found[names], plain, atol=1e-9)


@given(items, st.integers(2, 5))
def test_items_that_are_there_several_times_make_it_smaller(rows: list[tuple[int, float]], times: int) -> None:
    once, often = mean_quality(*columns(rows), N), mean_quality(*columns(rows * times), N)
    several = once.items > 1
    factor = np.sqrt((once.items[several] - 1) / (times * once.items[several] - 1))
    np.testing.assert_allclose(often.standard_error[several], once.standard_error[several] * factor, atol=1e-9)


@given(st.floats(1, 3), st.integers(2, 40))
def test_equal_items_have_an_error_of_nothing(value: float, times: int) -> None:
    found = mean_quality(np.zeros(times, dtype=np.int64), np.full(times, value), 1)
    assert found.standard_error.tolist() == [0]


def test_over_one_item_or_none_nothing_is_known() -> None:
    assert np.isnan(mean_quality(*columns([(0, 3.0), (1, 1.0)]), 3).standard_error).all()
    assert np.isnan(share_error(np.array([1.0, np.nan]), np.array([1, 0]))).all()


# The standard error of a share


@pytest.mark.parametrize(("share", "n"), [(0.0, 2), (1.0, 2), (0.5, 4), (0.9, 20), (1.0, 20)])
def test_the_error_of_a_share_is_half_of_wilson_s_interval(share: float, n: int) -> None:
    """The ends of the interval solve (p - share)^2 = p (1 - p) / n."""
    low, high = sorted(np.roots([1 + 1 / n, -(2 * share + 1 / n), share**2]).real)
    assert share_error(np.array([share]), np.array([n])) == pytest.approx([(high - low) / 2])


def test_the_items_of_an_accuracy_are_gold_items_not_questions() -> None:
    gold = GoldAnswers(np.array([0]), right=np.array([6]), questions=np.array([8]), items=np.array([4]))
    found = gold_accuracy(gold, 1)
    assert found.standard_error == pytest.approx([np.sqrt(0.75 * 0.25 / 4 + 1 / 64) / 1.25])


@given(st.floats(0, 1), st.integers(2, 1000))
def test_a_share_is_never_certain_and_more_items_make_it_surer(share: float, n: int) -> None:
    few, many = share_error(np.full(2, share), np.array([n, 4 * n]))
    assert 0 < many < few <= 0.5
    assert share_error(np.array([1 - share]), np.array([n])) == pytest.approx([few])


# The cut and the distance from it


def test_the_cut_is_half_way_between_the_last_removed_and_the_first_kept() -> None:
    quality, five = np.array([1.0, 2.0, 2.5, 0.5, 3.0]), np.full(5, 5)
    settings: dict[str, Any] = {"ids": np.arange(5), "min_items": 5}
    assert lowest_share(quality, five, share=0.4, smallest_is_worst=True, **settings).cut == 1.5
    assert lowest_share(quality, five, share=0.4, smallest_is_worst=False, **settings).cut == 2.25
    # Who has too few items lies on neither side.
    few = np.array([5, 4, 5, 5, 5])
    assert lowest_share(quality, few, share=0.5, smallest_is_worst=True, **settings).cut == 1.75


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_there_is_no_cut_where_nobody_goes_or_nobody_stays(share: float) -> None:
    quality = np.array([1.0, 2.0])
    found = lowest_share(quality, np.full(2, 9), [1, 2], share=share, min_items=1, smallest_is_worst=True)
    assert found.cut is None


@given(st.integers(0, 50), st.floats(0, 1), st.sampled_from([RaterQuality.DEVIATION, RaterQuality.GOLD]))
def test_the_gap_tells_who_of_the_assessed_goes(seed: int, share: float, quality: RaterQuality) -> None:
    outcome = run(*campaign(seed), share=share, rater_quality=quality)
    for role in (outcome.raters, outcome.editors):
        assessed = ~role.unassessed
        assert np.isnan(role.gap).all() if role.cut.cut is None else not np.isnan(role.gap[assessed]).any()
        assert not (role.gap[assessed & role.removed] > 0).any()
        assert not (role.gap[assessed & ~role.removed] < 0).any()
        assert (role.gap[assessed] == 0).any() == (role.cut.tie and role.cut.cut is not None)


def test_gaps_are_above_nothing_on_the_side_of_those_kept() -> None:
    quality = np.array([1.0, 2.0, 2.5, np.nan])
    np.testing.assert_array_equal(gap_to_cut(quality, 2.0, smallest_is_worst=True), [-1, 0, 0.5, np.nan])
    np.testing.assert_array_equal(gap_to_cut(quality, 2.0, smallest_is_worst=False), [1, 0, -0.5, np.nan])
    assert np.isnan(gap_to_cut(quality, None, smallest_is_worst=True)).all()
    assert str(gap_to_cut(np.array([0.1 + 0.2]), 0.3, smallest_is_worst=False)[0]) == "0.0"


def test_gaps_in_errors_are_unknown_where_the_error_is_or_is_nothing() -> None:
    assert in_standard_errors(-0.5, 0.25) == -2
    assert in_standard_errors(0.0, 0.25) == 0
    assert [in_standard_errors(*each) for each in ((None, 0.1), (0.1, None), (0.1, 0.0))] == [None] * 3


# What the rule tells of it


def test_the_rule_tells_who_is_not_assessed_for_lack_of_items() -> None:
    ratings, authorship = easy_campaign(3)
    sparse = Authorship(authorship.text[:13], authorship.editor[:13])
    outcome = run(ratings, sparse, manual(editors={4: "in", 5: "out"}), min_items=2)
    assert outcome.editors.items.tolist() == [2, 2, 2, 1, 1, 0, 1, 1, 1, 1]
    assert outcome.editors.unassessed.tolist() == [False] * 3 + [True] + [False] * 2 + [True] * 4
    assert not outcome.raters.unassessed.any()


def test_in_a_role_that_is_not_filtered_nobody_lacks_items() -> None:
    outcome = run(*campaign(), roles=Roles.EDITORS, min_items=10_000)
    assert not outcome.raters.unassessed.any()
    assert outcome.editors.unassessed.all()
    assert np.isnan(outcome.raters.standard_error).all()


def test_the_rule_passes_errors_and_the_end_of_the_model_on() -> None:
    ratings, authorship = easy_campaign(3)
    outcome = run(ratings, authorship)
    wanted = rater_deviation(ratings, 60, N_RATERS).standard_error
    np.testing.assert_array_equal(outcome.raters.standard_error, wanted)
    assert outcome.raters.convergence == outcome.editors.convergence == ()
    (told,) = run(ratings, authorship, rater_quality=RaterQuality.DAWID_SKENE).raters.convergence
    assert told.converged


def test_who_was_excluded_has_no_error() -> None:
    outcome = run(*campaign(), manual({3: "out"}), rater_quality=RaterQuality.GOLD)
    assert np.isnan(outcome.raters.standard_error).tolist() == [number == 3 for number in range(N_RATERS)]
