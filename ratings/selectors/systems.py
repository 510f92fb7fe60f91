"""Query systems and how many of their outputs are rated."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from compressions.models import System, SystemOutput
from crowd.models import Campaign
from ratings.models import RaterPool, Rating


def systems_of_campaign(campaign: Campaign) -> QuerySet[System]:
    """Return the systems of a campaign, annotated with the numbers of their outputs and of rated outputs."""
    ratings = Rating.objects.filter(target=OuterRef("target"), rater_pool=RaterPool.CROWD)
    rated = SystemOutput.objects.filter(Exists(ratings)).values("pk")
    counts = {"output_count": Count("outputs"), "rated_count": Count("outputs", filter=Q(outputs__in=rated))}
    return System.objects.filter(campaign=campaign).annotate(**counts).order_by("name")
