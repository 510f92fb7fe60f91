"""Tokens by which programs act for an account: stored as hashes, ended, revoked, limited, scoped."""

from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from common.errors import Refused
from crowd.api.endpoint import WRONG_TOKENS
from crowd.models import ApiToken, Scope
from crowd.services.api_tokens import (
    MAX_DAYS,
    MOST_TOKENS,
    PREFIX,
    api_token_create,
    api_token_revoke,
    api_token_used,
)
from tests.support.api_client import Api
from tests.support.clock import Clock
from tests.support.factories import make_campaign, make_staff

pytestmark = pytest.mark.django_db
DAY = 24 * 60


def made(user: User | None = None, days: int = 1, scopes: tuple[str, ...] = (Scope.READ,)) -> tuple[ApiToken, str]:
    return api_token_create(user=user or make_staff(), name="A script", days=days, scopes=scopes)


def asked(words: str, scheme: str = "Bearer") -> Any:
    return Client().get("/api/v1/campaigns/", headers={"Authorization": f"{scheme} {words}"})


def test_only_a_hash_of_a_token_is_stored() -> None:
    token, words = made()
    assert words.startswith(PREFIX)
    assert len(words) > len(PREFIX) + 40
    stored = ApiToken.objects.filter(pk=token.pk).values_list().get()
    assert not any(words.removeprefix(PREFIX) in str(value) for value in stored)
    assert api_token_used(words) == token
    assert made()[1] != words


def test_a_token_works_until_its_end(clock: Clock) -> None:
    _, words = made(days=7)
    clock.advance(minutes=7 * DAY - 1)
    assert asked(words).status_code == 200
    clock.advance(minutes=1)
    assert asked(words).status_code == 401


def test_a_revoked_token_stops_at_once_and_keeps_the_moment(clock: Clock) -> None:
    token, words = made()
    assert asked(words).status_code == 200
    api_token_revoke(token=token)
    assert asked(words).status_code == 401
    revoked_at = ApiToken.objects.get(pk=token.pk).revoked_at
    clock.advance(minutes=5)
    api_token_revoke(token=token)
    assert ApiToken.objects.get(pk=token.pk).revoked_at == revoked_at is not None


def test_a_token_of_an_inactive_account_does_not_work() -> None:
    user = make_staff()
    _, words = made(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert asked(words).status_code == 401
    User.objects.filter(pk=user.pk).update(is_active=True)
    assert asked(words).status_code == 200


def test_the_last_use_is_noted_at_most_every_five_minutes(clock: Clock) -> None:
    token, words = made()

    def noted() -> Any:
        asked(words)
        return ApiToken.objects.get(pk=token.pk).used_at

    assert ApiToken.objects.get(pk=token.pk).used_at is None
    first = noted()
    assert first == clock.now
    clock.advance(minutes=4.9)
    assert noted() == first
    clock.advance(minutes=0.1)
    assert noted() == clock.now


def test_a_database_that_cannot_be_written_to_still_answers() -> None:
    owner = make_staff()
    words = api_token_create(user=owner, name="a program", days=1, scopes=[Scope.READ])[1]
    with patch.object(QuerySet, "update", side_effect=OperationalError("disk full")):
        token = api_token_used(words)
    assert token is not None
    assert token.user == owner


def test_a_call_looks_its_token_up_in_one_query(clock: Clock) -> None:
    _, words = made()
    asked(words)
    with CaptureQueriesContext(connection) as queries:
        asked(words)
    assert sum("crowd_apitoken" in each["sql"] for each in queries) == 1


@pytest.mark.parametrize("words", ["", "precis_", "precis_guess", "guess", "precis_\xe9", "precis_" + "x" * 5_000])
def test_a_wrong_token_is_told_how_to_show_a_right_one(words: str) -> None:
    answer = asked(words)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="precis"'
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_other_ways_to_authenticate_do_not_count() -> None:
    user = make_staff()
    token, words = made(user)
    assert asked(words, "Basic").status_code == 401
    assert asked(token.token_hash).status_code == 401
    signed_in = Client()
    signed_in.force_login(user)
    assert signed_in.get("/api/v1/campaigns/").status_code == 401
    assert asked(words, "bearer").status_code == 200


def test_guesses_are_limited_and_requests_without_a_token_are_not_counted(clock: Clock) -> None:
    clock.to_next_hour()
    _, words = made()
    for _ in range(WRONG_TOKENS.count):
        assert asked("precis_guess").status_code == 401
    limited = asked("precis_guess")
    assert limited.status_code == 429
    assert int(limited.headers["Retry-After"]) <= WRONG_TOKENS.seconds
    assert asked(words).status_code == 200
    assert Client().get("/api/v1/campaigns/").status_code == 401


def test_calls_are_limited_token_by_token(clock: Clock, settings: Any) -> None:
    clock.to_next_hour()
    settings.API_CALLS_PER_MINUTE = 70
    user = make_staff()
    first, second = Api(user), Api(user)
    answers = [first.get("campaigns/").status_code for _ in range(72)]
    assert answers == [200] * 70 + [429] * 2
    assert second.get("campaigns/").status_code == 200
    clock.advance(minutes=1)
    assert first.get("campaigns/").status_code == 200


@pytest.mark.parametrize(
    ("scopes", "may_read", "may_change"),
    [((Scope.READ,), 200, 403), ((Scope.READ, Scope.IDS), 200, 403), ((Scope.READ, Scope.MANAGE), 200, 200)],
)
def test_a_token_does_what_its_scopes_say(scopes: tuple[str, ...], may_read: int, may_change: int) -> None:
    owner = make_staff()
    api, campaign = Api(owner, scopes), make_campaign(owner=owner)
    assert api.get(f"campaigns/{campaign.slug}/").status_code == may_read
    answer = api.post(f"campaigns/{campaign.slug}/state/", {"state": "paused"})
    assert answer.status_code == may_change
    campaign.refresh_from_db()
    assert campaign.state == ("paused" if may_change == 200 else "open")
    if may_change == 403:
        assert answer.json()["code"] == "scope"


def test_a_token_does_no_more_than_its_account() -> None:
    campaign = make_campaign()
    assert Api(make_staff()).get(f"campaigns/{campaign.slug}/").status_code == 404


@pytest.mark.parametrize(("days", "scopes"), [(0, ("read",)), (MAX_DAYS + 1, ("read",)), (1, ("read", "everything"))])
def test_a_token_that_cannot_be_is_not_made(days: int, scopes: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="days"):
        made(days=days, scopes=scopes)
    assert not ApiToken.objects.exists()


def test_an_account_has_so_many_live_tokens_and_no_more(clock: Clock) -> None:
    user = make_staff()
    tokens = [made(user)[0] for _ in range(MOST_TOKENS)]
    with pytest.raises(Refused, match=str(MOST_TOKENS)):
        made(user)
    made(make_staff())
    api_token_revoke(token=tokens[0])
    made(user)
    with pytest.raises(Refused):
        made(user)
    clock.advance(minutes=2 * DAY)
    made(user)


def test_the_database_keeps_no_token_that_ends_before_it_begins() -> None:
    token, _ = made()
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.filter(pk=token.pk).update(ends_at=token.created_at)
