"""The qualification: making its items, scoring tries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from crowd.errors import Refused
from crowd.models import Campaign, Enrolment
from crowd.services.entry import enrolment_qualify
from ratings.models import QualificationAttempt, QualificationItem
from ratings.scales import VALUES
from ratings.selectors.qualification import attempts_of, qualification_items


@dataclass(frozen=True)
class Example:
    """A qualification item as it is written: texts, accepted answers, and why."""

    source: str
    compression: str
    meaning: list[int]
    grammar: list[int]
    why: str


@dataclass(frozen=True)
class Answer:
    meaning: int
    grammar: int


@transaction.atomic
def qualification_items_replace(*, campaign: Campaign, examples: Iterable[Example]) -> None:
    QualificationItem.objects.filter(campaign=campaign).delete()
    QualificationItem.objects.bulk_create(
        QualificationItem(
            campaign=campaign,
            position=position,
            source_text=example.source,
            compression_text=example.compression,
            meaning=_accepted(position, example.meaning),
            grammar=_accepted(position, example.grammar),
            why=example.why,
        )
        for position, example in enumerate(examples, start=1)
    )


def _accepted(position: int, answers: list[int]) -> list[int]:
    if not answers or any(answer not in VALUES for answer in answers):
        raise Refused(f"Qualification item {position}: accepted answers {answers} are not among {list(VALUES)}.")
    return answers


@transaction.atomic
def qualification_submit(*, enrolment: Enrolment, number: int, answers: Mapping[int, Answer]) -> QualificationAttempt:
    """Score try `number`, once; the last failed try ends the visit."""
    Enrolment.objects.select_for_update().get(pk=enrolment.pk)
    tries = list(attempts_of(enrolment))
    for attempt in tries:
        if attempt.number == number or attempt.passed:
            return attempt
    campaign = enrolment.campaign
    if len(tries) >= campaign.qualification_tries:
        raise Refused("You have used all tries of this test.")
    items = list(qualification_items(campaign))
    missing = sum(item.pk not in answers for item in items)
    if missing:  # the page says which: it shows them in an order of its own
        raise Refused(
            f"Please judge every example on both scales: {missing} of {len(items)} examples have no answer yet."
        )
    correct = sum(_correct(item, answers[item.pk]) for item in items)
    questions = 2 * len(items)
    passed = 100 * correct >= campaign.qualification_pass_percent * questions
    attempt = QualificationAttempt.objects.create(
        enrolment=enrolment,
        number=len(tries) + 1,
        answers={str(pk): [answer.meaning, answer.grammar] for pk, answer in answers.items()},
        correct=correct,
        questions=questions,
        passed=passed,
    )
    if passed or attempt.number >= campaign.qualification_tries:
        enrolment_qualify(enrolment=enrolment, passed=passed)
    return attempt


def _correct(item: QualificationItem, answer: Answer) -> int:
    return (answer.meaning in item.meaning) + (answer.grammar in item.grammar)
