"""Query a try at the qualification test: its questions, the answers so far, and what comes next.

The questions of a try that has not begun are drawn the same way each time they are asked for, so a page shows them and
its first answer stores them. What has changed since is settled here:

- a question that was deleted, or made practice, is not asked any more; another one takes its place if there is one;
- an answer to a question whose texts have changed, or to other scales, is no answer: it is asked again;
- where nothing of a try is left, because the test was replaced, it is drawn anew;
- a try goes on with as many questions as it began with, whatever the settings say since.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from crowd.models import Enrolment
from crowd.scales import Scale
from ratings.models import QualificationAttempt, QualificationItem, QualificationSitting
from ratings.selectors.qualification import all_attempts, qualification_items

Points = dict[str, int]


@dataclass(frozen=True)
class Sitting:
    """A try as it stands: its number, whether it has begun, its questions in order, and the answers that count."""

    number: int
    has_begun: bool
    questions: list[QualificationItem]
    answers: dict[int, Points]

    @property
    def open_places(self) -> list[int]:
        """The places, from 1, of the questions that have no answer."""
        return [place for place, item in enumerate(self.questions, start=1) if item.pk not in self.answers]

    def place_after(self, place: int) -> int:
        """The next place without an answer, beginning again after the last one; 0 if all are answered."""
        later = [each for each in self.open_places if each > place]
        return next(iter(later or self.open_places), 0)


def sitting_of(enrolment: Enrolment) -> Sitting:
    """Return a rater's try: the one that has begun, or the next one."""
    live = list(qualification_items(enrolment.campaign))
    attempts = list(all_attempts(enrolment))
    stored = QualificationSitting.objects.filter(enrolment=enrolment).first()
    number = stored.number if stored else len(attempts) + 1
    drawn = _drawn(enrolment, number, attempts, stored.questions if stored else [], {item.pk for item in live})
    by_id = {item.pk: item for item in live}
    questions = [by_id[pk] for pk in drawn]
    answers = _answers_that_count(questions, stored.answers if stored else {}, enrolment.shown_scales)
    return Sitting(number, stored is not None, questions, answers)


def _drawn(
    enrolment: Enrolment, number: int, attempts: Iterable[QualificationAttempt], stored: Sequence[int], live: set[int]
) -> list[int]:
    rng = random.Random(f"{enrolment.pk}:{number}:{len(stored)}")
    tries = [asked_in(attempt) for attempt in attempts]
    kept = [pk for pk in stored if pk in live]
    if not kept:
        return questions_draw(sorted(live), tries, enrolment.campaign.qualification_questions, rng)
    missing = len(stored) - len(kept)
    return kept + (questions_draw(sorted(live - set(kept)), tries, missing, rng) if missing else [])


def _answers_that_count(
    questions: Iterable[QualificationItem], stored: Mapping[str, Mapping[str, object]], scales: Iterable[Scale]
) -> dict[int, Points]:
    counting = {}
    for item in questions:
        answer = stored.get(str(item.pk), {})
        points = answer.get("points")
        if isinstance(points, dict) and answer.get("mark") == item.mark and is_complete(points, scales):
            counting[item.pk] = points
    return counting


def is_complete(points: Mapping[str, int], scales: Iterable[Scale]) -> bool:
    """Whether there is a point of each scale."""
    return all(points.get(scale.key) in scale.values for scale in scales)


def asked_in(attempt: QualificationAttempt) -> list[int]:
    """Return the ids of the questions of an attempt, in their order if that was stored."""
    return attempt.asked or sorted(map(int, attempt.answers))


def questions_of_attempt(attempt: QualificationAttempt) -> list[QualificationItem]:
    """Return the questions of an attempt, those included that were deleted since."""
    found = QualificationItem.objects.in_bulk(asked_in(attempt))
    return [found[pk] for pk in asked_in(attempt) if pk in found]


def next_asks_others(enrolment: Enrolment, attempt: QualificationAttempt) -> bool:
    """Whether the next try, as things stand, has no question of an attempt."""
    return not {item.pk for item in sitting_of(enrolment).questions} & set(asked_in(attempt))


def questions_draw(live: Sequence[int], tries: Sequence[Sequence[int]], count: int, rng: random.Random) -> list[int]:
    """Draw `count` of the `live` questions, or all if it is 0 or there are not more, in a random order.

    `tries` has the questions of the tries so far, the first one first. Questions that were not asked come before those
    that were, and of these the ones asked longest ago. So with twice as many questions as a try asks, the second try
    has none of the first; and where every try asks the same, the next one has them in another order.

    >>> rng = random.Random(1)
    >>> first = questions_draw([1, 2, 3, 4], [], 2, rng)
    >>> second = questions_draw([1, 2, 3, 4], [first], 2, rng)
    >>> sorted(first + second)
    [1, 2, 3, 4]
    >>> questions_draw([1, 2], [[1, 2]], 0, rng)
    [2, 1]
    """
    last_asked = {question: number for number, asked in enumerate(tries, start=1) for question in asked}
    shuffled = rng.sample(list(live), len(live))
    drawn = sorted(shuffled, key=lambda question: last_asked.get(question, 0))[: count or len(live)]
    rng.shuffle(drawn)
    is_repeated = bool(tries) and drawn == list(tries[-1])
    return drawn[1:] + drawn[:1] if is_repeated else drawn
