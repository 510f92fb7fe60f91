"""What people said of texts as tables: by source, which text has which unit, as each person and as most say."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from measures.content_units import JudgedPeers, judged_peers
from measures.core.arrays import BoolArray, FloatArray
from protocols.content_units.forms import has_unit
from protocols.content_units.parameters import Ties
from protocols.selectors import GivenAnswer

MOST_SYSTEMS, MOST_CELLS = 20, 50_000
"""Figures are on the systems with the most texts; the grid of all units and texts has so many cells at most."""


@dataclass(frozen=True, eq=False)
class JudgedSource:
    """A source under a pyramid. `said` has, by system and person, whether the text has each unit; `further` how many
    others."""

    name: str
    pyramid: str
    body: Mapping[str, Any]
    said: Mapping[str, Mapping[str, FloatArray]]
    further: Mapping[str, Sequence[int]]

    @property
    def label(self) -> str:
        return "/".join(filter(None, (self.pyramid, self.name)))

    @property
    def unit_ids(self) -> list[str]:
        return [each["id"] for each in self.body["units"]]

    def share(self, system: str) -> FloatArray:
        """Return of each unit the share of people who say that the text of a system has it; NaN without a text."""
        if system not in self.said:
            return np.full(len(self.unit_ids), np.nan)
        share: FloatArray = np.mean(list(self.said[system].values()), axis=0)
        return share

    def vector(self, system: str, ties: Ties) -> FloatArray:
        """Return of each unit whether most say that the text of a system has it: 1, 0, or NaN if that is open."""
        share = self.share(system)
        there = np.where(np.isnan(share), np.nan, (share > 0.5).astype(float))
        return np.where(share == 0.5, np.nan, there) if ties == "left out" else there

    def further_of(self, system: str) -> float:
        return float(np.mean(self.further[system])) if system in self.further else float("nan")

    def contributors(self, without: Sequence[str]) -> BoolArray:
        """Return which reference of the pyramid has which unit, shape (units, references), without some."""
        names = [each for each in self.body["references"] if each not in without]
        return np.array([[name in each["references"] for name in names] for each in self.body["units"]], dtype=bool)


@dataclass(frozen=True, eq=False)
class JudgedTexts:
    """All sources, and the systems in order; `kinds` by system, as most of its texts say, of facts only."""

    systems: Sequence[str]
    kinds: Mapping[str, str]
    sources: Sequence[JudgedSource]
    left_out: int = 0

    @property
    def pyramids(self) -> list[str]:
        return sorted({each.pyramid for each in self.sources})

    def of_pyramid(self, pyramid: str) -> list[JudgedSource]:
        return [each for each in self.sources if each.pyramid == pyramid]

    @classmethod
    def of(cls, given: Iterable[GivenAnswer]) -> "JudgedTexts":
        found: dict[tuple[str, str], list[GivenAnswer]] = {}
        texts: dict[str, Counter[str]] = {}
        for each in given:
            about = each.subject
            found.setdefault((about.condition, about.name), []).append(each)
            texts.setdefault(about.system, Counter())[about.body.get("kind", "")] += 1
        most = sorted(texts, key=lambda each: (-texts[each].total(), each))[:MOST_SYSTEMS]
        sources = [_source(*key, answers) for key, answers in found.items()]
        kinds = {system: texts[system].most_common(1)[0][0] for system in most}
        return cls(sorted(most), kinds, sources, len(texts) - len(most))


def _source(pyramid: str, name: str, answers: Sequence[GivenAnswer]) -> JudgedSource:
    body = answers[0].subject.body
    ids = [each["id"] for each in body["units"]]
    said: dict[str, dict[str, FloatArray]] = {}
    further: dict[str, list[int]] = {}
    for each in answers:
        vector = np.array([has_unit(each.answer["units"][unit]) for unit in ids], dtype=float)
        said.setdefault(each.subject.system, {})[each.person] = vector
        further.setdefault(each.subject.system, []).append(each.answer["further"])
    return JudgedSource(name, pyramid, body, said, further)


def peers_of_pyramid(source: JudgedSource, systems: Sequence[str], ties: Ties) -> JudgedPeers:
    """Return what texts have of the pyramid of a source: a reference alone, of the pyramid of the others."""
    vectors = [source.vector(system, ties) for system in systems]
    further = [_half_up(source.further_of(system)) for system in systems]
    contributors = source.contributors(systems if len(systems) == 1 else ())
    return judged_peers(
        contributors, np.nan_to_num(np.array(vectors)) > 0, further, [each in source.said for each in systems]
    )


def peer_of_models(source: JudgedSource, system: str, models: Sequence[str], ties: Ties) -> JudgedPeers | None:
    """Return what the text of a system has of the facts of models, itself left out; None if there is none of these."""
    of_models = [source.vector(each, ties) for each in models if each != system and each in source.said]
    if not of_models:
        return None
    has = np.nan_to_num(source.vector(system, ties)) > 0
    return judged_peers(np.nan_to_num(np.array(of_models)).T > 0, has[None], [0], [system in source.said])


def _half_up(mean: float) -> int:
    return 0 if np.isnan(mean) else int(mean + 0.5)


def pairs_of_people(found: JudgedTexts) -> Iterator[tuple[str, str, list[tuple[int, FloatArray, FloatArray]]]]:
    """Yield each two people with what both said: the number of the source, and a vector of each."""
    both: dict[tuple[str, str], list[tuple[int, FloatArray, FloatArray]]] = {}
    for number, source in enumerate(found.sources):
        for of_text in source.said.values():
            people = sorted(of_text)
            for place, one in enumerate(people):
                for other in people[place + 1 :]:
                    both.setdefault((one, other), []).append((number, of_text[one], of_text[other]))
    for (one, other), texts in sorted(both.items()):
        yield one, other, texts
