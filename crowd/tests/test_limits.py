"""One person who asks for too much is told to wait; others notice nothing."""

import re
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from common.models import RateCount
from crowd.limits import Act, limit_of
from crowd.models import Assignment, Remark, Worker
from crowd.models.links import CODES
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    link_of,
    make_campaign,
    submission_of,
    worker_client,
)

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


@pytest.fixture(autouse=True)
def _still(clock: Clock) -> None:
    """No window ends during a test."""
    clock.to_next_hour()


@pytest.fixture(autouse=True)
def _few(settings: Settings) -> None:
    settings.TASKS_PER_MINUTE = 8


def last_of(client: Client, path: str, number: int, **form: Any) -> Any:
    """The answer to the last of many posts."""
    return [client.post(path, form) for _ in range(number)][-1]


def test_a_hundred_claims_in_a_second_are_refused_and_others_unharmed() -> None:
    campaign = make_campaign(sources=5)
    greedy, other = worker_client(campaign, EDIT, "greedy"), worker_client(campaign, EDIT, "other")
    statuses = [greedy.post("/work/next/").status_code for _ in range(100)]
    assert statuses.count(429) >= 90
    assert statuses[:6] == [302] * 6
    assert other.post("/work/next/").status_code == 302
    assert other.get("/work/", follow=True).status_code == 200


def test_who_waits_may_go_on(clock: Clock) -> None:
    client = worker_client(make_campaign(sources=5), EDIT)
    refusal = last_of(client, "/work/next/", 30)
    assert refusal.status_code == 429
    clock.advance(minutes=(int(refusal.headers["Retry-After"]) + 1) / 60)
    assert client.post("/work/next/").status_code == 302


def test_a_page_script_is_told_in_json() -> None:
    client = worker_client(make_campaign(sources=5), EDIT)
    last_of(client, "/work/next/", 30)
    refusal = client.post("/work/next/", headers=JSON)
    assert (refusal.status_code, list(refusal.json())) == (429, ["error"])
    assert refusal.json()["error"].startswith("Please wait a moment")
    assert int(refusal.headers["Retry-After"]) > 0


def test_a_text_that_is_sent_too_soon_comes_back_to_be_sent_again() -> None:
    client, task = editor_at_work(make_campaign(sources=2))
    form = fields_of(submission_of(task.item.source))
    refused = last_of(client, f"/work/edit/{task.pk}/", 20, **{**form, "text": "too <short>", "log": "[]"})
    page = refused.content.decode()
    assert refused.status_code == 429
    assert page.count("too &lt;short&gt;") == 2  # to be read, and to be sent again
    assert 'name="log" value="[]"' in page
    assert "Please wait a moment" in page
    assert Assignment.objects.get(pk=task.pk).state == Assignment.State.LEASED


def test_the_answers_of_a_rater_come_back_to_be_sent_again() -> None:
    campaign = make_campaign(sources=2)
    edit_next(enrol(campaign, EDIT))
    client = worker_client(campaign, RATE)
    address = client.get("/work/").headers["Location"]
    refused = last_of(client, address, 20, **{"meaning-1": "3"})
    assert refused.status_code == 429
    assert 'name="meaning-1" value="3"' in refused.content.decode()


def test_drafts_are_limited_far_above_what_an_open_page_saves() -> None:
    client, task = editor_at_work(make_campaign(sources=2))
    save = {"sequence": 1, "started_from": "source", "log": [], "comment": ""}
    saves = [
        client.put(f"/work/edit/{task.pk}/drafts/a/", save, content_type="application/json", headers=JSON).status_code
        for _ in range(50)
    ]
    assert saves == [200] * 40 + [429] * 10


@pytest.mark.parametrize("what", ["skip", "problem"])
def test_skips_and_reports_are_limited(what: str) -> None:
    client = worker_client(make_campaign(sources=20), EDIT)
    statuses = []
    for _ in range(10):
        task = Assignment.objects.get(state=Assignment.State.LEASED)
        reason = "unclear" if what == "skip" else "broken"
        statuses.append(client.post(f"/work/tasks/{task.pk}/{what}/", {"reason": reason, "text": ""}).status_code)
    assert statuses == [302] * 2 + [429] * 8
    assert Remark.objects.count() == (2 if what == "skip" else 1)


def test_renewals_are_limited() -> None:
    client, task = editor_at_work(make_campaign(sources=2))
    assert last_of(client, f"/work/tasks/{task.pk}/renew/", 20).status_code == 429


def test_nobody_at_a_normal_pace_costs_a_query(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.TASKS_PER_MINUTE = 120
    client, _ = editor_at_work(make_campaign(sources=40))
    for _ in range(8):
        current = Assignment.objects.select_related("item__source").get(state=Assignment.State.LEASED)
        save = {"sequence": 1, "started_from": "source", "log": [], "comment": ""}
        for _ in range(5):
            client.put(f"/work/edit/{current.pk}/drafts/a/", save, content_type="application/json")
        client.post(f"/work/edit/{current.pk}/", fields_of(submission_of(current.item.source)))
    assert Assignment.objects.filter(state=Assignment.State.SUBMITTED).count() == 8
    assert set(RateCount.objects.values_list("limit_name", flat=True)) <= {"join"}


def test_each_act_is_counted_apart() -> None:
    assert len({limit_of(act).name for act in Act}) == len(Act)


# Who is not known yet is counted by address


def joins(number: int, path: str, address: str) -> list[int]:
    return [Client().post(path, REMOTE_ADDR=address).status_code for _ in range(number)]


def test_one_address_makes_no_crowd_of_its_own(settings: Settings) -> None:
    settings.JOINS_PER_HOUR = 5
    campaign = make_campaign(sources=2)
    path = link_of(campaign, EDIT).get_absolute_url()
    assert joins(8, path, "192.0.2.1") == [302] * 5 + [429] * 3
    assert joins(2, path, "192.0.2.2") == [302] * 2
    assert joins(2, link_of(campaign, RATE).get_absolute_url(), "192.0.2.1") == [302] * 2
    assert Worker.objects.count() == 9


def test_who_takes_part_already_is_no_new_person(settings: Settings) -> None:
    settings.JOINS_PER_HOUR = 1
    path = link_of(make_campaign(sources=2), EDIT).get_absolute_url()
    client = Client()
    assert [client.post(path).status_code for _ in range(5)] == [302] * 5


def test_addresses_of_links_cannot_be_guessed_at_will() -> None:
    client = Client()
    found = [client.get(f"/join/{number:022}/").status_code for number in range(80)]
    assert found == [404] * 60 + [429] * 20


def test_a_link_that_exists_stays_open_while_somebody_guesses() -> None:
    path = link_of(make_campaign(sources=2), EDIT).get_absolute_url()
    for number in range(80):
        Client().get(f"/join/{number:022}/")
    assert Client().get(path).status_code == 200


def test_tokens_that_restore_a_session_cannot_be_guessed_at_will() -> None:
    client = Client()
    replies = [client.post("/work/session/", {"token": f"guess-{number}"}) for number in range(80)]
    assert [reply.status_code for reply in replies] == [403] * 60 + [429] * 20
    assert replies[-1].headers["Content-Type"] == "application/json"


def test_tokens_cannot_be_guessed_at_all_and_no_two_codes_of_a_link_are_alike() -> None:
    """A token has 128 random bits. A code opens nothing here."""
    links = [link for _ in range(20) for link in make_campaign().links.all()]
    tokens = {urlsafe_b64decode(link.token + "==") for link in links}
    assert {len(token) for token in tokens} == {16}
    assert len(tokens) == len(links)
    for link in links:
        codes = {getattr(link, name) for name in CODES}
        assert len(codes) == len(CODES)
        assert all(re.fullmatch("[A-Z2-9]{10}", code) for code in codes)
