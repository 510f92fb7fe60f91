"""The metric and the hypothesis that staff named in the settings, and whether they did so before there were ratings."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, Self

from django.db.models import Q

from crowd.models import Campaign, Worker
from crowd.models.people import IMPORTED
from ratings.models import RaterPool, Rating

SETTINGS = ("primary_metric", "hypothesis")


@dataclass(frozen=True)
class PlannedAnalysis:
    """What was named, since when it has stood in the settings, and the ratings that there were by then.

    `checksum` is the SHA-256 of the two settings as JSON. `ratings_before` is None where it is not known when all
    ratings were given, as of a file that does not say so.
    """

    metric: str
    hypothesis: str
    settings_version: int
    named_at: str
    checksum: str
    ratings_before: int | None

    @property
    def is_confirmatory(self) -> bool:
        return self.ratings_before == 0

    @classmethod
    def of(cls, pinned: Mapping[str, Any]) -> Self | None:
        """Return the plan that a report stands on."""
        found = pinned.get("planned_analysis")
        return cls(**found) if found else None


def planned_analysis(campaign: Campaign, pool: str) -> dict[str, Any] | None:
    """Return the plan as a report keeps it, beside the ratings of a pool; None if no metric is named."""
    named = {name: getattr(campaign, name) for name in SETTINGS}
    if not named["primary_metric"]:
        return None
    versions = campaign.settings_versions.order_by("-number")
    *_, first = takewhile(lambda version: _named(version.settings) == named, versions.iterator())
    plan = PlannedAnalysis(
        metric=named["primary_metric"],
        hypothesis=named["hypothesis"],
        settings_version=first.number,
        named_at=first.created_at.isoformat(),
        checksum=hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest(),
        ratings_before=_ratings_before(campaign, pool, first.created_at),
    )
    return asdict(plan)


def _named(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: settings.get(name) for name in SETTINGS}


def _ratings_before(campaign: Campaign, pool: str, at: datetime) -> int | None:
    of_campaign = Q(target__source__campaign=campaign) | Q(pair__first__source__campaign=campaign)
    ratings = Rating.objects.filter(of_campaign, rater_pool=RaterPool(pool))
    erased = Worker.objects.filter(campaign=campaign, erased_at__isnull=False, created_at__lt=at)
    imported = ratings.filter(Q(worker=None) | Q(worker__platform_key=IMPORTED))
    # Files say the day of a rating at most, and of people who have withdrawn, texts and their ratings may be deleted.
    if imported.exists() or erased.exists():
        return None
    number: int = ratings.filter(created_at__lt=at).count()
    return number
