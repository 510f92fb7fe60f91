"""Facts and units on the page: orders, what is asked once, practice, corrections, and lines that cannot be used."""

import json
from typing import Any

import pytest
from django.test import Client

from crowd.models import Campaign
from protocols.content_units.tests.answered import units_campaign
from protocols.content_units.tests.examples import FACTOIDS, PEER, REFERENCES, SCU, fact_line, peer_line, sent
from protocols.models import Response
from protocols.services.material import material_import
from tests.support.factories import RATE, make_campaign, readable, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def at_task(campaign: Campaign, name: str = "rater") -> tuple[Client, str]:
    client = worker_client(campaign, RATE, name)
    client.post("/work/guidelines/")
    return client, client.post("/work/next/").headers["Location"]


def test_units_and_texts_come_in_an_order_of_each_person_that_stays_and_is_stored() -> None:
    units = [{"id": str(each), "text": f"Unit {each}.", "references": ["A"]} for each in range(5)]
    peers = units_campaign("peer", [peer_line("1", "x", units=units)], people=4)
    references = units_campaign("scu", [{"id": "1", "references": dict.fromkeys("abcd", "Rain.") | {"e": "Snow."}}], 4)
    orders = set()
    for number in range(4):
        client, address = at_task(peers, f"p{number}")
        shown = [each.id for each in client.get(address).context["units"]]
        assert [each.id for each in client.get(address).context["units"]] == shown
        said = [{"id": str(each), "none": True} for each in range(5)]
        client.post(address, sent(said, further="0", version="0"))
        assert Response.objects.order_by("-pk")[0].answer["order"] == [int(each) for each in shown]
        client, address = at_task(references, f"r{number}")
        orders |= {tuple(shown), tuple(each["index"] for each in client.get(address).context["texts"])}
    assert len(orders) > 2


def test_a_refusal_keeps_what_was_chosen_and_stands_at_its_field() -> None:
    client, address = at_task(units_campaign("factoids", [fact_line("1", "x")]))

    refused = client.post(address, {"unit-1": "broken", "unit-3": "no", "further": "x", "version": "0"})

    page = refused.content.decode()
    assert refused.status_code == 422
    assert '<a href="#unit-2-yes" dir="auto">Fact 2 is not answered yet.</a>' in page
    assert 'id="further-error"' in page
    assert page.count("checked") == 2
    assert 'value="x"' in page


def test_words_in_no_statement_or_in_two_are_asked_about_once() -> None:
    client, address = at_task(
        units_campaign("scu", [{"id": "1", "references": {"a": "It rained.", "b": "Bonn slept."}}])
    )
    rained = [[0, 3, 9]]
    units = [{"label": "Rain", "parts": rained}, {"label": "Again", "parts": [*rained, [1, 5, 10]]}]

    asked = client.post(address, sent(units, version="0"))
    again = client.post(address, sent(units, version="0", confirmed="1"))

    assert asked.status_code == 422
    assert "In no statement: Bonn. In more than one: rained." in asked.content.decode()
    assert again.status_code == 302
    whole = [{"label": "Rain", "parts": rained}, {"label": "Sleep", "parts": [[1, 0, 10]]}]
    corrected = client.post(address, sent(whole, version="1", then="answers"))
    assert corrected.status_code == 302, "function words need no statement"
    assert "2 statements" in client.get("/work/task/answers/").content.decode()
    assert "Sleep" in client.get(address).context["posted"]["answer"]


def test_parts_that_touch_are_one() -> None:
    client, address = at_task(units_campaign("peer", [peer_line("1", "x")]))
    said: list[dict[str, Any]] = [
        {"id": "u1", "parts": [[0, 3, 9], [0, 0, 4], [0, 14, 20]]},
        {"id": "u2", "none": True},
    ]

    client.post(address, sent(said, further="2", version="0"))

    assert Response.objects.get().answer["units"] == {"u1": [[0, 0, 9], [0, 14, 20]], "u2": []}


@pytest.mark.parametrize(
    ("key", "examples", "words"),
    [
        ("factoids", FACTOIDS, ["It rained.", "The answer we expected", "too broken"]),
        ("peer", PEER, ["It rained", "Not in the text"]),
        ("scu", SCU, ["my own words – ", "Rain – ", "The statements we expected"]),
    ],
)
def test_practice_shows_what_was_expected_beside_ones_own(key: str, examples: Any, words: list[str]) -> None:
    client, address = at_task(units_campaign(key, examples.MATERIAL))
    material = client.get(address).context["material"]

    page = readable(client.post(address, {**examples.ANSWER, "confirmed": "1", "material": material.pk}))

    assert [each for each in words if each not in page] == []


def scu_line(**more: Any) -> dict[str, Any]:
    return {"id": "1", "references": REFERENCES, **more}


U = {"id": "u", "text": "Rain.", "references": ["A"]}


@pytest.mark.parametrize(
    ("key", "made", "reason"),
    [
        ("factoids", fact_line("1", "x", source=7), "source must be a text or a list"),
        ("factoids", fact_line("1", "x", source=["", "b"]), "none of them empty"),
        ("factoids", fact_line("1", "x", source=["a"] * 201), "1 to 200 texts"),
        ("factoids", fact_line("1", "x", facts=["a", " "]), "unit 2 must have 1 to 500"),
        ("factoids", fact_line("1", "x", facts=["a" * 501]), "unit 1 must have 1 to 500"),
        ("factoids", fact_line("1", "x", facts=["a"] * 201), "1 to 200 facts"),
        ("factoids", fact_line("1", "x", facts=[{"id": 1, "text": "a"}, {"id": "1", "text": "b"}]), "1 is there twice"),
        ("factoids", fact_line("1", "x", facts=[{"id": "a" * 101, "text": "a"}]), "1 to 100 characters"),
        ("factoids", fact_line("1", "x", facts=[{"text": "a", "weight": 3}]), "unknown in unit 1: weight"),
        ("factoids", fact_line("1", "x", facts=[7]), "must be text"),
        ("factoids", fact_line("1", "x", kind="robot"), "kind must be one of"),
        ("factoids", fact_line("1", "x", output=" "), "output is empty"),
        ("factoids", fact_line("1", 7), "system and pyramid must be text"),  # type: ignore[arg-type]
        ("factoids", fact_line("1", "x", language=7), "language must be a tag"),
        ("factoids", fact_line("1", "x", expected={"1": "yes"}), "and nothing else"),
        ("factoids", fact_line("1", "x", expected=dict.fromkeys("123", "perhaps")), "yes, no, broken"),
        ("factoids", fact_line([1], "x"), "id must be text"),  # type: ignore[arg-type]
        ("peer", peer_line("1", "x", units="["), "units must be JSON"),
        ("peer", peer_line("1", "x", units=["rain"]), "a list of objects"),
        ("peer", peer_line("1", "x", units=[]), "1 to 10 references, and not 0"),
        ("peer", peer_line("1", "x", units=[U | {"references": "A"}]), "must be a list of names"),
        ("peer", peer_line("1", "x", units=[U | {"references": []}]), "1 to 10 references, and not 0"),
        ("peer", peer_line("1", "x", units=[U | {"references": [*"abcdefghijk"]}]), "and not 11"),
        ("peer", peer_line("1", "x", expected={"u9": []}), "for each unit"),
        ("peer", peer_line("1", "x", expected={"u1": [[0, 999]]}), "not in the text"),
        ("peer", peer_line("1", "x", expected={"u1": [3]}), "a list of [start, end]"),
        ("peer", peer_line("1", "x", output="cafe\u0301s", expected={"u1": [[0, 9]]}), "not in the text"),
        ("peer", peer_line("1", "x", output="\U0001f469\u200d\U0001f680", expected={"u1": [[0, 1]]}), "in two"),
        ("scu", scu_line(references={"a": "Rain."}), "2 to 10 references, not 1"),
        ("scu", scu_line(references=["Rain."]), "an object with texts by their names"),
        ("scu", scu_line(references={"a": "Rain.", "b": " "}), "b is empty"),
        ("scu", scu_line(peers={str(each): "a" for each in range(101)}), "more than 100 peers"),
        ("scu", scu_line(expected=[]), "a list of 1 to 200 units"),
        ("scu", scu_line(expected={"a": 1}), "a list of 1 to 200 units"),
        ("scu", scu_line(expected=[{"label": "a"}]), "label and parts"),
        ("scu", scu_line(expected=[{"label": "a", "parts": {"q": []}}]), "no reference q"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_with_the_reason(key: str, made: Any, reason: str) -> None:
    campaign = make_campaign(rating_task=key)

    record = material_import(campaign=campaign, file_name="texts.jsonl", content=json.dumps(made).encode())

    assert record.added == 0
    assert [number for number, _reason in record.problems] == [1]
    assert reason in record.problems[0][1]


def test_lines_of_one_source_must_have_the_same_units_in_one_file_or_two() -> None:
    campaign = units_campaign("factoids", [fact_line("1", "x")])
    lines = [fact_line("1", "y", facts=["Else."]), fact_line("2", "x"), fact_line("2", "y", source="Else.")]

    record = material_import(campaign=campaign, file_name="m.jsonl", content="\n".join(map(json.dumps, lines)).encode())

    assert record.problems == [
        (1, "another line of this id has other units"),
        (3, "another line of this id has other source"),
    ]
    assert record.added == 1


def test_lines_come_in_from_tables_too() -> None:
    def cell(value: Any) -> str:
        return '"' + json.dumps(value).replace('"', '""') + '"'

    for key, content in {
        "factoids": "id,source,output,facts,system\n1,It rained.|In Bonn.,It rained.,Rain.|In Bonn.,x\n",
        "peer": f"id,output,units,system,pyramid\n1,It rained.,{cell([U])},x,first\n",
        "scu": f"id,references\n1,{cell(REFERENCES)}\n",
    }.items():
        campaign = make_campaign(rating_task=key)
        record = material_import(campaign=campaign, file_name="m.csv", content=content.encode())
        assert (record.added, record.problems) == (1, []), key
