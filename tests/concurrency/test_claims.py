"""Many people at the same moment, through the pages."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from random import Random
from threading import Event

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from compressions.models import Compression, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from compressions.services.targets import rating_block
from crowd.models import Assignment, Campaign, Enrolment, Item, Worker
from crowd.selectors.campaigns import work_is_left
from crowd.services.claims import TaskAhead, assignment_claim
from crowd.services.leases import own_unfinished
from ratings.models import Rating, RatingVersion
from ratings.services.exclusions import person_exclude
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    rewriting_log,
    submission_of,
    submit_edit,
    submit_text,
    version_of,
    worker_client,
)
from tests.support.together import PATIENCE_SECONDS, after_somebody_waits, together

pytestmark = pytest.mark.django_db(transaction=True)
needs_row_locks = [
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
State = Assignment.State
DONE = "/work/done/"


def form_of(assignment: Assignment, version: int = 0) -> dict[str, str]:
    """What the page of a task sends; version 0 is what everybody might write."""
    source = source_of_assignment(assignment)
    sent = submission_of(source)
    if version:
        text = version_of(source, version)
        sent = Submission(text, rewriting_log(source.text, text))
    return {"text": sent.text, "log": json.dumps(sent.raw_log), "started_from": sent.started_from}


def task_at(address: str) -> Assignment:
    return Assignment.objects.get(pk=int(address.rstrip("/").rsplit("/", 1)[1]))


def twin(client: Client) -> Client:
    """The same browser, sending from another tab."""
    other = Client()
    other.cookies = client.cookies
    return other


def let_time_pass(assignment: Assignment) -> None:
    """Until the lease has run out."""
    Assignment.objects.filter(pk=assignment.pk).update(lease_ends_at=timezone.now() - timedelta(minutes=1))


@dataclass
class Crowd:
    """People who work at once: one submit in ten is sent twice, one task in fifteen left lying, some people vanish."""

    campaign: Campaign
    acknowledged: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def work(self, number: int) -> None:
        client = worker_client(self.campaign, EDIT, f"person-{number}")
        rng = Random(number)
        vanishes_after = rng.randrange(2, 6) if number % 8 == 7 else None
        done = 0
        address = client.get("/work/").headers.get("Location", DONE)
        while address != DONE:
            assert client.get(address).status_code == 200
            task = task_at(address)
            if rng.random() < 1 / 15:
                let_time_pass(task)
            if done == vanishes_after:
                let_time_pass(task)
                return
            address = self.submit(
                client, address, form_of(task, rng.choice([0, 0, number])), twice=rng.random() < 1 / 10
            )
            done += 1

    def submit(self, client: Client, address: str, form: dict[str, str], *, twice: bool) -> str:
        """Send a text; the address of what comes next.

        Of two copies, one may be answered a moment before a place comes free, the other after it: who is given more
        to do goes on with that.
        """
        task = task_at(address)
        clients = (client, twin(client)) if twice else (client,)
        replies = together([partial(each.post, address, form) for each in clients])
        assert {reply.status_code for reply in replies} <= {302, 409}
        taken_in = [reply for reply in replies if reply.status_code == 302]
        (self.acknowledged if taken_in else self.refused).append(task.pk)
        onward = [str(reply.headers["Location"]) for reply in taken_in or [client.post("/work/next/")]]
        return next((where for where in onward if where != DONE), DONE)


def crowd_works(*, items: int, people: int, k: int) -> Crowd:
    """A crowd works; then, one after the other, come as many people as are needed for what was left lying."""
    campaign = make_campaign(sources=items, editors_per_source=k, editor_tasks=items)
    crowd = Crowd(campaign)
    together([partial(crowd.work, number) for number in range(1, people + 1)])
    for latecomer in range(1001, 1001 + 8 * k, 8):
        if not work_is_left(campaign, EDIT):
            break
        crowd.work(latecomer)
    return crowd


def assert_nothing_over_repeated_or_lost(crowd: Crowd, *, items: int, k: int) -> None:
    stored = list(Compression.objects.values_list("source_id", "worker_id", "assignment_id"))
    people = Counter(source for source, _ in {(source, worker) for source, worker, _ in stored})
    assert len(people) == items
    assert set(people.values()) == {k}
    assert len(stored) == items * k
    assert sorted(assignment for _, _, assignment in stored) == sorted(crowd.acknowledged)
    assert set(Item.objects.filter(round=EDIT).values_list("open_slots", flat=True)) == {0}
    assert Assignment.objects.filter(round=EDIT, state=State.SUBMITTED).count() == items * k
    assert not Assignment.objects.filter(state=State.LEASED).exists()
    targets = list(Target.objects.values_list("source_id", "text"))
    assert len(targets) == len(set(targets))


@pytest.mark.parametrize(
    ("items", "people", "k"),
    [
        pytest.param(12, 8, 4, id="few"),
        pytest.param(80, 32, 5, id="many", marks=needs_row_locks),
    ],
)
def test_a_crowd_gets_every_text_done_by_k_people_and_loses_nothing(items: int, people: int, k: int) -> None:
    crowd = crowd_works(items=items, people=people, k=k)
    assert_nothing_over_repeated_or_lost(crowd, items=items, k=k)


COPIES = [pytest.param(8, id="8"), pytest.param(32, id="32", marks=needs_row_locks)]


@pytest.mark.parametrize("copies", COPIES)
def test_copies_of_a_submit_sent_at_once_are_one_row_and_one_reply(copies: int) -> None:
    client = worker_client(make_campaign(sources=3), EDIT)
    address = client.get("/work/").headers["Location"]
    form = form_of(task_at(address))
    replies = together([partial(twin(client).post, address, form) for _ in range(copies)])
    assert {(reply.status_code, reply.headers["Location"]) for reply in replies} == {
        (302, client.get("/work/").headers["Location"])
    }
    assert Compression.objects.count() == 1
    assert Assignment.objects.filter(round=EDIT, state=State.LEASED).count() == 1


@pytest.mark.parametrize("copies", COPIES)
def test_copies_of_a_judgement_sent_at_once_are_one_row_and_one_reply(copies: int) -> None:
    campaign = make_campaign(sources=2)
    editor = enrol(campaign, EDIT)
    while edit_next(editor):
        pass
    client = worker_client(campaign, RATE)
    address = client.get("/work/").headers["Location"]
    task = task_at(address).pk
    form = {"tasks": str(task), f"version-{task}": "0", f"meaning-{task}": "3", f"grammar-{task}": "2"}
    replies = together([partial(twin(client).post, address, form) for _ in range(copies)])
    assert len({(reply.status_code, reply.headers["Location"]) for reply in replies}) == 1
    assert Rating.objects.count() == RatingVersion.objects.count() == 1


@pytest.mark.parametrize("copies", COPIES)
def test_a_person_who_claims_in_many_tabs_gets_one_task(copies: int) -> None:
    client = worker_client(make_campaign(sources=40), EDIT)
    Assignment.objects.all().delete()
    replies = together([partial(twin(client).post, "/work/next/") for _ in range(copies)])
    assert len({reply.headers["Location"] for reply in replies}) == 1
    assert Assignment.objects.count() == 1


@pytest.mark.parametrize("copies", COPIES)
def test_a_person_who_consents_in_many_tabs_is_one_worker(copies: int) -> None:
    address = f"/join/{link_of(make_campaign(sources=1), EDIT).token}/"
    client = Client()
    client.get(f"{address}?participant=ada")
    replies = together([partial(twin(client).post, address) for _ in range(copies)])
    assert {reply.status_code for reply in replies} == {302}
    assert Worker.objects.count() == Enrolment.objects.count() == 1


@pytest.mark.parametrize("people", COPIES)
def test_the_same_text_sent_at_once_by_many_editors_is_one_text_to_judge(people: int) -> None:
    campaign = make_campaign(sources=1, editors_per_source=people)
    clients = [worker_client(campaign, EDIT) for _ in range(people)]
    tasks = [client.get("/work/").headers["Location"] for client in clients]
    form = form_of(task_at(tasks[0]))
    replies = together([partial(client.post, task, form) for client, task in zip(clients, tasks, strict=True)])
    assert {reply.status_code for reply in replies} == {302}
    assert Compression.objects.count() == people
    assert Target.objects.count() == Item.objects.filter(round=RATE).count() == 1


@pytest.mark.parametrize("people", COPIES)
def test_the_last_place_goes_to_one_of_those_who_want_it(people: int) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    workers = [enrol(campaign, EDIT) for _ in range(people)]
    begun = together([partial(assignment_claim, enrolment=worker) for worker in workers])
    assert sum(assignment is not None for assignment in begun) == 1


@pytest.mark.parametrize("people", COPIES)
def test_an_item_that_others_are_taking_is_waited_for_when_it_is_the_last(people: int) -> None:
    """Passing over a locked item must not tell people that there is no work."""
    campaign = make_campaign(sources=1, editors_per_source=people)
    workers = [enrol(campaign, EDIT) for _ in range(people)]
    begun = together([partial(assignment_claim, enrolment=worker) for worker in workers])
    assert None not in begun
    assert Item.objects.get(campaign=campaign).open_slots == 0


@pytest.mark.parametrize("people", COPIES)
def test_the_place_of_a_lost_lease_is_given_back_once(people: int) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    lost = assignment_claim(enrolment=enrol(campaign, EDIT))
    assert lost is not None
    let_time_pass(lost)
    workers = [enrol(campaign, EDIT) for _ in range(people)]
    begun = together([partial(assignment_claim, enrolment=worker) for worker in workers])
    assert sum(assignment is not None for assignment in begun) == 1
    assert Item.objects.get(campaign=campaign).open_slots == 0


class TestOnRowLocks:
    pytestmark = needs_row_locks

    def test_a_submit_and_a_claim_of_one_person_do_not_block_each_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The claim comes in the middle of the submit, and waits for it."""
        worker = enrol(make_campaign(sources=2), EDIT)
        assignment = assignment_claim(enrolment=worker)
        assert assignment is not None
        in_submit = Event()
        monkeypatch.setattr(
            "compressions.services.submission.rating_block", after_somebody_waits(rating_block, in_submit)
        )

        def claim() -> Assignment | None:
            assert in_submit.wait(PATIENCE_SECONDS)
            return assignment_claim(enrolment=worker)

        acts: list[Callable[[], object]] = [partial(submit_edit, worker, assignment), claim]
        _, begun = together(acts)
        assert isinstance(begun, Assignment)
        assert begun.pk != assignment.pk

    def test_a_locked_item_is_passed_over_while_there_are_others(self) -> None:
        campaign = make_campaign(sources=32, editors_per_source=1)
        workers = [enrol(campaign, EDIT) for _ in range(32)]
        begun = together([partial(assignment_claim, enrolment=worker) for worker in workers])
        assert len({assignment.item_id for assignment in begun if assignment}) == 32

    def test_an_exclusion_that_waits_for_a_submission_takes_the_next_task_back(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        campaign = make_campaign(sources=3)
        client = worker_client(campaign, EDIT, "ann")
        address = str(client.get("/work/").headers["Location"])
        task, in_submit = task_at(address), Event()
        monkeypatch.setattr(TaskAhead, "take", after_somebody_waits(TaskAhead.take, in_submit))

        def exclude() -> None:
            assert in_submit.wait(PATIENCE_SECONDS)
            person_exclude(worker=task.worker, work_round=EDIT, note="No.", user=None)

        acts: list[Callable[[], object]] = [partial(client.post, address, form_of(task)), exclude]
        together(acts)
        assert not Assignment.objects.filter(state=State.LEASED).exists()
        assert Assignment.objects.get(pk=task.pk).state == State.DISCARDED


def test_texts_of_one_source_are_paired_side_by_side_at_once() -> None:
    campaign = make_campaign(sources=1, editors_per_source=20, rating_task="pair", pairs_per_compression=4)
    for number in range(8):
        source = campaign.sources.get()
        submit_text(enrol(campaign, EDIT), version_of(source, 100 + number))
    workers = [enrol(campaign, EDIT) for _ in range(8)]
    tasks = [assignment_claim(enrolment=worker) for worker in workers]

    def submit(number: int, worker: Enrolment, task: Assignment) -> None:
        text = version_of(source, number)
        sent = Submission(text, rewriting_log(source.text, text))
        compression_submit(enrolment=worker, assignment_id=task.pk, source=source, submission=sent)

    begun = [(worker, task) for worker, task in zip(workers, tasks, strict=True) if task is not None]
    together([partial(submit, number, worker, task) for number, (worker, task) in enumerate(begun)])
    assert Compression.objects.count() == 16


def test_a_claim_that_meets_submissions_of_another_tab_twice_still_leads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    client = worker_client(make_campaign(sources=9, editor_tasks=9), EDIT, "ann")
    left = [2]

    def submit_in_other_tab() -> None:
        other = twin(client)
        address = str(other.get("/work/").headers["Location"])
        assert other.post(address, form_of(task_at(address))).status_code == 302

    def meanwhile(enrolment: Enrolment) -> list[Assignment]:
        rows = own_unfinished(enrolment)
        if left[0]:
            left[0] -= 1
            together([submit_in_other_tab])
        return rows

    monkeypatch.setattr("crowd.services.claims.own_unfinished", meanwhile)
    assert client.post("/work/next/").status_code == 302
    assert left == [0]
