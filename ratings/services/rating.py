"""Store ratings: the first answer, and corrections during the visit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.errors import Refused
from common.inserts import insert, insert_all
from common.sql import Statement
from common.typed_text import comment_check
from crowd.models import Assignment, Enrolment, Item, Round
from crowd.page_records import PageRecord
from crowd.scales import Scale
from crowd.services.claims import TaskAhead
from crowd.services.items import item_extend
from crowd.services.leases import assignment_complete
from crowd.services.remarks import comment_add, comment_set
from ratings.models import RaterPool, Rating, RatingVersion, Score
from ratings.subjects import Subject, is_swapped

EXTRA_RATERS = 2
FIRST_RATERS = 3
FAR_APART = 2
VISIT_OVER = gettext_lazy("Your answers can’t be changed any more.")


WROTE = Statement("""
    SELECT 1 FROM compressions_compression WHERE target_id = %(target)s AND worker_id = %(worker)s LIMIT 1
""")


@dataclass(frozen=True)
class Judgement:
    """What a page submits about one text: the points by scale, and the data recorded with them.

    `known_version` is the version that the page showed, 0 for none. It distinguishes corrections from answers that
    are sent twice or late.
    """

    scores: Mapping[str, int]
    known_version: int = 0
    milliseconds: int | None = None
    difference_shown: bool = False
    comment: str | None = None
    page_record: PageRecord | None = None


class Incomplete(Refused):
    """A scale has no valid point."""


class OtherAnswerCounts(Refused):
    """A different answer is stored already and is not overwritten."""


def judgements_check(judgements: Sequence[Judgement], scales: tuple[Scale, ...]) -> None:
    """Raise Incomplete unless each scale of a page has one of its points, TextRefused if a comment cannot be stored."""
    if missing := unanswered_words(judgements, scales):
        raise Incomplete(missing)
    for judgement in judgements:
        comment_check(judgement.comment or "")


def unanswered_words(judgements: Sequence[Judgement], scales: tuple[Scale, ...]) -> str:
    """Ask for each answer that is missing on a page, by name; nothing if none is."""
    asked = []
    for number, judgement in enumerate(judgements, start=1):
        for scale in scales:
            if judgement.scores.get(scale.key) in scale.values:
                continue
            words = _("Answer “%(question)s”.") % {"question": scale.name}
            if len(judgements) > 1:
                words = f"{_('Text %(number)s:') % {'number': number}} {words}"
            asked.append(words)
    return " ".join(asked)


def rating_submit(
    *,
    enrolment: Enrolment,
    assignment: Assignment,
    subject: Subject,
    judgement: Judgement,
    ahead: TaskAhead | None = None,
) -> Rating:
    """Store a rating, or a new version of it, and lease the task `ahead` with a new one.

    Idempotent: a repeated submission returns the stored rating.
    """
    judgements_check([judgement], enrolment.shown_scales)
    if _is_author(enrolment, subject):
        raise Refused(_("You wrote this text yourself, so you can’t rate it."))
    with transaction.atomic():
        if not assignment_complete(assignment_id=assignment.pk, enrolment=enrolment):
            return _correct(enrolment, assignment, judgement)
        rating = _create(enrolment, assignment, subject, judgement)
        if ahead is not None:
            ahead.take()
        return rating


def _create(enrolment: Enrolment, assignment: Assignment, subject: Subject, judgement: Judgement) -> Rating:
    campaign = enrolment.campaign
    comment_add(assignment_id=assignment.pk, text=judgement.comment or "")
    rating = Rating(
        target=subject.target,
        pair=subject.pair,
        gold=subject.gold,
        worker_id=enrolment.worker_id,
        assignment=assignment,
        rater_pool=RaterPool.EXPERTS if enrolment.round == Round.EXPERT else RaterPool.CROWD,
        is_swapped=campaign.task.makes_pairs and is_swapped(assignment),
        created_at=database_now(),
        settings_version_id=campaign.settings_version_id,
        guidelines_version_id=enrolment.guidelines_version_id,
        **_metadata(assignment, judgement),
    )
    insert(rating)
    insert_all([Score(rating=rating, scale=scale, value=value) for scale, value in judgement.scores.items()])
    _store_version(rating, judgement)
    _add_raters_if_disputed(enrolment, rating, assignment.item_id)
    return rating


def _is_author(enrolment: Enrolment, subject: Subject) -> bool:
    """Whether this person wrote the text, or one of the two."""
    return any(WROTE.row(target=target.pk, worker=enrolment.worker_id) for target in subject.targets)


def _metadata(assignment: Assignment, judgement: Judgement) -> dict[str, int | bool | None]:
    return {
        "milliseconds": _milliseconds(assignment, judgement),
        "difference_shown": judgement.difference_shown,
    }


def _milliseconds(assignment: Assignment, judgement: Judgement) -> int | None:
    """Return the time measured by the page, capped at the time since the lease by the server's clock."""
    if assignment.leased_at is None or judgement.milliseconds is None:
        return None
    since_lease = int((database_now() - assignment.leased_at).total_seconds() * 1000)
    return max(0, min(judgement.milliseconds, since_lease))


def _store(rating: Rating, judgement: Judgement) -> None:
    """Replace the current scores and append a version."""
    Score.objects.bulk_create(
        [Score(rating=rating, scale=scale, value=value) for scale, value in judgement.scores.items()],
        update_conflicts=True,
        unique_fields=["rating", "scale"],
        update_fields=["value"],
    )
    _store_version(rating, judgement)


def _store_version(rating: Rating, judgement: Judgement) -> None:
    insert(
        RatingVersion(
            rating=rating,
            number=rating.version,
            scores=dict(judgement.scores),
            milliseconds=_milliseconds(rating.assignment, judgement) if rating.assignment else None,
            difference_shown=judgement.difference_shown,
            page_record=judgement.page_record,
            created_at=database_now(),
        )
    )


def _correct(enrolment: Enrolment, assignment: Assignment, judgement: Judgement) -> Rating:
    """Handle a second answer: an identical one changes nothing, another is a new version while the visit lasts."""
    rating = Rating.objects.select_for_update(no_key=True).get(assignment=assignment)
    is_same = scores_of(rating) == dict(judgement.scores)
    # What was done by another link of the round may be paid already.
    is_of_past_visit = assignment.link_id not in {None, enrolment.link_id}
    is_closed = enrolment.is_closed or enrolment.is_excluded or is_of_past_visit
    if judgement.known_version == rating.version and not is_closed:
        _change_comment(assignment, judgement)
    if is_same:
        return rating
    if judgement.known_version != rating.version:
        raise OtherAnswerCounts(_("You had already rated this text. Your earlier rating counts."))
    if is_closed:
        raise OtherAnswerCounts(VISIT_OVER)
    rating.version += 1
    rating.difference_shown |= judgement.difference_shown
    rating.settings_version_id = enrolment.campaign.settings_version_id
    rating.guidelines_version_id = enrolment.guidelines_version_id
    rating.save(update_fields=["version", "difference_shown", "settings_version", "guidelines_version"])
    _store(rating, judgement)
    _add_raters_if_disputed(enrolment, rating, assignment.item_id)
    return rating


def _change_comment(assignment: Assignment, judgement: Judgement) -> None:
    """Replace the comment; an empty one deletes it, None leaves it unchanged."""
    if judgement.comment is not None:
        comment_set(assignment_id=assignment.pk, text=judgement.comment)


def scores_of(rating: Rating) -> dict[str, int]:
    return dict(rating.scores.values_list("scale", "value"))


def _add_raters_if_disputed(enrolment: Enrolment, rating: Rating, item_id: int) -> None:
    may_ask_for_more = enrolment.campaign.extra_raters and not enrolment.worker.is_test
    if may_ask_for_more and enrolment.round == Round.RATE and rating.gold_id is None:
        _add_raters(rating, item_id)


def _add_raters(rating: Rating, item_id: int) -> None:
    """Open two more slots if the first three raters differ by two points. The lock makes concurrent ratings visible."""
    item = Item.objects.select_for_update(no_key=True).get(pk=item_id)
    if not item.is_extended and _first_raters_disagree(_ratings_of_same_subject(rating)):
        item_extend(item_id=item_id, slots=EXTRA_RATERS)


def _ratings_of_same_subject(rating: Rating) -> QuerySet[Rating]:
    same = Rating.objects.filter(target=rating.target, pair=rating.pair, rater_pool=RaterPool.CROWD)
    counted = same.exclude(assignment__state=Assignment.State.DISCARDED).exclude(worker__is_test=True)
    return counted.order_by("pk")


def _first_raters_disagree(ratings: QuerySet[Rating]) -> bool:
    first = list(ratings.values_list("pk", flat=True)[:FIRST_RATERS])
    if len(first) < FIRST_RATERS:
        return False
    by_scale: dict[str, list[int]] = {}
    for scale, value in Score.objects.filter(rating__in=first).values_list("scale", "value"):
        by_scale.setdefault(scale, []).append(value)
    return any(max(values) - min(values) >= FAR_APART for values in by_scale.values())
