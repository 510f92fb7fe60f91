"""Participants read their pages in the language that the campaign says, and nothing on them stays English."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import trans_real

from crowd.models import Assignment, Campaign, Remark
from crowd.page_words import words_script
from crowd.services.campaigns import campaign_state_set
from tests.support.bracketed import not_translated
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    editor_at_work,
    enrol,
    fields_of,
    lease_run_out,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    readable,
    staff_client,
    submission_of,
    worker_client,
)
from tests.support.qualification import TEST, TO_TEST, answers_of, take_test

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "messages.py"


def test_the_catalogues_hold_all_that_participants_read() -> None:
    checked = subprocess.run([sys.executable, SCRIPT, "--check"], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.fixture(scope="module")
def brackets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("locale")
    subprocess.run([sys.executable, SCRIPT, "--brackets", "de", folder], check=True)
    return folder


@pytest.fixture
def bracketed(brackets: Path, settings: Any) -> Iterator[None]:
    """Let German be English in brackets."""
    settings.LOCALE_PATHS = [brackets]
    _forget_words()
    yield
    _forget_words()


def _forget_words() -> None:
    trans_real._translations.clear()  # type: ignore[attr-defined]
    words_script.cache_clear()


def german(**settings: Any) -> Campaign:
    return make_campaign(**{"name": "⟦Letters⟧", "page_language": "de", "sources": 3, "editor_tasks": 2, **settings})


def editors_pages() -> Iterator[tuple[str, Any]]:
    campaign = german(partial_after=1, editor_minutes=15, editor_pay="2.50")
    newcomer, address = Client(), f"/join/{link_of(campaign, EDIT).token}/"
    yield "consent", newcomer.get(address)
    newcomer.post(address)
    yield "guidelines", newcomer.get("/work/guidelines/")
    client, assignment = editor_at_work(campaign)
    yield "returning", client.get(f"/join/{link_of(campaign, EDIT).token}/?participant=ann", follow=True)
    yield "task", client.get(f"/work/edit/{assignment.pk}/")
    fields = fields_of(submission_of(assignment.item.source))
    for text in ("", "1234", assignment.item.source.text, "Many w", "a\x07", "e" + 40 * "\u0301"):
        yield f"refused: {text[:9]!r}", client.post(f"/work/edit/{assignment.pk}/", fields | {"text": text})
    yield "stop", client.get("/work/stop/")
    yield "submitted", client.post(f"/work/edit/{assignment.pk}/", fields, follow=True)
    yield "looked at again", client.get(f"/work/edit/{assignment.pk}/")
    other = {**fields, "text": fields["text"][:-4]}
    yield "submitted twice", client.post(f"/work/edit/{assignment.pk}/", other, follow=True)
    yield "stopped", client.post("/work/leave/", follow=True)
    yield "withdrawn", client.post("/work/withdraw/", follow=True)


def lost_texts() -> Iterator[tuple[str, Any]]:
    campaign = german(sources=1, editors_per_source=1)
    client, assignment = editor_at_work(campaign)
    lease_run_out(assignment)
    other = enrol(campaign, EDIT, "bob")
    taken = worker_client(campaign, EDIT, "cid")
    yield "taken over", taken.post("/work/next/", follow=True)
    fields = fields_of(submission_of(assignment.item.source))
    yield "lost", client.post(f"/work/edit/{assignment.pk}/", fields)
    yield "nothing left", client.post("/work/next/", follow=True)
    newcomer = Client()
    yield "no work", newcomer.get(f"/join/{link_of(campaign, EDIT).token}/?participant=new", follow=True)
    assert other.pk
    campaign_state_set(campaign=campaign, state="closed", user=None)
    yield "closed", taken.get("/work/", follow=True)
    yield "closed to newcomers", Client().get(f"/join/{link_of(campaign, EDIT).token}/")


def raters_at_the_test() -> Iterator[tuple[str, Any]]:
    campaign = german(raters_per_compression=2, gold_percent=0, qualification_wait_minutes=5)
    edit_all(campaign, 2)
    add_qualification(campaign, 2)
    for _name, points, tries in (("good", 3, 1), ("poor", 1, 2)):
        client = worker_client(campaign, RATE, _name)
        page = client.get(TO_TEST, follow=True)
        yield f"{_name}: a question", page
        yield f"{_name}: no answer", client.post(TEST, answers_of(page, {}))
        yield f"{_name}: the result", take_test(client, meaning=points, grammar=points)
        if tries > 1:
            yield "to wait", client.get(TEST)
            Campaign.objects.filter(pk=campaign.pk).update(qualification_wait_minutes=0)
            yield "the last attempt", take_test(client, meaning=points, grammar=points)
            yield "failed", client.get("/work/done/")


def answers_of_raters() -> Iterator[tuple[str, Any]]:
    campaign = german(raters_per_compression=2, gold_percent=0, ratings_per_page=2)
    edit_all(campaign, 2)
    client = worker_client(campaign, RATE, "ann")
    task = Assignment.objects.filter(round=RATE).latest("pk")
    address = f"/work/rate/{task.pk}/"
    yield "task", client.get(address)
    yield "incomplete", client.post(address, {"tasks": str(task.pk)})
    yield "rated", client.post(address, {f"meaning-{task.pk}": "3", f"grammar-{task.pk}": "2"}, follow=True)
    yield "answers", client.get("/work/answers/")
    yield "correction", client.get(address)
    yield "skipped", client.get(f"/work/rate/{task.pk}/")


def pairs() -> Iterator[tuple[str, Any]]:
    campaign = german(rating_task="pair", gold_percent=0)
    edit_all(campaign, 2)
    client = worker_client(campaign, RATE, "ann")
    yield "pair", client.get("/work/", follow=True)


def wrong_ways_in() -> Iterator[tuple[str, Any]]:
    campaign = german()
    link = open_link(campaign=campaign, work_round=EDIT, platform_key="prolific")
    yield "without an id", Client().get(f"/join/{link.token}/")
    yield "impossible id", Client().get(f"/join/{link.token}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}")
    client, assignment = editor_at_work(campaign)
    yield "skip without reason", client.post(f"/work/tasks/{assignment.pk}/skip/", {})
    reason = Remark.SKIP_REASONS[0].value
    yield "skipped", client.post(f"/work/tasks/{assignment.pk}/skip/", {"reason": reason}, follow=True)
    problem = Remark.PROBLEM_REASONS[0].value
    yield (
        "reported",
        client.post(f"/work/tasks/{assignment.pk}/problem/", {"reason": problem, "text": "x"}, follow=True),
    )


WAYS = (editors_pages, lost_texts, raters_at_the_test, answers_of_raters, pairs, wrong_ways_in)


@pytest.mark.django_db
@pytest.mark.usefixtures("bracketed")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_page_of_participants_keeps_a_word_of_english(way: Any) -> None:
    left = {name: words for name, answer in way() if (words := not_translated(_page(answer)))}
    assert left == {}


@pytest.mark.django_db
@pytest.mark.usefixtures("bracketed")
def test_staff_see_numbers_in_texts_as_participants_will() -> None:
    campaign = german(owner=make_staff("dora"))
    page = f"/campaigns/{campaign.slug}/settings/preview/"

    preview = readable(staff_client(campaign.staff.get()).post(page, {"name": "consent", "text": "You {task}."}))

    assert "You ⟦shorten up to 2 short texts⟧." in preview
    assert "<summary>What editors read</summary>" in preview


def _page(answer: Any) -> str:
    if answer.headers["Content-Type"].startswith("application/json"):
        return str(json.loads(answer.content).get("error", ""))
    return readable(answer)
