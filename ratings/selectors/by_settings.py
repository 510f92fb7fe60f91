"""Count ratings by the settings they were given under."""

from collections.abc import Mapping

from django.db.models import Count, Q, QuerySet

from crowd.models import Campaign
from crowd.selectors.members import workers_of_tests
from ratings.models import GoldItem, Rating


def ratings_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of ratings by the id of their settings version; None where it is not recorded.

    Nearly all have a version, and are counted from its index alone, without the texts that they are about.
    """
    recorded = _by_version(Rating.objects.filter(settings_version__campaign=campaign))
    questions = list(GoldItem.objects.filter(item__campaign=campaign).values_list("pk", flat=True))
    gold = _by_version(Rating.objects.filter(gold__in=questions))
    tests = _by_version(Rating.objects.filter(worker__in=workers_of_tests(campaign)).exclude(gold__in=questions))
    of_texts = Q(target__source__campaign=campaign) | Q(pair__first__source__campaign=campaign)
    without = Rating.objects.filter(settings_version=None)  # chosen first: SQLite would begin with all texts
    unrecorded = Rating.objects.filter(of_texts, pk__in=without.values("pk")).count()
    counted = {each: recorded[each] - gold.get(each, 0) - tests.get(each, 0) for each in recorded}
    return counted | {None: unrecorded}


def _by_version(ratings: QuerySet[Rating]) -> Mapping[int | None, int]:
    return dict(ratings.values_list("settings_version_id").annotate(n=Count("*")).order_by())
