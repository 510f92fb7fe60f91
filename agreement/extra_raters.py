"""Which ratings of a text were asked for before anybody could disagree.

Where a campaign asks two more raters once the first ones disagree, texts with disagreement have more ratings than the
others. Who follows a disagreement mostly takes one of its sides, so agreement over all ratings looks better than it is.
"""

from corpus.models import Release
from crowd.models import Campaign


def first_ratings_of_release(release: Release) -> int | None:
    """Return how many ratings of each text count; None if no rater was asked because of a disagreement."""
    return first_ratings_of_campaign(release.campaign)


def first_ratings_of_campaign(campaign: Campaign) -> int | None:
    """Return how many ratings of each text count; None if no rater is asked because of a disagreement."""
    return campaign.raters_per_compression if campaign.extra_raters else None
