"""Who of the staff may do what in a campaign."""

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from common.errors import Refused
from crowd.models import Campaign, Enrolment, JoinLink, Membership, Role, Round
from crowd.platforms import ACCOUNT, account_id
from crowd.services.audit import audit_record
from crowd.services.invitation_ends import invitations_of_member_revoke

LAST_OWNER = _("A campaign needs an owner. Make someone else an owner first.")
ROLES_FROM_LEAST = (Role.EXPERT, Role.VIEWER, Role.MANAGER, Role.OWNER)


@transaction.atomic
def member_set(*, campaign: Campaign, member: User, role: str, user: User | None) -> Membership:
    """Give an account a role in a campaign, in place of the one that it has; with a lower one its invitations end."""
    _lock(campaign)
    before = Membership.objects.filter(campaign=campaign, user=member).first()
    if before is not None and before.role == role:
        return before
    if before is not None:
        _refuse_without_owner(before)
    membership, _created = Membership.objects.update_or_create(campaign=campaign, user=member, defaults={"role": role})
    if role == Role.EXPERT:
        _link_of_experts(campaign)
    if before is not None and before.role == Role.EXPERT:
        _end_visits(campaign, member)
    detail = f"{before.role} → {role}" if before is not None else str(role)
    audit_record(campaign=campaign, user=user, action="role given", subject=member.get_username(), detail=detail)
    if before is not None and _rank(before.role) > _rank(role):
        invitations_of_member_revoke(campaign=campaign, member=member, user=user)
    return membership


@transaction.atomic
def member_raise(*, campaign: Campaign, member: User, role: str, user: User | None) -> Membership:
    """Give an account a role unless it has one that may do as much or more."""
    _lock(campaign)
    before = Membership.objects.filter(campaign=campaign, user=member).first()
    if before is not None and _rank(before.role) >= _rank(role):
        return before
    return member_set(campaign=campaign, member=member, role=role, user=user)


@transaction.atomic
def member_remove(*, campaign: Campaign, member: User, user: User | None) -> None:
    """End an account's part in a campaign and its invitations. What it did stays, as does the work of an expert."""
    _lock(campaign)
    before = Membership.objects.filter(campaign=campaign, user=member).first()
    if before is None:
        return
    _refuse_without_owner(before)
    before.delete()
    if before.role == Role.EXPERT:
        _end_visits(campaign, member)
    audit_record(campaign=campaign, user=user, action="member removed", subject=member.get_username())
    invitations_of_member_revoke(campaign=campaign, member=member, user=user)


def _rank(role: str) -> int:
    return ROLES_FROM_LEAST.index(Role(role))


def _lock(campaign: Campaign) -> None:
    """Let one change of members of a campaign happen at a time: two owners may be removing each other."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def _refuse_without_owner(before: Membership) -> None:
    """Refuse to take away a member's role if no other owner could still log in."""
    others = Membership.objects.filter(campaign=before.campaign_id, role=Role.OWNER, user__is_active=True)
    if before.role == Role.OWNER and not others.exclude(pk=before.pk).exists():
        raise Refused(LAST_OWNER)


def _link_of_experts(campaign: Campaign) -> None:
    """Make the link by which experts with an account come, with the first of them."""
    JoinLink.objects.get_or_create(campaign=campaign, platform_key=ACCOUNT, defaults={"round": Round.EXPERT})


def _end_visits(campaign: Campaign, member: User) -> None:
    """End the sessions in which an account rates: sessions name the browser that holds the work, and now none does."""
    own = Enrolment.objects.filter(
        worker__campaign=campaign, worker__platform_key=ACCOUNT, worker__external_id=account_id(member.pk)
    )
    own.update(browser_hash=secrets.token_hex(32))
