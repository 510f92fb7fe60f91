"""What is missing in a round, what it takes at the actual pace, and both in words."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Max, Min, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment
from crowd.models.campaign import NO_LIMIT
from crowd.selectors.progress import RoundProgress

RECENT = 5_000
"""So many of the newest assignments are looked at, of whatever campaign: a bound for the largest installation."""
PERIOD = timedelta(hours=24)
FEWEST_SUBMISSIONS, SHORTEST_SPAN = 5, timedelta(minutes=5)
FEWEST_FINISHED, MOST_FINISHED = 3, 100
MINUTES_OF_DAY = 24 * 60
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
    # From the first of the newest on: PostgreSQL would look for the newest among all.
    first = Assignment.objects.order_by("-pk").values("pk")[RECENT - 1 : RECENT]
    of_round = Q(worker__campaign=campaign, round=work_round, state=Submitted, worker__is_test=False)
    recent = of_round & Q(submitted_at__gte=since)
    found = Assignment.objects.filter(pk__gte=Coalesce(Subquery(first), 0)).aggregate(
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


MISSING = {
    "edit": ngettext_lazy("%(number)s compression missing.", "%(number)s compressions missing.", "n"),
    "rate": ngettext_lazy("%(number)s rating missing.", "%(number)s ratings missing.", "n"),
    "task": ngettext_lazy("%(number)s answer missing.", "%(number)s answers missing.", "n"),
    "expert": ngettext_lazy("%(number)s expert rating missing.", "%(number)s expert ratings missing.", "n"),
}
AS_ALLOWED = {
    "edit": ngettext_lazy(
        "That is with %(number)s compression per participant, as the settings allow.",
        "That is with %(number)s compressions per participant, as the settings allow.",
        "n",
    ),
    "rate": ngettext_lazy(
        "That is with %(number)s rating per participant, as the settings allow.",
        "That is with %(number)s ratings per participant, as the settings allow.",
        "n",
    ),
    "task": ngettext_lazy(
        "That is with %(number)s answer per participant, as the settings allow.",
        "That is with %(number)s answers per participant, as the settings allow.",
        "n",
    ),
}


def remaining_words(remaining: Remaining, work_round: str) -> str:
    """Return what is missing, such as “184 ratings missing. It takes about 12 people and 3 hours at this pace.”"""
    sentences = [MISSING[work_round] % _number(remaining.missing), _effort(remaining), _end(remaining)]
    if remaining.people is not None and remaining.is_from_settings:
        sentences.append(AS_ALLOWED[work_round] % _number(remaining.tasks_of_one or 0))
    if remaining.is_quiet:
        sentences.append(_("Nothing was submitted in the last 24 hours."))
    return " ".join(filter(None, sentences))


def _number(number: int) -> dict[str, object]:
    return {"n": number, "number": f"{number:,}"}


def _effort(remaining: Remaining) -> str:
    people, minutes = remaining.people, remaining.minutes
    if people and minutes is not None:
        words = {"people": _people(people), "time": duration_words(minutes)}
        return _("It takes about %(people)s and %(time)s at this pace.") % words
    if people:
        return _("It takes about %(people)s.") % {"people": _people(people)}
    if minutes is not None:
        return _("It takes about %(time)s at this pace.") % {"time": duration_words(minutes)}
    return ""


def _end(remaining: Remaining) -> str:
    """Say when it ends if people never stop: a day, or a time of the next one."""
    if remaining.minutes is None:
        return ""
    end = database_now() + timedelta(minutes=remaining.minutes)
    when = date_format(end, "j F Y") if remaining.minutes > MINUTES_OF_DAY else f"{end:%H:%M} UTC"
    return _("Without a break, that is until %(when)s.") % {"when": when}


def _people(number: int) -> str:
    return ngettext("%(number)s person", "%(number)s people", number) % _number(number)


def duration_words(minutes: float) -> str:
    """Return a duration as a round number of minutes, hours or days."""
    if minutes < 90:
        number = max(1, round(minutes))
        return ngettext("%(number)s minute", "%(number)s minutes", number) % _number(number)
    if minutes < 48 * 60:
        number = round(minutes / 60)
        return ngettext("%(number)s hour", "%(number)s hours", number) % _number(number)
    number = round(minutes / 60 / 24)
    return ngettext("%(number)s day", "%(number)s days", number) % _number(number)
