"""Submit and skip, drafts, the division of paragraphs: at the same moment."""

from collections.abc import Callable
from functools import partial, wraps
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from common.clock import database_now
from compressions.models import Compression, Draft
from compressions.services import drafts
from compressions.services.paragraphs import paragraphs_divide
from crowd.models import Assignment, Campaign, Enrolment, Item
from crowd.services import leases
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_renew, leases_expire
from crowd.services.remarks import task_skip
from tests.support.factories import (
    EDIT,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    import_paragraphs,
    lease_run_out,
    make_campaign,
    submission_of,
    submit_edit,
)
from tests.support.together import LOCKS_WAITED_FOR, PATIENCE_SECONDS, together

pytestmark = pytest.mark.django_db(transaction=True)
needs_row_locks = [
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
State = Assignment.State
TIMES = pytest.mark.parametrize("time", range(5))


def twins(client: Client, count: int) -> list[Client]:
    """The same browser in several tabs."""
    tabs = [Client() for _ in range(count)]
    for tab in tabs:
        tab.cookies = client.cookies
    return tabs


def put(client: Client, task: Assignment, sequence: int) -> Any:
    log = [[0, "", f"{sequence} ", "typing", 1000]]
    # As a page that goes away: others save once a second.
    content = {"sequence": sequence, "started_from": "source", "log": log, "comment": "", "leaving": True}
    return client.put(f"/work/edit/{task.pk}/drafts/a/", content, content_type="application/json")


def assert_each_place_is_open_or_held() -> None:
    for item in Item.objects.all():
        held = Assignment.objects.filter(item=item, state__in=[State.LEASED, State.SUBMITTED]).count()
        assert item.open_slots + held == item.wanted


@TIMES
def test_of_a_submit_and_a_skip_of_the_same_task_one_wins(time: int) -> None:
    client, task = editor_at_work(make_campaign(sources=1, editors_per_source=2))
    submitting, skipping = twins(client, 2)
    fields = fields_of(submission_of(task.item.source))

    submitted, skipped = together(
        [
            partial(submitting.post, f"/work/edit/{task.pk}/", fields),
            partial(skipping.post, f"/work/tasks/{task.pk}/skip/", {"reason": "unclear"}),
        ]
    )

    state = Assignment.objects.get(pk=task.pk).state
    assert (submitted.status_code, state) in {(302, State.SUBMITTED), (409, State.SKIPPED)}
    assert skipped.status_code == 302
    assert Compression.objects.count() == (state == State.SUBMITTED)
    assert_each_place_is_open_or_held()


@TIMES
def test_a_task_skipped_in_many_tabs_is_given_back_once(time: int) -> None:
    client, task = editor_at_work(make_campaign(sources=1, editors_per_source=8))

    acts = [
        partial(tab.post, f"/work/tasks/{task.pk}/skip/", {"reason": "other", "text": str(number)})
        for number, tab in enumerate(twins(client, 8))
    ]

    assert {reply.status_code for reply in together(acts)} == {302}
    assert Item.objects.get().open_slots == 8
    assert Assignment.objects.get().remarks.count() == 1


@TIMES
def test_copies_of_a_save_that_come_at_once_are_kept_once(time: int) -> None:
    client, task = editor_at_work(make_campaign(sources=1))

    replies = together([partial(put, tab, task, 3) for tab in twins(client, 8)])

    assert [(reply.status_code, reply.json()) for reply in replies] == [(200, {"sequence": 3})] * 8
    assert Draft.objects.get().sequence == 3


@TIMES
def test_of_saves_of_a_page_that_come_at_once_the_last_stays(time: int) -> None:
    client, task = editor_at_work(make_campaign(sources=1))

    replies = together([partial(put, tab, task, number) for number, tab in enumerate(twins(client, 8), start=1)])

    assert {reply.status_code for reply in replies} == {200}
    assert (Draft.objects.get().sequence, Draft.objects.get().edit_log[0][2]) == (8, "8 ")


@TIMES
def test_a_paragraph_that_is_claimed_while_it_is_divided_bars_its_sentences(time: int) -> None:
    campaign = make_campaign(editors_per_source=4)
    import_paragraphs(campaign, ["p", "q"])
    people = [enrol(campaign, EDIT) for _ in range(8)]

    acts: list[Callable[[], object]] = [partial(assignment_claim, enrolment=each) for each in people]
    acts.insert(4, partial(paragraphs_divide, campaign=campaign, count=2, seed=1))
    together(acts)
    together([partial(work_to_the_end, each) for each in people])

    assert_nobody_had_both(campaign)
    assert_each_place_is_open_or_held()


def work_to_the_end(enrolment: Enrolment) -> None:
    while edit_next(enrolment):
        pass


def assert_nobody_had_both(campaign: Campaign) -> None:
    had = Assignment.objects.filter(item__campaign=campaign, round=EDIT).exclude(state=State.BLOCKED)
    rows = had.values_list("worker", "item__source__source_id", "item__source__paragraph__source_id")
    assert len(rows) > 8
    assert not {(worker, whole) for worker, whole, _ in rows} & {(worker, paragraph) for worker, _, paragraph in rows}


class TestOnRowLocks:
    """The worst moment, made to happen."""

    pytestmark = needs_row_locks

    def test_a_later_save_is_kept_that_waits_for_the_first_of_its_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        client, task = editor_at_work(make_campaign(sources=1))
        written = Event()
        held = after_the_first(drafts._write_draft, partial(until_somebody_waits, written))
        monkeypatch.setattr(drafts, "_write_draft", held)
        first, second = twins(client, 2)

        def later() -> Any:
            assert written.wait(PATIENCE_SECONDS)
            return put(second, task, 2)

        acts: list[Callable[[], Any]] = [partial(put, first, task, 1), later]
        replies = together(acts)

        assert [reply.status_code for reply in replies] == [200, 200]
        assert Draft.objects.get().sequence == 2

    @pytest.mark.parametrize("act", ["skip", "submit"])
    def test_a_place_taken_back_at_that_moment_is_counted_once(self, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
        """Another tab renews a lease that had run out, after this one has found it to be over."""
        campaign = make_campaign(sources=1, editors_per_source=2)
        worker = enrol(campaign, EDIT)
        task = assignment_claim(enrolment=worker)
        assert task is not None
        lease_run_out(task)
        leases_expire(campaign_id=campaign.pk, now=database_now())
        renew = partial(in_another_tab, partial(assignment_renew, assignment_id=task.pk, enrolment=worker))
        monkeypatch.setattr(leases, "_own_assignment", before_the_first(leases._own_assignment, renew))

        if act == "skip":
            task_skip(enrolment=worker, assignment_id=task.pk, reason="unclear", text="")
        else:
            submit_edit(worker, task)

        assert Assignment.objects.get(pk=task.pk).state == {"skip": State.SKIPPED, "submit": State.SUBMITTED}[act]
        assert_each_place_is_open_or_held()


def after_the_first(act: Callable[..., Any], happening: Callable[[], None]) -> Callable[..., Any]:
    """An act after whose first time something else happens, before anything goes on."""
    begun = Event()

    @wraps(act)
    def held(*arguments: Any, **named: Any) -> Any:
        is_first = not begun.is_set()
        begun.set()
        result = act(*arguments, **named)
        if is_first:
            happening()
        return result

    return held


def before_the_first(act: Callable[..., Any], happening: Callable[[], None]) -> Callable[..., Any]:
    """An act before whose first time something else happens."""
    begun = Event()

    @wraps(act)
    def put_off(*arguments: Any, **named: Any) -> Any:
        if not begun.is_set():
            begun.set()
            happening()
        return act(*arguments, **named)

    return put_off


def in_another_tab(act: Callable[[], object]) -> None:
    def run() -> None:
        act()
        connection.close()

    tab = Thread(target=run)
    tab.start()
    tab.join(PATIENCE_SECONDS)
    assert not tab.is_alive()


def until_somebody_waits(reached: Event) -> None:
    """Say that this point is reached, and stay there until another transaction waits for this one."""
    reached.set()
    with connection.cursor() as cursor:
        for _ in range(100 * PATIENCE_SECONDS):
            cursor.execute(LOCKS_WAITED_FOR)
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody came to wait")
