"""What the rule would do with other shares."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.rating_scale import rescaled
from measures.quality_control import filter_input
from measures.quality_control.dawid_skene import PointScores
from measures.quality_control.filter_input import Measurements
from measures.quality_control.share_preview import SharePreview, preview
from measures.quality_control.tests.campaigns import (
    N_EDITORS,
    N_TEXTS,
    campaign,
    easy_campaign,
    hands,
    inputs,
    manual,
    percents,
    run,
    run_preview,
)
from measures.quality_control.worker_filter import (
    Authorship,
    FilterParameters,
    ManualDecisions,
    Order,
    RaterQuality,
    Ratings,
    Roles,
    decide,
)

parameters = st.fixed_dictionaries(
    {
        "min_items": st.sampled_from([1, 5, 24]),
        "order": st.sampled_from(Order),
        "rater_quality": st.sampled_from([RaterQuality.DEVIATION, RaterQuality.GOLD]),
        "roles": st.sampled_from(Roles),
    }
)


def assert_as_applied(found: SharePreview, ratings: Ratings, authorship: Authorship, hand: Any, rule: Any) -> None:
    outcome = run(ratings, authorship, hand, **rule | {"share": found.share})
    assert found.removed_raters.tolist() == np.flatnonzero(outcome.raters.removed).tolist()
    assert found.removed_editors.tolist() == np.flatnonzero(outcome.editors.removed).tolist()
    assert found.n_removed_raters == outcome.raters.removed.sum()
    assert found.n_removed_editors == outcome.editors.removed.sum()
    of_people = np.isin(ratings.text, authorship.text)
    kept = ratings.scores[outcome.kept_rating & of_people]
    assert found.ratings_kept == len(kept)
    assert found.texts_kept == outcome.kept_text[np.unique(authorship.text)].sum()
    no_means = [np.nan] * kept.shape[1]
    np.testing.assert_array_equal(found.rating_means_after, kept.mean(axis=0) if len(kept) else no_means)
    np.testing.assert_array_equal(found.rating_means_before, ratings.scores[of_people].mean(axis=0))
    for means, chosen in ((found.means_after, outcome.kept_rating & of_people), (found.means_before, of_people)):
        texts = np.unique(ratings.text[chosen])
        of_texts = [ratings.scores[chosen & (ratings.text == text)].mean(axis=0) for text in texts]
        np.testing.assert_allclose(means, np.mean(of_texts, axis=0) if of_texts else no_means)


@given(st.integers(0, 50), hands, parameters, st.lists(percents, max_size=5))
def test_a_preview_is_what_the_rule_does(
    seed: int, hand: ManualDecisions, rule: dict[str, Any], shares: list[float]
) -> None:
    ratings, authorship = campaign(seed)
    found = run_preview(ratings, authorship, shares, hand, **rule)
    assert [one.share for one in found] == shares
    for one in found:
        assert_as_applied(one, ratings, authorship, hand, rule)


@pytest.mark.parametrize("order", list(Order))
def test_a_preview_with_dawid_skene_is_what_the_rule_does(order: Order) -> None:
    ratings, authorship = easy_campaign(7)
    hand, rule = manual({2: "in"}, {3: "out"}), {"order": order, "rater_quality": RaterQuality.DAWID_SKENE}
    for one in run_preview(ratings, authorship, [0, 0.2], hand, **rule):
        assert_as_applied(one, ratings, authorship, hand, rule)


def test_the_share_of_the_parameters_does_not_matter() -> None:
    one, other = (run_preview(*campaign(), [0.2], share=share)[0] for share in (0, 1))
    assert one.removed_raters.tolist() == other.removed_raters.tolist()


def test_texts_weigh_alike_in_the_means_and_ratings_alike_in_those_over_ratings() -> None:
    """A text with one rating of 3, and one that three people gave 1, 1 and 2."""
    (found,) = preview(
        Ratings(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 2]), np.array([[3.0], [1.0], [1.0], [2.0]])),
        Authorship(np.array([0, 1]), np.array([0, 0])),
        rater_ids=[5, 6, 7],
        editor_ids=[8],
        n_texts=2,
        parameters=FilterParameters(),
        shares=[0],
    )
    assert found.means_before.tolist() == found.means_after.tolist() == [(3 + 4 / 3) / 2]
    assert found.rating_means_before.tolist() == found.rating_means_after.tolist() == [7 / 4]


def test_without_a_removal_the_means_stay() -> None:
    (nothing,) = run_preview(*campaign(), [0])
    assert nothing.n_removed_raters == nothing.n_removed_editors == 0
    assert (nothing.ratings_kept, nothing.texts_kept) == (295, N_TEXTS - 1)
    np.testing.assert_array_equal(nothing.means_before, nothing.means_after)


def test_the_means_are_from_before_all_removals_by_hand_too() -> None:
    """Three raters of one text say 1, 2 and 3; the first is excluded."""
    ratings = Ratings(np.zeros(3, dtype=np.int64), np.arange(3), np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]]))
    nobody = ManualDecisions.none(3, 1)
    hand = ManualDecisions(nobody.included_raters, np.arange(3) == 0, nobody.included_editors, nobody.excluded_editors)
    found = preview(
        ratings,
        Authorship(np.array([0]), np.array([0])),
        rater_ids=[5, 6, 7],
        editor_ids=[8],
        n_texts=1,
        parameters=FilterParameters(min_items=1),
        shares=[0, 0.5, 1],
        manual=hand,
    )
    assert [one.means_before.tolist() for one in found] == [[2, 2]] * 3
    # Both who are left are 1 from the other: the smaller id goes.
    assert [one.means_after.tolist() for one in found[:2]] == [[2.5, 2], [3, 2]]
    assert np.isnan(found[2].means_after).all()
    assert [one.removed_raters.tolist() for one in found] == [[0], [0, 1], [0, 1, 2]]
    # Nobody is left to rate the text, so its editor is not eligible.
    assert [one.removed_editors.tolist() for one in found] == [[], [], []]
    assert [one.texts_kept for one in found] == [1, 1, 1]


def test_a_greater_share_may_spare_somebody_of_the_second_role() -> None:
    """Why previews of the second role are measured anew: this campaign has an editor who gets away."""
    found = run_preview(*campaign(3), [percent / 100 for percent in range(0, 101, 5)])
    removed = [set(one.removed_editors.tolist()) for one in found]
    assert any(fewer - more for fewer, more in pairwise(removed))
    raters = [set(one.removed_raters.tolist()) for one in found]
    assert all(fewer <= more for fewer, more in pairwise(raters))


def counted(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    def wrapper(*given: Any, **named: Any) -> Any:
        calls.append(function.__name__)
        return function(*given, **named)

    return wrapper


@pytest.mark.parametrize(("order", "raters", "editors"), [(Order.RATERS_FIRST, 1, 3), (Order.EDITORS_FIRST, 4, 1)])
def test_nothing_is_measured_twice(order: Order, raters: int, editors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 12 raters and 10 editors these shares remove 0, 0, 1, 2, 2 and 0, 0, 1, 1, 2 or, first, 0, 0, 1, 2, 3."""
    calls: list[str] = []
    for name in ("rater_deviation", "editor_quality"):
        monkeypatch.setattr(filter_input, name, counted(getattr(filter_input, name), calls))
    shares = [0, 0.05, 0.1, 0.2, 0.24] if order is Order.RATERS_FIRST else [0, 0.05, 0.1, 0.2, 0.3]
    run_preview(*campaign(), shares, order=order)
    assert (calls.count("rater_deviation"), calls.count("editor_quality")) == (raters, editors)


def test_what_was_measured_by_another_quality_is_refused() -> None:
    given_ = inputs(*campaign())
    asked = filter_input.FilterInput(**given_, manual=manual())
    with pytest.raises(ValueError, match=r"^rater_quality must be the one measured, 'accuracy on gold items'"):
        decide(Measurements(asked, RaterQuality.GOLD), FilterParameters())


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_are_checked(share: float) -> None:
    with pytest.raises(ValueError, match=r"^share must be between 0 and 1"):
        run_preview(*campaign(), [0.1, share])


def test_no_shares_no_previews() -> None:
    assert run_preview(*campaign(), []) == []


def test_a_campaign_without_ratings_has_no_means() -> None:
    nothing = np.array([], dtype=np.int64)
    ratings = Ratings(nothing, nothing, np.empty((0, 2)))
    (found,) = run_preview(ratings, campaign()[1], [1])
    assert np.isnan(found.means_before).all()
    assert np.isnan(found.means_after).all()
    assert (found.ratings_kept, found.texts_kept, found.n_removed_editors) == (0, N_TEXTS - 1, 0)
    everybody = manual(editors=["out"] * N_EDITORS)
    assert run_preview(ratings, campaign()[1], [0], everybody)[0].texts_kept == 0


def test_means_are_in_points_as_given_where_these_are_known() -> None:
    scores = np.array([[5.0], [4.0]])
    (found,) = preview(
        Ratings(np.zeros(2, dtype=np.int64), np.arange(2), rescaled(scores, (5,))),
        Authorship(np.array([0]), np.array([0])),
        rater_ids=[5, 6],
        editor_ids=[8],
        n_texts=1,
        parameters=FilterParameters(),
        shares=[0],
        point_scores=PointScores(scores, (5,)),
    )
    assert (found.means_before.tolist(), found.means_after.tolist()) == ([4.5], [4.5])
