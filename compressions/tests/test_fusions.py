"""Editors who make one sentence of the two of a text: what is refused, what is asked, and what their logs say."""

import json
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from common.errors import Refused
from compressions.fusions import pair_of
from compressions.models import Compression
from compressions.services.paragraphs import paragraphs_divide
from compressions.services.submission import LOG_WORDS
from crowd.models import Assignment, Campaign
from crowd.services.campaigns import campaign_update
from measures.keystrokes.edit_log import parse_log, replay
from tests.support.factories import EDIT, import_texts, make_campaign, readable, worker_client

pytestmark = pytest.mark.django_db
A, B = "The plant opened in 1990 and employs 300 people .", "It will close in May , the owner said ."
FUSES: dict[str, Any] = {"editor_task": "fuse", "editor_start": "empty", "paragraph_min_words": 5}
WHOLE_OF_A = [0, "", A, "source", 900, [0, 0, 49]]
LOG = [WHOLE_OF_A, [10, "opened in 1990 and employs 300 people", "will close in May", "typing", 5200]]
FINAL = "The plant will close in May ."
ONE_SENTENCE = "The plant , opened in 1990 , will close in May ."
COPY = "This is one of the two sentences as it stands. Submit it anyway?"


def fusing(**settings: Any) -> Campaign:
    campaign = make_campaign(**(FUSES | settings))
    import_texts(campaign, [f"{A} {B}"])
    return campaign


def at_work(campaign: Campaign) -> tuple[Client, str]:
    client = worker_client(campaign, EDIT, "ann")
    return client, f"/work/edit/{Assignment.objects.get(state=Assignment.State.LEASED).pk}/"


def typed(text: str) -> list[Any]:
    return [[0, "", text, "typing", 900]] if text else []


def sent(client: Client, address: str, text: str, log: list[Any] | None = None, **more: str) -> Any:
    fields = {"text": text, "log": json.dumps(typed(text) if log is None else log), "started_from": "empty"} | more
    return client.post(address, fields, headers={"Accept": "application/json"})


def test_the_page_shows_both_sentences_and_an_empty_box() -> None:
    client, address = at_work(fusing())
    page = client.get(address)
    shown = readable(page)
    assert "Make one sentence of these two" in shown
    assert f"{A}\n{B}</p>" in page.content.decode()
    assert "66 characters or fewer. The two have 89." in shown
    assert 'name="started_from" value="empty"' in " ".join(page.content.decode().split())
    assert all(words in shown for words in ("Use the first sentence", "Use the second", "Use both"))
    assert "js/fusion.js" in page.content.decode()
    assert "Writing sentences" in shown


@pytest.mark.parametrize(
    ("text", "chosen", "status", "words"),
    [
        (ONE_SENTENCE, {}, 200, ""),
        ("The plant opened in 1990 . It will close in May .", {}, 422, "This looks like more than one."),
        (A, {}, 422, COPY),
        (f"{A} {B}", {}, 422, "23 characters too long."),
        ("   ", {}, 422, "Write some text."),
        ("The plant opened .", {}, 422, "words of only one of the two sentences. Submit it anyway?"),
        (f"{ONE_SENTENCE[:-1]}, it said .", {"fusion_within_longer": True}, 422, "9 characters too long."),
        (
            "The plant opened in 1990 . It will close in May .",
            {"fusion_asks_sentences": True},
            422,
            "This looks like more than one sentence. Submit it anyway?",
        ),
    ],
)
def test_what_is_taken_refused_and_asked(text: str, chosen: dict[str, Any], status: int, words: str) -> None:
    client, address = at_work(fusing(**chosen))
    answer = sent(client, address, text)
    assert (answer.status_code, Compression.objects.count()) == (status, int(status == 200))
    if status != 200:
        assert words in answer.json()["error"]
        is_asked = "Submit it anyway?" in words
        assert answer.json()["code"] == ("confirm" if is_asked else "")
        assert sent(client, address, text, confirmed="1").status_code == (200 if is_asked else 422)
        assert Compression.objects.count() == is_asked


def test_a_form_without_a_script_gets_its_text_back_with_the_question() -> None:
    client, address = at_work(fusing())
    page = client.post(address, {"text": A, "log": json.dumps([WHOLE_OF_A]), "started_from": "empty"})
    assert page.status_code == 422
    assert COPY in readable(page)
    assert page.context["draft"].text == A


def test_the_log_says_what_was_taken_from_where() -> None:
    campaign = fusing()
    client, address = at_work(campaign)
    assert sent(client, address, FINAL, LOG).status_code == 200
    stored = Compression.objects.select_related("source").get()
    assert (stored.edit_log, stored.text, stored.allowed) == (LOG, FINAL, 66)
    assert replay("", parse_log(stored.edit_log)) == FINAL
    staff = Client()
    staff.force_login(campaign.staff.get())
    page = staff.get(f"/campaigns/{campaign.slug}/compressions/{stored.pk}/")
    assert [f"{share:.2f}" for _words, share in page.context["shares"]] == ["0.39", "0.00", "0.61"]
    assert all(words in readable(page) for words in ("From the first sentence", "Own words", "taken from a source"))


@pytest.mark.parametrize(
    ("log", "more"),
    [
        ([[*WHOLE_OF_A[:5], [1, 0, 49]], LOG[1]], {}),
        ([[*WHOLE_OF_A[:5], [2, 0, 49]], LOG[1]], {}),
        ([WHOLE_OF_A[:5], LOG[1]], {}),
        ([[0, f"{A} {B}", FINAL, "typing", 900]], {"started_from": "source"}),
    ],
)
def test_a_log_that_took_something_else_is_refused(log: list[Any], more: dict[str, str]) -> None:
    client, address = at_work(fusing())
    answer = sent(client, address, FINAL, log, **more)
    assert (answer.status_code, answer.json()["error"]) == (422, str(LOG_WORDS))


def test_texts_of_another_number_of_sentences_are_refused_and_none_is_divided() -> None:
    campaign = fusing()
    for text in (f"{A} {B} It was there for years .", "The plant opened in 1990 and employs 300 people"):
        with pytest.raises(Refused, match=r"one sentence is to be made of two, and the text has [13]"):
            import_texts(campaign, [text])
    assert paragraphs_divide(campaign=campaign, count=1, seed=1).suitable == 0
    assert pair_of("Only one.") == ("Only one.", "")


def test_what_editors_write_is_fixed_once_there_are_texts() -> None:
    with pytest.raises(Refused, match="already texts"):
        campaign_update(campaign=fusing(), editor_task="compress")
    with pytest.raises(ValidationError, match="begins with an empty box"):
        campaign_update(campaign=make_campaign(), editor_task="fuse")
    changed = make_campaign()
    campaign_update(campaign=changed, **FUSES)
    assert changed.fuses
