"""Query the qualification test: its items, tries, and whether a rater has passed; and the samples of experts."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from django.db.models import Avg, Count, F, Q, QuerySet

from common.clock import database_now
from common.sql import Statement
from compressions.models import Target
from crowd.models import Assignment, Campaign, Enrolment, Round
from crowd.selectors.members import uncounted_workers
from ratings.models import ExpertSample, GoldItem, QualificationAttempt, QualificationItem, RaterPool, Score


@dataclass(frozen=True)
class RatedText:
    """A text rated by the crowd; `score` is its mean rating on each scale, rescaled to 0..1, averaged over scales."""

    pk: int
    item: int
    source_item: int
    genre: str
    source_id: str
    digest: str
    score: float

    @property
    def name(self) -> str:
        """A name that does not depend on database ids, so that draws are reproducible."""
        return f"{self.source_id}:{self.digest}"


def texts_to_sample(campaign: Campaign) -> list[RatedText]:
    """Return the rated texts of a campaign that are in no expert sample yet, oldest first."""
    scores = _scores_by_target(campaign)
    rows = Target.objects.filter(source__campaign=campaign, expert_item=None, source__retired_at=None).order_by("pk")
    found = rows.values_list("pk", "item_id", "source__item_id", "source__genre", "source__source_id", "digest")
    return [RatedText(*row, scores[row[0]]) for row in found if row[0] in scores]


def _scores_by_target(campaign: Campaign) -> dict[int, float]:
    """Return the crowd's mean score by target, without excluded raters."""
    ratings = Q(rating__rater_pool=RaterPool.CROWD, rating__target__source__campaign=campaign)
    excluded = uncounted_workers(campaign, Round.RATE)
    rows = Score.objects.filter(ratings).exclude(rating__worker__in=excluded)
    means = rows.values_list("rating__target", "scale").annotate(Avg("value")).order_by()
    spans = {scale.key: len(scale.points) - 1 for scale in campaign.rating_scales}
    scale_means: dict[int, list[float]] = {}
    for target_id, scale, mean in means:
        scale_means.setdefault(target_id, []).append((mean - 1) / spans[scale])
    return {target_id: sum(each) / len(each) for target_id, each in scale_means.items()}


def expert_samples(campaign: Campaign) -> QuerySet[ExpertSample]:
    """Return the samples drawn so far, annotated with the numbers of ratings wanted and done."""
    work = "items__item__assignments"
    submitted = Q(**{f"{work}__state": Assignment.State.SUBMITTED, f"{work}__worker__is_test": False})
    done = Count("items__item__assignments", filter=submitted)
    return (
        ExpertSample.objects.filter(campaign=campaign)
        .select_related("requested_by")
        .annotate(done=done, wanted=F("size") * F("experts"))
        .order_by("-pk")
    )


# A try that was passed counts by itself, even if the enrolment does not say so.
MUST_PASS = Statement("""
    SELECT 1 FROM ratings_qualificationitem WHERE campaign_id = %(campaign)s AND NOT is_practice AND deleted_at IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM ratings_qualificationattempt a
        WHERE a.enrolment_id = %(enrolment)s AND a.passed AND a.reset_at IS NULL
    )
    LIMIT 1
""")


def qualification_items(campaign: Campaign) -> QuerySet[QualificationItem]:
    """Return the test items, without practice."""
    return live_items(campaign).filter(is_practice=False)


STARTER_FILE = Path(__file__).resolve().parent.parent / "starter_test" / "english.jsonl"


@cache
def _starter_texts() -> frozenset[tuple[str, str]]:
    lines = map(json.loads, STARTER_FILE.read_text(encoding="utf-8").splitlines())
    return frozenset((line["source"], line["compression"]) for line in lines)


def starter_items(campaign: Campaign) -> list[int]:
    """Return the ids of the test items that everybody can read in the starter set, with their answers."""
    rows = qualification_items(campaign).values_list("pk", "source_text", "compression_text")
    return [pk for pk, *texts in rows if tuple(texts) in _starter_texts()]


def practice_items(campaign: Campaign) -> QuerySet[QualificationItem]:
    return live_items(campaign).filter(is_practice=True)


def live_items(campaign: Campaign) -> QuerySet[QualificationItem]:
    """Return the items of the test and of practice, without deleted ones."""
    return QualificationItem.objects.filter(campaign=campaign, deleted_at=None).order_by("position")


def deleted_items(campaign: Campaign) -> QuerySet[QualificationItem]:
    """Return the deleted items, the last one first."""
    return QualificationItem.objects.filter(campaign=campaign, deleted_at__isnull=False).order_by("-deleted_at", "-pk")


def gold_items(campaign: Campaign) -> QuerySet[GoldItem]:
    return GoldItem.objects.filter(item__campaign=campaign).order_by("pk")


def qualification_entry_check(enrolment: Enrolment) -> str | None:
    """Return the page that keeps a rater from the tasks; None once they passed, or without a test."""
    if enrolment.qualified_at is not None:
        return None
    if enrolment.outcome == Enrolment.Outcome.FAILED:
        return "crowd:done"
    must_pass = MUST_PASS.row(campaign=enrolment.campaign.pk, enrolment=enrolment.pk) is not None
    return "ratings:qualification" if must_pass else None


def all_attempts(enrolment: Enrolment) -> QuerySet[QualificationAttempt]:
    return QualificationAttempt.objects.filter(enrolment=enrolment).order_by("number")


def attempts_of(enrolment: Enrolment) -> QuerySet[QualificationAttempt]:
    """Return the tries that count: those since the last reset."""
    return all_attempts(enrolment).filter(reset_at=None)


@dataclass(frozen=True)
class TestStanding:
    """A rater's progress in the test: the number of the next try, the tries left, and when the next may begin."""

    number: int
    tries_made: int
    tries_left: int
    wait_until: datetime | None
    has_passed: bool

    @property
    def wait_minutes(self) -> int:
        """Minutes until the next try may begin, rounded up; 0 if it may begin now."""
        if self.wait_until is None:
            return 0
        return max(0, -int((database_now() - self.wait_until).total_seconds() // 60))


def test_standing(enrolment: Enrolment) -> TestStanding:
    campaign, attempts = enrolment.campaign, list(all_attempts(enrolment))
    counting = [attempt for attempt in attempts if attempt.reset_at is None]
    wait = timedelta(minutes=campaign.qualification_wait_minutes)
    return TestStanding(
        number=len(attempts) + 1,
        tries_made=len(counting),
        tries_left=max(0, campaign.qualification_tries - len(counting)),
        wait_until=counting[-1].created_at + wait if counting and wait else None,
        has_passed=any(attempt.passed for attempt in counting),
    )
