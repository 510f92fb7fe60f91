"""Query the ratings of a campaign, one by one."""

from django.db.models import Prefetch, QuerySet

from crowd.models import Campaign
from ratings.models import Rating, RatingVersion, Score
from ratings.selectors.kept import of_campaign


def ratings_of_campaign(campaign: Campaign, *, with_versions: bool = False) -> QuerySet[Rating]:
    """Return all ratings of texts, pairs and gold questions, oldest first; with those they have replaced if wanted."""
    texts = ("target__source", "pair__first__source")
    found = Rating.objects.filter(of_campaign(campaign)).select_related("worker", *texts).order_by("pk")
    found = found.prefetch_related(Prefetch("scores", Score.objects.order_by("pk")))
    versions = Prefetch("versions", RatingVersion.objects.order_by("number"))
    return found.prefetch_related(versions) if with_versions else found
