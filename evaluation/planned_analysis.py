"""The metric and the hypothesis that staff named in the settings, and whether they did so before there were ratings."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from crowd.models import Campaign
from crowd.selectors.settings_versions import standing_since
from ratings.selectors.rating_counts import ratings_before

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
    first = standing_since(campaign, *SETTINGS)
    plan = PlannedAnalysis(
        metric=named["primary_metric"],
        hypothesis=named["hypothesis"],
        settings_version=first.number,
        named_at=first.created_at.isoformat(),
        checksum=hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest(),
        ratings_before=ratings_before(campaign, first.created_at, [pool]),
    )
    return asdict(plan)
