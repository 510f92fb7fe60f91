"""Which ratings of a text were asked for before anybody could disagree.

Where a campaign asks two more raters once the first ones disagree, texts with disagreement have more ratings than the
others. Who follows a disagreement mostly takes one of its sides, so agreement over all ratings looks better than it is.
"""

from django.db.models import QuerySet

from corpus.models import Release
from crowd.models import Campaign, SettingsVersion
from crowd.models.people import IMPORTED
from ratings.models import RaterPool, Rating


def first_ratings_of_release(release: Release) -> int | None:
    """Return how many ratings of each text count; None if no rater was asked because of a disagreement."""
    pinned = _crowd_ratings(release.campaign).filter(pk__lte=release.last_rows.get("ratings", 0))
    return _first_ratings(release.campaign, pinned)


def first_ratings_of_campaign(campaign: Campaign) -> int | None:
    """Return the same for all ratings so far."""
    return _first_ratings(campaign, _crowd_ratings(campaign))


def settings_with_extra_raters(campaign: Campaign) -> list[int]:
    """Return the numbers of the settings versions that asked for extra raters, without looking at any rating."""
    rows = SettingsVersion.objects.filter(campaign=campaign).order_by("number").values_list("number", "settings")
    return [number for number, settings in rows if settings["extra_raters"]]


def _crowd_ratings(campaign: Campaign) -> QuerySet[Rating]:
    """Return the ratings that were given here: nobody knows how imported ones were asked for."""
    ratings = Rating.objects.filter(worker__campaign=campaign, rater_pool=RaterPool.CROWD)
    return ratings.exclude(worker__platform_key=IMPORTED)


def _first_ratings(campaign: Campaign, ratings: QuerySet[Rating]) -> int | None:
    """Return the fewest ratings that any settings with extra raters asked of every text, among those in force then.

    Ratings from before settings had versions count as given under the first one, which was made from the settings of
    that time.
    """
    in_force = set(ratings.order_by().values_list("settings_version_id", flat=True).distinct())
    rows = SettingsVersion.objects.filter(campaign=campaign).order_by("number").values_list("pk", "settings")
    versions = list(rows)
    if None in in_force and versions:
        in_force.add(versions[0][0])
    with_extra = (settings for pk, settings in versions if pk in in_force and settings["extra_raters"])
    return min((settings["raters_per_compression"] for settings in with_extra), default=None)
