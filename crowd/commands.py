"""Campaign lookup for management commands."""

from django.core.management.base import CommandError

from crowd.models import Campaign


def campaign_named(slug: str) -> Campaign:
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        known = ", ".join(Campaign.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no campaign {slug!r}. Campaigns: {known}.")
    return campaign


def only_campaign() -> Campaign:
    """Return the only campaign; a CommandError if there is none or more than one."""
    campaigns = list(Campaign.objects.order_by("slug")[:2])
    if len(campaigns) != 1:
        raise CommandError("Name the campaign with --campaign: there is none, or more than one.")
    return campaigns[0]
