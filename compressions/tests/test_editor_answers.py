"""What the editing page holds and answers, to scripts and to people, over HTTP."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from compressions.models import Compression, Draft, Source
from compressions.services.submission import Submission
from crowd.models import Assignment, Campaign, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from tests.support.factories import (
    EDIT,
    deletion_log,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    import_paragraphs,
    lease_run_out,
    make_campaign,
    readable,
    rewriting_log,
    shortened,
    submission_of,
)

pytestmark = pytest.mark.django_db
SCRIPT = {"accept": "application/json"}
BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def at_work(sources: int = 2, **options: Any) -> tuple[Client, str, Source]:
    """A browser on its task: the browser, the address, the source."""
    client, task = editor_at_work(make_campaign(sources=sources, **options))
    return client, f"/work/edit/{task.pk}/", task.item.source


def fields(source: Source, **changes: str) -> dict[str, str]:
    return fields_of(submission_of(source)) | changes


def value_of(page: Any, name: str) -> str:
    """What a hidden field of a page holds."""
    match = re.search(rf'<input[^>]*name="{name}"[^>]*value="([^"]*)"', page.content.decode())
    assert match
    return unescape(match[1])


def box(page: Any) -> str:
    match = re.search(r'<textarea id="draft"[^>]*>\n(.*?)</textarea>', page.content.decode(), re.DOTALL)
    assert match
    return unescape(match[1])


def test_a_script_is_told_the_address_of_what_comes_next() -> None:
    client, address, source = at_work()

    reply = client.post(address, fields(source), headers=SCRIPT)

    assert (reply.status_code, list(reply.json())) == (200, ["next"])
    page = client.get(reply.json()["next"])
    assert page.status_code == 200
    assert "Shorten this text" in readable(page)
    assert page.context["source"] != source


def test_a_script_that_sent_the_last_text_is_told_of_the_end() -> None:
    client, address, source = at_work(sources=1)

    reply = client.post(address, fields(source), headers=SCRIPT)

    assert reply.json() == {"next": "/work/done/"}
    assert "Thank you!" in readable(client.get("/work/done/"))


def test_a_script_that_sends_twice_is_answered_alike() -> None:
    client, address, source = at_work()

    first, second = (client.post(address, fields(source), headers=SCRIPT) for _ in range(2))

    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert Compression.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"log": "[]"}, "Something went wrong while recording your edits."),
        ({"log": "no JSON"}, "Something went wrong while recording your edits."),
        ({"text": "", "started_from": "empty", "log": "[]"}, "Write some text."),
        ({"started_from": "elsewhere"}, "Something went wrong while recording your edits."),
    ],
)
def test_a_script_is_told_why_a_text_is_refused(changes: dict[str, str], reason: str) -> None:
    client, address, source = at_work()

    reply = client.post(address, fields(source, **changes), headers=SCRIPT)

    assert reply.status_code == 422
    assert reply.json()["code"] == ""
    assert reason in reply.json()["error"]
    assert not Compression.objects.exists()


def test_a_script_is_told_that_somebody_else_has_the_place() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    client, task = editor_at_work(campaign)
    lease_run_out(task)
    edit_next(enrol(campaign, EDIT, "ben"))

    reply = client.post(f"/work/edit/{task.pk}/", fields(task.item.source), headers=SCRIPT)

    assert reply.status_code == 409
    assert "Someone else has this text now" in reply.json()["error"]


def test_a_text_that_was_skipped_cannot_be_submitted_any_more() -> None:
    client, address, source = at_work()
    client.post(f"/work/tasks/{address.split('/')[3]}/skip/", {"reason": "unclear"})

    reply = client.post(address, fields(source), headers=SCRIPT)
    page = client.post(address, fields(source), headers=BROWSER)

    assert reply.status_code == 409
    assert reply.json() == {"error": "You skipped this text, so someone else will work on it.", "code": "lost"}
    assert page.status_code == 409
    assert box(page) == shortened(source.text)
    assert not Compression.objects.exists()


@pytest.mark.parametrize("headers", [BROWSER, {}, {"accept": "*/*"}])
def test_a_form_is_sent_on_or_answered_by_the_page(headers: dict[str, str]) -> None:
    client, address, source = at_work()

    refused = client.post(address, fields(source, log="[]", comment="So <so>"), headers=headers)
    taken = client.post(address, fields(source), headers=headers)

    assert refused.status_code == 422
    assert refused.headers["Content-Type"].startswith("text/html")
    assert box(refused) == shortened(source.text)
    assert "So <so></textarea>" in readable(refused)
    assert taken.status_code == 302
    assert client.get(taken.headers["Location"]).context["source"] != source


def test_a_skipped_task_leads_to_the_work() -> None:
    client, address, source = at_work()
    client.post(f"/work/tasks/{address.split('/')[3]}/skip/", {"reason": "unclear"})

    page = client.get(address, follow=True)

    following = Assignment.objects.get(state=Assignment.State.LEASED)
    assert page.redirect_chain == [("/work/", 302), (f"/work/edit/{following.pk}/", 302)]
    assert "You skipped this text." in readable(page)
    assert page.context["source"] != source


def test_a_comment_is_kept_once_with_the_text_it_came_with() -> None:
    client, address, source = at_work()

    for comment in (" Is it a bridge\n<b>at all</b>? ", "Another comment, of another tab"):
        client.post(address, fields(source, comment=comment))
        client.post(address, fields(source, comment=comment))

    remark = Remark.objects.get()
    assert (remark.kind, remark.reason) == (Remark.Kind.COMMENT, "")
    assert remark.text == "Is it a bridge\n<b>at all</b>?"
    assert remark.assignment == Compression.objects.get().assignment


@pytest.mark.parametrize("comment", ["", " \n\t", "\0", "\u00a0"])
def test_a_blank_comment_is_none(comment: str) -> None:
    client, address, source = at_work()

    assert client.post(address, fields(source, comment=comment)).status_code == 302

    assert not Remark.objects.exists()


def test_a_comment_comes_in_only_together_with_its_text() -> None:
    client, address, source = at_work()

    assert client.post(address, fields(source, log="[]", comment="So?")).status_code == 422

    assert not Remark.objects.exists()


def test_a_comment_is_kept_as_far_as_it_can_be() -> None:
    client, address, source = at_work()

    assert client.post(address, fields(source, comment="a\0" + "b" * 3000)).status_code == 302

    assert Remark.objects.get().text == ("a" + "b" * 3000)[:MAX_REMARK_LENGTH]


def test_what_staff_should_look_at_is_stored_and_refuses_nothing() -> None:
    client, address, source = at_work()
    text = "Nothing of this sentence has ever stood in the original."
    log = [[0, source.text, text, "paste", 60_000]]

    assert client.post(address, fields_of(Submission(text, log))).status_code == 302

    (name, evidence, operation), *_odd = Compression.objects.get().flags
    assert (name, operation) == ("pasted from elsewhere", 0)
    assert "characters pasted that stand neither in the source nor in the draft" in evidence


def test_who_worked_for_a_while_and_pasted_nothing_is_not_flagged() -> None:
    client, address, source = at_work()
    text = shortened(source.text)
    (cut,) = deletion_log(source.text, text)
    Assignment.objects.update(leased_at=F("leased_at") - timedelta(minutes=1))

    client.post(address, fields_of(Submission(text, [[*cut[:4], 60_000]])))

    assert Compression.objects.get().flags == []


def test_the_page_takes_few_queries_and_no_more_with_many_drafts(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client, address, _ = at_work()

    def save_draft(number: int) -> None:
        log = [[0, "", f"{number} ", "typing", 1]]
        content = {"sequence": 1, "started_from": "source", "log": log, "comment": ""}
        client.put(f"{address}drafts/{number}/", content, content_type="application/json")

    with django_assert_max_num_queries(4):
        client.get(address)
    save_draft(0)
    with django_assert_max_num_queries(5) as with_one:
        client.get(address)
    for number in (1, 2):
        save_draft(number)
    with django_assert_max_num_queries(5) as with_drafts:
        page = client.get(address)

    assert page.context["drafts"].count("typing") == 3
    assert len(with_drafts) == len(with_one)


def test_the_address_of_a_submitted_text_takes_few_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client, address, source = at_work()
    client.post(address, fields(source))

    with django_assert_max_num_queries(4):
        page = client.get(address)

    assert "You have submitted this text" in readable(page)
    assert shortened(source.text) in readable(page)


@pytest.mark.parametrize(
    ("editor_start", "started_from", "buttons"),
    [("source", "source", {"source"}), ("empty", "empty", {"empty"}), ("choice", "source", {"source", "empty"})],
)
def test_the_box_begins_as_the_campaign_says(editor_start: str, started_from: str, buttons: set[str]) -> None:
    client, address, source = at_work(editor_start=editor_start)

    page = client.get(address)

    assert box(page) == (source.text if started_from == "source" else "")
    assert value_of(page, "started_from") == started_from
    assert set(re.findall(r'data-start="(\w+)"', page.content.decode())) == buttons


@pytest.mark.parametrize(
    ("editor_start", "started_from"),
    [("source", "source"), ("empty", "empty"), ("choice", "source"), ("choice", "empty")],
)
def test_what_the_box_held_at_first_is_recorded(editor_start: str, started_from: str) -> None:
    client, address, source = at_work(editor_start=editor_start)
    text = shortened(source.text)
    log = rewriting_log(source.text if started_from == "source" else "", text)

    assert client.post(address, fields_of(Submission(text, log, started_from))).status_code == 302

    assert Compression.objects.get().started_from == started_from


@pytest.mark.parametrize(("is_paragraph", "shown", "hidden"), [(False, "One.", "Two."), (True, "Two.", "One.")])
def test_the_guidelines_show_examples_of_what_is_to_be_shortened(is_paragraph: bool, shown: str, hidden: str) -> None:
    examples: dict[str, Any] = {"sentence_examples": "### Good: One.", "paragraph_examples": "### Good: Two."}
    campaign = make_campaign(sources=0 if is_paragraph else 1, **examples)
    if is_paragraph:
        import_paragraphs(campaign, ["1_2"])
    client, task = editor_at_work(campaign)

    page = readable(client.get(f"/work/edit/{task.pk}/"))

    assert f"Good: {shown}" in page
    assert f"Good: {hidden}" not in page
    assert "Shorten." in page
    assert all(f"Good: {each}" in readable(client.get("/work/guidelines/")) for each in ("One.", "Two."))


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ('{"v":1,"keys":9,"away_n":1,"away_ms":4000}', {"v": 1, "keys": 9, "away_n": 1, "away_ms": 4000}),
        ('{"v":1,"keys":10000001}', None),
        ("nonsense", None),
    ],
)
def test_what_the_page_counted_is_kept_beside_the_text_which_never_depends_on_it(
    sent: str, stored: dict[str, int] | None
) -> None:
    client, address, source = at_work()
    assert client.post(address, fields(source, page_record=sent), headers=SCRIPT).status_code == 200
    assert Compression.objects.get().page_record == stored


@pytest.mark.parametrize("is_on", [True, False])
def test_a_page_opened_before_leaving_was_no_longer_recorded_is_stored_without_it(is_on: bool) -> None:
    client, address, source = at_work()
    text = shortened(source.text)
    log: list[list[int | str]] = [
        *deletion_log(source.text, text),
        [0, "", "", "leave", 8_000],
        [0, "", "", "return", 90_000],
    ]
    Campaign.objects.update(record_leaving=is_on)
    kept = [row for row in log if is_on or row[3] != "leave"]

    draft = {"sequence": 1, "started_from": "source", "log": log, "comment": ""}
    assert client.put(f"{address}drafts/a/", draft, content_type="application/json").status_code == 200
    assert Draft.objects.get().edit_log == kept
    record = '{"v":1,"keys":9,"away_n":1,"away_ms":4000}'
    sent = fields(source, text=text, log=json.dumps(log), page_record=record)
    assert client.post(address, sent, headers=SCRIPT).status_code == 200
    stored = Compression.objects.get()
    assert (stored.text, stored.edit_log) == (text, kept)
    assert stored.page_record == {"v": 1, "keys": 9} | ({"away_n": 1, "away_ms": 4000} if is_on else {})


@pytest.mark.parametrize("is_on", [True, False])
def test_the_page_knows_whether_leaving_is_recorded(is_on: bool) -> None:
    client, address, _ = at_work(record_leaving=is_on)
    assert f'data-records-leaving="{"1" if is_on else ""}"' in client.get(address).content.decode()
