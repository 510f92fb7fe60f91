"""Query into which arms people were drawn."""

from crowd.models import Campaign, Enrolment, Round


def arms_of_raters(campaign: Campaign) -> dict[int, str]:
    """Return the arm of each worker who was drawn into one; nobody was without arms, so nothing is asked then."""
    if not campaign.arms:
        return {}
    drawn = Enrolment.objects.filter(worker__campaign=campaign, round=Round.RATE).exclude(arm="")
    return dict(drawn.values_list("worker_id", "arm"))
