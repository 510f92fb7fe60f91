"""Lookup of campaigns and accounts for management commands."""

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from common.commands import MAX_NAMES, not_found
from crowd.models import Campaign


def campaign_named(slug: str) -> Campaign:
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise not_found("campaign", "Campaigns", slug, Campaign.objects.order_by("slug").values_list("slug", flat=True))
    return campaign


def account_named(name: str) -> User:
    """Return the active account of this name, or raise CommandError."""
    user = User.objects.filter(username=name).first()
    if user is None:
        known = User.objects.filter(is_active=True).order_by("username").values_list("username", flat=True)
        raise not_found("account", "Accounts", name, known)
    if not user.is_active:
        raise CommandError(f"The account {name!r} is deactivated.")
    return user


def only_campaign() -> Campaign:
    """Return the only campaign; a CommandError if there is none or more than one."""
    campaigns = list(Campaign.objects.order_by("slug")[: MAX_NAMES + 1])
    if not campaigns:
        raise CommandError("Name the campaign with --campaign: there is none yet. Make one on the page of campaigns.")
    if len(campaigns) > 1:
        more = ", ..." if len(campaigns) > MAX_NAMES else ""
        names = ", ".join(each.slug for each in campaigns[:MAX_NAMES])
        raise CommandError(f"Name the campaign with --campaign: there is more than one ({names}{more}).")
    return campaigns[0]
