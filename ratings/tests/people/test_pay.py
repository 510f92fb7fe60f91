"""How long people needed, what that makes of their pay, and what participants are told."""

import re
from decimal import Decimal
from typing import Any

import pytest

from compressions.models import Compression
from crowd.models import Campaign, Enrolment, Outcome, PastVisit, Round, Worker
from ratings.models import Rating
from ratings.selectors.pay import TimeAndPay, owed_to, time_and_pay
from ratings.services.exclusions import person_exclude
from ratings.tests.people.support import comes, comes_again, named_link, owner_of, takes, viewer_of
from tests.support.factories import EDIT, RATE, edit_all, make_campaign, make_staff, readable
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db
MINUTE = 60_000


def paying(**settings: Any) -> Campaign:
    return make_campaign(**{"sources": 8, "editors_per_source": 8, "editor_tasks": 2, "gold_percent": 0, **settings})


def finish(campaign: Campaign, *seconds: int, before: int = 0, tasks: int = 2) -> list[Enrolment]:
    """For each number someone who finished two texts in so many seconds after some others for the guidelines."""
    link = named_link(campaign, EDIT, f"Link {campaign.links.count()}")
    people = [comes(link, f"p{link.pk}-{number}", tasks, Outcome.DONE) for number in range(len(seconds))]
    for enrolment, work in zip(people, seconds, strict=True):
        takes(enrolment, before=before, work=work)
    return people


def of_editors(campaign: Campaign) -> TimeAndPay:
    campaign.refresh_from_db()
    return time_and_pay(campaign, Round.EDIT)


def pay_page(campaign: Campaign) -> str:
    return " ".join(readable(owner_of(campaign).get(f"/campaigns/{campaign.slug}/pay/")).split())


def test_elapsed_time_runs_from_consent_to_the_last_submission() -> None:
    campaign = paying()
    finish(campaign, 60, 120, 180, 240, 300, before=30)

    found = of_editors(campaign)

    assert found.elapsed is not None
    assert (found.elapsed.low, found.elapsed.median, found.elapsed.high) == (2.5 * MINUTE, 3.5 * MINUTE, 4.5 * MINUTE)
    assert found.before is not None
    assert found.before.median == 30_000


def test_active_time_comes_from_the_logs_per_person_and_per_text() -> None:
    campaign = paying()
    people = finish(campaign, 600, 600, 600)
    for minutes, each in enumerate(people, start=1):
        Compression.objects.filter(worker=each.worker).update(active_ms=minutes * MINUTE)

    found = of_editors(campaign)

    assert found.active is not None
    assert (found.active.median, found.active.visits) == (4 * MINUTE, 3)
    assert found.active_per_text is not None
    assert found.active_per_text.median == 2 * MINUTE


def test_people_whose_time_is_known_in_part_do_not_count_as_quick() -> None:
    campaign = paying()
    people = finish(campaign, 600, 600)
    Compression.objects.update(active_ms=MINUTE)
    Compression.objects.filter(pk=Compression.objects.filter(worker=people[0].worker).first().pk).update(active_ms=None)  # type: ignore[union-attr]

    found = of_editors(campaign)

    assert found.active is not None
    assert (found.active.median, found.active.visits) == (2 * MINUTE, 1)


def test_raters_were_at_work_as_long_as_they_saw_the_texts() -> None:
    campaign = paying(rater_tasks=2)
    edit_all(campaign, 1)
    someone = comes(named_link(campaign, RATE, "Raters"), "a", 2, Outcome.DONE)
    Rating.objects.filter(worker=someone.worker).update(milliseconds=30_000)

    found = time_and_pay(campaign, Round.RATE)

    assert found.active is not None
    assert found.active.median == MINUTE


@pytest.mark.parametrize(("unit", "per_hour"), [("study", 15), ("text", 30)])
def test_pay_per_hour_is_what_comes_out_of_elapsed_time(unit: str, per_hour: float) -> None:
    campaign = paying(editor_pay=Decimal("1.50"), editor_pay_unit=unit)
    finish(campaign, 300, before=60)

    found = of_editors(campaign)

    assert found.hourly_elapsed is not None
    assert found.hourly_elapsed.median == pytest.approx(per_hour)


def test_times_that_are_too_short_to_be_true_are_said_to_be_so_and_make_no_pay_per_hour() -> None:
    """Of a program that posts forms: 9,090.91 per hour would stand there."""
    campaign = paying(editor_pay=Decimal("2.00"))
    finish(campaign, 1)

    page = pay_page(campaign)

    assert "1 participant took less than" in page
    assert "too short to be true" in page
    assert page.count("Nobody has finished yet") == 1  # of raters
    assert "Pay per elapsed hour" not in page
    assert of_editors(campaign).suggested_minutes is None
    finish(campaign, 360)
    assert of_editors(campaign).hourly_elapsed.median == 20  # type: ignore[union-attr]
    assert "1 participant took less than" in pay_page(campaign)


def test_the_time_is_held_against_what_reading_takes() -> None:
    campaign = paying()
    words = len(campaign.sources.first().text.split())  # type: ignore[union-attr]
    least = 2 * words / 12

    (quick,) = finish(campaign, 1)
    takes(quick, work=least - 0.01)
    assert (len(of_editors(campaign).too_short), len(of_editors(campaign).finished)) == (1, 0)
    takes(quick, work=least + 0.01)
    assert (len(of_editors(campaign).too_short), len(of_editors(campaign).finished)) == (0, 1)


def test_simulated_people_who_do_not_wait_are_not_said_to_be_too_quick() -> None:
    campaign = paying()
    finish(campaign, 1)
    Worker.objects.update(is_simulated=True)

    assert "too short to be true" not in pay_page(campaign)


def test_a_page_that_sent_no_time_is_named() -> None:
    campaign = paying(rater_tasks=2)
    edit_all(campaign, 1)
    someone = comes(named_link(campaign, RATE, "Raters"), "a", 2, Outcome.DONE)
    takes(someone, work=120)

    said = "With some texts of 1 participant, the page sent no time, or one that is too short to be true"
    for sent, is_said in ((None, True), (40, True), (30_000, False)):
        Rating.objects.filter(worker=someone.worker).update(milliseconds=sent)
        assert (said in pay_page(campaign)) is is_said
        assert (time_and_pay(campaign, Round.RATE).active is None) is is_said


@pytest.mark.parametrize(("minimum", "warns"), [("15.00", False), ("15.01", True), (None, False)])
def test_staff_are_warned_in_words_where_less_than_the_minimum_comes_out(minimum: str | None, warns: bool) -> None:
    campaign = paying(editor_pay=Decimal("1.50"), minimum_hourly_pay=minimum and Decimal(minimum))
    finish(campaign, 360)

    assert ("You want to pay at least £15.01." in pay_page(campaign)) is warns
    assert ("Half of the participants earned less than £15.00 per hour" in pay_page(campaign)) is warns


def test_without_data_times_are_unknown_and_few_people_are_said_to_be_few() -> None:
    campaign = paying(editor_pay=Decimal(1))
    assert "Nobody has finished yet, so times are unknown." in pay_page(campaign)
    finish(campaign, 60, 60, 60, 60)
    assert "Few participants: only 4 have finished so far." in pay_page(campaign)
    finish(campaign, 60)
    assert "Few participants" not in pay_page(campaign)


def test_tests_excluded_people_and_those_who_did_not_finish_say_nothing_about_time() -> None:
    campaign = paying()
    _, test, excluded, stopped = finish(campaign, 60, 6_000, 6_000, 6_000)
    Worker.objects.filter(pk=test.worker_id).update(is_test=True)
    person_exclude(worker=excluded.worker, work_round=EDIT, user=make_staff(), note="A program.")
    Enrolment.objects.filter(pk=stopped.pk).update(outcome=Outcome.STOPPED_EARLY)

    found = of_editors(campaign)

    assert len(found.finished) == 1
    assert len(found.paid) == 2  # whoever was excluded had finished, too


def test_simulated_people_count_only_where_there_are_no_others() -> None:
    campaign = paying()
    finish(campaign, *[60] * 5)
    Worker.objects.update(is_simulated=True)
    assert len(of_editors(campaign).finished) == 5
    assert of_editors(campaign).suggested_minutes is None
    assert "These participants are simulated:" in pay_page(campaign)
    finish(campaign, 120)
    assert len(of_editors(campaign).finished) == 1


@pytest.mark.parametrize(
    ("unit", "due", "expected"), [("study", Decimal(2), Decimal(8)), ("text", Decimal(5), Decimal(16))]
)
def test_the_whole_round_costs_what_is_due_and_the_people_still_needed(
    unit: str, due: Decimal, expected: Decimal
) -> None:
    """16 compressions are wanted; 5 are there, one of them from someone who stopped early."""
    campaign = paying(editors_per_source=2, editor_pay=Decimal(1), editor_pay_unit=unit)
    finish(campaign, 60, 60)
    comes(named_link(campaign, EDIT, "Another"), "left", 1, Outcome.STOPPED_EARLY)

    found = of_editors(campaign)

    assert (found.texts_left, found.people_needed) == (11, 6)
    assert (found.due, found.expected) == (due, expected)


def test_nobody_does_the_same_text_twice_so_a_text_takes_as_many_people_as_it_has_open_places() -> None:
    campaign = paying(sources=2, editors_per_source=3, editor_tasks=8, editor_pay=Decimal(2))

    found = of_editors(campaign)
    assert (found.texts_left, found.people_needed, found.expected) == (6, 3, Decimal(6))

    comes(named_link(campaign, EDIT, "Pilot"), "a", 2, Outcome.DONE)
    found = of_editors(campaign)
    assert (found.texts_left, found.people_needed, found.expected) == (4, 2, Decimal(6))


def test_someone_by_two_links_is_paid_for_each() -> None:
    campaign = paying(editor_pay=Decimal(1))
    (first,) = finish(campaign, 60)
    comes_again(first, named_link(campaign, EDIT, "Main study"), 2, Outcome.DONE)

    assert of_editors(campaign).due == 2


def test_people_are_counted_once_however_often_they_came() -> None:
    campaign = paying(editor_pay=Decimal(1))
    first, *_ = finish(campaign, *[60] * 4)
    takes(comes_again(first, named_link(campaign, EDIT, "Main study"), 2, Outcome.DONE), before=0, work=60)

    found = of_editors(campaign)

    assert (len(found.finished), found.people_timed, found.people_paid) == (5, 4, 4)
    assert found.suggested_minutes is None
    assert "Few participants: only 4 have finished so far." in pay_page(campaign)


def test_a_change_of_pay_since_people_took_part_is_said_beside_the_cost() -> None:
    campaign, words = paying(), "The pay has changed since some of them took part; this uses the present one."
    settings_change(campaign, editor_pay=Decimal(1))
    (first,) = finish(campaign, 60)
    settings_change(campaign, keep_percent=60, rater_pay=Decimal(3))
    assert words not in pay_page(campaign)

    settings_change(campaign, editor_pay=Decimal(2))
    assert words in pay_page(campaign)

    comes_again(first, named_link(campaign, EDIT, "Main study"))
    Enrolment.objects.update(settings_version=Campaign.objects.get(pk=campaign.pk).settings_version)
    PastVisit.objects.update(settings_version=Campaign.objects.get(pk=campaign.pk).settings_version)
    assert words not in pay_page(campaign)


@pytest.mark.parametrize("unit", ["study", "text"])
@pytest.mark.parametrize(("failed_pay", "due"), [(Decimal("0.5"), 2), (Decimal(0), 1), (None, 1)])
def test_a_test_that_was_not_passed_costs_what_raters_were_told(
    unit: str, failed_pay: Decimal | None, due: int
) -> None:
    """One rater is done with one text, two fail the test, one of them on a first visit; a trial costs nothing."""
    campaign = paying(rater_pay=Decimal(1), rater_pay_unit=unit, failed_pay=failed_pay, rater_tasks=1)
    edit_all(campaign, 1)
    link = named_link(campaign, RATE, "Raters")
    comes(link, "passed", 1, Outcome.DONE)
    failed = comes(link, "failed", 0, Outcome.FAILED)
    comes_again(comes(link, "twice", 0, Outcome.FAILED), named_link(campaign, RATE, "Again"))
    tried = comes(named_link(campaign, RATE, "Trial"), "staff", 0, Outcome.FAILED)
    Worker.objects.filter(pk=tried.worker_id).update(is_test=True)
    campaign.refresh_from_db()

    found = time_and_pay(campaign, Round.RATE)

    assert found.due == due
    left = found.pay.of_round(texts=found.texts_left, people=found.people_needed)
    assert left
    assert found.expected == due + left
    assert time_and_pay(campaign, Round.EDIT).due is None
    assert [owed.amount for owed in owed_to(failed.worker)] == ([failed_pay] if failed_pay else [])
    assert re.search(rf"Cost so far\s*</dt>\s*<dd>\s*[^<]*{due}\.00", pay_page(campaign))
    Worker.objects.update(is_simulated=True)
    assert "Cost so far, if they were real" in pay_page(campaign)


def test_the_list_of_those_who_failed_says_what_each_gets() -> None:
    campaign = paying(failed_pay=Decimal("0.5"))
    comes(named_link(campaign, RATE, "Raters"), "failed", 0, Outcome.FAILED)
    page = readable(owner_of(campaign).get(f"/campaigns/{campaign.slug}/participants/rate/lists/"))
    assert re.search(r"Each gets [^<]*0\.50", page)


def test_pay_that_is_not_set_makes_no_amounts() -> None:
    campaign = paying()
    finish(campaign, 60)
    found = of_editors(campaign)
    assert (found.due, found.expected, found.pay_per_person, found.hourly_elapsed) == (None, None, None, None)
    assert "not set" in pay_page(campaign)


# What participants are told


def tell(campaign: Campaign, **sent: Any) -> Any:
    return owner_of(campaign).post(f"/campaigns/{campaign.slug}/pay/tell/", {"round": "edit", **sent})


def test_the_median_of_five_becomes_what_participants_are_told_once_staff_confirm_it() -> None:
    campaign = paying()
    finish(campaign, 60, 120, 181, 240, 300)
    assert "Tell participants about 4 minutes" in pay_page(campaign)

    asked = tell(campaign, minutes=4)
    campaign.refresh_from_db()
    assert (asked.status_code, campaign.editor_minutes) == (409, None)
    assert "Confirm the change" in readable(asked)

    tell(campaign, minutes=4, confirmed=1)
    campaign.refresh_from_db()
    assert campaign.editor_minutes == 4
    assert campaign.settings_version is not None
    assert campaign.settings_version.number == 2
    assert "Tell participants" not in pay_page(campaign)


def test_a_confirmation_of_settings_that_others_have_changed_is_asked_for_again() -> None:
    campaign = paying()
    finish(campaign, *[60] * 5)
    settings_change(campaign, keep_percent=60)

    assert tell(campaign, minutes=1, confirmed=1).status_code == 409


def test_the_way_back_from_the_confirmation_leads_to_the_pay() -> None:
    campaign = paying()
    finish(campaign, *[60] * 5)

    assert tell(campaign, minutes=1, edit_again=1)["Location"] == f"/campaigns/{campaign.slug}/pay/"


def test_fewer_than_five_are_too_few_to_tell_participants() -> None:
    campaign = paying()
    finish(campaign, *[60] * 4)

    assert "Tell participants" not in pay_page(campaign)
    tell(campaign, minutes=1, confirmed=1)
    campaign.refresh_from_db()
    assert campaign.editor_minutes is None


@pytest.mark.parametrize(
    "sent", [{"minutes": 0}, {"minutes": 1_441}, {"minutes": "x"}, {"minutes": 1, "round": "expert"}]
)
def test_other_times_are_not_told(sent: dict[str, Any]) -> None:
    campaign = paying()
    finish(campaign, *[60] * 5)

    tell(campaign, confirmed=1, **sent)

    campaign.refresh_from_db()
    assert campaign.editor_minutes is None


def test_viewers_see_time_and_pay_and_change_nothing() -> None:
    campaign = paying()
    finish(campaign, *[60] * 5)
    viewer, address = viewer_of(campaign), f"/campaigns/{campaign.slug}/pay/"

    assert '<button type="submit">Tell' not in readable(viewer.get(address))
    assert viewer.post(f"{address}tell/", {"round": "edit", "minutes": 1}).status_code == 403
