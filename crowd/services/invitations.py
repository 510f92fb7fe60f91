"""Invitations to the staff of a campaign: a link that works once and ends. The link itself is never stored."""

import hmac
import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from common.clock import database_now
from common.errors import Refused
from crowd.models import Campaign, Invitation, Membership, Role
from crowd.services.account_bounds import invitation_bound
from crowd.services.audit import INVITATION_ACCEPTED, INVITATION_MADE
from crowd.services.invitation_ends import invitation_record
from crowd.services.members import member_raise

MIN_DAYS, MAX_DAYS = 1, 30
GONE = _("This invitation no longer works.")


class InvitationGone(Refused):
    """The invitation was used, revoked, or has ended; or there never was one."""

    def __init__(self) -> None:
        super().__init__(GONE)


class StaffClosed(Refused):
    """The campaign is archived: nothing of it changes, and neither does its staff."""

    def __init__(self) -> None:
        super().__init__(_("This campaign is archived, so nobody can join its staff. Ask the person who invited you."))


def token_hash(token: str) -> str:
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


@transaction.atomic
def invitation_create(*, campaign: Campaign, role: str, days: int, email: str = "", user: User | None) -> str:
    """Store an invitation and return the token of its link, which cannot be had a second time."""
    if role not in Role.values or not MIN_DAYS <= days <= MAX_DAYS:
        raise ValueError(f"{role} for {days} days")
    if user is not None:
        invitation_bound(user)
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
    invitation_record(made, user, INVITATION_MADE, detail)
    return token


def invitation_of_token(token: str) -> Invitation | None:
    """Return the invitation that a link stands for, whether it still works or not."""
    wanted = token_hash(token)
    found = Invitation.objects.select_related("campaign").filter(token_hash=wanted).first()
    return found if found is not None and hmac.compare_digest(found.token_hash, wanted) else None


def invitation_lock(*, invitation: Invitation) -> Invitation:
    """Return an invitation that nobody else can accept in this transaction; raise Refused if nobody can at all."""
    locked = _locked(invitation)
    invitation_check(locked)
    return locked


def invitation_check(invitation: Invitation) -> None:
    """Refuse an invitation that cannot be accepted: it is gone, or its campaign is archived."""
    if not invitation.is_open(database_now()):
        raise InvitationGone
    if invitation.campaign.is_archived:
        raise StaffClosed


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
    invitation_check(locked)
    locked.accepted_at, locked.accepted_by = database_now(), user
    locked.save(update_fields=["accepted_at", "accepted_by"])
    invitation_record(locked, user, INVITATION_ACCEPTED, locked.role)
    return member_raise(campaign=locked.campaign, member=user, role=locked.role, user=user)
