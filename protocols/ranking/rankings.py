"""What people answered as tables of ranks: one by system, and one by text as it was shown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from measures.core.arrays import FloatArray
from protocols.selectors import GivenAnswer

MOST_SYSTEMS, MOST_CELLS = 40, 4_000_000
"""Figures are on the systems with the most texts; pairs of systems are counted set by set."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """The ranks as given.

    `given` has shape (sets, answers, systems): equal texts are one on the page and have the same rank here. `shown` and
    `places` have shape (sets, answers, texts), with a column for each text of a set on its own. `left_out` is the
    number of systems, and `sets_left_out` that of sets, that are too many.
    """

    systems: Sequence[str]
    kinds: Mapping[str, str]
    sets: Sequence[str]
    given: FloatArray
    shown: FloatArray
    places: FloatArray
    left_out: int = 0
    sets_left_out: int = 0

    @property
    def answers(self) -> int:
        return int((~np.isnan(self.shown)).any(axis=2).sum())

    @classmethod
    def of(cls, given: Iterable[GivenAnswer]) -> "Rankings":
        by_set = [(name, list(group)) for name, group in groupby(given, key=lambda each: each.subject.name)]
        kinds: dict[str, Counter[str]] = {}
        for _name, answers in by_set:
            for system, kind in answers[0].subject.body["kinds"].items():
                kinds.setdefault(system, Counter())[kind] += 1
        most = sorted(kinds, key=lambda each: (-kinds[each].total(), each))[:MOST_SYSTEMS]
        systems = sorted(most)
        kept = by_set[: MOST_CELLS // len(systems) ** 2] if systems else []
        shape = len(kept), max((len(answers) for _name, answers in kept), default=0)
        ranks = np.full((*shape, len(systems)), np.nan)
        texts = max((len(answers[0].subject.body["hypotheses"]) for _name, answers in kept), default=0)
        shown, places = np.full((*shape, texts), np.nan), np.full((*shape, texts), np.nan)
        column = {system: place for place, system in enumerate(systems)}
        for number, (_name, answers) in enumerate(kept):
            hypotheses = answers[0].subject.body["hypotheses"]
            for who, each in enumerate(answers):
                shown[number, who, : len(hypotheses)] = each.answer["given"]
                places[number, who, each.answer["order"]] = np.arange(1, len(hypotheses) + 1)
                for text, rank in zip(hypotheses, each.answer["given"], strict=True):
                    for system in text["names"]:
                        if system in column:
                            ranks[number, who, column[system]] = rank
        usual = {system: kinds[system].most_common(1)[0][0] for system in systems}
        names = [name for name, _answers in kept]
        return cls(systems, usual, names, ranks, shown, places, len(kinds) - len(systems), len(by_set) - len(kept))
