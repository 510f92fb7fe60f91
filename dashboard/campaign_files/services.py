"""Make campaigns of files: all of what a file says, or nothing."""

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from crowd.models import Campaign, CampaignState, JoinLink
from crowd.services.campaigns import campaign_create, campaign_create_without_links
from crowd.services.links import link_save
from dashboard.campaign_files.checking import CheckedCampaign, campaign_check, campaign_file_read
from dashboard.campaign_files.fields import LINK_SETTINGS
from dashboard.campaign_files.reading import CampaignFileRefused, Fault
from dashboard.campaign_files.writing import campaign_file
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_add
from ratings.services.quality import quality_rule_set


def campaign_file_create(*, content: bytes, owner: User, slug: str = "", name: str = "") -> Campaign:
    """Make a campaign of a file, a draft; `slug` and `name` go before those of the file."""
    checked = campaign_check(campaign_file_read(content), slug=slug, name=name)
    try:
        return _store(checked, owner)
    except ValidationError as error:  # what another has stored in the meantime, such as a campaign of this name
        raise CampaignFileRefused(_faults_of(error)) from error


@transaction.atomic
def _store(checked: CheckedCampaign, owner: User) -> Campaign:
    create = campaign_create if checked.links is None else campaign_create_without_links
    campaign = create(owner=owner, state=CampaignState.DRAFT, **checked.settings)
    for link in checked.links or []:
        link_save(_link(campaign, link))
    if questions := [*checked.questions["practice"], *checked.questions["test"]]:
        qualification_items_add(campaign=campaign, examples=questions, user=owner)
    for example in checked.questions["gold"]:
        gold_create(campaign=campaign, example=example, user=owner)
    if checked.rule is not None:
        quality_rule_set(campaign=campaign, parameters=checked.rule, user=owner)
    return campaign


def _link(campaign: Campaign, link: dict[str, Any]) -> JoinLink:
    settings = {name: link[name] for name in LINK_SETTINGS if name in link}
    return JoinLink(campaign=campaign, round=link["round"], platform_key=link["platform"], **settings)


def _faults_of(error: ValidationError) -> list[Fault]:
    if not hasattr(error, "error_dict"):
        return [Fault(0, "", reason) for reason in error.messages]
    return [Fault(0, name, reason) for name, reasons in error.message_dict.items() for reason in reasons]


def campaign_clone(*, campaign: Campaign, owner: User, slug: str, name: str) -> Campaign:
    """Make a campaign with what staff have set in another, under a name of its own; texts and people stay behind."""
    return campaign_file_create(content=campaign_file(campaign), owner=owner, slug=slug, name=name)
