"""Tokens for programs: made, used, revoked. A token is random enough that a plain hash of it keeps it secret."""

import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from common.clock import database_now, process_now
from common.errors import Refused
from crowd.models import ApiToken, Scope
from crowd.services.invitations import token_hash

PREFIX = "precis_"
MIN_DAYS, MAX_DAYS = 1, 366
MOST_TOKENS = 50  # of one account
USE_NOTED_EVERY = timedelta(minutes=5)


@transaction.atomic
def api_token_create(*, user: User, name: str, days: int, scopes: Collection[str]) -> tuple[ApiToken, str]:
    """Store a token and return it with its words, which cannot be had a second time."""
    if not MIN_DAYS <= days <= MAX_DAYS or not set(scopes) <= set(Scope.values):
        raise ValueError(f"{sorted(scopes)} for {days} days")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # or two at once would both find room
    now = database_now()
    if ApiToken.objects.filter(user=user, revoked_at=None, ends_at__gt=now).count() >= MOST_TOKENS:
        raise Refused(_("You have %(n)s tokens. Revoke one first.") % {"n": MOST_TOKENS})
    words = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        token_hash=token_hash(words),
        may_manage=Scope.MANAGE in scopes,
        may_see_ids=Scope.IDS in scopes,
        created_at=now,
        ends_at=now + timedelta(days=days),
    )
    return token, words


@transaction.atomic
def api_token_revoke(*, token: ApiToken) -> None:
    """End a token; one that has been revoked stays so."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=database_now())


@transaction.atomic
def api_tokens_end(*, user: User) -> int:
    """End all tokens of an account, as a new password does: whoever knew the old one may have made some."""
    return ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=database_now())


def api_token_used(words: str) -> ApiToken | None:
    """Return the live token of an active account that these are the words of, and note every few minutes its use."""
    if not words.startswith(PREFIX):
        return None
    now = process_now()
    token = ApiToken.objects.select_related("user").filter(token_hash=token_hash(words), user__is_active=True).first()
    if token is None or not token.is_live(now):
        return None
    if token.used_at is None or now - token.used_at >= USE_NOTED_EVERY:
        with suppress(DatabaseError):  # a database that can only be read, such as on a full disk, still answers
            ApiToken.objects.filter(pk=token.pk).update(used_at=now)
    return token
