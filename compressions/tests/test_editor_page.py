"""The editing page, over HTTP."""

import json
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from compressions.models import Compression, Source
from crowd.models import Assignment, Campaign
from measures.keystrokes.edit_log import parse_log, replay
from measures.text.length_rule import check_compression
from tests.support.factories import (
    EDIT,
    RATE,
    deletion_log,
    edit_next,
    enrol,
    import_texts,
    lease_run_out,
    make_campaign,
    readable,
    rewriting_log,
    shortened,
    worker_client,
)

pytestmark = pytest.mark.django_db


def at_work(campaign: Campaign, name: str = "ann") -> tuple[Client, str, Source]:
    """A browser on its task: the browser, the address, the source."""
    client = worker_client(campaign, EDIT, name)
    assignment = Assignment.objects.select_related("item__source").get(
        worker__external_id=name, state=Assignment.State.LEASED
    )
    return client, f"/work/edit/{assignment.pk}/", assignment.item.source


def form(text: str, log: object, started_from: str = "source") -> dict[str, str]:
    """What a browser sends: line breaks of a text go as CR LF."""
    return {"text": text.replace("\n", "\r\n"), "log": json.dumps(log), "started_from": started_from}


def box(page: Any) -> str:
    """What the text field of a page holds; HTML drops a line break at its beginning."""
    match = re.search(r"<textarea[^>]*>(.*?)</textarea>", page.content.decode(), re.DOTALL)
    assert match
    return unescape(match[1]).removeprefix("\n")


def log_field(page: Any) -> object:
    match = re.search(r'<input[^>]*name="log"[^>]*value="([^"]*)"', page.content.decode())
    assert match
    return json.loads(unescape(match[1]))


def test_the_page_shows_the_source_and_begins_with_it() -> None:
    client, address, source = at_work(make_campaign(sources=1))

    page = client.get(address)

    assert page.status_code == 200
    assert source.text in readable(page)
    assert box(page) == source.text
    assert log_field(page) == []
    assert f"{check_compression(source.text, '').allowed} characters or fewer" in readable(page)


def test_looking_at_the_page_writes_nothing() -> None:
    client, address, _ = at_work(make_campaign(sources=1))
    before = Assignment.objects.values().get()

    client.get(address)

    assert Assignment.objects.values().get() == before


def test_the_text_of_a_source_is_shown_as_text() -> None:
    campaign = make_campaign()
    import_texts(campaign, ["</textarea><script>alert(1)</script> & " + "plain words follow here now " * 5])
    client, address, source = at_work(campaign)

    page = client.get(address)

    assert "<script>alert" not in page.content.decode()
    assert box(page) == source.text


def test_a_sent_text_is_stored_and_leads_to_the_next_task() -> None:
    campaign = make_campaign(sources=2)
    client, address, source = at_work(campaign)
    text = shortened(source.text)

    reply = client.post(address, form(text, deletion_log(source.text, text)))

    next_task = Assignment.objects.get(state=Assignment.State.LEASED)
    assert (reply.status_code, reply["Location"]) == (302, f"/work/edit/{next_task.pk}/")
    assert Compression.objects.get().text == text


def test_the_last_text_leads_to_the_code() -> None:
    campaign = make_campaign(sources=1)
    client, address, source = at_work(campaign)
    text = shortened(source.text)

    page = client.post(address, form(text, deletion_log(source.text, text)), follow=True)

    assert page.redirect_chain[-1][0] == "/work/done/"
    assert campaign.links.get(round=EDIT).code_done in readable(page)


def test_line_breaks_of_a_form_are_those_of_the_log() -> None:
    client, address, source = at_work(make_campaign(sources=1))
    text = "The committee agreed:\nrepair the bridge,\n\nbefore winter."

    reply = client.post(address, form(text, rewriting_log(source.text, text)))

    assert reply.status_code == 302
    compression = Compression.objects.get()
    assert compression.text == text
    assert compression.target.text == "The committee agreed: repair the bridge, before winter."


def test_a_form_sent_twice_gets_the_same_reply() -> None:
    client, address, source = at_work(make_campaign(sources=2))
    text = shortened(source.text)

    first, second = (client.post(address, form(text, deletion_log(source.text, text))) for _ in range(2))

    assert (first.status_code, first["Location"]) == (second.status_code, second["Location"])
    assert Compression.objects.count() == 1
    assert Assignment.objects.filter(state=Assignment.State.LEASED).count() == 1


def test_a_text_that_breaks_the_rule_comes_back_with_its_log_and_the_reason() -> None:
    client, address, source = at_work(make_campaign(sources=1))
    text = f"{source.text} <And more.>\nAt the end."
    log = [[len(source.text), "", " <And more.>\nAt the end.", "typing", 900]]

    page = client.post(address, form(text, log))

    assert page.status_code == 422
    assert box(page) == text
    assert log_field(page) == log
    assert f"{check_compression(source.text, text).excess} characters too long" in readable(page)
    assert source.text in readable(page)


@pytest.mark.parametrize(
    "log",
    [
        "",
        "no JSON",
        "{}",
        '"text"',
        "[[0]]",
        "[NaN]",
        "9" * 5_000,
        f"[[{'9' * 5_000}]]",
        "[" * 500 + "]" * 500,
        "[" * 950 + "]" * 950,
        "[" * 100_000,
        r'[[0, "", "\ud83d", "typing", 1]]',
        r'[[0, "", "\u0000", "typing", 1]]',
    ],
    ids=lambda log: log[:20],
)
def test_a_log_that_cannot_be_read_loses_no_word(log: str) -> None:
    client, address, source = at_work(make_campaign(sources=1))
    text = shortened(source.text)

    page = client.post(address, {"text": text, "log": log, "started_from": "source"})

    assert page.status_code == 422
    assert box(page) == text
    assert "Something went wrong while recording your edits." in readable(page)
    assert not Compression.objects.exists()


@pytest.mark.parametrize("fields", [{}, {"text": "They agreed."}, {"log": "[]"}, {"text": "a\0b", "log": "[]"}])
def test_a_form_that_lacks_fields_is_answered_by_the_page(fields: dict[str, str]) -> None:
    client, address, _ = at_work(make_campaign(sources=1))

    assert client.post(address, fields).status_code == 422


def test_a_text_whose_place_is_taken_is_kept_for_copying() -> None:
    campaign = make_campaign(sources=2, editors_per_source=1)
    client, address, source = at_work(campaign)
    lease_run_out(Assignment.objects.get())
    other = enrol(campaign, EDIT, "ben")
    while edit_next(other):
        pass
    text = shortened(source.text)

    page = client.post(address, form(text, deletion_log(source.text, text)))

    assert page.status_code == 409
    assert "Someone else has this text now" in readable(page)
    assert box(page) == text
    assert Compression.objects.filter(worker__external_id="ann").count() == 0


def test_a_finished_task_shows_what_was_submitted_and_leads_on() -> None:
    client, address, source = at_work(make_campaign(sources=2))
    text = shortened(source.text)
    client.post(address, form(text, deletion_log(source.text, text)))

    reply = client.get(address)

    assert reply.status_code == 200
    assert "You have submitted this text" in readable(reply)
    assert text in readable(reply)
    assert "<textarea" not in readable(reply)
    assert 'href="/work/"' in readable(reply)


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_task_of_another_does_not_exist(method: str) -> None:
    campaign = make_campaign(sources=1)
    _, address, _ = at_work(campaign, "ann")
    other, _, _ = at_work(campaign, "ben")

    assert getattr(other, method)(address).status_code == 404


def test_a_task_of_the_other_round_does_not_exist_here() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT, "ann"))
    client = worker_client(campaign, RATE, "ben")
    assignment = Assignment.objects.get(worker__external_id="ben", state=Assignment.State.LEASED)

    assert client.get(f"/work/edit/{assignment.pk}/").status_code == 404


def test_without_a_session_the_page_says_how_to_come_back() -> None:
    _, address, _ = at_work(make_campaign(sources=1))

    assert Client().get(address).status_code == 403


CHARACTERS = st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n")
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 40), st.text(CHARACTERS, max_size=8), st.integers(0, 5_000)), max_size=12
)


def written(source: str, edits: list[tuple[float, int, str, int]]) -> tuple[str, list[list[Any]]]:
    """The text that random edits and a last cut lead to, and their log."""
    text, at_ms, log = source, 0, []
    for where, count, inserted, pause in edits:
        position, at_ms = int(where * len(text)), at_ms + pause
        removed = text[position : position + count]
        log.append([position, removed, inserted, "typing", at_ms])
        text = text[:position] + inserted + text[position + len(removed) :]
    keep = len(text)
    while not check_compression(source, f"{text[:keep]} At last.").accepted:
        keep -= 1
    log.append([keep, text[keep:], " At last.", "paste", at_ms])
    return f"{text[:keep]} At last.", log


@given(edits=EDITS)
def test_whatever_is_typed_within_the_rule_is_taken_and_can_be_replayed(
    edits: list[tuple[float, int, str, int]],
) -> None:
    client, address, source = at_work(make_campaign(sources=1), name=f"typist {Compression.objects.count()}")
    text, log = written(source.text, edits)

    reply = client.post(address, form(text, log))

    assert reply.status_code == 302, readable(reply)
    compression = Compression.objects.get(source=source)
    assert compression.text == text
    assert replay(source.text, parse_log(compression.edit_log)) == text


def test_another_version_from_another_tab_does_not_vanish_without_a_word() -> None:
    client, address, source = at_work(make_campaign(sources=2))
    for text in (shortened(source.text), shortened(source.text, 50)):
        reply = client.post(address, form(text, deletion_log(source.text, text)))
    assert "You had already submitted this text." in readable(client.get(reply["Location"]))
    assert Compression.objects.get().text == shortened(source.text)


def test_what_the_browser_keeps_is_found_again_by_the_second_in_which_the_text_was_given_out() -> None:
    """A lease that is taken anew begins anew, and the key of an earlier release stays the same."""
    client, address, _ = at_work(make_campaign(sources=1))
    assignment = Assignment.objects.get(state=Assignment.State.LEASED)
    late = datetime(2026, 5, 4, 3, 2, 1, 999_999, tzinfo=UTC)
    Assignment.objects.filter(pk=assignment.pk).update(leased_at=late)
    assert f'data-task="{assignment.pk}-{int(late.timestamp())}"' in client.get(address).content.decode()
