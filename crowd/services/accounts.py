"""Accounts of staff: made by accepting an invitation, and their sessions."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

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
