"""Guessing passwords, sessions from before the login, and where a login leads."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from common.rate_limits import rate_limit_take
from crowd.accounts.login import ACCOUNT, BROWSER_COOKIE
from tests.support.clock import Clock
from tests.support.factories import make_staff

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _still(clock: Clock) -> None:
    """No window ends during a test."""
    clock.to_next_hour()


@pytest.fixture
def staff() -> User:
    return make_staff("ann")


def attempt(password: str = "a guess", *, name: str = "ann", address: str = "192.0.2.1", client: Any = None) -> Any:
    browser = client or Client()
    return browser.post("/login/", {"username": name, "password": password}, REMOTE_ADDR=address)


def guesses(number: int, **options: Any) -> list[int]:
    return [attempt(**options).status_code for _ in range(number)]


def test_thirty_guesses_from_one_address_are_soon_refused(staff: User) -> None:
    assert guesses(30) == [200] * 5 + [429] * 25


def guessed_before(number: int) -> None:
    """Guesses at the account from ever new addresses."""
    rate_limit_take(ACCOUNT, "ann", events=number)


def test_guesses_from_ever_new_addresses_are_bounded_by_account(staff: User, clock: Clock) -> None:
    guessed_before(ACCOUNT.count - 10)
    answers = [attempt(address=f"192.0.2.{number}").status_code for number in range(30)]
    assert answers == [200] * 10 + [429] * 20
    assert attempt(name="bob").status_code == 200
    clock.advance(minutes=60)
    assert attempt(PASSWORD).status_code == 302


def test_a_guess_a_minute_from_other_addresses_does_not_keep_the_owner_out_of_a_new_browser(
    staff: User, clock: Clock
) -> None:
    for minute in range(59):
        assert attempt(address=f"192.0.2.{minute % 6}").status_code == 200
        clock.advance(minutes=1)
    assert guesses(20, address="192.0.2.99")[5:] == [429] * 15
    assert attempt(PASSWORD, address="203.0.113.9").status_code == 302


def test_spaces_and_other_spellings_of_a_name_are_no_other_account(staff: User) -> None:
    guessed_before(ACCOUNT.count - 11)
    names = [" " * number + name + " " * (30 - number) for number in range(10) for name in ("ann", "Ann", "\uff41nn")]
    answers = [attempt(name=name, address=f"192.0.2.{number}").status_code for number, name in enumerate(names)]
    assert answers == [200] * 11 + [429] * 19


def test_one_guess_for_each_of_many_accounts_from_one_address_is_refused(staff: User) -> None:
    answers = [attempt(name=f"person-{number}").status_code for number in range(30)]
    assert answers == [200] * 20 + [429] * 10


def test_a_refusal_says_how_long_to_wait_and_does_not_look_at_the_password(staff: User) -> None:
    guesses(5)
    client = Client()
    refusal = attempt(PASSWORD, client=client)
    page = refusal.content.decode()
    wait = int(refusal.headers["Retry-After"])
    assert (refusal.status_code, 0 < wait <= 15 * 60) == (429, True)
    assert "Too many attempts. Try again in" in page
    assert PASSWORD not in page
    assert "sessionid" not in client.cookies


def test_an_account_that_does_not_exist_gets_the_same_answers(staff: User) -> None:
    known, unknown = ([attempt(name=name) for _ in range(7)] for name in ("ann", "bob"))
    assert [each.status_code for each in known] == [each.status_code for each in unknown]
    for one, other in zip(known, unknown, strict=True):
        assert one.headers.get("Retry-After") == other.headers.get("Retry-After")
        assert sorted(one.cookies) == sorted(other.cookies)


def test_an_account_typed_in_another_way_is_the_same(staff: User) -> None:
    guesses(5)
    assert guesses(1, name="ANN") == guesses(1, name="ａnn") == [429]


def test_the_password_is_tried_again_when_the_time_is_over(staff: User, clock: Clock) -> None:
    guesses(30)
    clock.advance(minutes=15)
    assert attempt(PASSWORD).status_code == 302


def test_right_passwords_are_not_counted(staff: User) -> None:
    assert [attempt(PASSWORD).status_code for _ in range(30)] == [302] * 30


def test_an_attack_does_not_keep_the_owner_out_of_a_browser_they_use(staff: User) -> None:
    own = Client()
    assert attempt(PASSWORD, client=own).status_code == 302
    own.post("/logout/")
    guessed_before(ACCOUNT.count)
    guesses(40, address="192.0.2.1")
    assert attempt(PASSWORD, address="203.0.113.9").status_code == 429
    assert attempt(PASSWORD, client=own, address="192.0.2.1").status_code == 302


def test_a_browser_that_is_known_cannot_guess_either(staff: User) -> None:
    own = Client()
    attempt(PASSWORD, client=own)
    own.post("/logout/")
    assert guesses(15, client=own) == [200] * 10 + [429] * 5


def test_the_cookie_of_one_account_is_nothing_to_another(staff: User) -> None:
    make_staff("ben")
    own = Client()
    attempt(PASSWORD, client=own)
    own.post("/logout/")
    assert guesses(6, client=own, name="ben") == [200] * 5 + [429]


def test_a_forged_cookie_makes_no_known_browser(staff: User) -> None:
    client = Client()
    client.cookies[BROWSER_COOKIE] = "forged:by:hand"
    assert guesses(6, client=client) == [200] * 5 + [429]


def test_an_administrator_lets_everybody_try_again(staff: User) -> None:
    guesses(30)
    call_command("unlock_logins")
    assert attempt(PASSWORD).status_code == 302


# Sessions


def test_a_session_from_before_the_login_is_replaced(staff: User) -> None:
    client = Client()
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    planted = session.session_key
    client.get("/login/")
    token = client.cookies["csrftoken"].value
    attempt(PASSWORD, client=client)
    assert client.cookies["sessionid"].value != planted
    assert client.cookies["csrftoken"].value != token
    thief = Client()
    thief.cookies["sessionid"] = planted or ""
    assert thief.get("/campaigns/").status_code == 302


def test_no_cookie_of_staff_can_be_read_or_sent_in_clear(staff: User, settings: Settings) -> None:
    settings.PUBLIC = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    client = Client()
    client.get("/login/")
    attempt(PASSWORD, client=client)
    assert set(client.cookies) == {"sessionid", "csrftoken", BROWSER_COOKIE}
    for name, cookie in client.cookies.items():
        assert (cookie["httponly"], cookie["secure"], cookie["samesite"] != "") == (True, True, True), name


# Where a login leads


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/campaigns/",
        "https:evil.example",
        "http://testserver@evil.example/",
        "http://testserver.evil.example/",
        "http://testserver:80@evil.example/",
        "http://evil.example\\@testserver/",
        "http://tеstserver/campaigns/",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        " //evil.example",
        "\t//evil.example",
        "/\t/evil.example",
        "ftp://testserver/",
    ],
)
@pytest.mark.parametrize("address", ["/login/", "/logout/"])
def test_no_address_of_others_is_gone_to(staff: User, target: str, address: str) -> None:
    client = Client()
    form = {"username": "ann", "password": PASSWORD, "next": target}
    for sent in (client.post(address, form), client.post(address, form | {"next": ""}, query_params={"next": target})):
        assert sent.status_code == 302
        assert sent.headers["Location"] in {"/campaigns/", "/login/"}


def test_an_address_of_ours_is_gone_to(staff: User) -> None:
    form = {"username": "ann", "password": PASSWORD, "next": "/campaigns/new/"}
    assert Client().post("/login/", form).headers["Location"] == "/campaigns/new/"
