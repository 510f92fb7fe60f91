"""Save the settings of a campaign's judgement task, which are fixed once somebody has answered."""

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from protocols.models import Response
from protocols.services.material import pieces_check
from protocols.task import study_task


def task_settings_save(*, campaign: Campaign, settings: dict[str, Any], user: User | None) -> None:
    """Check and save the settings as a new version of the campaign's; raise Refused if they cannot change any more."""
    task = study_task(campaign.rating_task)
    if task.settings_read(settings) == task.settings_read(campaign.task_settings):
        return

    def check(stored: Campaign) -> None:
        pieces_check(campaign=stored)
        has_answers = Response.objects.filter(assignment__item__campaign=stored).exists()
        if has_answers and stored.task_settings != settings:
            raise Refused(_("There are answers already, so the settings of the task can’t be changed any more."))

    try:
        campaign_update(campaign=campaign, user=user, check=check, task_settings=settings)
    except UnconfirmedChange as refusal:
        words = _("Participants have joined already, so the settings of the task can’t be changed any more.")
        raise Refused(words) from refusal
