"""Reading the qualification test."""

from django.db.models import QuerySet

from crowd.models import Campaign, Enrolment
from ratings.models import QualificationAttempt, QualificationItem


def qualification_items(campaign: Campaign) -> QuerySet[QualificationItem]:
    return QualificationItem.objects.filter(campaign=campaign).order_by("position")


def qualification_gate(enrolment: Enrolment) -> str | None:
    """The page that a rater must pass before any task; none for who passed, or without a test."""
    if enrolment.qualified_at is not None:
        return None
    if enrolment.outcome == Enrolment.Outcome.FAILED:
        return "crowd:done"
    return "ratings:qualification" if qualification_items(enrolment.campaign).exists() else None


def attempts_of(enrolment: Enrolment) -> QuerySet[QualificationAttempt]:
    return QualificationAttempt.objects.filter(enrolment=enrolment).order_by("number")
