"""Query what is missing in a round, and estimate from the actual pace what it takes."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Max, Min, Q

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment
from crowd.models.campaign import NO_LIMIT
from crowd.selectors.progress import RoundProgress

RECENT = 5_000
"""So many of the newest assignments are looked at, of whatever campaign: a bound for the largest installation."""
PERIOD = timedelta(hours=24)
FEWEST_SUBMISSIONS, SHORTEST_SPAN = 5, timedelta(minutes=5)
FEWEST_FINISHED, MOST_FINISHED = 3, 100
Submitted = Assignment.State.SUBMITTED


@dataclass(frozen=True)
class Pace:
    """Submissions per hour while people were last at work; None if too little is known."""

    per_hour: float | None = None
    is_quiet: bool = False  # certainly nothing in the last 24 hours


@dataclass(frozen=True)
class Remaining:
    """What is missing in a round, and about how many people and hours it takes; None where that is unknown."""

    missing: int
    in_work: int
    people: int | None
    tasks_of_one: int | None
    is_from_settings: bool
    minutes: float | None
    is_quiet: bool


def remaining_of(campaign: Campaign, work_round: str, progress: RoundProgress) -> Remaining:
    pace, usual = pace_of(campaign, work_round), _usual_tasks(campaign, work_round)
    from_settings = campaign.tasks_per_worker(work_round)
    tasks = usual if usual is not None else from_settings
    is_known = tasks != NO_LIMIT
    return Remaining(
        missing=progress.missing,
        in_work=progress.claimed,
        people=progress.people_needed(tasks) if is_known else None,
        tasks_of_one=round(tasks) if is_known else None,
        is_from_settings=usual is None,
        minutes=60 * progress.missing / pace.per_hour if pace.per_hour else None,
        is_quiet=pace.is_quiet,
    )


def pace_of(campaign: Campaign, work_round: str) -> Pace:
    """Return the pace between the first and the last submission of the last 24 hours."""
    since = database_now() - PERIOD
    newest = Assignment.objects.order_by("-pk").values("pk")[:RECENT]
    of_round = Q(worker__campaign=campaign, round=work_round, state=Submitted, worker__is_test=False)
    recent = of_round & Q(submitted_at__gte=since)
    found = Assignment.objects.filter(pk__in=newest).aggregate(
        rows=Count("pk"),
        oldest=Min("leased_at"),
        number=Count("pk", filter=recent),
        first=Min("submitted_at", filter=recent),
        last=Max("submitted_at", filter=recent),
    )
    if not found["number"]:
        sees_all = found["rows"] < RECENT or (found["oldest"] is not None and found["oldest"] < since)
        return Pace(is_quiet=sees_all)
    span = found["last"] - found["first"]
    if found["number"] < FEWEST_SUBMISSIONS or span < SHORTEST_SPAN:
        return Pace()
    return Pace((found["number"] - 1) / (span / timedelta(hours=1)))


def _usual_tasks(campaign: Campaign, work_round: str) -> float | None:
    """Return how many tasks those who finished last did on average; None if too few have finished."""
    finished = Enrolment.objects.filter(
        worker__campaign=campaign, worker__is_test=False, round=work_round, outcome=Enrolment.Outcome.DONE
    )
    last = finished.order_by("-pk").values("worker")[:MOST_FINISHED]
    done = Assignment.objects.filter(worker__in=last, round=work_round, state=Submitted)
    counts = done.aggregate(tasks=Count("pk"), people=Count("worker", distinct=True))
    return counts["tasks"] / counts["people"] if counts["people"] >= FEWEST_FINISHED else None
