"""What a rater has before them: a text, two side by side, or a gold item that looks like either."""

import random
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ObjectDoesNotExist

from common.errors import NotYours
from compressions.models import Pair, Target
from crowd.models import Assignment, Item
from crowd.scales import FIRST_IS_BETTER, SAME, SECOND_IS_BETTER
from ratings.models import GoldItem

# What `subject_of` reads, for select_related.
RELATED = (
    "item__target__source",
    "item__pair__first__source",
    "item__pair__second",
    "item__gold",
    "item__expert_item__target__source",
)
MIRRORED = {FIRST_IS_BETTER: SECOND_IS_BETTER, SAME: SAME, SECOND_IS_BETTER: FIRST_IS_BETTER}


@dataclass(frozen=True)
class Subject:
    """The texts as they are kept; which of two stands first on the page is `is_swapped`'s to say."""

    source_text: str
    texts: tuple[str, ...]
    target: Target | None = None
    pair: Pair | None = None
    gold: GoldItem | None = None

    @property
    def targets(self) -> tuple[Target, ...]:
        if self.pair:
            return (self.pair.first, self.pair.second)
        return (self.target,) if self.target else ()


def subject_of(assignment: Assignment) -> Subject:
    """What an assignment of a rater or an expert is about; free of queries after `RELATED`."""
    item = assignment.item
    if (gold := _of(item, "gold")) is not None:
        return Subject(gold.source_text, tuple(filter(None, (gold.compression_text, gold.other_text))), gold=gold)
    if (pair := _of(item, "pair")) is not None:
        return Subject(pair.first.source.text, (pair.first.text, pair.second.text), pair=pair)
    target = _of(item, "target") or getattr(_of(item, "expert_item"), "target", None)
    if target is None:
        raise NotYours("This task is not about a compression.")
    return Subject(target.source.text, (target.text,), target=target)


def _of(item: Item, name: str) -> Any:
    try:
        return getattr(item, name)
    except ObjectDoesNotExist:
        return None


def is_swapped(assignment: Assignment) -> bool:
    """Whether the second text stands first: drawn for each task, the same whenever its page is opened."""
    return random.Random(f"sides:{assignment.pk}").random() < 0.5


def mirrored(scores: dict[str, int]) -> dict[str, int]:
    """Preferences between two texts that have changed places."""
    return {scale: MIRRORED.get(value, value) for scale, value in scores.items()}
