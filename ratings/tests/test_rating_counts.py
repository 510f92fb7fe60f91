"""What the dashboard says of the ratings, from stored counts and what came since, is what all ratings say."""

import inspect
from dataclasses import asdict
from datetime import timedelta
from hashlib import sha256
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.clock import database_now
from compressions.services.outputs import Output, outputs_add
from crowd.models import Campaign, Round
from measures.quality_control import answer_sequence, attention_flags, permutation_test, rater_rules
from ratings.models import RaterFlags, Rating, RatingCounts, RatingVersion, SourceMeans
from ratings.selectors import rating_counts as selectors
from ratings.selectors.attention import FLAG_RULE, _flags_by_rater, flags_now
from ratings.selectors.rating_counts import rating_summary_now
from ratings.selectors.rating_tasks import rating_summary
from ratings.selectors.ratings import _source_means, source_means
from ratings.services import rating_counts as services
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.imported import ratings_import
from ratings.services.rating_counts import (
    all_counts_advance,
    flags_advance,
    means_advance,
    rating_counts_advance,
    rating_counts_forget,
)
from tests.support.factories import (
    RATE,
    edit_all,
    enrol,
    judged_campaign,
    make_campaign,
    rate,
    rate_all,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SCORES = ((3, 3), (2, 3), (1, 2))


def settle(campaign: Campaign) -> None:
    """Let what is stored have been there for a while, and the worker come by."""
    RatingVersion.objects.update(created_at=database_now() - timedelta(hours=1))
    rating_counts_advance(campaign=campaign)
    flags_advance(campaign=campaign)
    with patch.object(services, "MANY_SOURCES", 0):
        means_advance(campaign=campaign)


def assert_now(campaign: Campaign) -> None:
    now, all_anew = asdict(rating_summary_now(campaign)), asdict(rating_summary(campaign))
    assert now["count"] == all_anew["count"]
    for key, scale in all_anew["scales"].items():
        assert now["scales"][key]["counts"] == scale["counts"]
        for mean in ("over_texts", "over_ratings"):
            assert now["scales"][key][mean] == pytest.approx(scale[mean])
    assert flags_now(campaign) == dict(_flags_by_rater(campaign))
    scales = [scale.key for scale in campaign.rating_scales]
    assert source_means(campaign, scales) == _source_means(campaign, scales, None)


def correct(rating: Rating, **scores: int) -> None:
    assert rating.assignment is not None
    enrolment = enrol(rating.assignment.item.campaign, RATE, rating.assignment.worker.external_id)
    rate(enrolment, rating.assignment, known_version=rating.version, **scores)


def rated(**settings: object) -> Campaign:
    return judged_campaign(sources=3, editors=2, scores=SCORES, **settings)


def test_nothing_settles_within_minutes() -> None:
    campaign = rated()
    all_counts_advance()
    assert not RatingCounts.objects.exists()
    assert_now(campaign)


@pytest.mark.parametrize("task", ["single", "pair"])
def test_new_ratings_count_at_once(task: str) -> None:
    campaign = rated(rating_task=task, raters_per_compression=4)
    settle(campaign)
    assert_now(campaign)
    for times in (1, 2):
        rate_all(enrol(campaign, RATE, f"late {times}"), 1, 1)
        assert_now(campaign)
    before = RatingCounts.objects.get().last_rating
    settle(campaign)
    assert RatingCounts.objects.get().last_rating > before
    assert_now(campaign)


def test_corrections_count_at_once_before_and_after_they_settle() -> None:
    campaign = rated()
    settle(campaign)
    first, second = Rating.objects.order_by("pk")[:2]
    correct(first, meaning=1, grammar=1)
    assert_now(campaign)
    settle(campaign)
    assert_now(campaign)
    for point in (2, 3):
        first.refresh_from_db()
        correct(first, meaning=point, grammar=1)
        correct(second, meaning=point, grammar=point)
        second.refresh_from_db()
        assert_now(campaign)


def test_counts_that_begin_do_not_hold_what_has_not_settled() -> None:
    campaign = rated()
    RatingVersion.objects.update(created_at=database_now() - timedelta(hours=1))
    correct(Rating.objects.earliest("pk"), meaning=1, grammar=1)
    rating_counts_advance(campaign=campaign)
    assert RatingCounts.objects.count() == 1
    assert_now(campaign)
    settle(campaign)
    assert_now(campaign)


def test_who_is_excluded_or_readmitted_counts_no_more_or_again() -> None:
    campaign = rated()
    settle(campaign)
    worker = Rating.objects.latest("pk").worker
    assert worker is not None
    person_exclude(worker=worker, work_round=Round.RATE, note="Not a person.", user=campaign.staff.get())
    assert_now(campaign)
    settle(campaign)
    assert RatingCounts.objects.get().excluded == [worker.pk]
    assert_now(campaign)
    person_readmit(worker=worker, work_round=Round.RATE, user=campaign.staff.get())
    assert_now(campaign)


def test_ratings_of_nobody_count_at_once_and_once_settled() -> None:
    campaign = make_campaign(sources=2, editors_per_source=2, raters_per_compression=1, editor_tasks=9)
    edit_all(campaign, 2)
    rate_all(enrol(campaign, RATE))
    settle(campaign)
    campaign.raters_per_compression = 2
    source = campaign.sources.earliest("pk")
    another = [Output(1, source.source_id, "Another short text.")]
    added = outputs_add(campaign=campaign, system="half", outputs=another)
    ratings_import(rated=[(added.outputs[1], [{"meaning": 1, "grammar": 2}])])
    assert_now(campaign)
    settle(campaign)
    assert_now(campaign)


def test_many_changes_are_counted_anew() -> None:
    campaign = rated(raters_per_compression=4)
    settle(campaign)
    rate_all(enrol(campaign, RATE, "late"), 1, 1)
    with patch.object(selectors, "MANY_TEXTS", 2):
        assert_now(campaign)
        settle(campaign)
    assert_now(campaign)


def test_many_changes_of_few_texts_hide_no_other_text() -> None:
    campaign = rated()
    settle(campaign)
    last = Rating.objects.latest("pk")
    texts = Rating.objects.exclude(target=last.target).values_list("target", flat=True)
    for rating in [*Rating.objects.filter(target=texts[0]), last]:
        correct(rating, meaning=1, grammar=1)
    for most in (1, 2):
        with patch.object(selectors, "MANY_TEXTS", most):
            assert_now(campaign)


def test_counts_read_no_more_for_more_ratings() -> None:
    assert rows_read(2) == rows_read(6)


def rows_read(sources: int) -> int:
    campaign = judged_campaign(sources=sources, scores=SCORES)
    settle(campaign)
    with CaptureQueriesContext(connection) as queries:
        rating_summary_now(campaign)
    assert not any("AVG(" in query["sql"] for query in queries)
    return len(queries)


def test_flags_are_known_until_a_text_of_their_rater_is_rated_again() -> None:
    campaign = judged_campaign(sources=30, scores=((3, 3), (1, 3), (3, 1)), raters_per_compression=4)
    settle(campaign)
    known = RaterFlags.objects.get()
    assert known.flags
    with patch("ratings.selectors.attention._flags_by_rater") as found:
        assert {str(pk) for pk in flags_now(campaign)} == known.flags.keys()
    found.assert_not_called()
    rate_all(enrol(campaign, RATE, "late"), 1, 1)
    assert_now(campaign)


def test_flags_that_another_rule_found_are_not_shown() -> None:
    campaign = judged_campaign(sources=30, scores=((3, 3), (1, 3), (3, 1)))
    settle(campaign)
    RaterFlags.objects.update(rule="older", flags={})
    assert_now(campaign)
    flags_advance(campaign=campaign)
    assert RaterFlags.objects.get().rule == FLAG_RULE
    assert_now(campaign)


def test_imported_ratings_that_lack_a_scale_are_counted_and_stop_nobody() -> None:
    campaign, later = rated(), rated()
    outputs = [Output(1, campaign.sources.earliest("pk").source_id, "An imported text.")]
    added = outputs_add(campaign=campaign, system="half", outputs=outputs)
    ratings_import(rated=[(added.outputs[1], [{"meaning": 3}, {"grammar": 2}])])
    settle(campaign)
    all_counts_advance()
    assert set(RatingCounts.objects.values_list("campaign", flat=True)) == {campaign.pk, later.pk}
    assert rating_summary_now(campaign).count == rating_summary(campaign).count
    assert_now(campaign)


def test_a_campaign_that_cannot_be_counted_does_not_keep_the_others_from_it() -> None:
    campaign, later = rated(), rated()

    def count(*, campaign: Campaign) -> None:
        if campaign != later:
            raise ValueError("scores must lie between 1 and the points of their scale")
        rating_counts_advance(campaign=campaign)

    settle(campaign)
    RatingCounts.objects.all().delete()
    with patch("ratings.services.rating_counts.rating_counts_advance", count):
        all_counts_advance()
    assert list(RatingCounts.objects.values_list("campaign", flat=True)) == [later.pk]


def test_whoever_changes_how_flags_are_found_thinks_of_those_that_are_kept() -> None:
    """If other flags may be found in the same ratings now, raise FLAG_RULE; then correct the digest here."""
    modules = (attention_flags, rater_rules, answer_sequence, permutation_test)
    code = "".join([inspect.getsource(module) for module in modules])
    assert (FLAG_RULE, sha256(code.encode()).hexdigest()[:16]) == ("attention-2", "22f681cebe485685")


def test_stored_means_are_read_without_the_ratings_and_forgotten_with_them() -> None:
    campaign = judged_campaign(sources=2, scores=SCORES)
    settle(campaign)
    assert SourceMeans.objects.filter(campaign=campaign).exists()
    with CaptureQueriesContext(connection) as captured:
        found = source_means(campaign, ["meaning"])
    assert len(found) == 2
    assert not any("ratings_score" in each["sql"] for each in captured)
    rating_counts_forget(campaign=campaign)
    assert not SourceMeans.objects.exists()
