"""What people decide by hand, beside the rule."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.quality_control.tests.campaigns import (
    N_EDITORS,
    N_RATERS,
    N_TEXTS,
    campaign,
    gold_answers,
    hands,
    inputs,
    manual,
    percents,
    rows,
    run,
)
from measures.quality_control.worker_filter import (
    Authorship,
    FilterParameters,
    ManualDecisions,
    Order,
    Outcome,
    RaterQuality,
    Ratings,
    RoleOutcome,
    Roles,
    apply_filter,
)

quick_qualities = st.sampled_from([RaterQuality.DEVIATION, RaterQuality.GOLD])
"""Those that need no model to be fitted."""

rules = st.fixed_dictionaries(
    {
        "share": percents,
        "min_items": st.sampled_from([1, 5, 24]),
        "order": st.sampled_from(Order),
        "rater_quality": quick_qualities,
        "roles": st.sampled_from(Roles),
    }
)


def both(outcome: Outcome, hand: ManualDecisions) -> list[tuple[RoleOutcome, Any, Any]]:
    """Each role, with who is included and who is excluded."""
    return [
        (outcome.raters, hand.included_raters, hand.excluded_raters),
        (outcome.editors, hand.included_editors, hand.excluded_editors),
    ]


@given(st.integers(0, 50), hands, rules)
def test_decisions_by_hand_always_win(seed: int, hand: ManualDecisions, rule: dict[str, Any]) -> None:
    outcome = run(*campaign(seed), hand, **rule)
    for role, included, excluded in both(outcome, hand):
        assert not role.removed[included].any()
        assert role.removed[excluded].all()
        assert np.isnan(role.quality[excluded]).all()
        assert not role.items[excluded].any()
        assert [reason == "included by hand" for reason in role.reasons] == included.tolist()
        assert [reason == "excluded by hand" for reason in role.reasons] == excluded.tolist()
        assert not (included | excluded)[role.cut.removed].any()


@given(st.integers(0, 50), hands, rules)
def test_what_is_kept_follows_from_who_is_removed(seed: int, hand: ManualDecisions, rule: dict[str, Any]) -> None:
    ratings, authorship = campaign(seed)
    outcome = run(ratings, authorship, hand, **rule)
    gone = outcome.editors.removed
    kept = [text == N_TEXTS - 1 or not gone[text % N_EDITORS] for text in range(N_TEXTS)]
    assert outcome.kept_text.tolist() == kept
    assert outcome.kept_rating.tolist() == [
        kept[text] and not outcome.raters.removed[rater]
        for text, rater in zip(ratings.text, ratings.rater, strict=True)
    ]


@given(st.integers(0, 50), hands, rules)
def test_a_share_of_nothing_removes_by_hand_only(seed: int, hand: ManualDecisions, rule: dict[str, Any]) -> None:
    outcome = run(*campaign(seed), hand, **rule | {"share": 0})
    assert outcome.raters.removed.tolist() == hand.excluded_raters.tolist()
    assert outcome.editors.removed.tolist() == hand.excluded_editors.tolist()


@given(st.integers(0, 50), hands, rules, percents)
def test_a_greater_share_removes_the_same_and_more(
    seed: int, hand: ManualDecisions, rule: dict[str, Any], other: float
) -> None:
    small, great = (run(*campaign(seed), hand, **rule | {"share": share}) for share in sorted([rule["share"], other]))
    # A role that is not judged loses the same with any share; the second role may be judged otherwise.
    certain = ["raters", "editors"]
    if rule["roles"] is Roles.BOTH:
        certain = ["raters" if rule["order"] is Order.RATERS_FIRST else "editors"]
    for role in certain:
        assert (getattr(great, role).removed >= getattr(small, role).removed).all()
        np.testing.assert_array_equal(getattr(great, role).quality, getattr(small, role).quality)


@given(st.integers(0, 50), hands, rules, st.randoms(use_true_random=False))
def test_other_numbers_for_the_workers_give_the_same_people(
    seed: int, hand: ManualDecisions, rule: dict[str, Any], random: Any
) -> None:
    ratings, authorship = campaign(seed)
    raters, editors = (np.array(random.sample(range(n), n)) for n in (N_RATERS, N_EDITORS))
    # Worker 0 is now number raters[0]; of_raters says who is behind each number.
    of_raters, of_editors = np.argsort(raters), np.argsort(editors)
    renumbered = ManualDecisions(
        hand.included_raters[of_raters],
        hand.excluded_raters[of_raters],
        hand.included_editors[of_editors],
        hand.excluded_editors[of_editors],
    )
    gold = gold_answers()
    other = apply_filter(
        **inputs(
            Ratings(ratings.text, raters[ratings.rater], ratings.scores),
            Authorship(authorship.text, editors[authorship.editor]),
            rater_ids=of_raters,
            editor_ids=of_editors,
            parameters=FilterParameters(**rule),
            manual=renumbered,
            gold=type(gold)(raters[gold.rater], gold.right, gold.questions, gold.items),
        )
    )
    one = run(ratings, authorship, hand, **rule)
    assert [other.raters.reasons[number] for number in raters] == list(one.raters.reasons)
    assert [other.editors.reasons[number] for number in editors] == list(one.editors.reasons)
    assert other.kept_rating.tolist() == one.kept_rating.tolist()
    assert (one.raters.cut.tie, one.editors.cut.tie) == (other.raters.cut.tie, other.editors.cut.tie)


@given(st.integers(0, 50), hands, rules)
def test_the_excluded_are_out_before_anything_is_computed(
    seed: int, hand: ManualDecisions, rule: dict[str, Any]
) -> None:
    """As if their ratings and texts had never been there."""
    ratings, authorship = campaign(seed)
    without = Authorship(*(column[~hand.excluded_editors[authorship.editor]] for column in vars(authorship).values()))
    there = np.isin(np.arange(N_TEXTS), without.text) | (np.arange(N_TEXTS) == N_TEXTS - 1)
    left = rows(ratings, there[ratings.text] & ~hand.excluded_raters[ratings.rater])
    one, other = run(ratings, authorship, hand, **rule), run(left, without, hand, **rule)
    for role in ("raters", "editors"):
        assert getattr(one, role).reasons == getattr(other, role).reasons
        np.testing.assert_array_equal(getattr(one, role).quality, getattr(other, role).quality)
        np.testing.assert_array_equal(getattr(one, role).items, getattr(other, role).items)
    assert one.kept_rating.sum() == other.kept_rating.sum()


@given(st.integers(0, 50), hands, rules)
def test_nobody_decided_on_by_hand_is_eligible(seed: int, hand: ManualDecisions, rule: dict[str, Any]) -> None:
    outcome = run(*campaign(seed), hand, **rule)
    for (role, included, excluded), of in zip(both(outcome, hand), (Roles.RATERS, Roles.EDITORS), strict=True):
        judged = rule["roles"] in {Roles.BOTH, of}
        left = ~included & ~excluded & (role.items >= rule["min_items"])
        assert role.cut.eligible == (left.sum() if judged else 0)


@given(st.integers(0, 50), rules)
def test_decisions_on_nobody_change_nothing(seed: int, rule: dict[str, Any]) -> None:
    one, other = run(*campaign(seed), **rule), run(*campaign(seed), manual(), **rule)
    assert (one.raters.reasons, one.editors.reasons) == (other.raters.reasons, other.editors.reasons)


def test_by_hand_in_numbers() -> None:
    """Four raters give one text each of four editors 1, 2, 3 and 3; the fourth rater always says 1."""
    scores = np.array([[1, 1, 1, 1], [2, 2, 2, 1], [3, 3, 3, 1], [3, 3, 3, 1]], dtype=float)
    ratings = Ratings(np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4), scores.reshape(-1, 1))
    nobody = np.zeros(4, dtype=np.bool_)
    hand = ManualDecisions(
        included_raters=np.arange(4) == 3,
        excluded_raters=np.arange(4) == 0,
        included_editors=nobody,
        excluded_editors=np.arange(4) == 0,
    )
    outcome = apply_filter(
        ratings,
        Authorship(np.arange(4), np.arange(4)),
        rater_ids=[1, 2, 3, 4],
        editor_ids=[1, 2, 3, 4],
        n_texts=4,
        parameters=FilterParameters(share=0.5, min_items=1),
        manual=hand,
    )
    # On the texts 1 to 3 the second and the third rater are 0.5, 1 and 1 from the mean of the other and the
    # fourth, who is 1, 2 and 2 from theirs. Of the two whom the rule may judge it takes the smaller id.
    np.testing.assert_allclose(outcome.raters.quality, [np.nan, 2.5 / 3, 2.5 / 3, 5 / 3])
    assert outcome.raters.items.tolist() == [0, 3, 3, 3]
    assert outcome.raters.reasons == (
        "excluded by hand",
        "deviation 0.83 over 3 ratings is among the highest 1 of 2",
        "kept",
        "included by hand",
    )
    assert outcome.raters.cut.tie
    # Left are the third rater and the fourth: (2 + 1) / 2, then (3 + 1) / 2 twice.
    np.testing.assert_allclose(outcome.editors.quality, [np.nan, 1.5, 2, 2])
    assert outcome.editors.reasons == (
        "excluded by hand",
        "quality 1.50 over 1 text is among the lowest 1 of 3",
        "kept",
        "kept",
    )
    assert outcome.kept_text.tolist() == [False, False, True, True]
    assert np.flatnonzero(outcome.kept_rating).tolist() == [10, 11, 14, 15]


def test_a_text_outlives_one_of_its_authors() -> None:
    ratings = Ratings(np.array([0, 1]), np.zeros(2, dtype=np.int64), np.array([[1.0], [3.0]]))
    one, two = np.zeros(1, dtype=np.bool_), np.array([True, False])
    outcome = apply_filter(
        ratings,
        Authorship(np.array([0, 0, 1]), np.array([0, 1, 0])),
        rater_ids=[1],
        editor_ids=[1, 2],
        n_texts=2,
        parameters=FilterParameters(share=0, min_items=1),
        manual=ManualDecisions(one, one, ~two & two, two),
    )
    assert outcome.kept_text.tolist() == [True, False]
    assert outcome.editors.items.tolist() == [0, 1]
    assert outcome.editors.quality[1] == 1


def test_everybody_may_be_excluded() -> None:
    outcome = run(*campaign(), manual(["out"] * N_RATERS, ["out"] * N_EDITORS))
    assert not outcome.kept_rating.any()
    assert np.flatnonzero(outcome.kept_text).tolist() == [N_TEXTS - 1]
    assert outcome.editors.cut.eligible == outcome.raters.cut.eligible == 0


def test_decisions_are_not_changed_by_the_rule() -> None:
    hand = manual({0: "out"}, {1: "out"})
    run(*campaign(), hand, share=1)
    assert hand.excluded_raters.sum() == hand.excluded_editors.sum() == 1


NO, YES = np.array([False, False]), np.array([True, False])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ((YES, YES, NO, NO), "^raters must not be both included and excluded by hand"),
        ((NO, NO, YES, YES), "^editors must not be both included and excluded by hand"),
        ((YES, NO[:1], NO, NO), "^decisions on raters differ in shape"),
        ((NO, NO, NO, YES[:1]), "^decisions on editors differ in shape"),
        ((YES[None], NO[None], NO, NO), "^decisions on raters differ in shape"),
        ((YES.astype(int), NO, NO, NO), "^decisions on raters must be truth values"),
        ((NO, NO, NO, np.array([1])), "^decisions on editors must be truth values"),
    ],
)
def test_decisions_are_checked(arrays: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ManualDecisions(*arrays)


def test_decisions_are_as_many_as_workers() -> None:
    with pytest.raises(ValueError, match=r"^decisions on raters must be one for each of the 12"):
        run(*campaign(), ManualDecisions.none(N_RATERS - 1, N_EDITORS))
    with pytest.raises(ValueError, match=r"^decisions on editors must be one for each of the 10"):
        run(*campaign(), ManualDecisions.none(N_RATERS, N_EDITORS + 1))
