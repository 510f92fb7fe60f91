"""Revoke invitations to the staff of a campaign, and record what becomes of them."""

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from crowd.models import Campaign, Invitation
from crowd.services.audit import audit_record


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, user: User | None) -> None:
    """End an invitation before its time; one that was accepted or revoked stays as it is."""
    opened = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)
    if opened.update(revoked_at=database_now()):
        invitation_record(invitation, user, "invitation revoked", invitation.role)


@transaction.atomic
def invitations_of_member_revoke(*, campaign: Campaign, member: User, user: User | None) -> None:
    """Revoke the open invitations that a member has made: whoever had the right to invite may no longer have it."""
    made = Invitation.objects.filter(campaign=campaign, created_by=member, accepted_at=None, revoked_at=None)
    for invitation in made.filter(ends_at__gt=database_now()).order_by("pk"):
        invitation_revoke(invitation=invitation, user=user)


def invitation_record(invitation: Invitation, user: User | None, action: str, detail: str) -> None:
    """Record what became of an invitation, without the address, which nobody could take out of the log."""
    subject = f"invitation {invitation.pk}"
    audit_record(campaign=invitation.campaign, user=user, action=action, subject=subject, detail=detail)
