"""What participants read follows from the settings: nothing is promised that is not so, and refusals say so."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from crowd.models import Campaign
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    edit_next,
    link_of,
    make_campaign,
    open_link,
    readable,
    worker_client,
)

pytestmark = pytest.mark.django_db
CODE = "completion code"


def said(response: Any) -> str:
    """A page as its reader meets it, on one line."""
    return " ".join(readable(response).split())


def started(code: str = "DONE", **settings: Any) -> tuple[Campaign, Client]:
    campaign = make_campaign(**{"sources": 3, "editor_tasks": 2, **settings})
    campaign.links.update(code_done=code)
    return campaign, worker_client(campaign, EDIT, "ann")


@pytest.mark.parametrize(("code", "is_told"), [("DONE", True), ("", False)])
def test_a_code_is_promised_only_where_there_is_one(code: str, is_told: bool) -> None:
    _, client = started(code)

    assert (CODE in said(client.get("/work/stop/"))) == is_told
    client.post("/work/leave/")
    assert (CODE in said(client.get("/work/done/"))) == is_told


@pytest.mark.parametrize(("tasks", "words"), [(2, "All 2 texts done. Thank you!"), (1, "Text done. Thank you!")])
def test_who_has_done_all_is_thanked(tasks: int, words: str) -> None:
    campaign = make_campaign(sources=3, editor_tasks=tasks)
    client = worker_client(campaign, EDIT, "ann")
    enrolment = campaign.workers.get(external_id="ann").enrolments.get()
    for _ in range(tasks):
        edit_next(enrolment)
    client.post("/work/next/")
    page = said(client.get("/work/done/"))
    assert words in page
    assert "no more texts" not in page


def test_who_has_not_done_all_reads_why_there_are_no_more() -> None:
    campaign = make_campaign(sources=1, editor_tasks=5)
    client = worker_client(campaign, EDIT, "ann")
    edit_next(campaign.workers.get().enrolments.get())
    client.post("/work/next/")
    page = said(client.get("/work/done/"))
    assert "1 text done. Thank you!" in page
    assert "We have no more texts for you right now." in page


def test_the_names_of_campaigns_and_their_texts_say_their_direction() -> None:
    campaign = make_campaign(sources=1, name="نصوص", language="ar", page_language="ar")
    page = said(Client().get(link_of(campaign, EDIT).get_absolute_url()))
    assert '<html lang="ar" dir="rtl">' in page
    assert '<h1 dir="auto">نصوص</h1>' in page
    edit_all(campaign, 1)
    task = said(worker_client(campaign, RATE, "rea").get("/work/", follow=True))
    assert '<p class="reading original" lang="ar" dir="rtl">' in task
    assert '<p class="reading version" lang="ar" dir="rtl">' in task


def test_a_session_that_has_ended_is_told_in_the_language_of_the_browser() -> None:
    page = said(Client().get("/work/", headers={"accept-language": "ar"}))
    assert '<html lang="ar" dir="rtl">' in page


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_a_page_that_is_not_there_is_told_in_the_language_of_the_campaign(work_round: str) -> None:
    campaign = make_campaign(sources=1, page_language="ar")
    edit_all(campaign, 1)
    client = worker_client(campaign, work_round, "ann")
    page = client.get(f"/work/{work_round}/999999/")
    assert page.status_code == 404
    assert '<html lang="ar" dir="rtl">' in said(page)
    assert '<html lang="en" dir="ltr">' in said(client.get("/nothing/here/"))


def test_a_form_that_is_too_old_says_so_in_the_language_of_the_campaign() -> None:
    campaign = make_campaign(sources=1, page_language="ar")
    client = worker_client(campaign, EDIT, "ann")
    client.handler.enforce_csrf_checks = True
    page = client.post("/work/leave/")
    assert page.status_code == 403
    assert '<html lang="ar" dir="rtl">' in said(page)
    with translation.override("ar"):
        title = f"{gettext('Error:')} {gettext('This page was open too long')}"
    assert "Error" not in title
    assert f"<title> {title} · Précis </title>" in said(page)


@pytest.mark.parametrize("address", ["/work/", "/nothing/here/", "/work/edit/999999/"])
def test_pages_that_refuse_have_it_in_their_title(address: str) -> None:
    assert "<title> Error: " in said(Client().get(address))


def test_who_comes_by_a_platform_without_an_id_is_told_by_the_title() -> None:
    link = open_link(campaign=make_campaign(sources=1), work_round=EDIT, platform_key="prolific")
    page = said(Client().get(link.get_absolute_url()))
    assert "<title> Error: Please open the study from Prolific" in page
