"""The next task is taken along with a submission, and never at its expense."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F, Sum
from django.test import Client

from common.errors import SlotTaken
from compressions.models import Compression, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from compressions.services.targets import target_known
from crowd.models import Assignment, Campaign, Enrolment, Item, Round
from crowd.services.claims import TaskAhead, assignment_claim
from ratings.models import Rating
from ratings.services.exclusions import person_exclude
from ratings.services.rating import Judgement, rating_submit
from ratings.subjects import subject_of
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    enrol,
    fields_of,
    make_campaign,
    submission_of,
    worker_client,
)
from tests.support.settings import settings_change

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
State = Assignment.State


def at_work(campaign: Campaign, work_round: Round = EDIT, name: str = "ada") -> tuple[Enrolment, Assignment]:
    enrolment = enrol(campaign, work_round, name)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return enrolment, assignment


def submit(enrolment: Enrolment, assignment: Assignment, ahead: TaskAhead) -> None:
    if enrolment.round == EDIT:
        source = source_of_assignment(assignment)
        compression_submit(
            enrolment=enrolment,
            assignment_id=assignment.pk,
            source=source,
            submission=submission_of(source),
            ahead=ahead,
        )
    else:
        judgement = Judgement({"meaning": 3, "grammar": 3})
        subject = subject_of(assignment)
        rating_submit(enrolment=enrolment, assignment=assignment, subject=subject, judgement=judgement, ahead=ahead)


def again(enrolment: Enrolment) -> Enrolment:
    """The enrolment as the next request reads it."""
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def leases(enrolment: Enrolment) -> list[int]:
    own = Assignment.objects.filter(worker=enrolment.worker, round=enrolment.round, state=State.LEASED)
    return list(own.values_list("pk", flat=True))


def slots_add_up(campaign: Campaign) -> bool:
    held = Assignment.objects.filter(item__campaign=campaign, state__in=[State.LEASED, State.SUBMITTED]).count()
    slots = Item.objects.filter(campaign=campaign).aggregate(taken=Sum(F("wanted") - F("open_slots")))
    return bool(slots["taken"] == held)


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_a_submission_takes_the_task_that_a_claim_would_have_given(work_round: Round) -> None:
    campaign = make_campaign(sources=6, editor_tasks=9, rater_tasks=9, gold_percent=0)
    if work_round == RATE:
        edit_all(campaign, 2)
    enrolment, assignment = at_work(campaign, work_round)
    ahead = TaskAhead(enrolment, assignment)
    assert ahead.assignment_id is None
    submit(enrolment, assignment, ahead)

    assert ahead.assignment_id is not None
    assert leases(enrolment) == [ahead.assignment_id]
    assert slots_add_up(campaign)
    claimed = assignment_claim(enrolment=enrolment)  # renews it
    assert claimed is not None
    assert claimed.pk == ahead.assignment_id


def paused(enrolment: Enrolment) -> None:
    Campaign.objects.filter(pk=enrolment.campaign.pk).update(state="paused")


def guidelines_changed(enrolment: Enrolment) -> None:
    settings_change(enrolment.campaign, editor_guidelines="New.", rater_guidelines="New.")


def done_with_this(enrolment: Enrolment) -> None:
    settings_change(enrolment.campaign, editor_tasks=1, rater_tasks=1)


def several_on_a_page(enrolment: Enrolment) -> None:
    settings_change(enrolment.campaign, ratings_per_page=2)


def with_a_test_first(enrolment: Enrolment) -> None:
    add_qualification(enrolment.campaign)


def unfinished_elsewhere(enrolment: Enrolment) -> None:
    lease = Assignment.objects.get(worker=enrolment.worker, round=enrolment.round, state=State.LEASED)
    others = Item.objects.filter(campaign=enrolment.campaign, round=enrolment.round).exclude(pk=lease.item_id)
    Assignment.objects.create(
        item=others.latest("pk"),
        worker=enrolment.worker,
        round=enrolment.round,
        state=State.EXPIRED,
        leased_at=lease.leased_at,
        lease_ends_at=lease.lease_ends_at,
    )


REASONS = [
    (EDIT, paused),
    (EDIT, guidelines_changed),
    (EDIT, done_with_this),
    (EDIT, unfinished_elsewhere),
    (RATE, paused),
    (RATE, guidelines_changed),
    (RATE, done_with_this),
    (RATE, several_on_a_page),
    (RATE, with_a_test_first),
    (RATE, unfinished_elsewhere),
]


@pytest.mark.parametrize(("work_round", "happens"), REASONS)
def test_nothing_is_taken_where_something_is_out_of_the_ordinary(
    work_round: Round, happens: Callable[[Enrolment], None]
) -> None:
    campaign = make_campaign(sources=6, editor_tasks=9, rater_tasks=9, gold_percent=0)
    if work_round == RATE:
        edit_all(campaign, 2)
    enrolment, assignment = at_work(campaign, work_round)
    happens(enrolment)
    enrolment = again(enrolment)
    ahead = TaskAhead(enrolment, assignment)
    submit(enrolment, assignment, ahead)

    assert ahead.assignment_id is None
    assert leases(enrolment) == []
    assert Assignment.objects.get(pk=assignment.pk).state == State.SUBMITTED


def test_nothing_is_taken_for_somebody_who_was_excluded() -> None:
    campaign = make_campaign(sources=6)
    enrolment, assignment = at_work(campaign)
    Enrolment.objects.filter(pk=enrolment.pk).update(is_excluded=True)
    ahead = TaskAhead(again(enrolment), assignment)
    ahead.take()
    assert ahead.assignment_id is None


def test_late_work_takes_nothing_along() -> None:
    campaign = make_campaign(sources=6)
    enrolment, assignment = at_work(campaign)
    assignment.state = State.EXPIRED
    ahead = TaskAhead(enrolment, assignment)
    ahead.take()
    assert ahead.assignment_id is None


def test_a_task_that_another_tab_has_taken_meanwhile_is_not_taken_twice() -> None:
    campaign = make_campaign(sources=6, editors_per_source=1)
    enrolment, assignment = at_work(campaign)
    ahead = TaskAhead(enrolment, assignment)
    source = source_of_assignment(assignment)
    submission = submission_of(source)
    compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)
    other_tab = assignment_claim(enrolment=enrolment)
    assert other_tab is not None

    ahead.take()
    assert ahead.assignment_id is None
    assert leases(enrolment) == [other_tab.pk]
    assert slots_add_up(campaign)


def test_where_nothing_is_left_nothing_is_taken_and_the_text_is_stored() -> None:
    campaign = make_campaign(sources=1)
    enrolment, assignment = at_work(campaign)
    ahead = TaskAhead(enrolment, assignment)
    submit(enrolment, assignment, ahead)
    assert ahead.assignment_id is None
    assert Compression.objects.filter(assignment=assignment).exists()


def test_a_refused_text_takes_nothing_along() -> None:
    campaign = make_campaign(sources=3)
    client = worker_client(campaign, EDIT, "ada")
    address = client.get("/work/").headers["Location"]
    task = Assignment.objects.get(pk=int(address.split("/")[-2]))
    whole = fields_of(Submission(source_of_assignment(task).text, []))
    assert client.post(address, whole).status_code == 422
    assert Assignment.objects.filter(state=State.LEASED).count() == 1


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_the_page_leads_to_the_task_that_was_taken(work_round: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the pages, without an ordinary claim."""
    campaign = make_campaign(sources=4, gold_percent=0, rater_tasks=9)
    edit_all(campaign, 1)
    client = worker_client(campaign, work_round, "ann")
    address = client.get("/work/").headers["Location"]
    monkeypatch.setattr("crowd.views.worker.assignment_claim", None)
    reply = client.post(address, filled(client, address, work_round))
    assert reply.status_code == 302
    lease = Assignment.objects.get(worker__external_id="ann", round=work_round, state=State.LEASED)
    assert reply.headers["Location"] == f"/work/{work_round}/{lease.pk}/" != address
    assert Compression.objects.filter(worker__external_id="ann").exists() == (work_round == EDIT)
    assert Rating.objects.filter(worker__external_id="ann").exists() == (work_round == RATE)


def filled(client: Client, address: str, work_round: Round) -> dict[str, str]:
    task = Assignment.objects.select_related("item").get(pk=int(address.split("/")[-2]))
    if work_round == EDIT:
        return fields_of(submission_of(source_of_assignment(task)))
    assert client.get(address).status_code == 200
    return {"tasks": str(task.pk), f"meaning-{task.pk}": "3", f"grammar-{task.pk}": "3"}


def test_a_text_that_is_closed_while_it_is_submitted_again_is_reopened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its only other author is excluded between the look-up of the text and the transaction."""
    campaign = make_campaign(sources=1, editors_per_source=3)
    (ann, first), (bob, second) = at_work(campaign, name="ann"), at_work(campaign, name="bob")
    submit(ann, first, TaskAhead(ann, first))

    def known_then_excluded(**about: Any) -> Target | None:
        found = target_known(**about)
        person_exclude(worker=ann.worker, work_round=EDIT, note="No.", user=None)
        return found

    monkeypatch.setattr("compressions.services.submission.target_known", known_then_excluded)
    submit(bob, second, TaskAhead(bob, second))
    assert not Target.objects.get().item.is_closed


def test_whoever_is_excluded_while_they_write_submits_no_more() -> None:
    """The exclusion is not known to the request, which began before it."""
    campaign = make_campaign(sources=2)
    enrolment, assignment = at_work(campaign)
    Enrolment.objects.filter(pk=enrolment.pk).update(is_excluded=True)
    with pytest.raises(SlotTaken, match="Your part in this study has ended"):
        submit(enrolment, assignment, TaskAhead(enrolment, assignment))
