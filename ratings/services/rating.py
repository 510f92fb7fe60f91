"""Taking in what a rater says: the first answer, and corrections while the visit lasts."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from common.clock import database_now
from common.errors import Refused
from compressions.models import Compression
from crowd.models import Assignment, Enrolment, Item, Round
from crowd.scales import Scale
from crowd.services.claims import assignment_complete
from crowd.services.items import item_extend
from crowd.services.remarks import comment_add, comment_set
from ratings.models import RaterPool, Rating, RatingVersion, Score
from ratings.subjects import Subject, is_swapped

EXTRA_RATERS = 2
FIRST_RATERS = 3
FAR_APART = 2


@dataclass(frozen=True)
class Judgement:
    """What a page sends about one text: the points by scale, and beside them what else is recorded.

    `known_version` is the version that the page was opened on, 0 for none: an answer that comes twice, or late, is
    told from a correction by it.
    """

    scores: Mapping[str, int]
    known_version: int = 0
    milliseconds: int | None = None
    difference_shown: bool = False
    comment: str | None = None


class Incomplete(Refused):
    """Not every scale has a point."""


class OtherAnswerCounts(Refused):
    """Another answer was stored before; it is not written over."""


def judgement_check(judgement: Judgement, scales: tuple[Scale, ...]) -> None:
    """Raise Incomplete unless each scale, and no other, has one of its points."""
    if any(judgement.scores.get(scale.key) not in scale.values for scale in scales):
        raise Incomplete("Please choose a point on every scale.")


@transaction.atomic
def rating_submit(*, enrolment: Enrolment, assignment: Assignment, subject: Subject, judgement: Judgement) -> Rating:
    """Store a judgement, or a new version of it. Sent twice, it is stored once and answered alike."""
    campaign = enrolment.campaign
    judgement_check(judgement, campaign.rating_scales)
    if _is_author(enrolment, subject):
        raise Refused("You wrote this text yourself, so you cannot judge it.")
    if not assignment_complete(assignment_id=assignment.pk, enrolment=enrolment):
        return _correct(enrolment, assignment, judgement)
    comment_add(assignment_id=assignment.pk, text=judgement.comment or "")
    rating = Rating.objects.create(
        target=subject.target,
        pair=subject.pair,
        gold=subject.gold,
        worker_id=enrolment.worker_id,
        assignment=assignment,
        rater_pool=RaterPool.EXPERTS if enrolment.round == Round.EXPERT else RaterPool.CROWD,
        is_swapped=campaign.is_side_by_side and is_swapped(assignment),
        created_at=database_now(),
        **_beside(assignment, judgement),
    )
    _write(rating, judgement)
    _ask_more_if_wanted(enrolment, rating, assignment.item_id)
    return rating


def _is_author(enrolment: Enrolment, subject: Subject) -> bool:
    targets = [target.pk for target in subject.targets]
    return bool(targets) and Compression.objects.filter(target__in=targets, worker_id=enrolment.worker_id).exists()


def _beside(assignment: Assignment, judgement: Judgement) -> dict[str, int | bool | None]:
    return {
        "milliseconds": _milliseconds(assignment, judgement),
        "difference_shown": judgement.difference_shown,
    }


def _milliseconds(assignment: Assignment, judgement: Judgement) -> int | None:
    """The time that the page measured, as far as the server's own clock bears it out."""
    if assignment.leased_at is None or judgement.milliseconds is None:
        return None
    at_most = int((database_now() - assignment.leased_at).total_seconds() * 1000)
    return max(0, min(judgement.milliseconds, at_most))


def _write(rating: Rating, judgement: Judgement) -> None:
    """The points in force, and the version that says how it came to them."""
    scores = dict(judgement.scores)
    Score.objects.bulk_create(
        [Score(rating=rating, scale=scale, value=value) for scale, value in scores.items()],
        update_conflicts=True,
        unique_fields=["rating", "scale"],
        update_fields=["value"],
    )
    RatingVersion.objects.create(
        rating=rating,
        number=rating.version,
        scores=scores,
        milliseconds=_milliseconds(rating.assignment, judgement) if rating.assignment else None,
        difference_shown=judgement.difference_shown,
        created_at=database_now(),
    )


def _correct(enrolment: Enrolment, assignment: Assignment, judgement: Judgement) -> Rating:
    """A second answer: the same again changes nothing, another one is a version while the visit lasts."""
    rating = Rating.objects.select_for_update(no_key=True).get(assignment=assignment)
    is_same = scores_of(rating) == dict(judgement.scores)
    is_closed = enrolment.is_closed or enrolment.is_excluded
    if judgement.known_version == rating.version and not is_closed:
        _comment_change(assignment, judgement)
    if is_same:
        return rating
    if judgement.known_version != rating.version:
        raise OtherAnswerCounts("You had sent another answer to that text before. That one counts.")
    if is_closed:
        raise OtherAnswerCounts("Your visit is over, so your answers are final now.")
    rating.version += 1
    rating.difference_shown |= judgement.difference_shown
    rating.save(update_fields=["version", "difference_shown"])
    _write(rating, judgement)
    _ask_more_if_wanted(enrolment, rating, assignment.item_id)
    return rating


def _comment_change(assignment: Assignment, judgement: Judgement) -> None:
    """An emptied comment goes; one that was not sent along stays."""
    if judgement.comment is not None:
        comment_set(assignment_id=assignment.pk, text=judgement.comment)


def scores_of(rating: Rating) -> dict[str, int]:
    return dict(rating.scores.values_list("scale", "value"))


def _ask_more_if_wanted(enrolment: Enrolment, rating: Rating, item_id: int) -> None:
    if enrolment.campaign.extra_raters and enrolment.round == Round.RATE and rating.gold_id is None:
        _ask_more(rating, item_id)


def _ask_more(rating: Rating, item_id: int) -> None:
    """Two more raters where the first three are two points apart. The item is locked: no rating is overlooked."""
    item = Item.objects.select_for_update(no_key=True).get(pk=item_id)
    if not item.is_extended and _first_are_far_apart(_of_same_subject(rating)):
        item_extend(item_id=item_id, places=EXTRA_RATERS)


def _of_same_subject(rating: Rating) -> QuerySet[Rating]:
    same = Rating.objects.filter(target=rating.target, pair=rating.pair, rater_pool=RaterPool.CROWD)
    return same.exclude(assignment__state=Assignment.State.DISCARDED).order_by("pk")


def _first_are_far_apart(ratings: QuerySet[Rating]) -> bool:
    first = list(ratings.values_list("pk", flat=True)[:FIRST_RATERS])
    if len(first) < FIRST_RATERS:
        return False
    by_scale: dict[str, list[int]] = {}
    for scale, value in Score.objects.filter(rating__in=first).values_list("scale", "value"):
        by_scale.setdefault(scale, []).append(value)
    return any(max(values) - min(values) >= FAR_APART for values in by_scale.values())
