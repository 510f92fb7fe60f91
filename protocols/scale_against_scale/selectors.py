"""What a comparison of scales has to know beside the files of a release: the draw, and how long people took."""

from collections import Counter
from hashlib import sha256
from statistics import median
from typing import Any

from corpus.models import Release
from crowd.models import ArmDraw, Stratum
from crowd.selectors.arms import arms_of_raters
from crowd.selectors.settings_versions import standing_since
from ratings.models import RaterPool, Rating
from ratings.selectors.rating_counts import ratings_before

MILLISECONDS = 60_000


def drawn_by_arm(release: Release) -> dict[str, int]:
    """Return how many people had been drawn into each arm when a release was requested, without test participants."""
    draws = ArmDraw.objects.filter(campaign=release.campaign, drawn_at__lte=release.created_at)
    counts = Counter(draws.exclude(stratum=Stratum.TEST).values_list("arm", flat=True))
    return {arm.key: counts[arm.key] for arm in release.campaign.rating_arms}


def hypothesis_of(release: Release) -> dict[str, Any] | None:
    """Return the hypothesis in the settings with the time since when it has stood, and the ratings before; or None."""
    campaign = release.campaign
    if not campaign.hypothesis:
        return None
    first = standing_since(campaign, "hypothesis")
    return {
        "text": campaign.hypothesis,
        "sha256": sha256(campaign.hypothesis.encode()).hexdigest(),
        "saved_at": first.created_at.isoformat(),
        "ratings_before": ratings_before(campaign, first.created_at),
    }


def minutes_by_arm(release: Release) -> dict[str, float | None]:
    """Return the minutes that people of each arm took for a text: the median of the medians of each; None if unknown.

    They are of all that the pages asked about a text, and of the ratings that a release may hold.
    """
    arms = arms_of_raters(release.campaign)
    rows = Rating.objects.filter(
        worker__in=arms,
        rater_pool=RaterPool.CROWD,
        gold=None,
        milliseconds__isnull=False,
        worker__is_test=False,
        pk__lte=release.last_rows.get("ratings", 0),
    )
    by_worker: dict[int, list[int]] = {}
    for worker, milliseconds in rows.values_list("worker_id", "milliseconds"):
        by_worker.setdefault(worker or 0, []).append(milliseconds or 0)
    by_arm: dict[str, list[float]] = {arm.key: [] for arm in release.campaign.rating_arms}
    for worker, times in by_worker.items():
        by_arm[arms[worker]].append(median(times))
    return {arm: median(times) / MILLISECONDS if times and median(times) else None for arm, times in by_arm.items()}
