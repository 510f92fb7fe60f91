"""Write the audit log."""

from django.contrib.auth.models import User

from common.clock import database_now
from crowd.models import AuditEntry, Campaign

LONGEST_DETAIL = 2_000
CAMPAIGN_CREATED = "campaign created"
INVITATION_MADE, INVITATION_ACCEPTED = "invitation made", "invitation accepted"
IDS_EXPORTED = "ids exported"
PARTICIPANT_WITHDREW = "participant withdrew"
"""What participants do themselves: it has no account, and no command did it."""


def audit_record(*, campaign: Campaign, user: User | None, action: str, subject: str = "", detail: str = "") -> None:
    """Record what an account did, or a command if it is None; call inside the transaction that does it.

    What happens in a preview is not worth an entry: nothing in it lasts.
    """
    if campaign.sandbox_of_id is not None:
        return
    AuditEntry.objects.create(
        campaign=campaign,
        campaign_slug=campaign.slug,
        user=user,
        username=user.get_username() if user else "",
        action=action,
        subject=subject[:200],
        detail=detail[:LONGEST_DETAIL],
        created_at=database_now(),
    )


def ids_record(*, campaign: Campaign, user: User, what: str, count: int) -> None:
    """Record which list of ids an account was given, and how long it was."""
    rows = f"{count} row{'' if count == 1 else 's'}"
    audit_record(campaign=campaign, user=user, action=IDS_EXPORTED, subject=what, detail=rows)
