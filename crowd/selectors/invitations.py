"""Query invitations to the staff of a campaign."""

from django.db.models import QuerySet

from common.clock import database_now
from crowd.models import Campaign, Invitation


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Return the invitations that still work, the one that ends first at the head."""
    waiting = Invitation.objects.filter(
        campaign=campaign, accepted_at=None, revoked_at=None, ends_at__gt=database_now()
    )
    return waiting.select_related("created_by").order_by("ends_at", "pk")
