"""Request a simulated crowd as a job."""

from django.contrib.auth.models import User
from django.db import transaction

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
        raise Refused("Real participants have joined this campaign, so you can’t simulate a crowd in it.")
    if not campaign.is_open and campaign.state != CampaignState.DRAFT:
        raise Refused("Simulated people can only work in a campaign that is open or a draft.")
    if not (0 <= editors <= MOST_PEOPLE and 0 <= raters <= MOST_PEOPLE and editors + raters > 0):
        raise Refused(f"Please choose up to {MOST_PEOPLE} editors and up to {MOST_PEOPLE} raters.")
    parameters = {"editors": editors, "raters": raters, "seed": SEED}
    return job_enqueue(campaign_id=campaign.pk, kind=SIMULATE_JOB, parameters=parameters, user=user)
