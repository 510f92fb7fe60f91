"""A campaign with a judgement task of its own: material in, practice, answers, corrections, and who may do what."""

import json
from typing import Any

import pytest
from django.test import Client

from compressions.models import FileImport
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Worker
from protocols.models import Material, PracticeAnswer, Response
from protocols.selectors import AnswersState, given_answers
from protocols.services.material import material_import
from tests.support.factories import RATE, enrol, make_campaign, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TEXT = {"id": "1", "source": "It rained all day in Bonn.", "output": "It rained in Bonn."}


def with_material(*lines: dict[str, Any], **settings: Any) -> Campaign:
    campaign = make_campaign(rating_task="spans", **settings)
    imported(campaign, *lines)
    return campaign


def imported(campaign: Campaign, *lines: dict[str, Any]) -> FileImport:
    content = "\n".join(json.dumps(line) for line in lines).encode()
    return material_import(campaign=campaign, file_name="spans.jsonl", content=content)


def at_task(campaign: Campaign, name: str = "rater") -> tuple[Client, str]:
    """A participant's browser, and the address of their task."""
    client = worker_client(campaign, RATE, name)
    client.post("/work/guidelines/")
    return client, client.post("/work/next/").headers["Location"]


MARK = {"id": "m1", "side": "output", "start": 0, "end": 2, "severity": "minor"}
GIVEN = {"marks": [MARK], "no_errors": False, "score": 80}


def test_what_is_answered_is_stored_and_the_visit_ends() -> None:
    campaign = with_material(TEXT)
    client, address = at_task(campaign)

    page = client.get(address)
    answered = client.post(address, {"answer": json.dumps(GIVEN), "version": "0"})

    assert "It rained in Bonn." in page.content.decode()
    assert answered.status_code == 302
    response = Response.objects.get()
    assert response.answer["marks"][0]["severity"] == "minor"
    assert response.answer["score"] == 80
    assert response.assignment.state == Assignment.State.SUBMITTED
    assert AnswersState.of(given_answers(campaign)).answers == 1


def test_a_wrong_answer_is_refused_with_what_was_sent() -> None:
    client, address = at_task(with_material(TEXT))

    refused = client.post(address, {"answer": json.dumps(GIVEN | {"score": 101}), "version": "0"})

    assert refused.status_code == 422
    assert "101" in refused.content.decode()
    assert not Response.objects.exists()


def test_the_same_answer_twice_is_one() -> None:
    client, address = at_task(with_material(TEXT))

    for _time in range(2):
        client.post(address, {"answer": json.dumps(GIVEN), "version": "0"})

    assert Response.objects.get().version == 1


def test_an_answer_is_corrected_during_the_visit() -> None:
    client, address = at_task(with_material(TEXT))
    client.post(address, {"answer": json.dumps(GIVEN), "version": "0"})

    client.post(address, {"answer": json.dumps(GIVEN | {"score": 70}), "version": "1", "then": "answers"})

    response = Response.objects.get()
    assert (response.version, response.answer["score"]) == (2, 70)
    assert [each.answer["score"] for each in response.versions.order_by("number")] == [80, 70]
    assert client.get("/work/task/answers/").status_code == 200


def test_nobody_sees_the_task_of_another() -> None:
    campaign = with_material(TEXT)
    _client, address = at_task(campaign)
    other, _address = at_task(campaign, "other")

    assert other.get(address).status_code == 404


def test_practice_comes_first_and_shows_what_was_expected() -> None:
    expected = {"marks": [MARK], "score": 70}
    campaign = with_material(TEXT, TEXT | {"id": "2", "expected": expected})
    client, address = at_task(campaign)
    material = Material.objects.get(expected__isnull=False)

    page = client.get(address)
    answered = client.post(address, {"answer": json.dumps(GIVEN), "material": material.pk})

    assert address == "/work/task/practice/"
    assert "Practice" in page.content.decode()
    assert answered.status_code == 200
    assert PracticeAnswer.objects.get().answer["score"] == 80
    assert client.post(address).headers["Location"].startswith("/work/task/")
    assert not Response.objects.exists()


def test_lines_that_cannot_be_used_are_refused_by_number() -> None:
    campaign = make_campaign(rating_task="spans")
    wrong: list[dict[str, Any]] = [
        {"id": "3", "source": "a"},
        {"id": "4", "source": "a", "output": 5},
        {**TEXT, "unknown": 1},
    ]

    record = imported(campaign, TEXT, *wrong)

    assert record.added == 1
    assert [line for line, _reason in record.problems] == [2, 3, 4]
    assert imported(campaign, TEXT).unchanged == 1
    assert imported(campaign, TEXT | {"output": "other"}).problems


def test_erasure_leaves_no_words_and_no_times() -> None:
    campaign = with_material(TEXT)
    client, address = at_task(campaign)
    given = GIVEN | {"marks": [MARK | {"note": "my words", "at_ms": 7}], "actions": [[3, "add", "m1"]]}
    client.post(address, {"answer": json.dumps(given), "version": "0", "milliseconds": "1"})

    worker_erase(worker=Worker.objects.get(campaign=campaign))

    response = Response.objects.get()
    assert response.milliseconds is None
    assert "my words" not in json.dumps([response.answer, *response.versions.values_list("answer", flat=True)])
    assert response.answer["marks"][0]["at_ms"] == 0


def test_a_campaign_without_material_of_its_own_takes_none() -> None:
    campaign = make_campaign()
    enrol(campaign, RATE, "rater")

    with pytest.raises(Exception, match="takes no material"):
        imported(campaign, TEXT)
