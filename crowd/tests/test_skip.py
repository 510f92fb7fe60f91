"""Skipping a task and reporting a problem with its text, over HTTP."""

from typing import Any

import pytest
from django.apps import apps
from django.db.models import Count, F, Q
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from common.errors import AlreadySubmitted, SlotTaken
from crowd.models import Assignment, Enrolment, Item, Outcome, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from crowd.services.entry import enrolment_leave
from crowd.services.leases import leases_expire
from crowd.services.remarks import task_skip
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    lease_run_out,
    link_of,
    make_campaign,
    rate_next,
    readable,
    submission_of,
    submit_edit,
    worker_client,
)

pytestmark = pytest.mark.django_db
State = Assignment.State
Compression = apps.get_model("compressions", "Compression")  # a room above this one
SCRIPT = {"accept": "application/json"}


def skip(client: Client, task: Assignment, reason: str = "unclear", text: str = "", **options: Any) -> Any:
    return client.post(f"/work/tasks/{task.pk}/skip/", {"reason": reason, "text": text}, **options)


def report(client: Client, task: Assignment, reason: str = "broken", text: str = "", **options: Any) -> Any:
    return client.post(f"/work/tasks/{task.pk}/problem/", {"reason": reason, "text": text}, **options)


def submit(client: Client, task: Assignment) -> Any:
    return client.post(f"/work/edit/{task.pk}/", fields_of(submission_of(task.item.source)))


def state_of(task: Assignment) -> str:
    return Assignment.objects.get(pk=task.pk).state


def open_slots(task: Assignment) -> int:
    return Item.objects.get(pk=task.item_id).open_slots


@pytest.mark.parametrize("reason", Remark.SKIP_REASONS)
def test_a_skipped_task_leads_to_the_next_one_and_says_why(reason: str) -> None:
    campaign = make_campaign(sources=2, editors_per_source=1)
    client, task = editor_at_work(campaign)

    reply = skip(client, task, reason, " What is a <bridge>?\n ")

    following = Assignment.objects.get(state=State.LEASED)
    assert (reply.status_code, reply.headers["Location"]) == (302, f"/work/edit/{following.pk}/")
    assert following.item_id != task.item_id
    assert (state_of(task), open_slots(task)) == (State.SKIPPED, 1)
    said = Remark.objects.values_list("assignment", "kind", "reason", "text")
    assert said.get() == (task.pk, "skip", reason, "What is a <bridge>?")


@pytest.mark.parametrize("act", [skip, report])
@pytest.mark.parametrize(
    ("reason", "text", "error"),
    [
        ("other", "", "Say in a few words what it is."),
        ("other", " \n ", "Say in a few words what it is."),
        ("", "", "Choose a reason."),
        ("nonsense", "So.", "Select a valid choice. nonsense is not one of the available choices."),
        ("unclear", "a" * (MAX_REMARK_LENGTH + 1), f"at most {MAX_REMARK_LENGTH} characters"),
        ("unclear", "a\0", "Null characters are not allowed."),
    ],
)
def test_a_reason_is_needed_and_for_another_one_words(act: Any, reason: str, text: str, error: str) -> None:
    client, task = editor_at_work(make_campaign(sources=2))
    before = list(Assignment.objects.values())

    page, reply = act(client, task, reason, text), act(client, task, reason, text, headers=SCRIPT)

    assert (page.status_code, reply.status_code) == (422, 422)
    assert error in readable(page)
    assert error in reply.json()["error"]
    assert not Remark.objects.exists()
    assert list(Assignment.objects.values()) == before


def test_the_place_of_a_skipped_task_goes_to_somebody_else_and_never_back() -> None:
    campaign = make_campaign(sources=3, editors_per_source=1)
    client, task = editor_at_work(campaign)
    ann = enrol(campaign, EDIT, "ann")
    skip(client, task)

    assert sum(edit_next(ann) is not None for _ in range(5)) == 2
    assert client.post("/work/next/").headers["Location"] == "/work/done/"
    assert "/work/next/" not in readable(client.get("/work/done/"))
    assert edit_next(enrol(campaign, EDIT, "ben")) is not None

    assert (state_of(task), open_slots(task)) == (State.SKIPPED, 0)
    assert assignment_claim(enrolment=ann) is None


def test_a_skipped_task_is_none_done() -> None:
    client, task = editor_at_work(make_campaign(sources=3, editor_tasks=1))

    page = client.get(skip(client, task).headers["Location"])

    assert "Text 1 of 1" in readable(page)
    assert submit(client, Assignment.objects.get(state=State.LEASED)).headers["Location"] == "/work/done/"
    assert "Text done. Thank you!" in readable(client.get("/work/done/"))


@pytest.mark.parametrize(("skipped", "submitted"), [(2, 0), (3, 1)])
def test_who_skips_most_texts_ends_as_that_with_a_code_of_its_own(skipped: int, submitted: int) -> None:
    campaign = make_campaign(sources=skipped + submitted)
    client, task = editor_at_work(campaign)
    for _ in range(submitted):
        submit(client, task)
        task = Assignment.objects.get(state=State.LEASED)
    for _ in range(skipped):
        skip(client, task)
        task = Assignment.objects.filter(state=State.LEASED).first() or task

    page, link = readable(client.get("/work/done/")), link_of(campaign, EDIT)
    assert Enrolment.objects.get().outcome == Outcome.SKIPPED
    assert "You skipped more texts than you finished." in page
    assert link.code_skipped in page
    assert link.code_no_work not in page
    assert link.code_done not in page


def test_who_finishes_as_many_as_they_skip_or_all_that_they_may_is_done() -> None:
    client, task = editor_at_work(make_campaign(sources=2))
    skip(client, task)
    submit(client, Assignment.objects.get(state=State.LEASED))
    assert Enrolment.objects.get().outcome == Outcome.DONE

    full, task = editor_at_work(make_campaign(sources=4, editor_tasks=1))
    for _ in range(3):
        skip(full, task)
        task = Assignment.objects.get(state=State.LEASED)
    submit(full, task)
    assert Enrolment.objects.latest("pk").outcome == Outcome.DONE


def test_who_skipped_most_can_still_be_done_when_there_are_texts_again() -> None:
    campaign = make_campaign(sources=2, editors_per_source=1)
    client, task = editor_at_work(campaign)
    ben = enrol(campaign, EDIT, "ben")
    assert assignment_claim(enrolment=ben) is not None
    skip(client, task)
    assert Enrolment.objects.exclude(pk=ben.pk).get().outcome == Outcome.SKIPPED
    enrolment_leave(enrolment=ben)

    client.post("/work/next/")
    submit(client, Assignment.objects.get(state=State.LEASED))

    assert Enrolment.objects.exclude(pk=ben.pk).get().outcome == Outcome.DONE


def test_a_task_skipped_twice_is_skipped_once() -> None:
    client, task = editor_at_work(make_campaign(sources=2, editors_per_source=3))

    first, second = skip(client, task), skip(client, task, "upsetting", "After all.")

    assert (first.status_code, first.headers["Location"]) == (second.status_code, second.headers["Location"])
    assert (state_of(task), open_slots(task)) == (State.SKIPPED, 3)
    assert Assignment.objects.count() == 2
    assert (Remark.objects.get().reason, Remark.objects.get().text) == ("upsetting", "After all.")


def test_what_was_submitted_cannot_be_skipped() -> None:
    client, task = editor_at_work(make_campaign(sources=2, editors_per_source=1))
    submit(client, task)

    page, reply = client.get(skip(client, task).headers["Location"]), skip(client, task, headers=SCRIPT)

    assert "You have submitted this text, so you can’t skip it any more." in readable(page)
    assert list(reply.json()) == ["next"]
    assert (state_of(task), open_slots(task)) == (State.SUBMITTED, 0)
    assert Compression.objects.count() == 1
    assert not Remark.objects.exists()


@pytest.mark.parametrize("act", [skip, report])
def test_nobody_speaks_about_the_task_of_another(act: Any) -> None:
    campaign = make_campaign(sources=2)
    _, task = editor_at_work(campaign)
    edit_next(enrol(campaign, EDIT, "cem"))
    strangers = [worker_client(campaign, EDIT, "ben"), worker_client(campaign, RATE, "ann"), Client()]

    assert [act(client, task).status_code for client in strangers] == [404, 404, 403]

    assert state_of(task) == State.LEASED
    assert not Remark.objects.exists()


def test_an_item_that_is_barred_cannot_be_skipped() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT, "ann"))
    client = worker_client(campaign, RATE, "ann")
    barred = Assignment.objects.get(state=State.BLOCKED)

    assert skip(client, barred).status_code == 404

    assert state_of(barred) == State.BLOCKED


def test_a_task_whose_time_ran_out_is_skipped_before_anybody_missed_it(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    client, task = editor_at_work(campaign)
    clock.advance(minutes=60)

    assert skip(client, task).status_code == 302

    assert leases_expire(campaign_id=campaign.pk, now=clock()) == 0
    assert (state_of(task), open_slots(task)) == (State.SKIPPED, 1)


def test_a_task_whose_place_was_given_back_is_skipped_without_giving_it_back_again(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    client, task = editor_at_work(campaign)
    clock.advance(minutes=60)
    leases_expire(campaign_id=campaign.pk, now=clock())

    assert skip(client, task).status_code == 302

    assert (state_of(task), open_slots(task)) == (State.SKIPPED, 2)


def test_a_task_whose_place_somebody_else_has_is_skipped_and_they_keep_it(clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    client, task = editor_at_work(campaign)
    clock.advance(minutes=60)
    other = assignment_claim(enrolment=enrol(campaign, EDIT, "ben"))
    assert other is not None

    assert skip(client, task).headers["Location"] == "/work/done/"

    assert (state_of(task), state_of(other), open_slots(task)) == (State.SKIPPED, State.LEASED, 0)


def test_a_task_can_be_skipped_after_the_campaign_closed() -> None:
    campaign = make_campaign(sources=2)
    client, task = editor_at_work(campaign)
    campaign_update(campaign=campaign, state="closed")

    assert skip(client, task, headers=SCRIPT).json() == {"next": "/work/done/"}

    assert state_of(task) == State.SKIPPED


@pytest.mark.parametrize("reason", Remark.PROBLEM_REASONS)
def test_a_problem_is_told_and_the_task_goes_on(reason: str) -> None:
    client, task = editor_at_work(make_campaign(sources=2))
    before = Assignment.objects.values().get()

    page = client.get(report(client, task, reason, "Half of it is missing.").headers["Location"], follow=True)

    assert "Thanks, we’ll look at it." in readable(page)
    assert page.redirect_chain == [(f"/work/edit/{task.pk}/", 302)]
    assert Assignment.objects.values().get() == before
    assert Remark.objects.values_list("kind", "reason", "text").get() == ("problem", reason, "Half of it is missing.")


def test_a_problem_told_again_is_told_anew_and_stands_beside_a_skip() -> None:
    client, task = editor_at_work(make_campaign(sources=2))

    reply = report(client, task, "broken", "Here.", headers=SCRIPT)
    report(client, task, "private")
    skip(client, task, "page")

    assert (reply.status_code, reply.json()) == (200, {"message": "Thanks, we’ll look at it."})
    told = Remark.objects.order_by("kind").values_list("kind", "reason", "text")
    assert list(told) == [("problem", "private", ""), ("skip", "page", "")]


def test_a_rater_may_skip_too() -> None:
    campaign = make_campaign(sources=2)
    assert all(edit_next(enrol(campaign, EDIT, "ann")) for _ in range(2))
    client = worker_client(campaign, RATE, "ben")
    task = Assignment.objects.get(worker__external_id="ben", state=State.LEASED)

    assert skip(client, task).headers["Location"].startswith("/work/rate/")

    ben = enrol(campaign, RATE, "ben")
    assert sum(rate_next(ben) is not None for _ in range(3)) == 1


ACTS = st.sampled_from(["claim", "submit", "skip", "stall"])
PLAYS = st.lists(st.tuples(st.sampled_from("abc"), ACTS, st.integers(0, 3)), max_size=25)


@given(plays=PLAYS)
def test_every_place_is_open_or_held_by_somebody_whatever_is_skipped(plays: list[tuple[str, str, int]]) -> None:
    campaign = make_campaign(sources=2, editors_per_source=2)
    people = {name: enrol(campaign, EDIT, name) for name in "abc"}
    held = Count("assignments", filter=Q(assignments__state__in=[State.LEASED, State.SUBMITTED]))
    for name, act, place in plays:
        shown = list(Assignment.objects.filter(worker=people[name].worker, round=EDIT).order_by("pk"))
        try:
            if act == "claim":
                assignment_claim(enrolment=people[name])
            elif shown:
                do(act, people[name], shown[place % len(shown)])
        except (AlreadySubmitted, SlotTaken):
            assert shown[place % len(shown)].state != State.LEASED
        items = Item.objects.filter(campaign=campaign, round=EDIT).annotate(held=held)
        assert not items.exclude(wanted=F("held") + F("open_slots")).exists()


def do(act: str, enrolment: Enrolment, task: Assignment) -> None:
    if act == "submit":
        submit_edit(enrolment, task)
    elif act == "skip":
        task_skip(enrolment=enrolment, assignment_id=task.pk, reason="unclear", text="")
    elif task.state == State.LEASED:
        lease_run_out(task)
