"""Reading what is to be judged, and the judgements."""

from dataclasses import dataclass

from django.db.models import Avg, Count

from compressions.models import Target
from crowd.errors import NotYours
from crowd.models import Assignment, Campaign, Enrolment
from crowd.selectors.work import assignment_of_worker
from ratings.models import Rating


def target_of_assignment(assignment: Assignment) -> Target:
    """The target to judge; free of queries for an assignment that `rater_task` gave."""
    try:
        return assignment.item.target
    except Target.DoesNotExist as error:
        raise NotYours("This task is not about a compression.") from error


def rater_task(enrolment: Enrolment, assignment_id: int) -> Assignment:
    """An assignment of this rater with its target and the target's source."""
    return assignment_of_worker(enrolment, assignment_id, related=("item__target__source",))


@dataclass(frozen=True)
class RatingSummary:
    """The mean of each scale and how often each point was given."""

    count: int
    meaning: float | None
    grammar: float | None
    meaning_counts: dict[int, int]
    grammar_counts: dict[int, int]


def rating_summary(campaign: Campaign) -> RatingSummary:
    ratings = Rating.objects.filter(target__source__campaign=campaign)
    means = ratings.aggregate(count=Count("pk"), meaning=Avg("meaning"), grammar=Avg("grammar"))
    return RatingSummary(
        **means,
        meaning_counts=dict(ratings.values_list("meaning").annotate(n=Count("pk")).order_by("-meaning")),
        grammar_counts=dict(ratings.values_list("grammar").annotate(n=Count("pk")).order_by("-grammar")),
    )
