"""Reading how far the outputs of systems are judged."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from compressions.models import System, SystemOutput
from crowd.models import Campaign
from ratings.models import RaterPool, Rating


def systems_of_campaign(campaign: Campaign) -> QuerySet[System]:
    """Systems with how many outputs each has, and how many of them have a rating."""
    ratings = Rating.objects.filter(target=OuterRef("target"), rater_pool=RaterPool.CROWD)
    rated = SystemOutput.objects.filter(Exists(ratings)).values("pk")
    counts = {"output_count": Count("outputs"), "rated_count": Count("outputs", filter=Q(outputs__in=rated))}
    return System.objects.filter(campaign=campaign).annotate(**counts).order_by("name")
