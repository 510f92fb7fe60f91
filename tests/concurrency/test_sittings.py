"""A rater who takes the test in two tabs at the same moment."""

from functools import partial

import pytest
from django.db import connection

from crowd.models import Enrolment
from ratings.models import QualificationAttempt, QualificationSitting
from ratings.services.sittings import qualification_submit
from tests.support.factories import RATE, add_qualification, enrol, make_campaign
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
RIGHT, WRONG = {"meaning": 3, "grammar": 3}, {"meaning": 1, "grammar": 1}


def rater(questions: int) -> tuple[Enrolment, list[int]]:
    campaign = make_campaign(qualification_tries=2)
    items = add_qualification(campaign, questions)
    return enrol(campaign, RATE), [item.pk for item in items]


@pytest.mark.parametrize("_time", range(5))
def test_two_tabs_that_send_the_last_answer_make_one_attempt(_time: int) -> None:
    enrolment, (first, last) = rater(2)
    qualification_submit(enrolment=enrolment, number=1, answers={first: WRONG})
    sent = [{last: RIGHT}, {last: WRONG}]
    attempts = together([partial(qualification_submit, enrolment=enrolment, number=1, answers=each) for each in sent])
    assert attempts[0] is not None
    assert attempts[0] == attempts[1] == QualificationAttempt.objects.get()
    assert not QualificationSitting.objects.exists()
    enrolment.refresh_from_db()
    assert enrolment.outcome == Enrolment.Outcome.WORKING


@pytest.mark.parametrize("_time", range(5))
def test_the_first_answers_of_two_tabs_are_both_kept(_time: int) -> None:
    enrolment, (first, second, _) = rater(3)
    sent = [{first: RIGHT}, {second: RIGHT}]
    together([partial(qualification_submit, enrolment=enrolment, number=1, answers=each) for each in sent])
    assert set(QualificationSitting.objects.get().answers) == {str(first), str(second)}
