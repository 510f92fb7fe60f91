"""Texts made to keep a server busy: they are refused in time, in words, and come back as they were typed."""

import json
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from compressions.models import Compression, Draft, Source
from crowd.models import Assignment, Remark
from measures.text.normalization import MAX_TYPED_LENGTH
from tests.support.factories import (
    editor_at_work,
    fields_of,
    make_campaign,
    readable,
    rewriting_log,
    shortened,
    submission_of,
)
from tests.support.normalizing import STACK, normalization_guarded

pytestmark = pytest.mark.django_db
SCRIPT = {"accept": "application/json"}
STACKED = "They meet" + "\u0301" * 31 + " again."
WORDS = "haracter 9 has more than 30 accents or marks on it. Remove some."


@pytest.fixture(autouse=True)
def guarded() -> Iterator[None]:
    with normalization_guarded():
        yield


def at_work() -> tuple[Client, Assignment, Source]:
    client, task = editor_at_work(make_campaign(sources=2))
    return client, task, task.item.source


def post(client: Client, task: Assignment, text: str, log: Any, **options: Any) -> Any:
    fields = {"text": text, "log": json.dumps(log), "started_from": "source", "comment": options.pop("comment", "")}
    return client.post(f"/work/edit/{task.pk}/", fields, **options)


@pytest.mark.parametrize("stack", [STACK, STACK[:MAX_TYPED_LENGTH]], ids=["longer than the box", "as long as the box"])
def test_marks_that_held_a_process_are_refused_before_they_are_normalised(stack: str) -> None:
    client, task, source = at_work()

    for log in (rewriting_log(source.text, stack), [], "no log"):
        page = post(client, task, stack, log)
        assert page.status_code == 422
        assert stack in unescape(page.content.decode())  # nothing that was typed is lost
    assert not Compression.objects.exists()


def test_the_refusal_says_what_is_wrong_and_where() -> None:
    client, task, source = at_work()
    log = rewriting_log(source.text, STACKED)

    page = post(client, task, STACKED, log)
    reply = post(client, task, STACKED, log, headers=SCRIPT)

    assert (page.status_code, reply.status_code) == (422, 422)
    assert reply.json() == {"error": f"C{WORDS}", "code": ""}
    assert f"C{WORDS}" in readable(page)
    assert STACKED in unescape(page.content.decode())


def test_a_text_longer_than_the_box_holds_is_refused_for_its_length() -> None:
    client, task, source = at_work()
    text = "It is so. " * 2_001

    page = post(client, task, text, rewriting_log(source.text, text))

    assert page.status_code == 422
    assert "characters too long" in readable(page)
    assert text.strip() in page.content.decode()


@pytest.mark.parametrize("headers", [{}, SCRIPT])
def test_marks_in_a_comment_are_refused_and_the_text_is_kept(headers: dict[str, str]) -> None:
    client, task, source = at_work()
    fields = fields_of(submission_of(source)) | {"comment": STACKED}

    reply = client.post(f"/work/edit/{task.pk}/", fields, headers=headers)

    assert reply.status_code == 422
    said = reply.json()["error"] if headers else readable(reply)
    assert f"In your comment, c{WORDS}" in said
    assert headers or (STACKED in reply.content.decode() and shortened(source.text) in readable(reply))
    assert not Compression.objects.exists()
    assert not Remark.objects.exists()


def test_marks_that_were_pasted_and_deleted_again_stay_in_the_log_and_harm_nobody() -> None:
    """The text can be submitted; flags quote what was pasted, and staff see how it came about."""
    client, task, source = at_work()
    stack = "\u0315\u0300" * 20_000
    text = shortened(source.text)
    log = [[0, "", stack, "paste", 1_000], [0, stack, "", "deletion", 2_000], [0, source.text, text, "typing", 20_000]]

    assert post(client, task, text, log).status_code == 302

    stored = Compression.objects.get()
    assert "pasted from elsewhere" in {name for name, _, _ in stored.flags}
    staff = Client()
    staff.force_login(stored.source.campaign.staff.get())
    page = staff.get(f"/campaigns/{stored.source.campaign.slug}/compressions/{stored.pk}/")
    assert page.status_code == 200
    assert "pasted from elsewhere" in readable(page).lower()


def test_a_text_in_disguise_is_taken_and_flagged_for_staff() -> None:
    client, task, source = at_work()
    text = shortened(source.text).replace("o", "\u043e", 1) + "\u202e"

    assert post(client, task, text, rewriting_log(source.text, text)).status_code == 302

    stored = Compression.objects.get()
    flags = {name: (evidence, operation) for name, evidence, operation in stored.flags}
    assert flags["hidden writing direction"] == ("U+202E right-to-left override", None)
    assert "U+043E (Cyrillic) among Latin letters" in flags["alphabets mixed in a word"][0]
    assert stored.is_flagged
    staff = Client()
    staff.force_login(stored.source.campaign.staff.get())
    for page in ("flagged/", f"compressions/{stored.pk}/"):
        assert "U+043E (Cyrillic)" in readable(staff.get(f"/campaigns/{stored.source.campaign.slug}/{page}"))


def test_a_draft_with_stacked_marks_is_kept_for_the_person_to_repair() -> None:
    client, task, source = at_work()
    stack = "\u0315\u0300" * 20_000
    content = {"sequence": 1, "started_from": "source", "log": [[0, "", stack, "paste", 1]], "comment": STACKED}

    reply = client.put(f"/work/edit/{task.pk}/drafts/a/", content, content_type="application/json")

    assert reply.status_code == 200
    page = client.get(f"/work/edit/{task.pk}/")
    assert page.status_code == 200
    assert Draft.objects.get().edit_log[0][2] == stack
    assert source.text in readable(page)


@pytest.mark.parametrize("address", ["skip", "problem"])
def test_marks_in_a_remark_are_refused(address: str) -> None:
    client, task, _ = at_work()

    reply = client.post(f"/work/tasks/{task.pk}/{address}/", {"reason": "other", "text": STACKED}, headers=SCRIPT)

    assert (reply.status_code, reply.json()["error"]) == (422, f"C{WORDS}")
    assert not Remark.objects.exists()
