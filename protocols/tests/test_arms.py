"""Arms of pieces of work: drawn as somebody gets them, balanced for each source and each person."""

from collections import Counter
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.models import Enrolment
from crowd.services.claims import assignment_claim
from measures.experiments.arms import arms_of_tasks
from protocols.absolute.settings import WITH, WITHOUT
from protocols.absolute.tests.answered import absolute_campaign, score_all
from protocols.models import Response, TaskArm
from protocols.selectors import study_work
from protocols.services.responses import response_submit
from protocols.services.source_rows import row_make_sure
from protocols.spans.task import TASK
from protocols.spans.tests.answered import spans_campaign
from tests.support.factories import RATE, enrol

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
HALF = {"task_settings": {"reference": "half"}}
BEGUN = {"preset": "salsa", "premark": "alignment"}


def test_arms_are_in_blocks_for_each_source_and_even_for_each_person() -> None:
    campaign = absolute_campaign(12, raters_per_compression=3, **HALF)
    for number in range(9):
        score_all(campaign, str(number), lambda _subject: 3)

    drawn = TaskArm.objects.order_by("pk")
    columns = drawn.values_list("assignment__item__task_item__material__name", "assignment__worker__number", "arm")
    sources, people, arms = ([str(each) for each in column] for column in zip(*columns, strict=True))
    assert len(drawn) == 12 * 3 * 3
    assert arms == arms_of_tasks((WITH, WITHOUT), sources, people, seed=campaign.pk)
    of_source, of_person = Counter(zip(sources, arms, strict=True)), Counter(zip(people, arms, strict=True))
    assert set(of_source.values()) == {4, 5}  # 9 pieces of work with each
    assert all(abs(of_person[each, WITH] - of_person[each, WITHOUT]) <= 8 for each in set(people))
    assert Counter(arms) == Counter(each.answer["arm"] for each in Response.objects.all())


def test_a_draw_takes_as_many_queries_however_many_texts_and_people_there_are() -> None:
    def queries(sources: int, people: int) -> int:
        campaign = absolute_campaign(sources, raters_per_compression=people, **HALF)
        for number in range(people - 1):
            score_all(campaign, str(number), lambda _subject: 3)
        last = enrol(campaign, RATE, "last")
        row_make_sure(enrolment=last)
        before = TaskArm.objects.count()
        with CaptureQueriesContext(connection) as counted:
            assignment_claim(enrolment=last)
        assert TaskArm.objects.count() == before + 1
        return len(counted)

    assert queries(2, 3) == queries(12, 9)


def test_an_arm_stays_and_test_participants_are_drawn_apart() -> None:
    campaign = spans_campaign([{"id": "1", "source": "It rained all day.", "output": "It rained."}], BEGUN)
    campaign.items.update(wanted=3, open_slots=3)
    tester, ann, ben = (enrol(campaign, RATE, name) for name in ("tester", "ann", "ben"))
    tester.worker.is_test = True
    tester.worker.save()

    def arm(enrolment: Enrolment) -> str:
        lease = assignment_claim(enrolment=enrolment)
        assert lease is not None
        return study_work(enrolment, lease.pk).subject.arm

    drawn = [arm(tester), arm(ann), arm(ben)]

    assert set(drawn[1:]) == {"with", "without"}
    assert [arm(tester), arm(ann), arm(ben)] == drawn


def test_marks_that_are_there_at_the_beginning_are_there_for_half_of_each_text() -> None:
    texts = [{"id": str(number), "source": "It rained all day.", "output": "It rained."} for number in range(8)]
    campaign = spans_campaign(texts, BEGUN)
    campaign.items.update(wanted=2, open_slots=2)
    settings = TASK.settings_read(BEGUN)

    for person in ("ann", "ben"):
        enrolment = enrol(campaign, RATE, person)
        while (lease := assignment_claim(enrolment=enrolment)) is not None:
            work = study_work(enrolment, lease.pk)
            assert bool(TASK.shown(work.subject, settings)["page_data"]["marks"]) == (work.subject.arm == "with")
            answer = TASK.simulated(work.subject, settings, 1, Random(1))
            response_submit(enrolment=enrolment, work=work, answer=answer)

    given = Response.objects.values_list("assignment__item", "answer__premarked")
    assert len(given) == 16
    assert set(Counter(given).values()) == {1}


def test_without_arms_nothing_is_drawn() -> None:
    campaign = absolute_campaign(2)

    score_all(campaign, "ann", lambda _subject: 3)

    assert Response.objects.count() == 2
    assert not TaskArm.objects.exists()
