"""Ranking on the page: the order shown, what is refused or asked once, and sets that cannot be used."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from crowd.models import Campaign
from protocols.models import PracticeAnswer, Response
from protocols.ranking.tests.answered import ranking_campaign, set_line
from protocols.ranking.tests.examples import EXPECTED, line
from protocols.services.material import material_import
from tests.support.factories import RATE, make_campaign, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SYSTEMS = ["a", "b", "c", "d"]
ANSWER = {"version": "0", "rank-1": "3", "rank-2": "1", "rank-3": "1", "rank-4": "٤"}


def at_task(campaign: Campaign, name: str = "rater") -> tuple[Client, str]:
    client = worker_client(campaign, RATE, name)
    client.post("/work/guidelines/")
    return client, client.post("/work/next/").headers["Location"]


def test_the_order_is_drawn_once_for_each_person_and_stored_with_dense_ranks() -> None:
    campaign = ranking_campaign([set_line("1", SYSTEMS)])
    orders = set()
    for number in range(5):
        client, address = at_task(campaign, f"rater {number}")
        shown = [each.text for each in client.get(address).context["texts"]]
        assert [each.text for each in client.get(address).context["texts"]] == shown
        assert client.post(address, ANSWER).status_code == 302
        response = Response.objects.order_by("pk").last()
        assert response is not None
        texts = [each["text"] for each in response.assignment.item.task_item.material.body["hypotheses"]]
        order = response.answer["order"]
        assert [texts[index] for index in order] == shown
        assert [response.answer["given"][index] for index in order] == [3, 1, 1, 4]
        assert [response.answer["ranks"][index] for index in order] == [2, 1, 1, 3]
        orders.add(tuple(order))
    assert len(orders) > 1


def test_a_refusal_keeps_what_was_typed_and_stands_at_its_field() -> None:
    client, address = at_task(ranking_campaign([set_line("1", SYSTEMS)]))

    refused = client.post(address, ANSWER | {"rank-1": "7", "rank-2": ""})

    page = refused.content.decode()
    assert refused.status_code == 422
    assert '<a href="#rank-2" dir="auto">Text B has no rank yet.</a>' in page
    assert 'id="rank-1-error">Text A: the rank is a whole number from 1 to 4.</p>' in page
    assert 'value="7"' in page
    assert not Response.objects.exists()


def test_equal_ranks_for_all_are_asked_about_once() -> None:
    client, address = at_task(ranking_campaign([set_line("1", SYSTEMS)]))
    same = ANSWER | {f"rank-{place}": "2" for place in range(1, 5)}

    asked = client.post(address, same)

    assert asked.status_code == 422
    assert "All texts have the same rank." in asked.content.decode()
    assert 'name="confirmed" value="1"' in asked.content.decode()
    assert client.post(address, same | {"confirmed": "1"}).status_code == 302
    assert Response.objects.get().answer["ranks"] == [1, 1, 1, 1]


def test_an_answer_is_corrected_from_what_it_was() -> None:
    client, address = at_task(ranking_campaign([set_line("1", SYSTEMS)]))
    client.post(address, ANSWER)

    page = client.get(address)
    client.post(address, ANSWER | {"rank-1": "1", "version": "1", "then": "answers"})

    assert page.context["posted"] == {"rank-1": "3", "rank-2": "1", "rank-3": "1", "rank-4": "4"}
    assert Response.objects.get().version == 2
    assert "A: 1, B: 1, C: 1, D: 4" in client.get("/work/task/answers/").content.decode()


def test_practice_shows_the_ranks_that_were_expected() -> None:
    campaign = ranking_campaign([line("1"), line("p", expected=EXPECTED)])
    client, address = at_task(campaign)
    material = client.get(address).context["material"]

    given = {"rank-1": "1", "rank-2": "2", "rank-3": "3"}
    page = client.post(address, given | {"material": material.pk})

    assert sorted(page.context["expected_fields"].values()) == ["1", "1", "3"]
    assert "The rank we expected" in page.content.decode()
    assert sorted(PracticeAnswer.objects.get().answer["given"]) == [1, 2, 3]


def bad(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    made = line("1")
    change(made)
    return made


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (bad(lambda row: row.update(sentences=["one"])), "sentences must be 2"),
        (bad(lambda row: row.update(sentences=["one", ""])), "a sentence is missing"),
        (bad(lambda row: row.update(sentences=["one", 2])), "a sentence must be text"),
        (bad(lambda row: row.update(hypotheses="[")), "hypotheses must be JSON"),
        (bad(lambda row: row.update(hypotheses=["text"])), "a list of objects"),
        (bad(lambda row: row["hypotheses"][0].update(name="")), "a name of hypotheses is missing"),
        (bad(lambda row: row["hypotheses"][0].pop("text")), "the text of alpha-net must be text"),
        (bad(lambda row: row["hypotheses"][0].update(text=" ")), "the text of alpha-net is missing"),
        (bad(lambda row: row["hypotheses"][0].update(kind="robot")), "kind must be one of"),
        (bad(lambda row: row["hypotheses"][0].update(score=1)), "unknown in hypotheses: score"),
        (bad(lambda row: row["hypotheses"][0].update(name="omega-net")), "omega-net is there twice"),
        (bad(lambda row: row["hypotheses"][0].update(kind="reference")), "one reference at most"),
        (bad(lambda row: row.update(hypotheses=row["hypotheses"][:1], reference="")), "2 to 20 texts"),
        (
            bad(lambda row: row.update(hypotheses=[row["hypotheses"][0], row["hypotheses"][2]], reference="")),
            "the same",
        ),
        (bad(lambda row: row.update(expected={"alpha-net": 1})), "a rank for each name"),
        (bad(lambda row: row.update(expected=EXPECTED | {"delta-net": 2})), "equal texts have one rank"),
        (bad(lambda row: row.update(expected=EXPECTED | {"reference": 4})), "from 1 to 3"),
        (bad(lambda row: row.update(language=7)), "language must be a tag"),
    ],
)
def test_a_set_that_cannot_be_ranked_is_refused_with_the_reason(made: dict[str, Any], reason: str) -> None:
    campaign = make_campaign(rating_task="ranking")

    record = material_import(campaign=campaign, file_name="sets.jsonl", content=json.dumps(made).encode())

    assert record.added == 0
    assert [number for number, _reason in record.problems] == [1]
    assert reason in record.problems[0][1]


def test_sets_come_in_from_a_table_too() -> None:
    campaign = make_campaign(rating_task="ranking")
    cell = json.dumps([{"name": "a", "text": "It shut."}, {"name": "b", "text": "It closed."}]).replace('"', '""')

    content = f'id,sentences,hypotheses,reference\n1,The mill shut.|In May.,"{cell}",It shut in May.\n'.encode()
    record = material_import(campaign=campaign, file_name="sets.csv", content=content)

    assert (record.added, record.problems) == (1, [])
    body = campaign.material.get().body
    assert body["sentences"] == ["The mill shut.", "In May."]
    assert [each["names"] for each in body["hypotheses"]] == [["a"], ["b"], ["reference"]]
