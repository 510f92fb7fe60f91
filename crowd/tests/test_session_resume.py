"""How an open page gets back a session that its browser has lost."""

import base64
import re
import time
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from crowd.models import Assignment, Campaign, Enrolment
from crowd.sessions import RESUME_SALT, WORKER_COOKIE, resume_token
from tests.support.factories import EDIT, RATE, edit_next, editor_at_work, enrol, make_campaign, worker_client

pytestmark = pytest.mark.django_db
SESSION = "/work/session/"
PLATFORM_ID = "5f1c0ffee5f1c0ffee5f1c0f"
LASTS = timedelta(days=14)


def token_of(client: Client, address: str) -> str:
    """What an open page can show."""
    match = re.search(r'data-resume-token="([^"]*)"', client.get(address).content.decode())
    assert match
    return unescape(match[1])


def open_page(campaign: Campaign, name: str = PLATFORM_ID) -> tuple[str, str]:
    """The address of somebody's task, and the token of its page."""
    client, task = editor_at_work(campaign, name)
    return f"/work/edit/{task.pk}/", token_of(client, f"/work/edit/{task.pk}/")


def resume(client: Client, token: str, **options: Any) -> Any:
    return client.post(SESSION, {"token": token}, **options)


def forge(secret: str, pk: int) -> str:
    return signing.dumps({"enrolment": pk}, key=secret, salt=RESUME_SALT)


def test_a_page_gets_its_session_back_in_a_browser_that_has_lost_everything() -> None:
    address, token = open_page(make_campaign(sources=1))
    client = Client(enforce_csrf_checks=True)
    assert client.get(address).status_code == 403

    against_forgery = client.get(SESSION)
    reply = resume(client, token, headers={"x-csrftoken": against_forgery.json()["csrf"]})

    assert (against_forgery.status_code, list(against_forgery.json())) == (200, ["csrf"])
    assert "csrftoken" in against_forgery.cookies
    assert (reply.status_code, reply.json()) == (200, {})
    assert client.get(address).status_code == 200
    assert client.get("/work/").headers["Location"] == address


def test_a_session_is_not_given_without_the_token_against_forgery() -> None:
    address, token = open_page(make_campaign(sources=1))
    client = Client(enforce_csrf_checks=True)
    client.get(SESSION)

    assert resume(client, token).status_code == 403

    assert WORKER_COOKIE not in client.cookies
    assert client.get(address).status_code == 403


def test_the_page_of_a_rater_can_be_taken_up_again_too() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    rater = worker_client(campaign, RATE, "ben")
    address = rater.get("/work/").headers["Location"]
    client = Client()

    assert resume(client, token_of(rater, address)).status_code == 200

    assert client.get(address).status_code == 200


def test_the_session_given_back_is_guarded_like_the_first_one() -> None:
    _, token = open_page(make_campaign(sources=1))

    cookie = resume(Client(), token).cookies[WORKER_COOKIE]

    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", LASTS.total_seconds())


@pytest.mark.parametrize("fields", [{}, {"token": ""}, {"token": "a"}, {"token": "a:b:c"}, {"token": "\0"}])
def test_what_is_no_token_gives_no_session(fields: dict[str, str]) -> None:
    client = Client()

    reply = client.post(SESSION, fields)

    assert (reply.status_code, list(reply.json())) == (403, ["error", "code"])
    assert WORKER_COOKIE not in client.cookies


def test_a_token_that_is_forged_or_altered_gives_no_session() -> None:
    campaign = make_campaign(sources=1)
    address, token = open_page(campaign)
    own, other = Enrolment.objects.get(), enrol(campaign, EDIT, "ben")
    content, *signature = token.split(":")
    others_content = resume_token(other).split(":")[0]
    altered = [token[:-1], token + "a", token.swapcase(), ":".join([others_content, *signature]), content]
    client = Client()

    replies = [resume(client, each) for each in (*altered, forge("a guess", own.pk), forge(" ", other.pk))]

    assert {reply.status_code for reply in replies} == {403}
    assert WORKER_COOKIE not in client.cookies
    assert client.get(address).status_code == 403


@pytest.mark.parametrize(("age", "status"), [(LASTS - timedelta(minutes=1), 200), (LASTS + timedelta(minutes=1), 403)])
def test_a_token_lasts_as_long_as_a_session(monkeypatch: pytest.MonkeyPatch, age: timedelta, status: int) -> None:
    _, token = open_page(make_campaign(sources=1))
    later = time.time() + age.total_seconds()
    monkeypatch.setattr(time, "time", lambda: later)

    reply = resume(Client(), token)

    assert reply.status_code == status
    assert (WORKER_COOKIE in reply.cookies) == (status == 200)


def test_a_token_is_no_cookie_and_a_cookie_is_no_token() -> None:
    campaign = make_campaign(sources=1)
    worker, task = editor_at_work(campaign)
    address = f"/work/edit/{task.pk}/"
    client = Client()

    client.cookies[WORKER_COOKIE] = token_of(worker, address)

    assert client.get(address).status_code == 403
    assert resume(Client(), worker.cookies[WORKER_COOKIE].value).status_code == 403


def test_a_token_of_somebody_who_is_gone_gives_no_session() -> None:
    _, token = open_page(make_campaign(sources=1))
    Assignment.objects.all().delete()
    Enrolment.objects.all().delete()

    assert resume(Client(), token).status_code == 403


def test_no_platform_id_is_in_a_page_or_in_what_is_given_back() -> None:
    address, token = open_page(make_campaign(sources=1))
    client = Client()

    reply = resume(client, token)

    given = [client.get(address).content.decode(), reply.content.decode(), str(reply.headers), reply.cookies.output()]
    for signed in (token, reply.cookies[WORKER_COOKIE].value):
        content = signed.split(":")[0].lstrip(".")
        given.append(base64.urlsafe_b64decode(content + "=" * (-len(content) % 4)).decode())
    assert "enrolment" in given[-1]
    assert not [text for text in given if PLATFORM_ID in text]


def test_a_page_takes_its_own_session_over_one_of_another_link() -> None:
    campaign, other_campaign = make_campaign(sources=1), make_campaign(sources=1)
    address, token = open_page(campaign)
    client, others_task = editor_at_work(other_campaign, "ben")
    assert client.get(address).status_code == 404

    assert resume(client, token).status_code == 200

    assert client.get(address).status_code == 200
    assert client.get("/work/").headers["Location"] == address
    assert client.get(f"/work/edit/{others_task.pk}/").status_code == 404


def test_neither_the_token_nor_the_session_is_kept_by_a_cache() -> None:
    address, token = open_page(make_campaign(sources=1))
    client = Client()

    replies = [client.get(SESSION), resume(client, token), client.get(address)]

    assert ["no-store" in reply.headers["Cache-Control"] for reply in replies] == [True] * 3
