"""Changing a campaign's settings in tests."""

from typing import Any

from crowd.models import Campaign
from crowd.services.campaigns import campaign_update


def settings_change(campaign: Campaign, **settings: Any) -> Campaign:
    """Change settings as staff who have confirmed it."""
    current = Campaign.objects.select_related("settings_version").get(pk=campaign.pk)
    assert current.settings_version
    return campaign_update(campaign=campaign, confirmed=current.settings_version.number, **settings)


def version_numbers(campaign: Campaign) -> list[int]:
    return list(campaign.settings_versions.order_by("number").values_list("number", flat=True))
