"""Many people at the same moment of a quiz study: a row is one person's, and a dispute has one third marker."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from crowd.models import Assignment, Enrolment, Item, Round
from crowd.services.claims import assignment_claim
from protocols.absolute.settings import WITH, WITHOUT
from protocols.absolute.tests.answered import absolute_campaign
from protocols.models import DesignRow, Response, TaskArm
from protocols.quiz.marking import marking_hand_out
from protocols.quiz.tests.studies import quiz_study
from protocols.quiz.tests.test_marking import answered_study
from protocols.selectors import StudyWork, study_work
from protocols.services.design import row_free
from protocols.services.responses import response_submit
from protocols.services.source_rows import row_make_sure
from tests.support.factories import EDIT, RATE, enrol
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.mark.parametrize("time", range(3))
def test_rows_are_handed_out_once_and_in_whole_blocks(time: int) -> None:
    campaign = quiz_study({"people": 6})
    people = [enrol(campaign, EDIT, f"{time}-{number}") for number in range(9)]
    twice = [Enrolment.objects.select_related("worker", "link__campaign").get(pk=people[0].pk)]

    claimed = together([partial(assignment_claim, enrolment=each) for each in [*people, *twice]])

    held = DesignRow.objects.filter(enrolment__isnull=False)
    assert held.count() == 6
    leases = Assignment.objects.filter(state=Assignment.State.LEASED)
    assert set(leases.values_list("worker", flat=True)) == set(held.values_list("enrolment__worker", flat=True))
    assert {each.pk for each in claimed if each is not None} == set(leases.values_list("pk", flat=True))
    cells = Counter((name, condition) for row in held for name, condition in row.cells)
    assert set(cells.values()) == {2}


def test_arms_of_a_source_are_drawn_one_after_the_other_though_many_take_its_texts_at_once() -> None:
    campaign = absolute_campaign(2, raters_per_compression=4, task_settings={"reference": "half"})
    people = [enrol(campaign, RATE, str(number)) for number in range(12)]

    claimed = together([partial(assignment_claim, enrolment=each) for each in people])

    assert all(claimed)
    drawn = TaskArm.objects.values_list("assignment__item__task_item__material__name", "arm")
    assert len(drawn) == 12
    for source in {source for source, _arm in drawn}:
        found = Counter(arm for of, arm in drawn if of == source)
        assert abs(found[WITH] - found[WITHOUT]) == found.total() % 2


def test_a_row_that_is_freed_while_others_wait_goes_to_one_of_them() -> None:
    campaign = quiz_study({"people": 3})
    first, *others = [enrol(campaign, EDIT, str(number)) for number in range(6)]
    assert assignment_claim(enrolment=first) is not None

    acts: list[Callable[[], object]] = [partial(assignment_claim, enrolment=each) for each in others]
    acts.append(partial(row_free, worker=first.worker))
    together(acts)

    rows = DesignRow.objects.filter(campaign=campaign, enrolment__isnull=False)
    assert rows.count() in {2, 3}  # whoever looked before the row was free found the two others
    assert len(set(rows.values_list("enrolment", flat=True))) == rows.count()


def test_rows_of_sources_are_one_persons_though_many_begin_at_once() -> None:
    campaign = absolute_campaign(6, raters_per_compression=3)
    people = [enrol(campaign, RATE, str(number)) for number in range(9)]
    twice = Enrolment.objects.select_related("worker", "link__campaign").get(pk=people[0].pk)

    claimed = together([partial(assignment_claim, enrolment=each) for each in [*people, twice]])

    assert all(claimed)
    rows = DesignRow.objects.filter(campaign=campaign)
    assert set(rows.values_list("enrolment__worker", flat=True)) == {each.worker_id for each in people}
    assert sorted(rows.values_list("block", "row")) == [divmod(number, 3) for number in range(9)]
    assert set(Counter(item for row in rows for item in row.cells).values()) == {3}
    assert row_make_sure(enrolment=people[0]) == rows.get(enrolment=people[0])


@pytest.mark.parametrize("_time", range(3))
def test_two_markers_who_differ_at_the_same_moment_bring_one_third(_time: int) -> None:
    campaign = answered_study("A bridge")
    marking_hand_out(campaign=campaign)
    (question,) = Item.objects.filter(round=Round.EXPERT).values_list("pk", flat=True)[:1]
    acts: list[Callable[[], object]] = []
    for name, mark in (("m1", 2.0), ("m2", 0.0)):
        enrolment = enrol(campaign, Round.EXPERT, name)
        assignment = assignment_claim(enrolment=enrolment)
        while assignment is not None and assignment.item_id != question:
            work = study_work(enrolment, assignment.pk)
            response_submit(enrolment=enrolment, work=work, answer=_marks(work, 1.0))
            assignment = assignment_claim(enrolment=enrolment)
        assert assignment is not None
        work = study_work(enrolment, assignment.pk)
        acts.append(partial(response_submit, enrolment=enrolment, work=work, answer=_marks(work, mark)))

    together(acts)

    assert Response.objects.filter(assignment__item=question).count() == 2
    assert Item.objects.filter(round=Round.EXPERT, wanted=1).count() == 1


def _marks(work: StudyWork, mark: float) -> dict[str, dict[str, float]]:
    return {"marks": dict.fromkeys(work.subject.body["answers"], mark)}
