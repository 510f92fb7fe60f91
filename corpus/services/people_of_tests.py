"""Remove test participants of a campaign with all of their work. No release holds any of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet

from compressions.models import Compression, Target
from compressions.selectors.writing import texts_only_of_tests
from corpus.services.erasure import targets_delete
from crowd.models import Assignment, Campaign, Item, Worker
from crowd.services.audit import audit_record
from ratings.models import QualityDecision, Rating
from ratings.services.rating_counts import rating_counts_forget

State = Assignment.State
HOLDING = (State.LEASED, State.SUBMITTED)


AnswersOf = Callable[[QuerySet[Worker] | Sequence[Worker]], QuerySet[Any]]
_of_rooms_above: list[AnswersOf] = []


def answers_register(answers_of: AnswersOf) -> None:
    """Register the answers of people that are rows of a room above, and go with the people."""
    _of_rooms_above.append(answers_of)


@dataclass(frozen=True)
class Removal:
    """The numbers of removed test participants, their compressions, ratings and other answers, and of open slots."""

    people: int
    compressions: int
    ratings: int
    slots: int
    answers: int = 0

    @property
    def words(self) -> str:
        people = f"{self.people} {'person' if self.people == 1 else 'people'}"
        others = {"compression": self.compressions, "rating": self.ratings}
        others |= {"answer": self.answers} if self.answers else {}
        others |= {"slot": self.slots}
        counted = (f"{number} {thing}{'' if number == 1 else 's'}" for thing, number in others.items())
        return ", ".join((people, *counted))


def work_of_tests_count(campaign: Campaign) -> Removal:
    """Return what a removal would remove now."""
    people = Worker.objects.filter(campaign=campaign, is_test=True)
    ids = people.values("pk")
    own = Assignment.objects.filter(worker__in=ids, state__in=HOLDING)
    return Removal(
        people.count(),
        Compression.objects.filter(worker__in=ids).count(),
        Rating.objects.filter(worker__in=ids).count(),
        own.exclude(item__target__in=texts_only_of_tests(campaign).values("pk")).count(),
        sum(answers_of(people).count() for answers_of in _of_rooms_above),
    )


@transaction.atomic
def people_of_tests_remove(*, campaign: Campaign, user: User | None) -> Removal:
    """Delete the test participants, the texts that nobody else wrote, and reopen the slots that they hold."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    people = list(Worker.objects.filter(campaign=campaign, is_test=True).select_for_update(no_key=True).order_by("pk"))
    if not people:
        return Removal(0, 0, 0, 0)
    ratings = _delete(Rating, people)
    texts = list(texts_only_of_tests(campaign).values_list("pk", flat=True))
    compressions = _delete(Compression, people)
    Item.objects.filter(pk__in=targets_delete(Target.objects.filter(pk__in=texts))).delete()
    answers = 0
    for answers_of in _of_rooms_above:
        own = answers_of(people)
        answers += own.count()
        own.delete()
    slots = _slots_reopen(people)
    QualityDecision.objects.filter(worker__in=people).delete()
    Assignment.objects.filter(worker__in=people).delete()
    Worker.objects.filter(pk__in=[each.pk for each in people]).delete()
    rating_counts_forget(campaign=campaign)
    removal = Removal(len(people), compressions, ratings, slots, answers)
    audit_record(campaign=campaign, user=user, action="test people removed", detail=removal.words)
    return removal


def _delete(model: type[Rating] | type[Compression], people: list[Worker]) -> int:
    own = model._default_manager.filter(worker__in=people)
    number = own.count()
    own.delete()
    return number


def _slots_reopen(people: list[Worker]) -> int:
    held = Assignment.objects.filter(worker__in=people, state__in=HOLDING).values_list("item_id", flat=True)
    slots = Counter(held)
    for item_id, number in sorted(slots.items()):
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + number)
    return slots.total()
