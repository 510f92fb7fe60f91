"""Reading how gold items fare: what most raters get wrong may be wrong itself."""

from dataclasses import dataclass

from crowd.models import Campaign
from ratings.models import GoldItem, Score
from ratings.selectors.qualification import gold_items

MIN_GOLD = 4


@dataclass(frozen=True)
class GoldRecord:
    """How often a rater met gold items, and on how many of their questions they gave an accepted answer."""

    items: int = 0
    right: int = 0
    questions: int = 0

    @property
    def accuracy(self) -> float | None:
        return self.right / self.questions if self.questions else None

    def is_low(self, warn_percent: int) -> bool:
        """Whether staff are warned: not before a few items."""
        return self.items >= MIN_GOLD and 100 * self.right < warn_percent * self.questions


@dataclass(frozen=True)
class GoldStanding:
    """A gold item with how many raters met it and the share of their answers that are accepted."""

    gold: GoldItem
    raters: int
    right: int
    questions: int

    @property
    def accuracy(self) -> float | None:
        return self.right / self.questions if self.questions else None

    @property
    def is_retired(self) -> bool:
        return self.gold.item.is_closed


def gold_with_answers(campaign: Campaign) -> list[GoldStanding]:
    given: dict[int, list[tuple[int, str, int]]] = {}
    rows = Score.objects.filter(rating__gold__item__campaign=campaign)
    for gold_id, rating_id, scale, value in rows.values_list("rating__gold_id", "rating_id", "scale", "value"):
        given.setdefault(gold_id or 0, []).append((rating_id, scale, value))
    return [_standing(gold, given.get(gold.pk, [])) for gold in gold_items(campaign).select_related("item")]


def _standing(gold: GoldItem, given: list[tuple[int, str, int]]) -> GoldStanding:
    right = sum(value in gold.answers.get(scale, []) for _, scale, value in given)
    return GoldStanding(gold, len({rating_id for rating_id, _, _ in given}), right, len(given))


def gold_records(campaign: Campaign) -> dict[int, GoldRecord]:
    """By worker. The accepted answers are those that the items have now."""
    rows = (
        Score.objects.filter(rating__gold__item__campaign=campaign)
        .order_by("rating", "pk")
        .values_list("rating__worker_id", "rating_id", "scale", "value", "rating__gold__answers")
    )
    items: dict[int, set[int]] = {}
    right: dict[int, list[bool]] = {}
    for worker_id, rating_id, scale, value, answers in rows:
        if worker_id is None:
            continue
        items.setdefault(worker_id, set()).add(rating_id)
        right.setdefault(worker_id, []).append(value in answers.get(scale, []))
    return {pk: GoldRecord(len(items[pk]), sum(right[pk]), len(right[pk])) for pk in items}
