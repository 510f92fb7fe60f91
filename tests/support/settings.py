"""Changing a campaign's settings in tests."""

from collections.abc import Mapping
from typing import Any

from django.test import Client

from crowd.arms import arms_to_text
from crowd.models import Campaign
from crowd.scale_texts import scales_to_text
from crowd.scales import scales_load
from crowd.services.campaigns import campaign_update
from crowd.settings_tabs import ARMS_TEXT, SCALES_TEXT, TABS, Tab


def settings_change(campaign: Campaign, **settings: Any) -> Campaign:
    """Change settings as staff who have confirmed it."""
    current = Campaign.objects.select_related("settings_version").get(pk=campaign.pk)
    assert current.settings_version
    return campaign_update(campaign=campaign, confirmed=current.settings_version.number, **settings)


def version_numbers(campaign: Campaign) -> list[int]:
    return list(campaign.settings_versions.order_by("number").values_list("number", flat=True))


def tab_with(*names: str) -> Tab:
    """The tab that has all of these fields."""
    return next(tab for tab in TABS if set(names) <= set(tab.fields))


def settings_page(campaign: Campaign, *names: str) -> str:
    """The address of the tab with these fields."""
    key = tab_with(*names).key
    return f"/campaigns/{campaign.slug}/settings/{key}{key and '/'}"


def settings_of(campaign: Campaign, **changes: object) -> dict[str, object]:
    """What a browser sends of the tab with the changed fields."""
    tab = tab_with(*changes)
    values = {name: _sent(campaign, name) for name in tab.fields}
    return {name: value for name, value in (values | changes).items() if value is not None and value is not False}


def _sent(campaign: Campaign, name: str) -> object:
    if name == SCALES_TEXT:
        return scales_to_text(scales_load(campaign.scales), side_by_side=campaign.task.asks_preference)
    if name == ARMS_TEXT:
        return arms_to_text(campaign.rating_arms)
    return getattr(campaign, name)


def settings_send(
    client: Client, campaign: Campaign, extra: Mapping[str, object] | None = None, /, **changes: object
) -> Any:
    """Send the tab with the changed fields."""
    return client.post(settings_page(campaign, *changes), settings_of(campaign, **changes) | dict(extra or {}))
