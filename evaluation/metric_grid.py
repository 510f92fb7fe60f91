"""The metrics of a measure as a grid: a row for each unit, a column for each way to use references."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.page_tables import MetricLine


@dataclass(frozen=True)
class Term:
    """A part of the names of metrics, and what it means."""

    name: str
    words: str


@dataclass(frozen=True)
class MetricGrid:
    """All metrics of one measure whose names say what they are; empty where there is no such metric."""

    measures: list[Term]
    measure: Term
    references: list[Term]
    lines: list[tuple[Term, list[MetricLine | None]]]


def metric_grid(lines: Sequence[MetricLine], asked: str) -> MetricGrid | None:
    """Return the grid of the measure that is asked for, or else of the best metric; None if no name is known."""
    known = [line for line in lines if line.link.words.is_known]
    if not known:
        return None
    measures = _terms((line.link.words.measure, line.link.words.measure_words) for line in known)
    measure = next((each for each in measures if each.name == asked), measures[0])
    shown = {
        (line.link.words.units, line.link.words.references): line
        for line in known
        if line.link.words.measure == measure.name
    }
    words = [line.link.words for line in shown.values()]
    references = _terms((each.references, each.reference_words) for each in words)
    units = _terms((each.units, each.unit_words) for each in words)
    return MetricGrid(
        measures,
        measure,
        references,
        [(unit, [shown.get((unit.name, each.name)) for each in references]) for unit in units],
    )


def _terms(named: Iterable[tuple[str, str]]) -> list[Term]:
    return [Term(name, words) for name, words in dict(named).items()]
