"""The page of one's tokens: made with the password, shown once, revoked."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.utils.http import urlsafe_base64_encode

from crowd.models import ApiToken
from crowd.services.api_tokens import MOST_TOKENS, PREFIX, api_token_create
from tests.support.clock import Clock
from tests.support.factories import make_staff, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
PASSWORD = "correct horse battery"
PAGE = "/account/tokens/"
FORM = {"name": "Nightly script", "days": "30", "password": PASSWORD}


@pytest.fixture
def ann(clock: Clock) -> User:
    clock.to_next_hour()
    return make_staff("ann")


def works(words: str) -> bool:
    return Client().get("/api/v1/campaigns/", headers={"Authorization": f"Bearer {words}"}).status_code == 200


def words_on(page: Any) -> str:
    words: str = page.context["made"][1]
    return words


def test_a_token_is_shown_once_and_works(ann: User) -> None:
    client = staff_client(ann)
    page = client.post(PAGE, FORM)
    words = words_on(page)
    assert page.status_code == 200
    assert words.startswith(PREFIX)
    assert words in readable(page)
    assert "no-store" in page.headers["Cache-Control"]
    assert works(words)
    later = readable(client.get(PAGE))
    assert "Nightly script" in later
    assert words not in later


def test_a_token_ends_when_its_form_says_and_only_reads_unless_more_is_ticked(ann: User, clock: Clock) -> None:
    client = staff_client(ann)
    client.post(PAGE, FORM)
    token = ApiToken.objects.get()
    assert (token.user, (token.ends_at - token.created_at).days) == (ann, 30)
    assert token.scopes == {"read"}
    client.post(PAGE, FORM | {"may_manage": "on", "may_see_ids": "on"})
    assert ApiToken.objects.latest("pk").scopes == {"read", "manage", "ids"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"password": "a guess"}, "password"),
        ({"password": ""}, "password"),
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"days": "0"}, "days"),
        ({"days": "367"}, "days"),
        ({"days": "for ever"}, "days"),
    ],
)
def test_a_token_that_cannot_be_made_is_refused_beside_its_field(ann: User, change: dict[str, str], field: str) -> None:
    page = staff_client(ann).post(PAGE, FORM | change)
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {field}
    assert PASSWORD not in readable(page)
    assert not ApiToken.objects.exists()


def test_a_session_that_was_left_open_guesses_no_better_than_the_login(ann: User) -> None:
    client = staff_client(ann)
    answers = [client.post(PAGE, FORM | {"password": "a guess"}).status_code for _ in range(12)]
    assert answers == [422] * 10 + [429] * 2
    assert client.post(PAGE, FORM).status_code == 429
    assert not ApiToken.objects.exists()


def test_there_are_so_many_tokens_and_no_more(ann: User) -> None:
    for number in range(MOST_TOKENS):
        api_token_create(user=ann, name=str(number), days=1, scopes=("read",))
    page = staff_client(ann).post(PAGE, FORM)
    assert page.status_code == 422
    assert f"You have {MOST_TOKENS} tokens. Revoke one first." in readable(page)
    assert ApiToken.objects.count() == MOST_TOKENS


def test_a_revoked_token_stops_and_stays_in_the_list(ann: User) -> None:
    client = staff_client(ann)
    words, token = words_on(client.post(PAGE, FORM)), ApiToken.objects.get()
    for _ in range(2):
        assert client.post(f"{PAGE}{token.pk}/revoke/").headers["Location"] == PAGE
    assert not works(words)
    assert "revoked" in readable(client.get(PAGE))


def test_tokens_of_others_are_neither_seen_nor_revoked(ann: User) -> None:
    token, words = api_token_create(user=make_staff(), name="Of another", days=1, scopes=("read",))
    client = staff_client(ann)
    assert "Of another" not in readable(client.get(PAGE))
    assert client.post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert client.post(f"{PAGE}{2**70}/revoke/").status_code == 404
    assert works(words)


def test_a_token_opens_no_page(ann: User) -> None:
    _, words = api_token_create(user=ann, name="A script", days=1, scopes=("read", "manage"))
    answer = Client().get("/campaigns/", headers={"Authorization": f"Bearer {words}"})
    assert (answer.status_code, answer.headers["Location"][:7]) == (302, "/login/")


def test_the_name_of_a_token_is_escaped(ann: User) -> None:
    page = staff_client(ann).post(PAGE, FORM | {"name": "<script>x</script>"})
    assert b"<script>x</script>" not in page.content


def test_a_new_password_ends_all_tokens(ann: User) -> None:
    client = staff_client(ann)
    words = words_on(client.post(PAGE, FORM))
    new = "staple of quite another kind"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    page = client.post("/account/password/", form, follow=True)
    assert "Your tokens for programs no longer work." in readable(page)
    assert not works(words)


def test_a_password_set_by_mail_ends_all_tokens(ann: User) -> None:
    words = words_on(staff_client(ann).post(PAGE, FORM))
    uid = urlsafe_base64_encode(str(ann.pk).encode())
    browser = Client()
    page = browser.get(f"/password/reset/{uid}/{default_token_generator.make_token(ann)}/", follow=True)
    new = "staple of quite another kind"
    browser.post(page.request["PATH_INFO"], {"new_password1": new, "new_password2": new})
    assert not works(words)
