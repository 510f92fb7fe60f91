"""Query the sessions and the tokens of an account."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_totp.models import TOTPDevice

from common.clock import process_now
from crowd.models import AccountSession, ApiToken

NAME_LENGTH = 32


@dataclass(frozen=True)
class ListedSession:
    """A session, under a name that may stand in pages: its key must not."""

    session: AccountSession
    name: str
    is_this: bool


def sessions_of_account(user: User, this_key: str | None) -> list[ListedSession]:
    """Return the sessions in which an account is logged in, this one first, then the last used."""
    alive = AccountSession.objects.filter(user=user, expire_date__gt=process_now()).order_by("-used_at")
    found = [ListedSession(each, session_name(each.session_key), each.session_key == this_key) for each in alive]
    return sorted(found, key=lambda each: not each.is_this)


def session_name(session_key: str) -> str:
    return salted_hmac("account session", session_key, algorithm="sha256").hexdigest()[:NAME_LENGTH]


SHOWN = 200


def api_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of an account, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-pk")[:SHOWN]


def has_second_factor(user: User) -> bool:
    found: bool = TOTPDevice.objects.filter(user=user, confirmed=True).exists()
    return found
