"""Query the accuracy on gold items, and which one is due when: four in a visit, early and late, at no fixed places.

An item that most raters get wrong may have wrong accepted answers itself.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import ceil

import scipy

from crowd.models import Campaign
from crowd.scales import Scale
from ratings.models import GoldItem, Score
from ratings.selectors.qualification import gold_items, qualification_items, starter_items

MIN_GOLD = 4
"""How many gold items a visit has at least, and after how many the accuracy tells something."""

OPENING = 40
"""In how many tasks of a longer visit the first four fall."""

SHORTEST = 2
FIRST_PART, LAST_PART = 0.3, 0.7
Answers = Mapping[str, Sequence[int]]


def gold_is_due(*, rater: int, number: int, percent: int, visit: int) -> bool:
    """Return whether the rater's `number`-th task, counted from 1, is a gold item; `visit` is how many a visit has.

    A visit is divided into stretches, and a random task in the middle of each is gold. There are four stretches to a
    visit or to its first 40 tasks, or more if the campaign asks for a larger share, and then one for each
    100 / `percent` tasks. In a visit of 20 tasks, gold is third, eighth, thirteenth and eighteenth, give or take one.
    """
    if percent <= 0:
        return False
    before, place = divmod(number - 1, visit)
    start, length = next(each for each in _stretches(percent, visit) if place + 0.5 <= sum(each))
    first, last = _middle(start, length)
    return place + 1 == random.Random(f"gold:{rater}:{before}:{start}").randint(first, last)


def most_gold(*, tasks: int, percent: int, visit: int) -> int:
    """Return the largest number of gold items that can be due to a rater with so many tasks of a visit."""
    if percent <= 0:
        return 0
    return sum(1 for _ in takewhile(lambda each: _middle(*each)[0] <= tasks, _stretches(percent, visit)))


def _stretches(percent: int, visit: int) -> Iterator[tuple[float, float]]:
    """Yield start and length of each stretch, one after another."""
    longest = 100 / percent
    length = min(max(min(visit, OPENING) / MIN_GOLD, SHORTEST), longest)
    start, count = 0.0, 0
    while True:
        yield start, length
        start, count = start + length, count + 1
        if count == MIN_GOLD:
            length = longest


def _middle(start: float, length: float) -> tuple[int, int]:
    """Return the first and the last task of a stretch that can be gold."""
    return ceil(start + FIRST_PART * length), ceil(start + LAST_PART * length)


def gold_rank(right: Answers, seen: Sequence[Answers], scales: Sequence[Scale]) -> int:
    """Return how well a gold item suits a rater who has seen others, with the accepted answers of each; 0 is best.

    The first one is best answered with the top points, the next ones with answers that were not yet right: so nobody is
    right by giving one answer to all.
    """
    if not seen:
        return sum(len(scale.points) not in right.get(scale.key, ()) for scale in scales)
    keys = [scale.key for scale in scales]
    return sum(all(set(right.get(key, ())) & set(each.get(key, ())) for key in keys) for each in seen)


def gold_for_test(campaign: Campaign) -> list[GoldItem]:
    """Return the gold items that the test can have: half of them, but not those that one rater is due.

    They are as many as the attempts at the test ask and do not have, of each combination of right answers every other.
    """
    rng = random.Random(campaign.pk)
    given = sorted(
        gold_items(campaign).filter(item__is_closed=False),
        key=lambda gold: (sorted(gold.answers.items()), rng.random()),
    )
    due = most_gold(tasks=campaign.rater_tasks, percent=campaign.gold_percent, visit=campaign.rater_tasks)
    most = max(0, min(len(given) // 2, len(given) - due))
    if asked := campaign.qualification_questions * campaign.qualification_tries:
        own = qualification_items(campaign).count() - len(starter_items(campaign))
        most = max(0, min(most, asked - own))
    return given[1::2][:most]


@dataclass(frozen=True)
class GoldRecord:
    """A rater's gold items, the answers given to them (one per item and scale), and how many were accepted."""

    items: int = 0
    right: int = 0
    answers: int = 0

    @property
    def accuracy(self) -> float | None:
        return self.right / self.answers if self.answers else None

    def is_low(self, warn_percent: int) -> bool:
        """Return whether staff should be warned; never before MIN_GOLD items."""
        return self.items >= MIN_GOLD and 100 * self.right < warn_percent * self.answers


HONESTLY_MISSED = 0.15
"""The share of careful raters that the flags of raters expect to miss a gold item at most."""
LEAST_UNFLAGGED = 5
BY_CHANCE = 0.05


@dataclass(frozen=True)
class GoldStanding:
    """A gold item with its numbers of raters, of answers, and of accepted answers.

    `missed` of the `unflagged` raters have given an answer, on any scale, that is not accepted.
    """

    gold: GoldItem
    raters: int
    right: int
    answers: int
    unflagged: int = 0
    missed: int = 0

    @property
    def is_doubtful(self) -> bool:
        """Whether more unflagged raters miss it than careful ones would: its accepted answers may be wrong.

        So it is from five of them on, where as many as missed it would by chance in less than 5% of cases if 15% missed
        it: where the lower end of the one-sided 95% interval of Clopper and Pearson (1934) is above 15%.
        """
        if self.unflagged < LEAST_UNFLAGGED:
            return False
        return bool(scipy.stats.binom.sf(self.missed - 1, self.unflagged, HONESTLY_MISSED) < BY_CHANCE)

    @property
    def accuracy(self) -> float | None:
        return self.right / self.answers if self.answers else None

    @property
    def is_retired(self) -> bool:
        return self.gold.item.is_closed


Given = tuple[int, int | None, bool]
"""An answer on one scale: the rating, the rater, and whether it is accepted."""


def gold_with_answers(campaign: Campaign, flagged: Collection[int] = ()) -> list[GoldStanding]:
    """Return all gold items of a campaign with their accuracy; `flagged` raters tell nothing about them."""
    given: dict[int, list[Given]] = {}
    questions = {gold.pk: gold for gold in gold_items(campaign).select_related("item")}
    rows = Score.objects.filter(rating__gold__in=list(questions)).values_list(
        "rating__gold_id", "rating_id", "rating__worker_id", "scale", "value"
    )
    for gold_id, rating_id, worker_id, scale, value in rows:
        is_right = value in questions[gold_id].answers.get(scale, [])
        given.setdefault(gold_id, []).append((rating_id, worker_id, is_right))
    return [_standing(gold, given.get(pk, []), flagged) for pk, gold in questions.items()]


def _standing(gold: GoldItem, given: list[Given], flagged: Collection[int]) -> GoldStanding:
    right = sum(is_right for *_, is_right in given)
    raters = {rating_id for rating_id, *_ in given}
    unflagged = [(rating_id, is_right) for rating_id, worker, is_right in given if worker not in flagged]
    missed = {rating_id for rating_id, is_right in unflagged if not is_right}
    return GoldStanding(gold, len(raters), right, len(given), len({each for each, _ in unflagged}), len(missed))


def gold_records(campaign: Campaign, only: int | None = None) -> dict[int, GoldRecord]:
    """Return the gold record of each worker, or of `only` one, scored by the items' current accepted answers."""
    of_whom = {} if only is None else {"rating__worker": only}
    accepted = dict(gold_items(campaign).values_list("pk", "answers"))
    # By their ids and without an order: databases would else go through all ratings to find those of gold items.
    given = Score.objects.filter(rating__gold__in=list(accepted), **of_whom).order_by()
    rows = given.values_list("rating__worker_id", "rating_id", "scale", "value", "rating__gold_id")
    items: dict[int, set[int]] = {}
    right: dict[int, list[bool]] = {}
    for worker_id, rating_id, scale, value, gold_id in rows:
        if worker_id is None:
            continue
        items.setdefault(worker_id, set()).add(rating_id)
        right.setdefault(worker_id, []).append(value in accepted[gold_id].get(scale, []))
    return {pk: GoldRecord(len(items[pk]), sum(right[pk]), len(right[pk])) for pk in items}
