"""Drafts, kept on the server while somebody writes, over HTTP."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from common.clock import database_now
from compressions.models import Compression, Draft
from compressions.selectors.writing import MAX_IN_PAGE
from compressions.services.drafts import DRAFT_LIFETIME, MAX_DRAFTS, MAX_TOGETHER, TOO_MANY, drafts_forget_old
from compressions.services.submission import MAX_LOG_BYTES
from crowd.models import Assignment
from crowd.models.remarks import MAX_REMARK_LENGTH
from tests.support.factories import (
    EDIT,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    lease_run_out,
    make_campaign,
    submission_of,
    worker_client,
)
from tests.support.page_tokens import csrf_token

pytestmark = pytest.mark.django_db
Log = list[list[Any]]


def at_work(**options: Any) -> tuple[Client, Assignment]:
    return editor_at_work(make_campaign(sources=2, **options))


def address_of(task: Assignment, page: str = "a") -> str:
    return f"/work/edit/{task.pk}/drafts/{page}/"


def typed(*words: str) -> Log:
    """The log of somebody who types one word after the other in front of the text."""
    return [[0, "", word, "typing", 1000 * number] for number, word in enumerate(words, start=1)]


def saving(sequence: int, log: object, *, started_from: str = "source", comment: str = "") -> dict[str, Any]:
    """What a page sends."""
    return {"sequence": sequence, "started_from": started_from, "log": log, "comment": comment}


def put(client: Client, task: Assignment, page: str, content: object) -> Any:
    """Save some seconds after the last time."""
    Draft.objects.update(saved_at=F("saved_at") - timedelta(seconds=2))
    return put_at_once(client, task, page, content)


def put_at_once(client: Client, task: Assignment, page: str, content: object) -> Any:
    return client.put(address_of(task, page), content, content_type="application/json")


def stored_drafts() -> list[dict[str, Any]]:
    """All drafts, but not when they were saved."""
    return [{name: value for name, value in row.items() if name != "saved_at"} for row in Draft.objects.values()]


def shown(client: Client, task: Assignment) -> dict[str, Any]:
    """The logs that the editing page hands to its script, by the page that wrote them."""
    match = re.search(r'data-drafts="([^"]*)"', client.get(f"/work/edit/{task.pk}/").content.decode())
    assert match
    return {draft["page"]: draft["log"] for draft in json.loads(unescape(match[1]))}


def test_what_is_saved_is_on_the_page_when_it_is_opened_again() -> None:
    client, task = at_work()
    log = typed("</form><script>&quot; ", "\u00e9\U0001f469\n")

    reply = put(client, task, "a", saving(3, log, comment="Is “it” a <name>?"))

    assert (reply.status_code, reply.json()) == (200, {"sequence": 3})
    page = client.get(f"/work/edit/{task.pk}/")
    (draft,) = json.loads(page.context["drafts"])
    assert (draft["page"], draft["startedFrom"], draft["log"]) == ("a", "source", log)
    assert draft["comment"] == "Is “it” a <name>?"
    assert abs(draft["savedAt"] - database_now().timestamp() * 1000) < 60_000
    assert shown(client, task) == {"a": log}
    assert "<script>&quot;" not in page.content.decode()


def test_a_save_that_comes_twice_is_kept_once_and_answered_alike() -> None:
    client, task = at_work()

    first, second = (put(client, task, "a", saving(1, typed("So, "))) for _ in range(2))

    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert shown(client, task) == {"a": typed("So, ")}


def test_an_older_save_that_comes_later_changes_nothing() -> None:
    client, task = at_work()
    for sequence, words in ((1, ["So, "]), (3, ["So, ", "now "]), (2, ["Well, "])):
        assert put(client, task, "a", saving(sequence, typed(*words))).status_code == 200

    assert shown(client, task) == {"a": typed("So, ", "now ")}


def test_two_pages_whose_texts_differ_keep_a_draft_each() -> None:
    client, task = at_work()
    put(client, task, "a", saving(1, typed("So, ", "now ")))
    put(client, task, "b", saving(1, typed("So, ", "then ")))

    assert shown(client, task) == {"a": typed("So, ", "now "), "b": typed("So, ", "then ")}


def test_a_draft_that_another_page_went_on_from_is_forgotten() -> None:
    client, task = at_work()
    put(client, task, "a", saving(5, typed("So, ")))
    put(client, task, "b", saving(1, typed("So, ", "now ")))

    assert shown(client, task) == {"b": typed("So, ", "now ")}


def test_the_same_edits_of_another_beginning_are_another_text() -> None:
    client, task = at_work(editor_start="choice")
    put(client, task, "a", saving(1, typed("So, "), started_from="empty"))
    put(client, task, "b", saving(1, typed("So, ", "now "), started_from="source"))

    assert shown(client, task) == {"a": typed("So, "), "b": typed("So, ", "now ")}


def test_drafts_of_other_tasks_are_left_alone() -> None:
    campaign = make_campaign(sources=2)
    (ann, task), (ben, other) = (editor_at_work(campaign, name) for name in ("ann", "ben"))
    put(ann, task, "a", saving(1, typed("So, ")))
    put(ben, other, "b", saving(1, typed("So, ", "now ")))

    assert shown(ann, task) == {"a": typed("So, ")}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no JSON",
        "[]",
        "1",
        "null",
        "[" * 100_000,
        b"\xff\xfe",
        {},
        *({**saving(1, []), field: None} for field in saving(1, [])),
        *({key: value for key, value in saving(1, []).items() if key != field} for field in saving(1, [])),
        saving(-1, []),
        saving(2**31, []),
        saving(10**30, []),
        saving(True, []),
        saving(False, []),
        {**saving(1, []), "sequence": 1.0},
        {**saving(1, []), "sequence": "1"},
        '{"sequence": NaN, "started_from": "source", "log": [], "comment": ""}',
        saving(1, [], started_from="SOURCE"),
        saving(1, [], started_from="\0" * 1000),
        {**saving(1, []), "comment": ["So?"]},
        saving(1, {}),
        saving(1, [[0, "nowhere in the text", "", "deletion", 1]]),
        saving(1, [[0, "", "a", "typing", -1]]),
        saving(1, [[0, "", "a", "typing", 2], [0, "", "b", "typing", 1]]),
        saving(1, [[100_000, "", "a", "typing", 1]]),
        saving(1, [[-1, "", "a", "typing", 1]]),
        saving(1, [[0, "", "a", "magic", 1]]),
        saving(1, [[0, "", "a\0", "typing", 1]]),
        saving(1, [[0, "", "\ud83d", "typing", 1]]),
    ],
    ids=lambda content: repr(content)[:60],
)
def test_what_is_no_draft_is_refused_and_nothing_is_written(content: object) -> None:
    client, task = at_work()
    put(client, task, "a", saving(0, typed("So, ")))
    before = stored_drafts()

    reply = put(client, task, "a", content)

    assert reply.status_code == 422
    assert reply.json()["error"]
    assert stored_drafts() == before


def test_a_save_larger_than_a_log_can_be_is_refused_unread() -> None:
    client, task = at_work()
    empty = len(json.dumps(saving(1, [])))
    biggest = json.dumps(saving(1, [], comment="a" * (MAX_LOG_BYTES - empty)))

    assert put(client, task, "a", biggest[:-2] + 'a"}').status_code == 413
    assert not Draft.objects.exists()
    assert put(client, task, "a", biggest).status_code == 200


def heavy(word: str, character: str = "x", times: int = 2) -> Log:
    """The log of somebody who pastes 24,000 characters and removes them, so many times, and types a word."""
    text = character * 24_000
    pasted: Log = [[0, "", text, "paste", 1000], [0, text, "", "deletion", 2000]] * times
    return [[*edit[:4], 1000 * number] for number, edit in enumerate([*pasted, [0, "", word, "typing", 0]], start=1)]


def weight_of_page(client: Client, task: Assignment) -> int:
    return len(client.get(f"/work/edit/{task.pk}/").content)


def test_the_page_of_many_long_drafts_has_a_greatest_weight_and_the_rest_is_fetched() -> None:
    client, task = at_work()
    before = weight_of_page(client, task)
    for number in range(MAX_DRAFTS):
        assert put(client, task, f"page-{number}", saving(1, heavy(f"{number} "), comment="So?")).status_code == 200

    assert weight_of_page(client, task) - before < MAX_IN_PAGE + 10_000
    page = client.get(f"/work/edit/{task.pk}/")
    older = json.loads(page.context["older_drafts"])
    newest_first = [f"page-{number}" for number in reversed(range(MAX_DRAFTS))]
    assert [*shown(client, task), *older] == newest_first  # nothing is lost
    assert len(shown(client, task)) == 5
    fetched = client.get(address_of(task, "page-0")).json()
    assert (fetched["page"], fetched["startedFrom"], fetched["comment"]) == ("page-0", "source", "So?")
    assert fetched["log"] == heavy("0 ")


def test_the_newest_draft_is_on_the_page_however_long_it_is() -> None:
    client, task = at_work()
    put(client, task, "a", saving(1, typed("So, ")))
    put(client, task, "b", saving(1, heavy("So ", '"')))

    assert list(shown(client, task)) == ["b"]
    assert client.get(address_of(task, "a")).json()["log"] == typed("So, ")


def test_all_drafts_of_a_task_have_a_greatest_size_together() -> None:
    client, task = at_work()
    for page in ("a", "b"):
        assert put(client, task, page, saving(1, heavy(page, '"'))).status_code == 200
    for page in ("c", "d", "e"):
        put(client, task, page, saving(1, heavy(page, '"')))

    assert sum(Draft.objects.values_list("size", flat=True)) <= MAX_TOGETHER
    reply = put(client, task, "f", saving(1, heavy("f", '"')))
    assert (reply.status_code, reply.json()["error"]) == (409, TOO_MANY)
    assert put(client, task, "a", saving(2, typed("Short."))).status_code == 200


def test_nobody_else_reads_a_draft() -> None:
    client, task = at_work()
    put(client, task, "a", saving(1, typed("So, ")))
    stranger = worker_client(task.item.campaign, EDIT, "stranger")

    assert client.get(address_of(task, "a")).status_code == 200
    assert stranger.get(address_of(task, "a")).status_code == 404
    assert client.get(address_of(task, "b")).status_code == 404


def test_the_name_of_a_page_has_at_most_32_characters() -> None:
    client, task = at_work()

    assert put(client, task, "a" * 33, saving(1, [])).status_code == 422
    assert put(client, task, "a" * 32, saving(1, [])).status_code == 200

    assert set(shown(client, task)) == {"a" * 32}


@pytest.mark.parametrize(
    ("comment", "kept"),
    [("a\0b", "ab"), ("a\ud83db", "ab"), ("\U0001f469" * 3000, "\U0001f469" * MAX_REMARK_LENGTH), (" \n", " \n")],
    ids=["NUL", "lone surrogate", "too long", "blank"],
)
def test_a_comment_is_kept_as_far_as_it_can_be(comment: str, kept: str) -> None:
    client, task = at_work()

    assert put(client, task, "a", saving(1, [], comment=comment)).status_code == 200

    assert Draft.objects.get().comment == kept


def test_only_its_worker_keeps_drafts_of_a_task() -> None:
    campaign = make_campaign(sources=1)
    _, task = editor_at_work(campaign)

    replies = [put(client, task, "a", saving(1, [])) for client in (worker_client(campaign, EDIT, "ben"), Client())]

    assert [reply.status_code for reply in replies] == [404, 403]
    assert not Draft.objects.exists()


def test_a_save_needs_the_token_of_its_page() -> None:
    client, task = at_work()
    client.handler.enforce_csrf_checks = True
    token = csrf_token(client.get(f"/work/edit/{task.pk}/"))

    assert put(client, task, "a", saving(1, [])).status_code == 403
    assert not Draft.objects.exists()
    client.defaults["HTTP_X_CSRFTOKEN"] = token
    assert put(client, task, "a", saving(1, [])).status_code == 200


@pytest.mark.parametrize("state", ["submitted", "skipped"])
def test_a_task_that_is_over_takes_no_more_drafts_and_says_so(state: str) -> None:
    client, task = at_work()
    if state == "submitted":
        client.post(f"/work/edit/{task.pk}/", fields_of(submission_of(task.item.source)))
    else:
        client.post(f"/work/tasks/{task.pk}/skip/", {"reason": "unclear"})

    reply = put(client, task, "a", saving(1, []))

    assert (reply.status_code, reply.json()["state"]) == (409, state)
    assert reply.json()["error"]
    assert not Draft.objects.exists()


def test_a_draft_is_kept_even_when_somebody_else_has_the_place() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    client, task = editor_at_work(campaign)
    lease_run_out(task)
    assert edit_next(enrol(campaign, EDIT, "ben")) is not None

    assert put(client, task, "a", saving(1, typed("So, "))).status_code == 200

    assert shown(client, task) == {"a": typed("So, ")}
    assert Compression.objects.get().worker.external_id == "ben"


def test_a_task_has_at_most_twenty_versions_and_those_can_still_be_saved() -> None:
    client, task = at_work()
    for number in range(MAX_DRAFTS):
        assert put(client, task, f"page-{number}", saving(1, typed(f"{number} "))).status_code == 200

    reply = put(client, task, "one-more", saving(1, typed("One more ")))

    assert (reply.status_code, reply.json()["error"]) == (409, TOO_MANY)
    assert put(client, task, "page-0", saving(2, typed("0 ", "more "))).status_code == 200
    assert len(shown(client, task)) == MAX_DRAFTS == 20
    assert shown(client, task)["page-0"] == typed("0 ", "more ")


def test_drafts_are_forgotten_after_two_weeks_without_a_save() -> None:
    client, task = at_work()
    for page, minutes in (("old", -1), ("recent", 1), ("saved-again", -1)):
        put(client, task, page, saving(1, typed(page)))
        Draft.objects.filter(page=page).update(saved_at=database_now() - DRAFT_LIFETIME + timedelta(minutes=minutes))
    put(client, task, "saved-again", saving(2, typed("saved again")))

    assert drafts_forget_old() == 1

    assert set(shown(client, task)) == {"recent", "saved-again"}
    assert timedelta(days=14) == DRAFT_LIFETIME


@given(saves=st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9)), max_size=20))
def test_in_whatever_order_saves_come_each_page_ends_with_its_last(saves: list[tuple[str, int]]) -> None:
    client, task = at_work()

    for page, sequence in saves:
        put(client, task, page, saving(sequence, typed(page, f"{sequence} ")))

    last = {page: max(number for each, number in saves if each == page) for page, _ in saves}
    assert shown(client, task) == {page: typed(page, f"{number} ") for page, number in last.items()}


def test_a_page_saves_once_a_second_and_its_last_words_in_any_case() -> None:
    client, task = at_work()
    assert put_at_once(client, task, "a", saving(1, typed("So, "))).status_code == 200

    soon = put_at_once(client, task, "a", saving(2, typed("So, ", "now ")))
    assert (soon.status_code, soon.headers["Retry-After"]) == (429, "1")
    assert shown(client, task) == {"a": typed("So, ")}
    assert put_at_once(client, task, "b", saving(1, typed("Well, "))).status_code == 200  # another page
    assert put_at_once(client, task, "a", saving(1, typed("So, "))).status_code == 200  # the same again

    leaving = saving(3, typed("So, ", "then ")) | {"leaving": True}
    assert put_at_once(client, task, "a", leaving).status_code == 200
    assert put(client, task, "a", saving(4, typed("So, ", "then ", "on "))).status_code == 200
    assert shown(client, task) == {"a": typed("So, ", "then ", "on "), "b": typed("Well, ")}


def test_a_clock_that_was_set_back_refuses_nothing() -> None:
    client, task = at_work()
    put_at_once(client, task, "a", saving(1, typed("So, ")))
    Draft.objects.update(saved_at=F("saved_at") + timedelta(hours=1))
    assert put_at_once(client, task, "a", saving(2, typed("So, ", "now "))).status_code == 200


def test_the_pace_takes_no_statement() -> None:
    client, task = at_work()
    put(client, task, "a", saving(1, typed("So, ")))
    with CaptureQueriesContext(connection) as slow:
        put(client, task, "a", saving(2, typed("So, ", "now ")))
    with CaptureQueriesContext(connection) as fast:
        put_at_once(client, task, "a", saving(3, typed("So, ", "then ")))
    assert len(fast) < len(slow)
