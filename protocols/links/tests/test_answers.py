"""The page of linking sentences: what is taken, asked about and refused, with and without the script."""

import json
from typing import Any

import pytest
from django.test import Client

from crowd.models import Campaign
from protocols.links.tests.examples import ABSTRACT, LINKS, SENTENCES, line
from protocols.links.tests.planted import links_campaign
from protocols.models import Material, Response
from protocols.services.material import material_import
from tests.support.factories import RATE, make_campaign, worker_client

pytestmark = pytest.mark.django_db


def at_task(campaign: Campaign) -> tuple[Client, str]:
    client = worker_client(campaign, RATE, "rater")
    return client, client.post("/work/next/").headers["Location"]


def test_without_the_script_each_box_is_a_field_and_what_was_ticked_is_kept() -> None:
    client, address = at_task(links_campaign([line("1")]))
    page = client.get(address).content.decode()
    assert page.count('type="checkbox"') == len(SENTENCES) * len(ABSTRACT)
    assert 'href="#summary-2"' in page
    boxes = {'box["s1", "1"]': "1", 'box["s1", "2"]': "2"}

    asked = client.post(address, {**boxes, "version": "0"})

    assert asked.status_code == 422
    text = asked.content.decode()
    assert "Nothing is ticked for sentence 2 of the summary." in text
    assert text.count("checked") == 2
    assert 'name="confirmed"' in text
    assert not Response.objects.exists()
    assert client.post(address, {**boxes, "confirmed": "1", "version": "0"}).status_code == 302
    response = Response.objects.get()
    assert response.answer == {"links": {"s1": ["1", "2"], "s2": []}}
    assert client.get(address).content.decode().count("checked") == 2
    again = {"answer": json.dumps(LINKS), "version": "1", "then": "answers"}
    assert client.post(address, again).status_code == 302
    response.refresh_from_db()
    assert (response.version, response.answer["links"]) == (2, LINKS)


def test_most_of_the_text_for_one_sentence_is_asked_about_once() -> None:
    client, address = at_task(links_campaign([line("1")]))
    many = {"answer": json.dumps(LINKS | {"s1": ["1", "2", "3", "4"]}), "version": "0"}

    asked = client.post(address, many)

    assert asked.status_code == 422
    assert "You ticked 4 of the 6 sentences of the text for sentence 1" in asked.content.decode()
    assert client.post(address, {**many, "confirmed": "1"}).status_code == 302


def test_what_is_refused_is_still_ticked() -> None:
    client, address = at_task(links_campaign([line("1")]))

    refused = client.post(address, {"answer": json.dumps(LINKS | {"s9": ["1"]}), "version": "0"})

    assert refused.status_code == 422
    assert refused.content.decode().count("checked") == 5
    assert client.post(address, {"answer": "[[", "version": "0"}).status_code == 422


def test_practice_shows_both_answers() -> None:
    client, address = at_task(links_campaign([line("p", expected=LINKS), line("1")]))
    material = Material.objects.get(expected__isnull=False)

    answered = client.post(address, {"answer": json.dumps(LINKS | {"s1": ["1", "4"]}), "material": material.pk})

    page = answered.content.decode()
    assert [page.count(words) for words in ("You and we:", "Only you:", "Only we:")] == [3, 1, 2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sentences": "A text."}, "sentences must be a list"),
        ({"sentences": SENTENCES[:1]}, "two or more"),
        ({"sentences": SENTENCES[:1] * 2}, "same id"),
        ({"sentences": [{"id": "1"}, *SENTENCES[1:]]}, "sentences 1 must be an object"),
        ({"sentences": [{"id": True, "text": "A."}, *SENTENCES[1:]]}, "sentences 1: id"),
        ({"sentences": [{"id": "1", "text": " "}, *SENTENCES[1:]]}, "sentences 1: text"),
        ({"sentences": [{**SENTENCES[0], "speaker": 7}, *SENTENCES[1:]]}, "sentences 1: speaker"),
        ({"sentences": [{**SENTENCES[0], "acts": "a"}, *SENTENCES[1:]]}, "sentences 1: acts"),
        ({"sentences": [{**SENTENCES[0], "tags": ["NN"] * 51}, *SENTENCES[1:]]}, "sentences 1: tags must be a list of"),
        ({"sentences": [{**SENTENCES[0], "colour": "a"}, *SENTENCES[1:]]}, "sentences 1 must be an object"),
        ({"abstract": []}, "abstract must be a list"),
        ({"abstract": [{"id": str(n), "text": "A."} for n in range(41)]}, "at most 40"),
        ({"expected": {"s1": ["9"]}}, "expected: the text has no sentence 9"),
        ({"annotator": 7}, "annotator must be text"),
        (
            {
                "sentences": [{"id": str(n), "text": "A."} for n in range(300)],
                "abstract": [{"id": str(n), "text": "A."} for n in range(40)],
            },
            "make 12,000 boxes; a page takes at most 8,000",
        ),
    ],
)
def test_a_line_that_cannot_be_linked_is_refused_with_the_place(change: dict[str, Any], words: str) -> None:
    content = json.dumps(line("1") | change).encode()

    record = material_import(campaign=make_campaign(rating_task="links"), file_name="m.jsonl", content=content)

    ((number, reason),) = record.problems
    assert number == 1
    assert words in reason
