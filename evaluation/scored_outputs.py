"""The scores of the outputs of a release's systems, from all the runs that a report stands on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics import KNOWN_METRICS
from scoring.entries import JACKKNIFED, PEOPLE
from scoring.models import ScoreRun
from scoring.parquet_tables import ABOUT, read_part

if TYPE_CHECKING:
    import pyarrow as pa

_PLACES = {name: place for place, name in enumerate(KNOWN_METRICS)}


class MetricInfo(NamedTuple):
    """A metric of a report.

    `unit`, `measure` and `references` are the parts of a known metric's name, and empty for an imported one. `column`
    is its name in the run's files.
    """

    name: str
    run: int
    column: str
    is_computed: bool
    signature: str
    unit: str = ""
    measure: str = ""
    references: str = ""


@dataclass(frozen=True, eq=False)
class ScoredOutputs:
    """Metrics (m) with the scores of outputs: of systems (s) for inputs (n), NaN where there is none.

    `scores` are against all references; `jackknifed` against all but one, each left out in turn; `people` has, by the
    place of the input, the text and the scores (m) of each text by people against the others.
    """

    metrics: tuple[MetricInfo, ...]
    scores: FloatArray
    jackknifed: FloatArray
    people: Mapping[tuple[int, str], FloatArray]


def scored_outputs(
    runs: Sequence[ScoreRun],
    systems: Sequence[str],
    places: Mapping[int, int],
    *,
    negated: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> ScoredOutputs:
    """Read the scores of runs, or of some of their metrics; `places` says which input is which line of the release.

    A metric whose small scores are good is negated, as `negated` names them and as known metrics say of themselves.
    Raises FileNotFoundError if a file is missing, and ValueError for a negated metric that is not there.
    """
    metrics = metrics_of(runs)
    unknown = [name for name in negated if name not in {each.name for each in metrics}]
    if unknown:
        raise ValueError(f"there is no metric called {unknown[0]}")
    metrics = tuple(each for each in metrics if only is None or each.name in only)
    shape = (len(metrics), len(systems), len(places))
    found = ScoredOutputs(metrics, np.full(shape, np.nan), np.full(shape, np.nan), {})
    people: dict[tuple[int, str], FloatArray] = {}
    for run in runs:
        rows = [number for number, each in enumerate(metrics) if each.run == run.pk]
        for part in run.parts.order_by("number") if rows else ():
            if part.outputs:
                table = read_part(part, run, [*ABOUT, *(metrics[number].column for number in rows)])
                _put(table, rows, found, people, systems, places)
    signs = np.array([_sign(each, negated) for each in metrics])
    return ScoredOutputs(
        metrics,
        found.scores * signs[:, None, None],
        found.jackknifed * signs[:, None, None],
        {key: values * signs for key, values in people.items()},
    )


def metrics_of(runs: Sequence[ScoreRun]) -> tuple[MetricInfo, ...]:
    """Return the metrics of runs in their order; a name that is there already gets the name of its file."""
    found: dict[str, MetricInfo] = {}
    for run in runs:
        is_computed = run.kind == ScoreRun.Kind.COMPUTED
        for column, signature in sorted(run.signatures.items(), key=lambda each: _place(each[0])):
            name = column if column not in found else _other_name(column, run, found)
            known = KNOWN_METRICS.get(column) if is_computed else None
            parts = (known.units, known.measure, known.references) if known else ("", "", "")
            found[name] = MetricInfo(name, run.pk, column, is_computed, signature, *parts)
    return tuple(found.values())


def _place(column: str) -> tuple[int, str]:
    """Sort key: known metrics in the order of the paper, then the others by name. Databases may order JSON anew."""
    return _PLACES.get(column, len(_PLACES)), column


def _other_name(column: str, run: ScoreRun, taken: Mapping[str, MetricInfo]) -> str:
    name = f"{column} ({run.settings.get('file', 'computed')})"
    return name if name not in taken else f"{name} {run.pk}"


def _sign(metric: MetricInfo, negated: Sequence[str]) -> float:
    known = KNOWN_METRICS.get(metric.column) if metric.is_computed else None
    is_small_good = metric.name in negated or (known is not None and not known.greater_is_better)
    return -1.0 if is_small_good else 1.0


def _put(
    table: pa.Table,
    rows: Sequence[int],
    found: ScoredOutputs,
    people: dict[tuple[int, str], FloatArray],
    systems: Sequence[str],
    places: Mapping[int, int],
) -> None:
    values = np.array([table[found.metrics[number].column].to_numpy() for number in rows], dtype=np.float64)
    index = {system: number for number, system in enumerate(systems)}
    columns = (table[name].to_pylist() for name in ("place", "system", "ground", "text"))
    for line, (place, system, ground, text) in enumerate(zip(*columns, strict=True)):
        if place not in places:
            continue
        at = places[place]
        if system == PEOPLE:
            people.setdefault((at, text), np.full(len(found.metrics), np.nan))[rows] = values[:, line]
        elif system in index:
            target = found.jackknifed if ground == JACKKNIFED else found.scores
            target[rows, index[system], at] = values[:, line]
