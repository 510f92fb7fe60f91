"""Reading one person's part in a campaign."""

from dataclasses import dataclass, field

from django.db.models import QuerySet

from compressions.models import Compression
from crowd.models import Assignment, Enrolment, Round, Worker
from ratings.models import QualificationAttempt, Rating
from ratings.selectors.attention import RaterRecord, rater_records
from ratings.selectors.qualification import all_attempts
from ratings.selectors.rating_tasks import ratings_of_enrolment

SHOWN = 100


@dataclass(frozen=True)
class PersonRound:
    """A person in one round: how much they did, and what there is to see of it."""

    enrolment: Enrolment
    submitted: int
    attempts: list[QualificationAttempt] = field(default_factory=list)
    record: RaterRecord | None = None
    compressions: "QuerySet[Compression] | list[Compression]" = field(default_factory=list)
    ratings: "QuerySet[Rating] | list[Rating]" = field(default_factory=list)


def person_rounds(worker: Worker) -> list[PersonRound]:
    enrolments = Enrolment.objects.filter(worker=worker).select_related("worker__campaign", "link__campaign")
    return [_round(enrolment) for enrolment in enrolments.order_by("pk")]


def _round(enrolment: Enrolment) -> PersonRound:
    done = [Assignment.State.SUBMITTED, Assignment.State.SET_ASIDE]
    own = Assignment.objects.filter(worker_id=enrolment.worker_id, round=enrolment.round, state__in=done)
    if enrolment.round == Round.EDIT:
        written = Compression.objects.filter(worker_id=enrolment.worker_id).select_related("source").defer("edit_log")
        return PersonRound(enrolment, own.count(), compressions=written.order_by("-pk")[:SHOWN])
    records = rater_records(enrolment.campaign) if enrolment.round == Round.RATE else []
    record = next((each for each in records if each.enrolment.pk == enrolment.pk), None)
    judged = ratings_of_enrolment(enrolment).reverse()[:SHOWN]
    return PersonRound(enrolment, own.count(), list(all_attempts(enrolment)), record, ratings=judged)
