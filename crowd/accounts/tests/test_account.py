"""One's own account: the password, its reset by mail, and the sessions in which it is logged in."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from common.environment import mail_settings
from common.periodic import periodic_tasks
from common.rate_limits import rate_limit_take
from crowd.account_sessions import SessionStore, browser_name
from crowd.accounts.login import ACCOUNT
from crowd.models import AccountSession
from crowd.services.accounts import sessions_forget_old
from tests.support.clock import Clock
from tests.support.factories import make_staff, readable, staff_client
from tests.support.mails import mails_sent

pytestmark = pytest.mark.django_db
PASSWORD, OTHER = "correct horse battery", "staple of another kind"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 Version/17.0 Safari/604.1"


@pytest.fixture
def ann(clock: Clock) -> User:
    clock.to_next_hour()
    user = make_staff("ann")
    user.email = "ann@example.org"
    user.save()
    return user


def logged_in(name: str = "ann", password: str = PASSWORD, **headers: str) -> Client:
    client = Client(headers=headers)
    assert client.post("/login/", {"username": name, "password": password}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def can_log_in(password: str) -> bool:
    return Client().post("/login/", {"username": "ann", "password": password}).status_code == 302


# The password


def change(client: Client, old: str = PASSWORD, new: str = OTHER, again: str = "") -> Any:
    form = {"old_password": old, "new_password1": new, "new_password2": again or new}
    return client.post("/account/password/", form)


def test_changing_the_password_ends_all_other_sessions(ann: User) -> None:
    here, there = logged_in(), logged_in()
    assert change(here).headers["Location"] == "/account/"
    assert (is_in(here), is_in(there)) == (True, False)
    assert AccountSession.objects.get(user=ann).session_key == here.session.session_key
    assert (can_log_in(PASSWORD), can_log_in(OTHER)) == (False, True)


@pytest.mark.parametrize(
    ("old", "new", "again", "field"),
    [
        ("a guess", OTHER, OTHER, "old_password"),
        (PASSWORD, "short", "short", "new_password2"),
        (PASSWORD, "password123", "password123", "new_password2"),
        (PASSWORD, OTHER, "another of a kind", "new_password2"),
        (PASSWORD, "", "", "new_password1"),
    ],
)
def test_a_password_that_cannot_be_is_refused_beside_its_field(
    ann: User, old: str, new: str, again: str, field: str
) -> None:
    page = change(logged_in(), old, new, again)
    assert page.status_code == 422
    assert field in page.context["form"].errors
    assert OTHER not in readable(page)
    assert can_log_in(PASSWORD)


def test_a_session_that_was_left_open_guesses_no_better_than_the_login(ann: User) -> None:
    client = logged_in()
    answers = [change(client, "a guess").status_code for _ in range(13)]
    assert answers == [422] * 10 + [429] * 3
    refused = change(client, PASSWORD)
    assert refused.status_code == 429
    assert PASSWORD not in readable(refused)
    assert client.post("/account/email/", {"email": "x@example.org", "password": PASSWORD}).status_code == 429


def test_guesses_of_others_refuse_nobody_who_is_logged_in(ann: User) -> None:
    client = logged_in()
    rate_limit_take(ACCOUNT, "ann", events=ACCOUNT.count)
    assert change(client, PASSWORD).status_code == 302


def test_the_address_changes_with_the_password_only(ann: User) -> None:
    client = logged_in()
    assert client.post("/account/email/", {"email": "x@example.org", "password": "a guess"}).status_code == 422
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    assert client.post("/account/email/", {"email": "x@example.org", "password": PASSWORD}).status_code == 302
    ann.refresh_from_db()
    assert ann.email == "x@example.org"


# The reset


def ask(email: str, address: str = "192.0.2.1") -> Any:
    return Client().post("/password/reset/", {"email": email}, REMOTE_ADDR=address)


def reset_link() -> str:
    message = mails_sent()[-1]
    found = re.search(r"http://testserver(/password/reset/\S+)", str(message.body))
    assert found
    return found[1]


def test_the_link_of_a_reset_leads_home_whatever_host_was_asked_for(ann: User, settings: Settings) -> None:
    settings.PUBLIC, settings.PUBLIC_ORIGIN = True, "https://precis.example.org"
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = [".example.org"], False
    Client().post("/password/reset/", {"email": ann.email}, HTTP_HOST="precis.example.org:1337")
    message = mails_sent()[-1]
    assert "https://precis.example.org/password/reset/" in message.body
    assert "1337" not in message.body


def choose(client: Client, link: str, new: str = OTHER) -> Any:
    form_page = client.get(link, follow=True)
    address = form_page.redirect_chain[-1][0] if form_page.redirect_chain else link
    return client.post(address, {"new_password1": new, "new_password2": new})


def test_a_forgotten_password_is_reset_by_mail_and_all_sessions_end(ann: User) -> None:
    before = logged_in()
    ask("ann@example.org")
    assert choose(Client(), reset_link()).headers["Location"] == "/login/"
    assert (is_in(before), can_log_in(PASSWORD), can_log_in(OTHER)) == (False, False, True)
    assert not AccountSession.objects.filter(session_key=before.session.session_key or "").exists()


def test_the_link_works_once(ann: User) -> None:
    ask("ann@example.org")
    link = reset_link()
    assert choose(Client(), link).status_code == 302
    assert "This link does not work" in readable(Client().get(link))


def test_a_link_that_is_too_old_does_not_work(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    ask("ann@example.org")
    link = reset_link()
    later = datetime.now() + timedelta(days=1, hours=1)
    monkeypatch.setattr("django.contrib.auth.tokens.PasswordResetTokenGenerator._now", lambda _: later)
    assert "This link does not work" in readable(Client().get(link))


@pytest.mark.parametrize("password", ["short", "password123"])
def test_a_new_password_is_checked_as_everywhere(ann: User, password: str) -> None:
    ask("ann@example.org")
    assert choose(Client(), reset_link(), password).status_code == 422
    assert can_log_in(PASSWORD)


def test_whether_an_address_is_known_is_not_told(ann: User) -> None:
    known, unknown = ([ask(email) for _ in range(7)] for email in ("ann@example.org", "nobody@example.org"))
    for one, other in zip(known, unknown, strict=True):
        assert (one.status_code, one.headers.get("Location")) == (other.status_code, other.headers.get("Location"))
        assert sorted(one.cookies) == sorted(other.cookies)
    assert [answer.status_code for answer in known] == [302] * 5 + [429] * 2
    assert {tuple(message.to) for message in mails_sent()} == {("ann@example.org",)}


def test_spellings_of_an_address_are_counted_as_one(ann: User) -> None:
    spelled = ["ann@example.org", "ANN@example.org", " ann@example.org"] * 3
    answers = [ask(email, f"192.0.2.{number}").status_code for number, email in enumerate(spelled)]
    assert answers == [302] * 5 + [429] * 4


def test_one_address_of_the_network_does_not_ask_for_many(ann: User) -> None:
    answers = [ask(f"person{number}@example.org").status_code for number in range(25)]
    assert answers == [302] * 20 + [429] * 5


def test_who_is_kept_out_of_a_new_browser_by_guesses_gets_in_by_a_mailed_link(ann: User) -> None:
    rate_limit_take(ACCOUNT, "ann", events=ACCOUNT.count)
    client = Client()
    right = {"username": "ann", "password": OTHER}
    assert [ask("ann@example.org", f"192.0.2.{number}").status_code for number in range(6)] == [302] * 5 + [429]
    assert choose(client, reset_link()).status_code == 302
    assert Client().post("/login/", right).status_code == 429
    assert client.post("/login/", right).status_code == 302


def test_who_may_not_log_in_gets_no_mail(ann: User) -> None:
    User.objects.update(is_active=False)
    assert ask("ann@example.org").status_code == 302
    assert mails_sent() == []


def test_a_mail_that_cannot_be_sent_changes_no_answer(
    ann: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ConnectionRefusedError("the server of ann@example.org is away")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    assert ask("ann@example.org").status_code == 302
    assert mails_sent() == []
    assert [record.getMessage() for record in caplog.records] == ["a mail could not be sent"]


# Sessions


def sessions_on(page: Any) -> list[tuple[str, bool]]:
    return [(each.session.browser, each.is_this) for each in page.context["sessions"]]


def test_the_list_names_browsers_and_marks_this_one(ann: User) -> None:
    phone = logged_in(**{"user-agent": SAFARI})
    here = logged_in(**{"user-agent": FIREFOX})
    page = here.get("/account/")
    assert sessions_on(page) == [("Firefox on Linux", True), ("Safari on iPhone", False)]
    assert readable(page).count("This browser") == 1
    for client in (phone, here):
        assert str(client.session.session_key) not in readable(page)


def test_sessions_of_others_and_sessions_that_ran_out_are_not_listed(ann: User) -> None:
    make_staff("ben")
    logged_in("ben")
    old = logged_in()
    AccountSession.objects.filter(session_key=old.session.session_key).update(expire_date=timezone.now())
    assert len(logged_in().get("/account/").context["sessions"]) == 1


def test_one_session_is_ended(ann: User) -> None:
    here, there, elsewhere = logged_in(), logged_in(), logged_in()
    names = {each.session.session_key: each.name for each in here.get("/account/").context["sessions"]}
    for _ in range(2):
        here.post(f"/account/sessions/{names[there.session.session_key]}/end/")
    assert [is_in(client) for client in (here, there, elsewhere)] == [True, False, True]
    here.post(f"/account/sessions/{names[here.session.session_key]}/end/")
    assert is_in(here)


def test_all_others_are_ended(ann: User) -> None:
    make_staff("ben")
    here, there, other = logged_in(), logged_in(), logged_in("ben")
    here.post("/account/sessions/end-others/")
    assert [is_in(client) for client in (here, there, other)] == [True, False, True]


def test_a_session_of_another_account_cannot_be_ended(ann: User) -> None:
    make_staff("ben")
    others = logged_in("ben")
    name = others.get("/account/").context["sessions"][0].name
    logged_in().post(f"/account/sessions/{name}/end/")
    assert is_in(others)


def test_the_last_use_is_kept_to_some_minutes(ann: User, clock: Clock) -> None:
    client = staff_client(ann)
    begun = AccountSession.objects.get().used_at
    uses = []
    for minutes in (4, 2, 4, 60):
        clock.advance(minutes=minutes)
        client.get("/account/")
        uses.append(AccountSession.objects.get().used_at - begun)
    assert uses == [timedelta(minutes=minutes) for minutes in (0, 6, 6, 70)]


def test_a_participant_has_no_session_to_note(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert Client().get("/work/session/").status_code == 200


def test_sessions_that_ran_out_are_deleted_from_time_to_time(ann: User) -> None:
    old, kept = logged_in(), logged_in()
    AccountSession.objects.filter(session_key=old.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    assert sessions_forget_old in [task for _, task in periodic_tasks()]
    sessions_forget_old()
    assert [session.session_key for session in AccountSession.objects.all()] == [kept.session.session_key]


def test_a_session_goes_with_its_account(ann: User) -> None:
    logged_in()
    ann.delete()
    assert not AccountSession.objects.exists()


def test_a_stored_session_is_read_by_its_own_store() -> None:
    store = SessionStore()
    store["a"] = 1
    store.save()
    assert AccountSession.objects.get().get_decoded() == {"a": 1}


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("", "Unknown browser"),
        ("curl/8.5", "Unknown browser"),
        (SAFARI, "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", "Chrome on Android"),
        ("<script>" * 1000, "Unknown browser"),
    ],
)
def test_browsers_are_called_what_people_call_them(agent: str, name: str) -> None:
    assert browser_name(agent) == name


# Where mails go


def test_without_an_address_mails_are_printed() -> None:
    assert mail_settings("", "")["EMAIL_BACKEND"].endswith("console.EmailBackend")


@pytest.mark.parametrize(
    ("url", "port", "ssl", "tls"),
    [
        ("smtps://ann:p%40ss@mail.example.org", 465, True, False),
        ("smtp://ann:p%40ss@mail.example.org", 587, False, True),
        ("smtp+plain://mail.example.org:2525", 2525, False, False),
    ],
)
def test_an_address_says_where_mails_go_and_how(url: str, port: int, ssl: bool, tls: bool) -> None:
    found = mail_settings(url, "precis@example.org")
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == ("mail.example.org", port)
    assert (found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"]) == (ssl, tls)
    assert found["EMAIL_HOST_PASSWORD"] == ("" if "plain" in url else "p@ss")
    assert found["DEFAULT_FROM_EMAIL"] == "precis@example.org"


@pytest.mark.parametrize(
    ("url", "sender"),
    [
        ("mail.example.org", "a@example.org"),
        ("http://u:hidden@mail.example.org", "a@example.org"),
        ("smtp://u:hidden@mail.example.org:port", "a@example.org"),
        ("smtp://u:hid/den@mail.example.org", "a@example.org"),
        ("smtp://", "a@example.org"),
        ("smtp://u:hidden@mail.example.org", ""),
    ],
)
def test_an_address_that_is_none_stops_the_start_and_is_not_repeated(url: str, sender: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="PRECIS_EMAIL") as refusal:
        mail_settings(url, sender)
    assert "hid" not in str(refusal.value)
