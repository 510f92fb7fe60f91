"""Accounts of staff: made by accepting an invitation, and their sessions."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from common.errors import Refused
from crowd.account_sessions import SessionStore
from crowd.models import AccountSession, Invitation
from crowd.services.invitations import invitation_accept, invitation_lock


class UsernameTaken(Refused):
    def __init__(self) -> None:
        super().__init__(_("A user with that username already exists."))


@transaction.atomic
def account_create_invited(*, invitation: Invitation, username: str, password: str, email: str = "") -> User:
    """Create an account and accept an invitation with it: both, or neither."""
    invitation_lock(invitation=invitation)
    try:
        with transaction.atomic():
            user = User.objects.create_user(username, email, password)
    except IntegrityError as error:
        raise UsernameTaken from error
    invitation_accept(invitation=invitation, user=user)
    return user


def account_set_email(*, user: User, email: str) -> None:
    User.objects.filter(pk=user.pk).update(email=email)


def sessions_end(*, user: User, keep: str | None = None) -> int:
    """Log an account out everywhere, except in the session with the key to `keep`; return in how many."""
    others = AccountSession.objects.filter(user=user).exclude(session_key=keep or "")
    return others.delete()[0]


def session_end(*, user: User, session_key: str) -> None:
    AccountSession.objects.filter(user=user, session_key=session_key).delete()


def sessions_forget_old() -> None:
    """Delete the sessions that have run out."""
    SessionStore.clear_expired()


RECOVERY_CODES = 10


@transaction.atomic
def second_factor_set(*, user: User, device: TOTPDevice | None = None) -> list[str]:
    """Store an authenticator app in place of any other, or keep the one there is; return new recovery codes."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of two at once the later one counts, alone
    if device is not None:
        TOTPDevice.objects.filter(user=user).delete()
        device.save()
    StaticDevice.objects.filter(user=user).delete()
    recovery = StaticDevice.objects.create(user=user)
    codes = [StaticToken.random_token() for _each in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=recovery, token=code) for code in codes)
    return codes


@transaction.atomic
def second_factor_check(*, user: User, code: str) -> bool:
    """Whether a code is right; then it is used up. After a wrong one none is looked at for a while, ever longer."""
    kind = TOTPDevice if code.isdecimal() else StaticDevice
    device = kind.objects.select_for_update(no_key=True).filter(user=user, confirmed=True).first()
    return device is not None and device.verify_token(code)


@transaction.atomic
def second_factor_drop(*, user: User) -> bool:
    """Forget the second factor of an account; return whether it had one."""
    StaticDevice.objects.filter(user=user).delete()
    return bool(TOTPDevice.objects.filter(user=user).delete()[0])
