"""Invitations to the staff of a campaign: a link that works once and ends. The link itself is never stored."""

import hmac
import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from common.errors import Refused
from crowd.models import Campaign, Invitation, Membership, Role
from crowd.services.audit import audit_record
from crowd.services.members import member_raise

MIN_DAYS, MAX_DAYS = 1, 30
GONE = "This invitation no longer works."


class InvitationGone(Refused):
    """The invitation was used, revoked, or has ended; or there never was one."""

    def __init__(self) -> None:
        super().__init__(GONE)


def token_hash(token: str) -> str:
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


@transaction.atomic
def invitation_create(*, campaign: Campaign, role: str, days: int, email: str = "", user: User | None) -> str:
    """Store an invitation and return the token of its link, which cannot be had a second time."""
    if role not in Role.values or not MIN_DAYS <= days <= MAX_DAYS:
        raise ValueError(f"{role} for {days} days")
    token, now = secrets.token_urlsafe(24), database_now()
    made = Invitation.objects.create(
        campaign=campaign,
        role=role,
        token_hash=token_hash(token),
        email=email,
        created_at=now,
        created_by=user,
        ends_at=now + timedelta(days=days),
    )
    detail = f"{role}, for {days} day{'' if days == 1 else 's'}"
    _record(made, user, "invitation made", detail)
    return token


def invitation_of_token(token: str) -> Invitation | None:
    """Return the invitation that a link stands for, whether it still works or not."""
    wanted = token_hash(token)
    found = Invitation.objects.select_related("campaign").filter(token_hash=wanted).first()
    return found if found is not None and hmac.compare_digest(found.token_hash, wanted) else None


def invitation_lock(*, invitation: Invitation) -> Invitation:
    """Return an open invitation that nobody else can accept in this transaction, or raise InvitationGone."""
    locked = _locked(invitation)
    if not locked.is_open(database_now()):
        raise InvitationGone
    return locked


def _locked(invitation: Invitation) -> Invitation:
    Campaign.objects.select_for_update(no_key=True).get(pk=invitation.campaign_id)
    return Invitation.objects.select_related("campaign").get(pk=invitation.pk)


@transaction.atomic
def invitation_accept(*, invitation: Invitation, user: User) -> Membership:
    """Make an account a member, once; the account that accepted may do so again, and nothing changes."""
    locked = _locked(invitation)
    own = Membership.objects.filter(campaign=locked.campaign, user=user).first()
    if own is not None and locked.accepted_at is not None and locked.accepted_by_id == user.pk:
        return own
    if not locked.is_open(database_now()):
        raise InvitationGone
    locked.accepted_at, locked.accepted_by = database_now(), user
    locked.save(update_fields=["accepted_at", "accepted_by"])
    _record(locked, user, "invitation accepted", locked.role)
    return member_raise(campaign=locked.campaign, member=user, role=locked.role, user=user)


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, user: User | None) -> None:
    """End an invitation before its time; one that was accepted or revoked stays as it is."""
    opened = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)
    if opened.update(revoked_at=database_now()):
        _record(invitation, user, "invitation revoked", invitation.role)


def _record(invitation: Invitation, user: User | None, action: str, detail: str) -> None:
    """Record what became of an invitation, without the address, which nobody could take out of the log."""
    subject = f"invitation {invitation.pk}"
    audit_record(campaign=invitation.campaign, user=user, action=action, subject=subject, detail=detail)
