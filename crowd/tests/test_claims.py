"""Handing out work, at the services: who gets what, and what happens when a lease runs out."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from common.errors import AlreadySubmitted, NotYours, SlotTaken
from crowd.models import Assignment, Campaign, Enrolment, Item, ItemConflict, Worker
from crowd.selectors.campaigns import work_is_left
from crowd.selectors.progress import round_progress
from crowd.selectors.work import live_lease, work_is_left_for
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from crowd.services.entry import enrolment_finish, enrolment_qualify
from crowd.services.exclusions import worker_exclude
from crowd.services.items import (
    close_open_slots,
    conflicts_create,
    item_extend,
    items_close,
    items_create,
    items_reopen,
)
from crowd.services.leases import (
    assignment_renew,
    assignment_skip,
    items_block_for_workers_of,
    lease_give_back,
    leases_expire,
    slot_claim,
    slot_claim_among,
)
from tests.support.clock import Clock
from tests.support.factories import EDIT, RATE, edit_next, enrol, make_campaign, rate_next, submit_edit, submit_text

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
State = Assignment.State
Compression = apps.get_model("compressions", "Compression")  # a room above this one


def claim(enrolment: Enrolment) -> Assignment:
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return assignment


def state_of(assignment: Assignment) -> str:
    return Assignment.objects.get(pk=assignment.pk).state


def only_item(campaign: Campaign) -> Item:
    return Item.objects.get(campaign=campaign, round=EDIT)


# Who gets what


def test_a_claim_leases_an_item_and_takes_one_place() -> None:
    campaign = make_campaign(sources=1, editors_per_source=3)
    assignment = claim(enrol(campaign, EDIT))
    assert (assignment.state, only_item(campaign).open_slots) == (State.LEASED, 2)


def test_a_second_claim_gives_the_same_lease_back() -> None:
    campaign = make_campaign(sources=3)
    worker = enrol(campaign, EDIT)
    assert claim(worker).pk == claim(worker).pk
    assert Assignment.objects.count() == 1


def test_a_second_claim_prolongs_the_lease(clock: Clock) -> None:
    worker = enrol(make_campaign(sources=1, lease_minutes=30), EDIT)
    first = claim(worker).lease_ends_at
    clock.advance(minutes=10)
    second = claim(worker).lease_ends_at
    assert first is not None
    assert second is not None
    assert (second - first).total_seconds() == 600


def test_nobody_gets_more_tasks_than_the_campaign_gives() -> None:
    worker = enrol(make_campaign(sources=5, editor_tasks=2), EDIT)
    done = [edit_next(worker) for _ in range(3)]
    assert [each is not None for each in done] == [True, True, False]


def test_a_closed_campaign_gives_nothing_new() -> None:
    campaign = make_campaign(sources=2)
    worker = enrol(campaign, EDIT)
    campaign_update(campaign=campaign, state="closed")
    assert assignment_claim(enrolment=refreshed(worker)) is None


def test_work_begun_before_the_campaign_was_paused_can_be_finished() -> None:
    campaign = make_campaign(sources=2)
    worker = enrol(campaign, EDIT)
    begun = claim(worker)
    campaign_update(campaign=campaign, state="paused")
    worker = refreshed(worker)
    assert claim(worker).pk == begun.pk
    submit_edit(worker, begun)
    assert assignment_claim(enrolment=worker) is None


def test_an_item_goes_to_as_many_people_as_it_wants_and_no_more() -> None:
    campaign = make_campaign(sources=1, editors_per_source=3)
    done = [edit_next(enrol(campaign, EDIT)) for _ in range(5)]
    assert [each is not None for each in done] == [True, True, True, False, False]


def test_nobody_gets_an_item_twice() -> None:
    worker = enrol(make_campaign(sources=1, editors_per_source=5), EDIT)
    assert edit_next(worker) is not None
    assert assignment_claim(enrolment=worker) is None


def test_items_are_handed_out_in_the_drawn_order() -> None:
    campaign = make_campaign(sources=6, editors_per_source=1)
    handed_out = [claim(enrol(campaign, EDIT)).item_id for _ in range(6)]
    drawn = Item.objects.filter(campaign=campaign).order_by("position").values_list("pk", flat=True)
    assert handed_out == list(drawn)


def test_a_campaign_hands_out_its_own_items_only() -> None:
    other = make_campaign(sources=3)
    worker = enrol(make_campaign(), EDIT)
    assert assignment_claim(enrolment=worker) is None
    assert work_is_left(other, EDIT)


def test_who_failed_the_qualification_gets_nothing() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    rater = enrol(campaign, RATE)
    enrolment_qualify(enrolment=rater, passed=False)
    assert assignment_claim(enrolment=refreshed(rater)) is None


def test_who_left_may_come_back_for_more() -> None:
    worker = enrol(make_campaign(sources=2), EDIT)
    edit_next(worker)
    enrolment_finish(enrolment=worker)
    assert assignment_claim(enrolment=refreshed(worker)) is not None


def refreshed(enrolment: Enrolment) -> Enrolment:
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


# Leases that run out


def test_the_place_of_a_lease_that_ran_out_goes_to_the_next_person(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, lease_minutes=30)
    vanished, next_person = enrol(campaign, EDIT), enrol(campaign, EDIT)
    lost = claim(vanished)
    assert assignment_claim(enrolment=next_person) is None
    clock.advance(minutes=31)
    assert claim(next_person).item_id == lost.item_id
    assert state_of(lost) == State.EXPIRED
    assert only_item(campaign).open_slots == 0


def test_a_lease_is_kept_to_its_last_minute(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, lease_minutes=30)
    claim(enrol(campaign, EDIT))
    clock.advance(minutes=30)
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None


def test_a_lease_that_ran_out_counts_as_work_left_before_anybody_reaps_it(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, lease_minutes=30)
    claim(enrol(campaign, EDIT))
    assert not work_is_left(campaign, EDIT)
    clock.advance(minutes=31)
    assert work_is_left(campaign, EDIT)


def test_leases_of_another_campaign_are_left_alone(clock: Clock) -> None:
    one, other = make_campaign(sources=1), make_campaign(sources=1)
    lost = claim(enrol(one, EDIT))
    clock.advance(minutes=60)
    assert leases_expire(campaign_id=other.pk, now=clock()) == 0
    assert state_of(lost) == State.LEASED


def test_each_place_is_given_back_once(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=3)
    for _ in range(2):
        claim(enrol(campaign, EDIT))
    clock.advance(minutes=60)
    assert [leases_expire(campaign_id=campaign.pk, now=clock()) for _ in range(2)] == [2, 0]
    assert only_item(campaign).open_slots == 3


def test_a_late_submit_is_taken_while_nobody_missed_the_place(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    worker = enrol(campaign, EDIT)
    late = claim(worker)
    clock.advance(minutes=60)
    submit_edit(worker, late)
    assert state_of(late) == State.SUBMITTED
    assert only_item(campaign).open_slots == 0


def test_a_late_submit_takes_the_place_again_if_it_is_free(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    worker = enrol(campaign, EDIT)
    late = claim(worker)
    clock.advance(minutes=60)
    leases_expire(campaign_id=campaign.pk, now=clock())
    submit_edit(worker, late)
    assert state_of(late) == State.SUBMITTED
    assert only_item(campaign).open_slots == 0


def test_a_late_submit_is_refused_when_the_place_is_taken(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    slow, quick = enrol(campaign, EDIT), enrol(campaign, EDIT)
    late = claim(slow)
    clock.advance(minutes=60)
    claim(quick)
    with pytest.raises(SlotTaken):
        submit_edit(slow, late)
    assert state_of(late) == State.EXPIRED
    assert not Compression.objects.exists()


def test_who_let_a_lease_run_out_gets_the_same_item_back(clock: Clock) -> None:
    campaign = make_campaign(sources=5, editors_per_source=2)
    worker = enrol(campaign, EDIT)
    first = claim(worker)
    clock.advance(minutes=60)
    leases_expire(campaign_id=campaign.pk, now=clock())
    again = claim(worker)
    assert (again.pk, again.state) == (first.pk, State.LEASED)
    assert again.item.open_slots == 1


def test_who_let_a_lease_run_out_gets_another_item_when_the_place_is_taken(clock: Clock) -> None:
    campaign = make_campaign(sources=2, editors_per_source=1)
    slow, gone, quick = enrol(campaign, EDIT), enrol(campaign, EDIT), enrol(campaign, EDIT)
    first = claim(slow)
    claim(gone)
    clock.advance(minutes=60)
    assert claim(quick).item_id == first.item_id
    assert claim(slow).item_id != first.item_id


def test_a_lease_that_ran_out_is_left_alone_while_there_is_other_work(clock: Clock) -> None:
    campaign = make_campaign(sources=2, editors_per_source=1)
    slow, quick = enrol(campaign, EDIT), enrol(campaign, EDIT)
    first = claim(slow)
    clock.advance(minutes=60)
    assert claim(quick).item_id != first.item_id
    assert submit_edit(slow, first).assignment == first


def test_a_reload_after_the_time_ran_out_still_shows_the_same_task(clock: Clock) -> None:
    worker = enrol(make_campaign(sources=3), EDIT)
    first = claim(worker)
    clock.advance(minutes=60)
    assert claim(worker).pk == first.pk


def test_a_lease_that_ran_out_is_nobody_at_work(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    slow, other = enrol(campaign, EDIT), enrol(campaign, EDIT)
    claim(slow)
    assert (round_progress(campaign, EDIT).claimed, work_is_left_for(other)) == (1, False)
    clock.advance(minutes=60)
    assert (round_progress(campaign, EDIT).claimed, work_is_left_for(other)) == (0, True)


def test_renewing_keeps_the_place_from_others(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, lease_minutes=30)
    worker = enrol(campaign, EDIT)
    lease = claim(worker)
    for _ in range(3):
        clock.advance(minutes=20)
        assignment_renew(assignment_id=lease.pk, enrolment=worker)
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None
    assert state_of(lease) == State.LEASED


def renew_for(hours: int, lease: Assignment, worker: Enrolment, clock: Clock) -> None:
    """Keep a page open, which renews its lease."""
    for _ in range(6 * hours):
        clock.advance(minutes=10)
        assignment_renew(assignment_id=lease.pk, enrolment=worker)


@pytest.mark.parametrize(("lease_minutes", "hours"), [(30, 4), (3 * 60, 6)])
def test_renewing_does_not_keep_a_text_for_ever(clock: Clock, lease_minutes: int, hours: int) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, lease_minutes=lease_minutes)
    holder, other = enrol(campaign, EDIT), enrol(campaign, EDIT)
    lease = claim(holder)
    renew_for(hours, lease, holder, clock)
    assert assignment_claim(enrolment=other) is None
    renew_for(1, lease, holder, clock)
    assert claim(other).item_id == lease.item_id
    with pytest.raises(SlotTaken):
        assignment_renew(assignment_id=lease.pk, enrolment=holder)


def test_giving_a_text_back_for_a_moment_does_not_start_its_time_anew(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    holder = enrol(campaign, EDIT)
    lease = claim(holder)
    renew_for(4, lease, holder, clock)
    lease_give_back(enrolment=holder)
    assert claim(holder).pk == lease.pk
    clock.advance(minutes=1)
    assert claim(enrol(campaign, EDIT)).item_id == lease.item_id


def test_a_text_held_for_too_long_can_be_submitted_while_nobody_needs_it(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    holder = enrol(campaign, EDIT)
    lease = claim(holder)
    renew_for(6, lease, holder, clock)
    assert claim(holder).pk == lease.pk
    submit_edit(holder, lease)
    assert state_of(lease) == State.SUBMITTED


def test_renewing_after_the_place_was_taken_is_refused(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    slow, quick = enrol(campaign, EDIT), enrol(campaign, EDIT)
    late = claim(slow)
    clock.advance(minutes=60)
    claim(quick)
    with pytest.raises(SlotTaken):
        assignment_renew(assignment_id=late.pk, enrolment=slow)


def test_renewing_takes_a_free_place_back(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    worker = enrol(campaign, EDIT)
    late = claim(worker)
    clock.advance(minutes=60)
    leases_expire(campaign_id=campaign.pk, now=clock())
    assert assignment_renew(assignment_id=late.pk, enrolment=worker).state == State.LEASED
    assert only_item(campaign).open_slots == 0


def test_renewing_finished_work_changes_nothing() -> None:
    worker = enrol(make_campaign(sources=2), EDIT)
    done = claim(worker)
    submit_edit(worker, done)
    assert assignment_renew(assignment_id=done.pk, enrolment=worker).state == State.SUBMITTED


def test_an_old_tab_does_not_take_a_second_lease(clock: Clock) -> None:
    """The first task ran out and was taken, another was begun, and then the first place became free again."""
    campaign = make_campaign(sources=2, editors_per_source=1, lease_minutes=30)
    worker, other = enrol(campaign, EDIT), enrol(campaign, EDIT)
    first = claim(worker)
    clock.advance(minutes=31)
    leases_expire(campaign_id=campaign.pk, now=clock())
    assert claim(other).item_id == first.item_id
    second = claim(worker)
    clock.advance(minutes=20)
    assignment_renew(assignment_id=second.pk, enrolment=worker)
    clock.advance(minutes=20)
    leases_expire(campaign_id=campaign.pk, now=clock())
    assert assignment_renew(assignment_id=first.pk, enrolment=worker).state == State.EXPIRED
    assert live_lease(worker) == second


# Pages of several tasks


def a_page_of_three() -> tuple[Campaign, Enrolment, list[Assignment]]:
    """Somebody with three texts to judge on one page, which are all that there are."""
    people: dict[str, Any] = {"editor_tasks": 3, "editors_per_source": 1, "raters_per_compression": 1}
    campaign = make_campaign(sources=3, ratings_per_page=3, lease_minutes=30, **people)
    editor, rater = enrol(campaign, EDIT), enrol(campaign, RATE)
    while edit_next(editor):
        pass
    claim(rater)
    page = Assignment.objects.filter(worker=rater.worker, state=State.LEASED).order_by("page_position")
    return campaign, rater, list(page)


@pytest.mark.parametrize("renewed", [0, 1, 2])
def test_renewing_one_task_of_a_page_keeps_the_places_of_all(clock: Clock, renewed: int) -> None:
    campaign, rater, page = a_page_of_three()
    clock.advance(minutes=20)
    assignment_renew(assignment_id=page[renewed].pk, enrolment=rater)
    clock.advance(minutes=29)
    assert leases_expire(campaign_id=campaign.pk, now=clock()) == 0
    assert assignment_claim(enrolment=enrol(campaign, RATE)) is None
    clock.advance(minutes=2)
    assert leases_expire(campaign_id=campaign.pk, now=clock()) == 3


def test_claiming_again_prolongs_all_tasks_of_a_page(clock: Clock) -> None:
    campaign, rater, page = a_page_of_three()
    clock.advance(minutes=20)
    assert claim(rater) == page[0]
    clock.advance(minutes=29)
    assert leases_expire(campaign_id=campaign.pk, now=clock()) == 0


def test_renewing_leaves_alone_what_of_the_page_is_done(clock: Clock) -> None:
    _, rater, page = a_page_of_three()
    assignment_skip(assignment_id=page[0].pk, enrolment=rater)
    clock.advance(minutes=20)
    assignment_renew(assignment_id=page[1].pk, enrolment=rater)
    assert [state_of(each) for each in page] == [State.SKIPPED, State.LEASED, State.LEASED]


# Items that are closed


def test_a_closed_item_is_given_to_nobody_until_it_is_open_again() -> None:
    campaign = make_campaign(sources=1)
    items_close(item_ids=[only_item(campaign).pk])
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None
    items_reopen(item_ids=[only_item(campaign).pk])
    assert claim(enrol(campaign, EDIT)).item == only_item(campaign)


def test_the_lease_of_an_item_that_was_closed_can_still_be_finished() -> None:
    campaign = make_campaign(sources=1)
    worker = enrol(campaign, EDIT)
    begun = claim(worker)
    items_close(item_ids=[begun.item_id])
    assert claim(worker) == begun
    submit_edit(worker, begun)
    assert state_of(begun) == State.SUBMITTED


def test_a_lease_that_ran_out_does_not_come_back_once_its_item_is_closed(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    worker = enrol(campaign, EDIT)
    late = claim(worker)
    clock.advance(minutes=60)
    leases_expire(campaign_id=campaign.pk, now=clock())
    items_close(item_ids=[late.item_id])
    assert assignment_claim(enrolment=worker) is None
    with pytest.raises(SlotTaken):
        assignment_renew(assignment_id=late.pk, enrolment=worker)
    with pytest.raises(SlotTaken):
        submit_edit(worker, late)
    assert (state_of(late), only_item(campaign).open_slots) == (State.EXPIRED, 2)


def test_a_closed_item_has_no_place_to_take() -> None:
    campaign = make_campaign(sources=2)
    worker, (closed, other) = enrol(campaign, EDIT), Item.objects.filter(campaign=campaign).order_by("pk")
    items_close(item_ids=[closed.pk])
    assert not slot_claim(closed.pk, worker)
    assert slot_claim_among([closed.pk, other.pk], worker) == other.pk
    assert slot_claim_among([closed.pk], worker) is None


# Work set aside, because its author was excluded


def work_set_aside() -> tuple[Enrolment, Assignment]:
    """Somebody excluded after they had submitted a text, and that task."""
    worker = enrol(make_campaign(sources=2), EDIT)
    done = claim(worker)
    submit_edit(worker, done)
    worker_exclude(worker=worker.worker, work_round=EDIT, note="Copied.", user=None)
    assert state_of(done) == State.DISCARDED
    return refreshed(worker), done


def test_work_set_aside_is_answered_alike_when_it_is_sent_again() -> None:
    worker, done = work_set_aside()
    assert submit_edit(worker, done).assignment == done
    assert state_of(done) == State.DISCARDED
    assert Compression.objects.count() == 1


def test_work_set_aside_cannot_be_skipped() -> None:
    worker, done = work_set_aside()
    with pytest.raises(AlreadySubmitted):
        assignment_skip(assignment_id=done.pk, enrolment=worker)
    assert state_of(done) == State.DISCARDED


def test_renewing_work_set_aside_changes_nothing() -> None:
    worker, done = work_set_aside()
    assert assignment_renew(assignment_id=done.pk, enrolment=worker).state == State.DISCARDED
    assert done.item.open_slots == Item.objects.get(pk=done.item_id).open_slots - 1


def test_who_is_excluded_is_given_nothing_and_takes_no_place_back() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    worker = enrol(campaign, EDIT)
    late = claim(worker)
    worker_exclude(worker=worker.worker, work_round=EDIT, note="Copied.", user=None)
    assert assignment_claim(enrolment=refreshed(worker)) is None
    with pytest.raises(SlotTaken):
        assignment_renew(assignment_id=late.pk, enrolment=worker)
    assert (state_of(late), only_item(campaign).open_slots) == (State.EXPIRED, 2)


# How many people an item wants


def places_of(item: Item) -> tuple[int, int]:
    """How many people it wants in all, and how many places are open."""
    return Item.objects.values_list("wanted", "open_slots").get(pk=item.pk)


@pytest.mark.parametrize(("people", "wanted"), [(None, 3), (4, 4)])
def test_a_new_item_wants_as_many_people_as_was_said_or_the_campaign_says(people: int | None, wanted: int) -> None:
    campaign = make_campaign(editors_per_source=3)
    items = items_create(campaign=campaign, work_round=EDIT, count=2, rng=random.Random(1), people=people)
    assert [places_of(item) for item in items] == [(wanted, wanted)] * 2


def test_an_item_is_extended_once() -> None:
    item = only_item(make_campaign(sources=1, editors_per_source=3))
    assert [item_extend(item_id=item.pk, slots=2) for _ in range(2)] == [True, False]
    assert places_of(item) == (5, 5)


def test_a_filled_item_wants_those_alone_who_have_it() -> None:
    campaign = make_campaign(sources=1, editors_per_source=3)
    claim(enrol(campaign, EDIT))
    close_open_slots(item_ids=[only_item(campaign).pk])
    assert places_of(only_item(campaign)) == (1, 0)


@pytest.mark.parametrize(("only_had", "blocked"), [(False, {"had it", "may not"}), (True, {"had it"})])
def test_an_item_is_closed_to_those_of_an_older_one(only_had: bool, blocked: set[str]) -> None:
    campaign = make_campaign(sources=2)
    older, newer = Item.objects.filter(campaign=campaign).order_by("position")
    had, may_not = enrol(campaign, EDIT, "had it"), enrol(campaign, EDIT, "may not")
    enrol(campaign, EDIT, "has nothing")
    assert claim(had).item == older
    Assignment.objects.create(item=older, worker=may_not.worker, round=EDIT, state=State.BLOCKED)
    items_block_for_workers_of(pairs=[(newer.pk, older.pk)], work_round=EDIT, only_had=only_had)
    closed_to = Assignment.objects.filter(item=newer, state=State.BLOCKED)
    assert set(closed_to.values_list("worker__external_id", flat=True)) == blocked


# Sent twice, or by somebody else


def test_a_submit_sent_twice_is_stored_once_and_answered_alike() -> None:
    worker = enrol(make_campaign(sources=1), EDIT)
    assignment = claim(worker)
    assert submit_edit(worker, assignment) == submit_edit(worker, assignment)
    assert Compression.objects.count() == 1


@pytest.mark.parametrize("act", [submit_edit, lambda who, what: assignment_renew(assignment_id=what.pk, enrolment=who)])
def test_the_task_of_somebody_else_does_not_exist(act: Callable[[Enrolment, Assignment], object]) -> None:
    campaign = make_campaign(sources=2)
    owner, stranger = enrol(campaign, EDIT), enrol(campaign, EDIT)
    assignment = claim(owner)
    with pytest.raises(NotYours):
        act(stranger, assignment)
    assert state_of(assignment) == State.LEASED
    assert not Compression.objects.exists()


def test_a_task_of_the_other_round_does_not_exist() -> None:
    campaign = make_campaign(sources=1)
    assignment = claim(enrol(campaign, EDIT, "ada"))
    with pytest.raises(NotYours):
        assignment_renew(assignment_id=assignment.pk, enrolment=enrol(campaign, RATE, "ada"))


# Items that exclude each other


def test_who_had_a_paragraph_does_not_get_its_sentences() -> None:
    campaign = make_campaign(sources=3)
    paragraph, *sentences = Item.objects.filter(campaign=campaign).order_by("position")
    conflicts_create(pairs=[(paragraph.pk, one.pk) for one in sentences])
    worker = enrol(campaign, EDIT)
    assert claim(worker).item == paragraph
    submit_edit(worker, claim(worker))
    assert assignment_claim(enrolment=worker) is None


def test_an_author_does_not_judge_their_own_text() -> None:
    campaign = make_campaign(sources=1)
    assert edit_next(enrol(campaign, EDIT, "ada")) is not None
    assert assignment_claim(enrolment=enrol(campaign, RATE, "ada")) is None
    assert assignment_claim(enrolment=enrol(campaign, RATE, "bob")) is not None


def test_who_wrote_a_text_that_another_wrote_before_does_not_judge_it() -> None:
    campaign = make_campaign(sources=1)
    for name in ("ada", "bob"):
        edit_next(enrol(campaign, EDIT, name))
    assert assignment_claim(enrolment=enrol(campaign, RATE, "bob")) is None


def test_who_judged_a_text_does_not_edit_its_source() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT, "ada"))
    assert rate_next(enrol(campaign, RATE, "bob")) is not None
    assert assignment_claim(enrolment=enrol(campaign, EDIT, "bob")) is None


def test_who_is_editing_a_source_is_not_shown_how_others_did_it() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT, "ada"))
    claim(enrol(campaign, EDIT, "bob"))
    assert assignment_claim(enrolment=enrol(campaign, RATE, "bob")) is None


def test_who_may_still_come_back_to_a_source_is_not_shown_how_others_did_it(clock: Clock) -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT, "ada"))
    claim(enrol(campaign, EDIT, "bob"))
    clock.advance(minutes=60)
    leases_expire(campaign_id=campaign.pk, now=clock())
    assert assignment_claim(enrolment=enrol(campaign, RATE, "bob")) is None


def test_who_finished_a_source_may_judge_how_others_did_it() -> None:
    campaign = make_campaign(sources=1)
    for name, text in (("ada", "The committee met."), ("bob", "The committee agreed.")):
        submit_text(enrol(campaign, EDIT, name), text)
    bob = enrol(campaign, RATE, "bob")
    rating = rate_next(bob)
    assert rating is not None
    assert rating.target is not None
    assert rating.target.text == "The committee met."
    assert assignment_claim(enrolment=bob) is None


# What it costs


def queries_of(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


def test_a_claim_takes_as_many_queries_whatever_the_number_of_items() -> None:
    few, many = (enrol(make_campaign(sources=number), EDIT) for number in (10, 500))
    assert queries_of(lambda: claim(few)) == queries_of(lambda: claim(many))


def test_a_submit_takes_as_many_queries_whatever_the_number_of_items() -> None:
    few, many = (enrol(make_campaign(sources=number), EDIT) for number in (10, 500))
    claims = {each: claim(each) for each in (few, many)}
    assert queries_of(lambda: submit_edit(few, claims[few])) == queries_of(lambda: submit_edit(many, claims[many]))


def test_a_claim_is_cheap(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    worker = enrol(make_campaign(sources=20), EDIT)
    with django_assert_max_num_queries(13):
        claim(worker)


def test_a_submit_is_cheap(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    worker = enrol(make_campaign(sources=20), EDIT)
    assignment = claim(worker)
    with django_assert_max_num_queries(16):
        submit_edit(worker, assignment)


def test_a_judgement_is_cheap(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = make_campaign(sources=5)
    edit_next(enrol(campaign, EDIT))
    rater = enrol(campaign, RATE)
    with django_assert_max_num_queries(29):
        assert rate_next(rater) is not None


# What the tables themselves refuse


def a_lease(item: Item, worker: Worker, **changes: object) -> Assignment:
    now = timezone.now()
    fields = {"round": item.round, "state": State.LEASED, "leased_at": now, "lease_ends_at": now, **changes}
    return Assignment(item=item, worker=worker, **fields)


def refused_by_table(write: Callable[[], object], name: str) -> None:
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        write()
    described = str(refusal.value)
    assert name in described or "UNIQUE constraint failed" in described


def test_the_table_refuses_an_item_given_twice_to_one_person() -> None:
    campaign = make_campaign(sources=1)
    item, worker = only_item(campaign), enrol(campaign, EDIT).worker
    times = {"state": State.SUBMITTED, "submitted_at": timezone.now()}
    a_lease(item, worker, **times).save()
    refused_by_table(a_lease(item, worker, **times).save, "assignment_once_per_item")


def test_the_table_refuses_two_leases_of_one_person_at_one_place_of_their_page() -> None:
    campaign = make_campaign(sources=3)
    one, two, three = Item.objects.filter(campaign=campaign)
    worker = enrol(campaign, EDIT).worker
    a_lease(one, worker).save()
    a_lease(two, worker, page_position=1).save()
    refused_by_table(a_lease(three, worker).save, "assignment_one_lease_per_position")


@pytest.mark.parametrize("open_slots", [-1, 6])
def test_the_table_refuses_places_that_cannot_be(open_slots: int) -> None:
    campaign = make_campaign(sources=1, editors_per_source=5)
    items = Item.objects.filter(campaign=campaign)
    refused_by_table(lambda: items.update(open_slots=open_slots), "open_slots")


def test_the_table_refuses_rounds_that_do_not_exist() -> None:
    campaign = make_campaign(sources=1)
    refused_by_table(lambda: Item.objects.filter(campaign=campaign).update(round="third"), "item_round_known")
    enrolment = Enrolment.objects.filter(pk=enrol(campaign, EDIT).pk)
    refused_by_table(lambda: enrolment.update(round="third"), "enrolment_round_known")


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"leased_at": None}, "assignment_lease_has_times"),
        ({"lease_ends_at": None}, "assignment_lease_has_times"),
        ({"state": State.BLOCKED}, "assignment_lease_has_times"),
        ({"state": State.SUBMITTED}, "assignment_submitted_has_time"),
        ({"submitted_at": timezone.now()}, "assignment_submitted_has_time"),
    ],
)
def test_the_table_refuses_a_state_without_its_times(changes: dict[str, object], name: str) -> None:
    campaign = make_campaign(sources=1)
    refused_by_table(a_lease(only_item(campaign), enrol(campaign, EDIT).worker, **changes).save, name)


def test_the_table_refuses_a_conflict_of_an_item_with_itself_or_twice() -> None:
    one, two = Item.objects.filter(campaign=make_campaign(sources=2))
    refused_by_table(ItemConflict(item=one, blocks=one).save, "item_conflict_not_itself")
    ItemConflict(item=one, blocks=two).save()
    refused_by_table(ItemConflict(item=one, blocks=two).save, "item_conflict_once")


def test_the_table_refuses_a_platform_id_bound_to_two_workers() -> None:
    campaign = make_campaign()
    fields = {"campaign": campaign, "platform_key": "prolific", "external_id": "5f1"}
    Worker(**fields, number=1).save()
    refused_by_table(Worker(**fields, number=2).save, "worker_platform_id_once")


def test_the_table_refuses_two_enrolments_in_a_round() -> None:
    campaign = make_campaign()
    first = enrol(campaign, EDIT)
    again = Enrolment(worker=first.worker, round=EDIT, link=first.link, consented_at=timezone.now())
    refused_by_table(again.save, "enrolment_once_per_round")


def test_the_table_refuses_codes_that_mean_two_things() -> None:
    campaign = make_campaign()
    refused_by_table(lambda: campaign.links.update(code_failed="A", code_done="A"), "join_link_code_done_not_failed")


@pytest.mark.parametrize(
    ("setting", "value", "name"),
    [
        ("editors_per_source", 0, "campaign_editors_per_source_range"),
        ("lease_minutes", 0, "campaign_lease_minutes_range"),
        ("editor_tasks", 0, "campaign_editor_tasks_range"),
        ("keep_percent", 100, "campaign_keep_percent_range"),
        ("qualification_pass_percent", 101, "campaign_qualification_pass_percent_range"),
    ],
)
def test_the_table_refuses_settings_without_sense(setting: str, value: int, name: str) -> None:
    campaigns = Campaign.objects.filter(pk=make_campaign().pk)
    refused_by_table(lambda: campaigns.update(**{setting: value}), name)


def test_the_table_refuses_a_second_compression_or_rating_of_an_assignment() -> None:
    campaign = make_campaign(sources=1)
    compression = edit_next(enrol(campaign, EDIT))
    rating = rate_next(enrol(campaign, RATE))
    for stored in (compression, rating):
        assert stored is not None
        stored.pk = None
        stored._state.adding = True
        refused_by_table(stored.save, "_id")
