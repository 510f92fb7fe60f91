"""Move campaigns through their life: draft, open, paused, closed, archived."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign, CampaignState
from crowd.selectors.campaigns import deletion_has_begun
from crowd.services.audit import audit_record


@transaction.atomic
def campaign_state_set(*, campaign: Campaign, state: str, user: User | None) -> bool:
    """Put a campaign into a state, from any other; return whether it was in another one."""
    if state not in CampaignState.values:
        raise Refused(_("There is no such state."))
    stored = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if deletion_has_begun(stored):
        raise Refused(_("This campaign is being deleted, so its state can no longer be changed."))
    campaign.state = state
    if stored.state == state:
        return False
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    audit_record(campaign=campaign, user=user, action="state changed", detail=f"from {stored.state} to {state}")
    return True
