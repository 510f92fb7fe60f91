"""The rule with each quality of raters, and with one role only."""

from typing import Any

import numpy as np
import pytest

from measures.core.rating_scale import rescaled
from measures.quality_control.dawid_skene import dawid_skene_accuracy
from measures.quality_control.role_decisions import RATER_MEASURES
from measures.quality_control.tests.campaigns import (
    ACCURACIES,
    N_EDITORS,
    N_RATERS,
    campaign,
    easy_campaign,
    gold_answers,
    inputs,
    manual,
    rows,
    run,
)
from measures.quality_control.worker_filter import (
    FILTER_VERSION,
    Authorship,
    FilterParameters,
    GoldAnswers,
    Order,
    PointScores,
    RaterQuality,
    Ratings,
    Roles,
    apply_filter,
)

GOLD, DAWID_SKENE = RaterQuality.GOLD, RaterQuality.DAWID_SKENE


def judged(rule: FilterParameters, **options: Any) -> Any:
    return apply_filter(**inputs(*campaign(), parameters=rule) | options)


def test_the_version_is_new() -> None:
    assert FILTER_VERSION == "bottom-share/4"


def test_every_quality_has_words() -> None:
    assert set(RATER_MEASURES) == set(RaterQuality)


def test_gold_takes_the_least_accurate() -> None:
    raters = run(*campaign(), rater_quality=GOLD, share=0.25).raters
    np.testing.assert_allclose(raters.quality, ACCURACIES)
    assert raters.items.tolist() == [5] * N_RATERS
    assert raters.cut.removed.tolist() == [3, 8, 0]
    assert raters.cut.threshold == 0.4
    assert not raters.cut.tie
    assert raters.reasons[3] == "accuracy 0.20 over 5 gold items is among the lowest 3 of 12"
    assert raters.reasons[1] == "kept"


def test_a_tie_on_gold_is_told_and_falls_to_the_smaller_id() -> None:
    # Numbers 2 and 7 share an accuracy of 0.7: seven to remove take both, six only one.
    raters = run(*campaign(), rater_quality=GOLD, share=0.59).raters
    assert raters.cut.removed.tolist() == [3, 8, 0, 11, 6, 2, 7]
    assert not raters.cut.tie
    raters = run(*campaign(), rater_quality=GOLD, share=0.5).raters
    assert raters.cut.removed.tolist() == [3, 8, 0, 11, 6, 2]
    assert raters.cut.tie


def test_too_few_gold_items_are_not_judged() -> None:
    gold = GoldAnswers(np.array([0, 1, 2]), np.array([0, 0, 4]), np.array([8, 10, 12]), np.array([4, 5, 6]))
    raters = judged(FilterParameters(share=0.5, rater_quality=GOLD), gold=gold).raters
    assert raters.reasons[:4] == (
        "not eligible: 4 gold items, 5 wanted",
        "accuracy 0.00 over 5 gold items is among the lowest 1 of 2",
        "kept",
        "not eligible: 0 gold items, 5 wanted",
    )


def test_gold_does_not_depend_on_the_ratings() -> None:
    ratings, authorship = campaign()
    some = np.arange(20)
    for order in Order:
        found = apply_filter(
            **inputs(rows(ratings, some), authorship, parameters=FilterParameters(order=order, rater_quality=GOLD))
        )
        np.testing.assert_allclose(found.raters.quality, ACCURACIES)


def test_the_editors_are_judged_without_the_raters_who_miss_the_gold() -> None:
    ratings, authorship = campaign()
    found = run(ratings, authorship, rater_quality=GOLD, share=0.25)
    left = rows(ratings, ~np.isin(ratings.rater, [3, 8, 0]))
    np.testing.assert_array_equal(found.editors.quality, run(left, authorship, share=0).editors.quality)


@pytest.mark.parametrize("order", list(Order))
def test_dawid_skene_is_measured_on_what_is_left(order: Order) -> None:
    ratings, authorship = easy_campaign()
    found = run(ratings, authorship, manual({1: "out"}, {2: "out"}), rater_quality=DAWID_SKENE, order=order)
    gone = [2] if order is Order.RATERS_FIRST else np.flatnonzero(found.editors.removed)
    left = rows(ratings, (ratings.rater != 1) & ~np.isin(ratings.text, by_editors(authorship, gone)))
    measured = dawid_skene_accuracy(left, N_RATERS, points=(3,))
    accuracy, items = measured.quality, measured.items
    np.testing.assert_array_equal(found.raters.quality, accuracy)
    np.testing.assert_array_equal(found.raters.items, items)
    assert np.isnan(accuracy[1])


def by_editors(authorship: Authorship, editors: Any) -> Any:
    return authorship.text[np.isin(authorship.editor, editors)]


def test_dawid_skene_takes_the_least_accurate() -> None:
    raters = run(*easy_campaign(), rater_quality=DAWID_SKENE, share=0.1).raters
    worst = int(np.argmin(raters.quality))
    assert raters.cut.removed.tolist() == [worst]
    assert raters.reasons[worst] == (
        f"Dawid-Skene accuracy {raters.quality[worst]:.2f} over {raters.items[worst]} texts is among the lowest 1 of 12"
    )
    strict = run(*easy_campaign(), rater_quality=DAWID_SKENE, min_items=61).raters
    assert strict.reasons[0] == f"not eligible: {raters.items[0]} items, 61 wanted"


def test_rescaled_scores_do_not_reach_the_model() -> None:
    """Editors are judged by the comparable scores, raters by the points that they gave."""
    ratings, authorship = easy_campaign()
    five = PointScores(2 * ratings.scores - 1, points=(5,))
    common = Ratings(ratings.text, ratings.rater, rescaled(five.scores, five.points))
    rule = FilterParameters(rater_quality=DAWID_SKENE)
    one = apply_filter(**inputs(common, authorship, parameters=rule, point_scores=five))
    other = run(ratings, authorship, rater_quality=DAWID_SKENE)
    np.testing.assert_allclose(one.raters.quality, other.raters.quality, atol=1e-9)
    np.testing.assert_allclose(one.editors.quality, other.editors.quality)


@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize(("missing", "quality"), [("gold", GOLD), ("point_scores", DAWID_SKENE)])
def test_what_a_quality_rests_on_must_be_given(missing: str, quality: RaterQuality, order: Order) -> None:
    rule = FilterParameters(rater_quality=quality, order=order)
    with pytest.raises(ValueError, match=r"^(gold answers|scores in points) must be given to judge raters by their"):
        judged(rule, **{missing: None})
    assert judged(FilterParameters(order=order), **{missing: None}).raters.cut.eligible == N_RATERS


def test_what_is_given_must_fit() -> None:
    ratings, _ = campaign()
    few = PointScores(ratings.scores[1:], points=(3, 3))
    with pytest.raises(ValueError, match=r"^scores in points must have a row for each of the 300 ratings"):
        judged(FilterParameters(), point_scores=few)
    one = np.array([1])
    with pytest.raises(ValueError, match=r"^rater out of range 0 to 11"):
        judged(FilterParameters(rater_quality=GOLD), gold=GoldAnswers(one * N_RATERS, one, one, one))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"n_texts": 59}, "text"),
        ({"rater_ids": np.arange(N_RATERS - 1)}, "rater"),
        ({"editor_ids": np.arange(N_EDITORS - 1)}, "editor"),
        ({"authorship": Authorship(np.array([60]), np.array([0]))}, "text"),
        ({"authorship": Authorship(np.array([0]), np.array([-1]))}, "editor"),
    ],
)
@pytest.mark.parametrize("roles", list(Roles))
def test_numbers_out_of_range_are_errors_whoever_is_judged(options: dict[str, Any], name: str, roles: Roles) -> None:
    with pytest.raises(ValueError, match=f"^{name} out of range"):
        judged(FilterParameters(roles=roles), **options)


def test_with_raters_only_all_editors_stay() -> None:
    found, usual = run(*campaign(), roles=Roles.RATERS, share=0.5), run(*campaign(), share=0.5)
    assert found.raters.reasons == usual.raters.reasons
    assert set(found.editors.reasons) == {"not judged by this rule"}
    assert not found.editors.removed.any()
    assert np.isnan(found.editors.quality).all()
    assert not found.editors.items.any()
    assert (found.editors.cut.eligible, found.editors.cut.threshold, found.editors.cut.tie) == (0, None, False)
    assert found.kept_text.all()
    assert found.kept_rating.tolist() == (~found.raters.removed[campaign()[0].rater]).tolist()


@pytest.mark.parametrize("order", list(Order))
def test_with_editors_only_all_ratings_count(order: Order) -> None:
    found = run(*campaign(), manual({4: "out", 5: "in"}), roles=Roles.EDITORS, order=order, share=0.5)
    usual = run(*campaign(), manual({4: "out"}), order=Order.EDITORS_FIRST, share=0.5)
    assert found.editors.reasons == usual.editors.reasons
    assert found.raters.reasons[3:7] == (
        "not judged by this rule",
        "excluded by hand",
        "included by hand",
        "not judged by this rule",
    )
    assert np.flatnonzero(found.raters.removed).tolist() == [4]


@pytest.mark.parametrize("quality", list(RaterQuality))
def test_with_editors_only_no_quality_of_raters_is_wanted(quality: RaterQuality) -> None:
    rule = FilterParameters(roles=Roles.EDITORS, rater_quality=quality)
    assert judged(rule, gold=None, point_scores=None).editors.cut.eligible == N_EDITORS


def test_the_gold_answers_fit_the_accuracies() -> None:
    gold = gold_answers()
    np.testing.assert_allclose(gold.right / gold.questions, ACCURACIES)
