"""Create and update campaigns and their join links."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from common.errors import Refused
from crowd.models import Campaign, JoinLink, Round


@transaction.atomic
def campaign_create(*, owner: User | None, **settings: Any) -> Campaign:
    """Create a campaign with one direct link per round; its owner becomes the first staff member."""
    campaign = Campaign(**settings)
    if campaign.slug in RESERVED_SLUGS:
        raise Refused(f"{campaign.slug!r} has another meaning in addresses. Please choose another short name.")
    campaign.full_clean()
    campaign.save()
    if owner is not None:
        campaign.staff.add(owner)
    for work_round in Round.values:
        join_link_create(campaign=campaign, work_round=work_round, platform_key="direct")
    return campaign


RESERVED_SLUGS = {"new"}  # used in URLs
RATING_SETTINGS = ("rating_task", "scales")


@transaction.atomic
def campaign_update(*, campaign: Campaign, **settings: Any) -> Campaign:
    """Change settings. The rating task and the scales are fixed once there is work for raters."""
    stored = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    changed = [name for name in RATING_SETTINGS if name in settings and settings[name] != getattr(stored, name)]
    if changed and campaign.items.filter(round=Round.RATE).exists():
        raise Refused("There are texts to be judged already, so what raters judge and the scales stay as they are.")
    if changed and campaign.qualification_items.exists():
        raise Refused("The raters' test has examples on these scales. Take them out first.")
    for name, value in settings.items():
        setattr(campaign, name, value)
    campaign.full_clean()
    campaign.save()
    return campaign


def join_link_create(*, campaign: Campaign, work_round: str, platform_key: str) -> JoinLink:
    link = JoinLink(campaign=campaign, round=work_round, platform_key=platform_key)
    link.full_clean()
    link.save()
    return link


def join_link_set_active(*, link: JoinLink, is_active: bool) -> None:
    """Open or close a link to new people; those already enrolled can continue."""
    JoinLink.objects.filter(pk=link.pk).update(is_active=is_active)


def campaign_staff_add(*, campaign: Campaign, user: User) -> None:
    campaign.staff.add(user)
