"""The figures of a report on marked units: the weights of each person's units, and how far people agree."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from measures.clustering import omega_among
from measures.content_units import word_group_alpha
from measures.core.item_means import ItemMean, item_mean
from measures.core.undefined import Undefined
from measures.spans import tokens
from protocols.content_units.forms import quoted
from protocols.content_units.material import MOST_UNITS
from protocols.report_rows import ALL, About, ReportRow
from protocols.selectors import GivenAnswer

AGREEMENT, UNITS, WEIGHTS = "agreement", "units", "weights"
ALPHA, OMEGA, WEIGHT, NUMBER, PER_TEXT = "alpha, MASI", "Omega", "weight", "units", "units per text"
MOST_WORDS, MOST_ALPHA = 2_000, 4_000
LEAST_AGREEMENT = -2.0
"""Alpha can fall somewhat below -1 in a short text; no interval goes below this."""
ONE_PERSON = Undefined("fewer than two people marked it")
TOO_LONG = Undefined("the texts are too long together")
NO_SOURCE = "no source has a value"


@dataclass(frozen=True)
class Pyramids:
    """The units that each person marked in the texts of a source, by person."""

    name: str
    references: Sequence[str]
    texts: Sequence[str]
    language: str
    units: dict[str, list[dict[str, Any]]]

    @classmethod
    def of(cls, given: Sequence[GivenAnswer]) -> "list[Pyramids]":
        found = []
        for name, group in groupby(given, key=lambda each: each.subject.name):
            answers = list(group)
            body = answers[0].subject.body
            references, texts = ([each[key] for each in body["references"]] for key in ("name", "text"))
            units = {each.person: each.answer["units"] for each in answers}
            found.append(cls(name, references, texts, body.get("language") or "en", units))
        return found

    @property
    def first(self) -> list[dict[str, Any]]:
        """The units of who comes first: they are the pyramid."""
        return next(iter(self.units.values()))

    def references_of(self, unit: dict[str, Any]) -> list[str]:
        return [self.references[each] for each in sorted({part[0] for part in unit["parts"]})]

    def groups(self, person: str) -> list[set[int]]:
        """Return the units of each word of all texts, as this person marked them."""
        places = [(number, *word) for number, text in enumerate(self.texts) for word in tokens(text, self.language)]
        marked = [(unit, *part) for unit, each in enumerate(self.units[person]) for part in each["parts"]]
        return [
            {unit for unit, of, start, end in marked if of == text and start < last and end > first}
            for text, first, last in places
        ]

    def quote_of(self, unit: dict[str, Any]) -> str:
        """Return words of the texts that express a unit."""
        return quoted(unit["parts"][:1], self.texts)


def pyramid_rows(sources: Sequence[Pyramids]) -> Iterator[ReportRow]:
    """Yield all rows."""
    found: dict[str, list[float | Undefined]] = {ALPHA: [], OMEGA: []}
    for source in sources:
        for figure, value in (_agreement(source)).items():
            found[figure].append(value)
            yield About(AGREEMENT, source.name, "").row(figure, value, n=len(source.units), sources=1)
    for figure, values in found.items():
        yield _mean(About(AGREEMENT, ALL, ""), figure, values, LEAST_AGREEMENT, 1.0)
    yield from _weights(sources)
    for source in sources:
        for number, unit in enumerate(source.first, start=1):
            yield About(UNITS, source.name, str(number)).row(WEIGHT, len(source.references_of(unit)))


def _agreement(source: Pyramids) -> dict[str, float | Undefined]:
    groups = [source.groups(person) for person in source.units]
    words = len(groups[0])
    if len(groups) < 2:
        return {ALPHA: ONE_PERSON, OMEGA: ONE_PERSON}
    alpha = TOO_LONG if words * len(groups) > MOST_ALPHA else word_group_alpha(groups)
    covers = [
        [{word for word, of in enumerate(person) if unit in of} for unit in sorted(set().union(*person))]
        for person in groups
    ]
    return {ALPHA: alpha, OMEGA: TOO_LONG if words > MOST_WORDS else omega_among(covers, words)}


def _mean(about: About, figure: str, values: Sequence[float | Undefined], least: float, most: float) -> ReportRow:
    known = [each for each in values if not isinstance(each, Undefined)]
    reasons = [each.reason for each in values if isinstance(each, Undefined)]
    mean = item_mean(known, bounds=(least, most), nothing=reasons[0] if reasons else NO_SOURCE)
    if not isinstance(mean, ItemMean):
        return about.row(figure, mean)
    return about.row(figure, mean.value, mean.interval, sources=mean.items)


def _weights(sources: Sequence[Pyramids]) -> Iterator[ReportRow]:
    """Yield how many units of each weight each person found, and how many a text has."""
    for person in sorted({person for source in sources for person in source.units}, key=_number):
        of_person = [source for source in sources if person in source.units]
        counted = Counter(len(source.references_of(unit)) for source in of_person for unit in source.units[person])
        for weight, number in sorted(counted.items(), reverse=True):
            yield About(WEIGHTS, person, str(weight)).row(NUMBER, number, sources=len(of_person))
        per_text = [
            sum(len(source.references_of(unit)) for unit in source.units[person]) / len(source.texts)
            for source in of_person
        ]
        yield _mean(About(WEIGHTS, person, ""), PER_TEXT, per_text, 0.0, MOST_UNITS)


def _number(person: str) -> tuple[int, str]:
    return (int(person), "") if person.isdecimal() else (0, person)
