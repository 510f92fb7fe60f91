"""Setting up campaigns and their links."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from crowd.models import Campaign, JoinLink, Round


@transaction.atomic
def campaign_create(*, owner: User, **settings: Any) -> Campaign:
    """Make a campaign with one direct link per round; its maker becomes its first staff member."""
    campaign = Campaign(**settings)
    campaign.full_clean()
    campaign.save()
    campaign.staff.add(owner)
    for work_round in Round.values:
        join_link_create(campaign=campaign, work_round=work_round, platform_key="direct")
    return campaign


@transaction.atomic
def campaign_update(*, campaign: Campaign, **settings: Any) -> Campaign:
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
    """Let people in by a link or not; who is in already can go on."""
    JoinLink.objects.filter(pk=link.pk).update(is_active=is_active)


def campaign_staff_add(*, campaign: Campaign, user: User) -> None:
    campaign.staff.add(user)
