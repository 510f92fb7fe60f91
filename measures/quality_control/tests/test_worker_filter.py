"""The rule that leaves out the worst workers."""

from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray
from measures.quality_control.parameters import ManualDecisions
from measures.quality_control.tests.campaigns import N_EDITORS, N_TEXTS, campaign, rows, run
from measures.quality_control.worker_filter import (
    Authorship,
    FilterParameters,
    Order,
    Ratings,
    apply_filter,
    lowest_share,
)


def cut(quality: list[float], items: list[int] | None = None, ids: Any = None, **options: Any) -> Any:
    settings = {"share": 0.5, "min_items": 1, "smallest_is_worst": True} | options
    count = len(quality)
    return lowest_share(
        np.array(quality),
        np.array(items or [9] * count),
        range(count) if ids is None else ids,
        **settings,
    )


@pytest.mark.parametrize("smallest_is_worst", [True, False])
@given(
    st.lists(st.tuples(st.sampled_from([1.0, 1.5, 2.0, np.nan]), st.integers(0, 8)), max_size=20),
    st.integers(0, 100),
)
def test_bottom_is_what_a_sort_gives(smallest_is_worst: bool, workers: list[tuple[float, int]], percent: int) -> None:
    sign = 1 if smallest_is_worst else -1
    eligible = [(sign * q, n, index) for index, (q, n) in enumerate(workers) if n >= 3 and q > 0]
    count = floor(Fraction(percent, 100) * len(eligible))
    found = lowest_share(
        np.array([q for q, _ in workers]),
        np.array([n for _, n in workers], dtype=np.int64),
        np.arange(len(workers)),
        share=percent / 100,
        min_items=3,
        smallest_is_worst=smallest_is_worst,
    )
    ranked = sorted(eligible)
    assert found.removed.tolist() == [index for _, _, index in ranked[:count]]
    assert found.eligible == len(eligible)
    assert found.threshold == (abs(ranked[count - 1][0]) if count else None)
    assert found.tie == (0 < count < len(ranked) and ranked[count - 1][0] == ranked[count][0])


@pytest.mark.parametrize(("share", "workers", "removed"), [(0.1, 30, 3), (0.29, 100, 29), (0.07, 100, 7), (1, 4, 4)])
def test_the_number_removed_is_free_of_binary_noise(share: float, workers: int, removed: int) -> None:
    assert len(cut(list(np.arange(workers) + 1.0), share=share).removed) == removed


def test_a_share_that_is_a_numpy_number_is_read_the_same() -> None:
    assert len(cut(list(np.arange(30) + 1.0), share=np.float64(0.1)).removed) == 3


def test_ties_break_by_fewer_items_then_by_smaller_id() -> None:
    found = cut([2.0, 2.0, 2.0, 3.0], items=[9, 7, 9, 9], ids=[30, 40, 20, 10])
    assert found.removed.tolist() == [1, 2]
    assert found.tie


def test_noise_in_the_last_bits_does_not_split_a_tie() -> None:
    noisy = 0.1 + 0.2
    found = cut([0.3, noisy], items=[9, 5])
    assert noisy > 0.3
    assert found.removed.tolist() == [1]
    assert found.tie


def test_ids_may_be_names() -> None:
    assert cut([1.0, 1.0], ids=["b", "a"]).removed.tolist() == [1]


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("share", {"share": -0.1}),
        ("share", {"share": 1.1}),
        ("share", {"share": float("nan")}),
        ("min_items", {"min_items": 0}),
        ("order", {"order": "raters"}),
        ("rater_quality", {"rater_quality": "gold"}),
        ("roles", {"roles": "both"}),
    ],
)
def test_parameters_are_checked(field: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{field} "):
        FilterParameters(**options)


@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize("share", [0, 0.1, 0.3, 1])
def test_what_is_kept_follows_from_who_is_removed(order: Order, share: float) -> None:
    ratings, authorship = campaign()
    outcome = run(ratings, authorship, order=order, share=share)
    gone = {e for e in range(N_EDITORS) if outcome.editors.removed[e]}
    kept = [t == N_TEXTS - 1 or t % N_EDITORS not in gone for t in range(N_TEXTS)]
    assert outcome.kept_text.tolist() == kept
    assert outcome.kept_rating.tolist() == [
        kept[t] and not outcome.raters.removed[r] for t, r in zip(ratings.text, ratings.rater, strict=True)
    ]
    for role in (outcome.raters, outcome.editors):
        assert set(role.cut.removed) == set(np.flatnonzero(role.removed))
        assert len(role.cut.removed) == floor(Fraction(str(share)) * role.cut.eligible)
        assert [" is among the " in reason for reason in role.reasons] == role.removed.tolist()


def test_the_second_role_is_judged_on_what_the_first_cut_leaves() -> None:
    ratings, authorship = campaign()
    nobody = run(ratings, authorship, share=0)
    first = run(ratings, authorship, share=0.3)
    left = np.flatnonzero(~first.raters.removed[ratings.rater])
    np.testing.assert_array_equal(first.raters.quality, nobody.raters.quality)
    np.testing.assert_array_equal(first.editors.quality, run(rows(ratings, left), authorship, share=0).editors.quality)
    other = run(ratings, authorship, share=0.3, order=Order.EDITORS_FIRST)
    left = np.flatnonzero(other.kept_text[ratings.text])
    np.testing.assert_array_equal(other.editors.quality, nobody.editors.quality)
    np.testing.assert_array_equal(other.raters.quality, run(rows(ratings, left), authorship, share=0).raters.quality)
    assert (first.editors.quality != other.editors.quality).any()
    assert (first.raters.quality != other.raters.quality).any()


def test_a_text_stays_while_one_of_its_authors_does() -> None:
    ratings = Ratings(np.array([0, 1, 2]), np.zeros(3, int), np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]))
    authorship = Authorship(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]))
    parameters = FilterParameters(share=0.5, min_items=1)
    outcome = apply_filter(ratings, authorship, rater_ids=[1], editor_ids=[1, 2], n_texts=3, parameters=parameters)
    assert outcome.editors.removed.tolist() == [True, False]
    assert outcome.kept_text.tolist() == [False, True, True]


def test_reasons_say_why() -> None:
    ratings, authorship = campaign()
    outcome = run(ratings, authorship, share=0.1)
    worst = outcome.editors.cut.removed[0]
    quality: FloatArray = outcome.editors.quality
    assert outcome.editors.reasons[worst] == (f"quality {quality[worst]:.2f} over 6 texts is among the lowest 1 of 10")
    rater = outcome.raters.cut.removed[0]
    assert outcome.raters.reasons[rater].startswith(f"deviation {outcome.raters.quality[rater]:.2f} over ")
    assert outcome.raters.reasons[rater].endswith(" ratings is among the highest 1 of 12")
    strict = run(ratings, authorship, min_items=7)
    assert set(strict.editors.reasons) == {
        "not eligible: 6 items, 7 wanted",
        "not eligible: 5 items, 7 wanted",
    }
    assert not strict.editors.removed.any()


@given(st.integers(0, 1000), st.sampled_from(Order))
def test_the_order_of_the_ratings_does_not_matter(seed: int, order: Order) -> None:
    ratings, authorship = campaign()
    shuffled = np.random.default_rng(seed).permutation(len(ratings.text))
    one, other = run(ratings, authorship, order=order), run(rows(ratings, shuffled), authorship, order=order)
    assert one.raters.reasons == other.raters.reasons
    assert one.editors.reasons == other.editors.reasons
    assert one.kept_rating[shuffled].tolist() == other.kept_rating.tolist()


def test_a_campaign_without_ratings_removes_nobody() -> None:
    nothing = np.array([], dtype=np.int64)
    ratings = Ratings(nothing, nothing, np.empty((0, 2)))
    outcome = run(ratings, campaign()[1])
    assert not outcome.editors.removed.any()
    assert set(outcome.raters.reasons) == {"not eligible: 0 items, 5 wanted"}
    assert outcome.kept_text.all()
    assert outcome.editors.cut.threshold is None


def test_raters_who_are_kept_by_hand_are_never_removed_and_still_count() -> None:
    scores = np.array([[3.0], [3.0], [1.0], [1.0], [2.0], [3.0]])
    ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    ask = partial(
        apply_filter,
        ratings,
        Authorship(np.array([0, 1]), np.array([0, 1])),
        rater_ids=[7, 8, 9],
        editor_ids=[5, 6],
        n_texts=2,
        parameters=FilterParameters(share=0.5, min_items=1),
    )

    assert ask().raters.removed.tolist() == [False, False, True]
    kept = ManualDecisions.none(3, 2)
    kept.included_raters[2] = True
    outcome = ask(manual=kept)
    assert not outcome.raters.removed[2]
    assert outcome.raters.cut.eligible == 2
    assert outcome.kept_rating[ratings.rater == 2].any()
