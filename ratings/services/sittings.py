"""Take the qualification test: store the answers of a try question by question, and score it after the last one."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.clock import database_now
from common.errors import Refused
from crowd.models import Enrolment
from crowd.services.entry import enrolment_qualify
from crowd.services.write_locks import writer_lock
from ratings.models import QualificationAttempt, QualificationSitting
from ratings.selectors.qualification import TestStanding, all_attempts, attempts_of, test_standing
from ratings.selectors.sittings import Sitting, is_complete, sitting_of

Answers = Mapping[int, Mapping[str, int]]


class NoTriesLeft(Refused):
    """All tries have been used."""


@transaction.atomic
def qualification_submit(
    *, enrolment: Enrolment, number: int, answers: Answers, marks: Mapping[int, str] | None = None
) -> QualificationAttempt | None:
    """Store answers to questions of try `number`, which begins with the first; return the attempt once all are there.

    `marks` says which texts the page showed, for questions whose texts may have changed since. Submitting again, from
    whichever page, changes an answer until the last one; then it returns the stored attempt. Failing the last try ends
    the visit.
    """
    writer_lock(enrolment.worker_id)
    Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
    if (scored := attempt_known(enrolment, number)) is not None:
        return scored
    standing, sitting = test_standing(enrolment), sitting_of(enrolment)
    if not sitting.questions:  # the test was deleted just now
        return None
    if not sitting.has_begun:
        _begin_check(standing)
    sitting = _stored(enrolment, sitting, answers, marks or {})
    return None if sitting.open_places else _score(enrolment, sitting, standing)


def attempt_known(enrolment: Enrolment, number: int) -> QualificationAttempt | None:
    """Return the attempt that a page of try `number` has led to already: that try, or one that was passed."""
    for attempt in all_attempts(enrolment):
        if attempt.number == number or (attempt.passed and attempt.reset_at is None):
            return attempt
    return None


def _begin_check(standing: TestStanding) -> None:
    """Raise Refused unless another try may begin. One that has begun may be finished, whatever is set since."""
    if not standing.tries_left:
        raise NoTriesLeft(_("You have no attempts left."))
    if minutes := standing.wait_minutes:
        words = ngettext("Please wait %(n)s minute.", "Please wait %(n)s minutes.", minutes)
        raise Refused(words % {"n": minutes})


def _stored(enrolment: Enrolment, sitting: Sitting, answers: Answers, marks: Mapping[int, str]) -> Sitting:
    """Store the answers that are complete and given to the texts as they are, and return the try with them."""
    scales = enrolment.shown_scales
    marked = {item.pk: item.mark for item in sitting.questions}
    counting = {pk: dict(points) for pk, points in sitting.answers.items()}
    for pk, points in answers.items():
        if pk in marked and marks.get(pk, marked[pk]) == marked[pk] and is_complete(points, scales):
            counting[pk] = dict(points)
    content = {
        "number": sitting.number,
        "questions": [item.pk for item in sitting.questions],
        "answers": {str(pk): {"points": points, "mark": marked[pk]} for pk, points in counting.items()},
    }
    QualificationSitting.objects.update_or_create(
        enrolment=enrolment, defaults=content, create_defaults={**content, "began_at": database_now()}
    )
    return Sitting(sitting.number, has_begun=True, questions=sitting.questions, answers=counting)


def _score(enrolment: Enrolment, sitting: Sitting, standing: TestStanding) -> QualificationAttempt:
    """Make an attempt of a try whose questions are all answered."""
    campaign, items = enrolment.campaign, sitting.questions
    correct = sum(item.right(sitting.answers[item.pk]) for item in items)
    questions = len(enrolment.shown_scales) * len(items)
    passed = 100 * correct >= campaign.qualification_pass_percent * questions
    attempt = QualificationAttempt.objects.create(
        enrolment=enrolment,
        number=sitting.number,
        answers={str(item.pk): sitting.answers[item.pk] for item in items},
        asked=[item.pk for item in items],
        correct=correct,
        questions=questions,
        passed=passed,
        created_at=database_now(),
    )
    QualificationSitting.objects.filter(enrolment=enrolment).delete()
    if passed or standing.tries_left <= 1:
        enrolment_qualify(enrolment=enrolment, passed=passed)
    return attempt


@transaction.atomic
def qualification_give_up(*, enrolment: Enrolment) -> None:
    """End the visit of a rater who has no try left and did not pass, since staff have lowered their number."""
    Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
    has_begun = QualificationSitting.objects.filter(enrolment=enrolment).exists()
    has_passed = attempts_of(enrolment).filter(passed=True).exists()
    if not (has_begun or has_passed or test_standing(enrolment).tries_left):
        enrolment_qualify(enrolment=enrolment, passed=False)
