"""Request a simulated crowd as a job."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.simulation.crowd import real_people
from common.errors import Refused
from common.jobs import job_enqueue
from common.models import Job
from crowd.models import Campaign, CampaignState

SIMULATE_JOB = "simulate_crowd"
MOST_PEOPLE = 100
SEED = 7


@transaction.atomic
def simulation_request(*, campaign: Campaign, editors: int, raters: int, user: User) -> Job:
    """Enqueue a simulated crowd of test participants; refused once real people have come."""
    if real_people(campaign):
        raise Refused(_("Real participants have joined this campaign, so you can’t simulate a crowd in it."))
    if not campaign.is_open and campaign.state != CampaignState.DRAFT:
        raise Refused(_("Simulated participants can only work in a campaign that is open or a draft."))
    if not (0 <= editors <= MOST_PEOPLE and 0 <= raters <= MOST_PEOPLE and editors + raters > 0):
        raise Refused(_("Please choose up to %(n)s editors and up to %(n)s raters.") % {"n": MOST_PEOPLE})
    parameters = {"editors": editors, "raters": raters, "seed": SEED}
    return job_enqueue(campaign_id=campaign.pk, kind=SIMULATE_JOB, parameters=parameters, user=user)
