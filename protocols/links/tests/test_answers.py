"""The page of linking sentences: what is taken, asked about and refused, with and without the script."""

import json
import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpus.services.erasure import worker_erase
from crowd.models import Campaign
from protocols.exports import answers_export
from protocols.links.abstracts import written
from protocols.links.documents import bodies_of, linked_documents
from protocols.links.others import OthersLinks, others_links
from protocols.links.task import TASK
from protocols.links.tests.examples import ABSTRACT, LINKS, SENTENCES, line
from protocols.links.tests.planted import links_campaign
from protocols.models import Material, Response
from protocols.selectors import given_answers, subject_of
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


WRITTEN = "They gave up the screen.\n\nIt will  be yellow.\nIt will be cheap."


def writing_campaign() -> Campaign:
    document = {"id": "1", "sentences": SENTENCES}
    return links_campaign([line("p", expected=LINKS), document], task_settings={"writes_abstract": True})


def test_an_abstract_is_written_first_and_its_links_stay_with_its_sentences() -> None:
    campaign = writing_campaign()
    client, address = at_task(campaign)
    client.post(address, {"answer": json.dumps(LINKS), "material": Material.objects.get(expected__isnull=False).pk})
    address = client.post("/work/next/").headers["Location"]
    assert 'type="checkbox"' not in client.get(address).content.decode()
    for text, words in (
        ("One.\nTwo.", "Write 3 to 40 sentences"),
        ("\n".join(map(str, range(41))), "Write 3 to 40 sentences"),
        ("One.\nTwo.\nOne.", "Two of your sentences are the same."),
        (f"One.\nTwo.\n{'x' * 502}", "Line 3 is too long. Leave out at least 2 characters."),
        (f"One.\nTwo.\nA{chr(0x301) * 99}", "accents or marks"),
    ):
        refused = client.post(address, {"abstract": text, "page": "abstract"})
        page = refused.content.decode()
        assert (refused.status_code, words in page, f">\n{text}</textarea>" in page) == (422, True, True), words
    client.post(address, {"abstract": WRITTEN, "page": "abstract"})
    page = client.get(address).content.decode()
    assert page.count('type="checkbox"') == 3 * len(SENTENCES)
    assert "It will be yellow." in page

    ids = [each["id"] for each in written(WRITTEN, 40)]
    ticked = dict(zip(ids, (["1", "2"], ["5"], ["4"]), strict=True))
    client.post(address, {"answer": json.dumps(ticked), "page": "links", "back": "abstract"})
    assert WRITTEN in client.get(address).content.decode()
    changed = WRITTEN.replace("yellow", "green")
    client.post(address, {"abstract": changed, "page": "abstract"})
    assert client.get(address).content.decode().count("checked") == 3, "those of the sentence that was changed are gone"

    stale = client.post(address, {"answer": json.dumps(ticked), "page": "links"})
    assert (stale.status_code, "no sentence" in stale.content.decode()) == (422, True)
    ids = [each["id"] for each in written(changed, 40)]
    answer = {ids[0]: ["1", "2"], ids[1]: ["5", "6"], ids[2]: ["4"]}
    assert client.post(address, {"answer": json.dumps(answer), "page": "links"}).status_code == 302
    response = Response.objects.get()
    assert response.answer["links"] == answer
    assert [each["text"] for each in response.answer["abstract"]] == [
        "They gave up the screen.",
        "It will be green.",
        "It will be cheap.",
    ]

    again = client.get(address).content.decode()
    assert (again.count("checked"), "Change your summary" in again) == (5, False)
    form = {"abstract": changed, "answer": json.dumps(answer | {ids[2]: ["1"]}), "version": "1", "page": "links"}
    assert client.post(address, {**form, "then": "answers"}).status_code == 302
    response.refresh_from_db()
    assert (response.version, response.answer["links"][ids[2]]) == (2, ["1"])
    assert "They gave up the screen." in client.get(reverse("protocols:answers")).content.decode()

    material, others = "".join(answers_export(campaign, "abstracts")[1].lines), answers_export(campaign, "links")[1]
    (row,) = [json.loads(each) for each in material.splitlines()]
    assert (row["id"], row["abstract"]) == ("1", response.answer["abstract"])
    links_campaign([row], slug="linking")
    linked = others_links("".join(others.lines).encode()).links
    assert [each.sentences for each in linked] == [("1", "2"), ("5", "6"), ("1",)]
    document = linked_documents(given_answers(campaign), OthersLinks(), bodies_of(campaign), "en")[0]
    assert sorted(map(sorted, document.annotators[0].sets)) == [[0], [0, 1], [4, 5]]

    worker_erase(worker=response.assignment.worker, user=campaign.memberships.get().user)
    response.refresh_from_db()
    assert response.answer == {
        "abstract": [{"id": str(number), "text": ""} for number in (1, 2, 3)],
        "links": {"1": ["1", "2"], "2": ["5", "6"], "3": ["1"]},
    }
    TASK.check(response.answer, subject_of(response.assignment.item.task_item.material, 1), {})


def test_simulated_people_write_abstracts_that_are_taken() -> None:
    subject = subject_of(writing_campaign().material.get(name="1"), 1)
    for skill in (0, 1):
        answer = TASK.simulated(subject, {}, skill, random.Random(3))
        TASK.check(answer, subject, {})
        sent = {**TASK.fields(answer, subject), "answer": json.dumps(answer["links"]), "confirmed": "1"}
        assert TASK.read(sent, subject, {}) == answer


def test_material_has_an_abstract_unless_people_write_it() -> None:
    campaign = make_campaign(rating_task="links", task_settings={"writes_abstract": True})

    record = material_import(campaign=campaign, file_name="m.jsonl", content=json.dumps(line("1")).encode())

    assert record.problems == [(1, "people write the abstract themselves, so only practice has one")]


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
        ({"abstract": []}, "abstract is missing"),
        ({"abstract": "One."}, "abstract must be a list"),
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
