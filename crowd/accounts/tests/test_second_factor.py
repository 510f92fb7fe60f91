"""The second factor: setting it up, logging in with it, losing it, and where it is demanded."""

import re
from base64 import b32decode
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from crowd.access import SECOND_FACTOR
from crowd.models import ApiToken
from crowd.services.accounts import RECOVERY_CODES
from tests.support.factories import make_campaign, make_staff

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
PASSWORD = "correct horse battery"
PAGE = "/account/second-factor/"


@pytest.fixture
def staff() -> User:
    return make_staff("ann")


def logged_in(password: str = PASSWORD) -> Client:
    browser = Client()
    browser.post("/login/", {"username": "ann", "password": password})
    return browser


def hidden(page: str, name: str) -> str:
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', page)
    assert found is not None
    return unescape(found[1])


def shown_key(page: str) -> bytes:
    found = re.search(r"<code>([A-Z2-7 ]+)</code>", page)
    assert found is not None
    return b32decode(found[1].replace(" ", ""))


def code_of(key: bytes) -> str:
    return f"{TOTP(key).token():06d}"


def set_up(browser: Client) -> tuple[bytes, list[str]]:
    page = browser.get(PAGE).content.decode()
    key = shown_key(page)
    sent = {"key": hidden(page, "key"), "code": code_of(key), "password": PASSWORD}
    answer = browser.post(PAGE, sent)
    assert answer.status_code == 200
    codes = re.search(r'<pre id="codes">([^<]+)</pre>', answer.content.decode())
    assert codes is not None
    TOTPDevice.objects.update(last_t=-1)  # as if half a minute had passed: a code is taken once
    return key, codes[1].split()


def with_code(code: str, *, following: str = "") -> tuple[Client, int]:
    browser = Client()
    asked = browser.post("/login/", {"username": "ann", "password": PASSWORD, "next": following})
    assert asked.status_code == 200
    assert "_auth_user_id" not in browser.session
    sent = {"pending": hidden(asked.content.decode(), "pending"), "code": code, "next": following}
    return browser, browser.post("/login/", sent).status_code


def test_a_login_asks_for_the_code_that_the_app_shows(staff: User) -> None:
    elsewhere, here = logged_in(), logged_in()
    key, codes = set_up(here)
    assert len(set(codes)) == RECOVERY_CODES
    assert here.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302  # sessions without it have ended
    code = code_of(key)
    browser, status = with_code(f" {code[:3]} {code[3:]} ", following="/account/tokens/")
    assert status == 302
    assert browser.get("/account/").status_code == 200
    assert with_code(code)[1] == 200  # once only


def test_a_recovery_code_works_once_and_new_ones_replace_it(staff: User) -> None:
    browser = logged_in()
    _key, codes = set_up(browser)
    assert with_code(codes[0].upper())[1] == 302
    assert with_code(codes[0])[1] == 200
    again = browser.post(PAGE, {"password": PASSWORD})
    assert codes[1] not in again.content.decode()
    assert with_code(codes[1])[1] == 200


@pytest.mark.parametrize("code", ["", "12", "000000", "abcdefgh", "٣" * 6, "9" * 5_000])
def test_a_wrong_code_logs_nobody_in(staff: User, code: str) -> None:
    set_up(logged_in())
    browser, status = with_code(code)
    assert status == 200
    assert browser.get("/account/").status_code == 302


def test_wrong_codes_are_counted_as_wrong_passwords_are(staff: User) -> None:
    set_up(logged_in())
    asked = Client().post("/login/", {"username": "ann", "password": PASSWORD}).content.decode()
    sent = {"pending": hidden(asked, "pending"), "code": "000000"}
    assert [Client().post("/login/", sent).status_code for _ in range(6)] == [200] * 5 + [429]


def test_the_step_between_is_bound_to_the_password(staff: User) -> None:
    key, _codes = set_up(logged_in())
    browser = Client()
    pending = hidden(browser.post("/login/", {"username": "ann", "password": PASSWORD}).content.decode(), "pending")
    staff.set_password("another horse battery")
    staff.save()
    assert browser.post("/login/", {"pending": pending, "code": code_of(key)}).status_code == 200
    assert browser.post("/login/", {"pending": "forged", "code": code_of(key)}).status_code == 200
    assert browser.get("/account/").status_code == 302


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"code": "000000"}, "That is not the code of this picture"),
        ({"code": ""}, "This field is required"),
        ({"password": "a guess"}, "That is not your password"),
        ({"key": "forged"}, "That took too long"),
    ],
)
def test_it_is_not_on_before_the_app_is_known_to_work(staff: User, change: dict[str, str], words: str) -> None:
    browser = logged_in()
    page = browser.get(PAGE).content.decode()
    sent = {"key": hidden(page, "key"), "code": code_of(shown_key(page)), "password": PASSWORD, **change}
    answer = browser.post(PAGE, sent)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not TOTPDevice.objects.exists()
    if "key" not in change:
        assert shown_key(answer.content.decode()) == shown_key(page)


def test_it_is_turned_off_with_the_password(staff: User) -> None:
    browser = logged_in()
    set_up(browser)
    assert browser.post(PAGE, {"password": "a guess", "act": "off"}).status_code == 422
    assert browser.post(PAGE, {"password": PASSWORD, "act": "off"}).status_code == 302
    assert logged_in().get("/account/").status_code == 200


def test_an_administrator_helps_who_lost_it(staff: User, capsys: pytest.CaptureFixture[str]) -> None:
    set_up(logged_in())
    call_command("unlock_logins", drop_second_factor="ann")
    assert "ann logs in by password alone." in capsys.readouterr().out
    assert logged_in().get("/account/").status_code == 200
    with pytest.raises(CommandError, match="There is no account “bob”"):
        call_command("unlock_logins", drop_second_factor="bob")


def test_where_it_is_demanded_owners_get_nowhere_without(staff: User, settings: Settings) -> None:
    campaign = make_campaign(owner=staff)
    settings.SECOND_FACTOR_DEMANDED = True
    browser = logged_in()
    for path in (f"/campaigns/{campaign.slug}/", "/account/tokens/"):
        assert browser.get(path).headers["Location"] == PAGE
    sent = {"name": "A script", "days": "7", "password": PASSWORD}
    assert browser.post("/account/tokens/", sent).status_code == 302
    assert not ApiToken.objects.exists()
    key, _codes = set_up(browser)
    assert browser.get(f"/campaigns/{campaign.slug}/").status_code == 200
    again, _status = with_code(code_of(key))
    assert again.get(f"/campaigns/{campaign.slug}/").status_code == 200


def test_where_it_is_demanded_pages_need_no_query_more(staff: User, settings: Settings) -> None:
    path, browser = f"/campaigns/{make_campaign(owner=staff).slug}/staff/", logged_in()
    browser.get(path)
    with CaptureQueriesContext(connection) as before:
        assert browser.get(path).status_code == 200
    settings.SECOND_FACTOR_DEMANDED = True
    session = browser.session
    session[SECOND_FACTOR] = True
    session.save()
    with CaptureQueriesContext(connection) as demanded:
        assert browser.get(path).status_code == 200
    assert len(demanded) == len(before)
