"""Query the accuracy on gold items. An item that most raters get wrong may have wrong accepted answers itself."""

from dataclasses import dataclass

from crowd.models import Campaign
from ratings.models import GoldItem, Score
from ratings.selectors.qualification import gold_items

MIN_GOLD = 4


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


@dataclass(frozen=True)
class GoldStanding:
    """A gold item with its numbers of raters, of answers, and of accepted answers."""

    gold: GoldItem
    raters: int
    right: int
    answers: int

    @property
    def accuracy(self) -> float | None:
        return self.right / self.answers if self.answers else None

    @property
    def is_retired(self) -> bool:
        return self.gold.item.is_closed


def gold_with_answers(campaign: Campaign) -> list[GoldStanding]:
    """Return all gold items of a campaign with their accuracy."""
    given: dict[int, list[tuple[int, str, int]]] = {}
    questions = list(gold_items(campaign).select_related("item"))
    rows = Score.objects.filter(rating__gold__in=questions)
    for gold_id, rating_id, scale, value in rows.values_list("rating__gold_id", "rating_id", "scale", "value"):
        given.setdefault(gold_id or 0, []).append((rating_id, scale, value))
    return [_standing(gold, given.get(gold.pk, [])) for gold in questions]


def _standing(gold: GoldItem, given: list[tuple[int, str, int]]) -> GoldStanding:
    right = sum(value in gold.answers.get(scale, []) for _, scale, value in given)
    return GoldStanding(gold, len({rating_id for rating_id, _, _ in given}), right, len(given))


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
