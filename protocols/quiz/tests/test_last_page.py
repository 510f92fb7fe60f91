"""What is asked after the last quiz of a person's row, and what becomes of who does not answer it."""

from collections.abc import Callable

import pytest
from django.test import Client

from protocols.models import DesignRow, Response
from protocols.quiz.study import study_of
from protocols.quiz.tests.studies import at_quiz, prepare, quiz_study, quizzes
from protocols.services.overdue import overdue_hand_in
from tests.support.factories import RATE, readable

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
HEARD = "Had you heard or read one of these texts"


def at_last_page(later: Callable[[float], None]) -> tuple[Client, str]:
    """Somebody whose last quiz is handed in, with an answer."""
    campaign = quiz_study()
    prepare(campaign, "one")
    later(7 * 24 * 3600)
    client, address = at_quiz(campaign, "one")
    for _text in range(2):
        address = quizzes(client, address, {})
    client.post(address, {"page": "begin"})
    assert HEARD not in readable(client.get(address))
    asked = client.post(address, {"page": "quiz", "q0": "the bridge"})
    assert (asked.status_code, "questions have no answer" in readable(asked)) == (422, True)
    left = client.post(address, {"page": "quiz", "q0": "the bridge", "confirmed": "1"})
    assert left.headers["Location"] == address
    return client, address


def test_it_is_asked_on_a_page_of_its_own_from_which_nothing_leads_back(later: Callable[[float], None]) -> None:
    client, address = at_last_page(later)
    assert HEARD in readable(client.get(address))
    client.post(address, {"page": "heard", "back": "quiz"})
    assert client.get(address).context["page_key"] == "heard"
    assert Response.objects.filter(assignment__round=RATE).count() == 2

    sent = {"page": "heard", "heard": "yes", "q0": "something else", "comment": "It was late."}
    assert client.post(address, sent).headers["Location"] == "/work/done/"

    *others, last = study_of(DesignRow.objects.earliest("pk").campaign).sittings
    assert [each.heard for each in others] == [None, None]
    assert (last.heard, last.closed, list(last.answers.values())) == (True, "handed in", ["the bridge"])


def test_who_does_not_answer_it_has_handed_in_all_the_same(later: Callable[[float], None]) -> None:
    at_last_page(later)
    later(600)
    assert overdue_hand_in() == 0
    later(11)
    assert overdue_hand_in() == 1

    last = study_of(DesignRow.objects.earliest("pk").campaign).sittings[-1]
    assert (last.heard, last.closed, list(last.answers.values())) == (None, "handed in", ["the bridge"])


def test_it_is_asked_after_a_quiz_that_the_time_has_ended(later: Callable[[float], None]) -> None:
    campaign = quiz_study()
    prepare(campaign, "one")
    later(7 * 24 * 3600)
    client, address = at_quiz(campaign, "one")
    for _text in range(2):
        address = quizzes(client, address, {})
    client.post(address, {"page": "begin"})
    client.post(f"{address}draft/", {"page": "quiz", "q0": "saved"})
    later(731)
    client.post(address, {"page": "quiz", "q0": "too late"})
    assert client.post(address, {"page": "heard", "heard": "no"}).headers["Location"] == "/work/done/"

    last = study_of(campaign).sittings[-1]
    assert (last.heard, last.closed, list(last.answers.values())) == (False, "time over", ["saved"])
    assert last.seconds == 720
