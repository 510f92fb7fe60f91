"""Nobody is given a paragraph and one of its sentences, whenever the paragraph was divided."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.clock import database_now
from common.errors import AlreadySubmitted, SlotTaken
from compressions.models import Compression
from compressions.services.imports import source_import
from compressions.services.paragraphs import paragraphs_divide
from crowd.models import Assignment, Campaign, Enrolment, Item
from crowd.services.claims import assignment_claim
from crowd.services.leases import leases_expire
from crowd.services.remarks import task_skip
from tests.support.factories import (
    EDIT,
    SENTENCE,
    edit_next,
    enrol,
    import_paragraphs,
    lease_run_out,
    make_campaign,
    submit_edit,
)

pytestmark = pytest.mark.django_db
State = Assignment.State
ENDINGS = (State.LEASED, State.SUBMITTED, State.SKIPPED, State.EXPIRED)


def with_paragraphs(*ids: str, **options: Any) -> Campaign:
    campaign = make_campaign(**options)
    import_paragraphs(campaign, ids)
    return campaign


def divide_all(campaign: Campaign) -> None:
    paragraphs_divide(campaign=campaign, count=100, seed=1)


def import_sentences(campaign: Campaign) -> None:
    """The sentences of all paragraphs, by a file that names them."""
    rows = [
        {"id": f"{each}.{number}", "genre": "Letters", "text": SENTENCE.format(number=number), "paragraph": each}
        for each in campaign.sources.values_list("source_id", flat=True)
        for number in (1, 2)
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="sentences.jsonl", content=content, strict=True)


Division = Callable[[Campaign], None]
WAYS = pytest.mark.parametrize("division", [divide_all, import_sentences])


def claimed(enrolment: Enrolment) -> Assignment:
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return assignment


def end(enrolment: Enrolment, task: Assignment, state: str) -> None:
    """Let a task end in a state."""
    if state == State.SUBMITTED:
        submit_edit(enrolment, task)
    elif state == State.SKIPPED:
        task_skip(enrolment=enrolment, assignment_id=task.pk, reason="unclear", text="")
    elif state == State.EXPIRED and task.state == State.LEASED:
        lease_run_out(task)
        leases_expire(campaign_id=enrolment.campaign.pk, now=database_now())


def all_given(enrolment: Enrolment) -> set[str]:
    """The ids of all that somebody gets who goes on to the end, and of what they had before."""
    while edit_next(enrolment):
        pass
    had = Assignment.objects.filter(worker=enrolment.worker).exclude(state=State.BLOCKED)
    return set(had.values_list("item__source__source_id", flat=True))


def who_have_both(campaign: Campaign) -> set[tuple[int, str]]:
    """Workers and the paragraphs of which they had the whole and a sentence."""
    had = Assignment.objects.filter(item__campaign=campaign, round=EDIT).exclude(state=State.BLOCKED)
    rows = had.values_list("worker", "item__source__source_id", "item__source__paragraph__source_id")
    return {(worker, whole) for worker, whole, _ in rows} & {(worker, paragraph) for worker, _, paragraph in rows}


@WAYS
@pytest.mark.parametrize("state", ENDINGS)
def test_who_had_the_paragraph_before_its_division_gets_none_of_its_sentences(division: Division, state: str) -> None:
    campaign = with_paragraphs("p")
    ann = enrol(campaign, EDIT, "ann")
    task = claimed(ann)
    end(ann, task, state)
    assert Assignment.objects.get(pk=task.pk).state == state

    division(campaign)

    assert all_given(ann) == {"p"}
    assert all_given(enrol(campaign, EDIT, "ben")) in ({"p"}, {"p.1", "p.2"})


@WAYS
@pytest.mark.parametrize("state", ENDINGS)
@pytest.mark.parametrize(("first", "own"), [("p", {"p"}), ("p.1", {"p.1", "p.2"}), ("p.2", {"p.1", "p.2"})])
def test_who_is_given_one_of_both_never_gets_the_other(
    division: Division, state: str, first: str, own: set[str]
) -> None:
    campaign = with_paragraphs("p", editors_per_source=1)
    division(campaign)
    Item.objects.filter(source__source_id=first).update(position=0)
    ann = enrol(campaign, EDIT, "ann")
    task = claimed(ann)
    assert task.item.source.source_id == first

    end(ann, task, state)

    assert all_given(ann) == own
    assert all_given(enrol(campaign, EDIT, "ben")) != set()
    assert who_have_both(campaign) == set()


@WAYS
def test_who_had_one_paragraph_still_gets_the_sentences_of_another(division: Division) -> None:
    campaign = with_paragraphs("p", "q")
    ann = enrol(campaign, EDIT, "ann")
    edit_next(ann)
    had = Compression.objects.get().source.source_id

    division(campaign)

    other = {"p": "q", "q": "p"}[had]
    assert all_given(ann) in ({had, other}, {had, f"{other}.1", f"{other}.2"})


def test_a_place_that_was_lost_and_divided_can_be_taken_back() -> None:
    campaign = with_paragraphs("p")
    ann = enrol(campaign, EDIT, "ann")
    task = claimed(ann)
    end(ann, task, State.EXPIRED)

    divide_all(campaign)

    assert claimed(ann).pk == task.pk


ACTS = st.sampled_from(["claim", State.SUBMITTED, State.SKIPPED, State.EXPIRED, "divide"])
PLAYS = st.lists(st.tuples(st.sampled_from("abcd"), ACTS, st.integers(0, 5)), max_size=30)


@given(plays=PLAYS)
def test_whoever_comes_and_goes_nobody_has_a_paragraph_and_one_of_its_sentences(
    plays: list[tuple[str, str, int]],
) -> None:
    campaign = with_paragraphs("p", "q", editors_per_source=2)
    people = {name: enrol(campaign, EDIT, name) for name in "abcd"}
    for name, act, number in plays:
        enrolment = people[name]
        tasks = Assignment.objects.filter(worker=enrolment.worker).exclude(state=State.BLOCKED).order_by("pk")
        if act == "claim":
            assignment_claim(enrolment=enrolment)
        elif act == "divide":
            paragraphs_divide(campaign=campaign, count=1, seed=number)
        elif tasks:
            task = tasks[number % len(tasks)]
            try:
                end(enrolment, task, act)
            except (AlreadySubmitted, SlotTaken):
                assert task.state != State.LEASED
        assert who_have_both(campaign) == set()
    for enrolment in people.values():
        all_given(enrolment)
    assert who_have_both(campaign) == set()
