"""The subject of a rating task: a text, two texts side by side, or a gold item that looks like either."""

import random
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext as _

from common.errors import NotYours
from compressions.models import Pair, Target
from crowd.models import Assignment, Item
from crowd.scales import FIRST_IS_BETTER, SAME, SECOND_IS_BETTER
from ratings.models import GoldItem

# Relations that `subject_of` follows, for select_related.
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
    """The texts in their stored order; `is_swapped` says which of two is shown first."""

    source_text: str
    texts: tuple[str, ...]
    target: Target | None = None
    pair: Pair | None = None
    gold: GoldItem | None = None
    nuggets: str = ""

    @property
    def targets(self) -> tuple[Target, ...]:
        if self.pair:
            return (self.pair.first, self.pair.second)
        return (self.target,) if self.target else ()


def subject_of(assignment: Assignment) -> Subject:
    """Return the subject of a rater's or expert's assignment; no queries if `RELATED` was selected."""
    item = assignment.item
    if (gold := _related(item, "gold")) is not None:
        return Subject(gold.source_text, tuple(filter(None, (gold.compression_text, gold.other_text))), gold=gold)
    if (pair := _related(item, "pair")) is not None:
        source = pair.first.source
        return Subject(source.text, (pair.first.text, pair.second.text), pair=pair, nuggets=source.nuggets)
    target = _related(item, "target") or getattr(_related(item, "expert_item"), "target", None)
    if target is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    return Subject(target.source.text, (target.text,), target=target, nuggets=target.source.nuggets)


def _related(item: Item, name: str) -> Any:
    """Return a reverse one-to-one relation, or None."""
    try:
        return getattr(item, name)
    except ObjectDoesNotExist:
        return None


def is_swapped(assignment: Assignment) -> bool:
    """Return whether the second text is shown first: random by task, and the same on every visit of its page."""
    return random.Random(f"sides:{assignment.pk}").random() < 0.5


def mirrored(scores: dict[str, int]) -> dict[str, int]:
    """Return the preferences with the two texts exchanged."""
    return {scale: MIRRORED.get(value, value) for scale, value in scores.items()}
