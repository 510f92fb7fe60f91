"""Reading scores: runs of a release, and the outputs that a metric finds best and worst."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from django.db.models import QuerySet

from common.clock import database_now
from common.models import Job
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import release_places
from measures.core.arrays import FloatArray, IntArray
from measures.metrics.writers import Result
from scoring.entries import PEOPLE, system_name
from scoring.models import MAX_PARALLEL_JOBS, ScoreRun

EXTREMES = 5
MANY_METRICS = 60
MAIN_METRIC = "SKIP-2+Recall+MULT-PROB"


def runs_of_release(release: Release) -> QuerySet[ScoreRun]:
    """Those asked for last stand first."""
    return ScoreRun.objects.filter(release=release).select_related("release__campaign").order_by("-pk")


def most_complete_run(runs: QuerySet[ScoreRun]) -> ScoreRun | None:
    """The latest of those that have all metrics or nearly; where there is none, the latest."""
    metrics = {run.pk: len(run.signatures) for run in runs.defer("summary")}
    chosen = max(metrics, key=lambda pk: (metrics[pk] >= MANY_METRICS, pk), default=None)
    return None if chosen is None else runs.get(pk=chosen)


def is_being_computed(run: ScoreRun) -> bool:
    """Whether somebody holds a part of it, be it a job or a command."""
    return run.parts.filter(lease_ends_at__gt=database_now()).exists()


def job_of_run(run: ScoreRun) -> Job | None:
    """The job that says most of how a run is going: one at work, one that waits, one that failed, the last."""
    order = {Job.State.RUNNING: 0, Job.State.QUEUED: 1, Job.State.FAILED: 2, Job.State.DONE: 3}
    latest = run.jobs.order_by("-pk")[:MAX_PARALLEL_JOBS]
    return min(latest, key=lambda job: order[Job.State(job.state)], default=None)


@dataclass(frozen=True)
class ScoredOutput:
    """An output with its score, its source and what it was compared with."""

    source_id: str
    source: str
    text: str
    score: float
    references: list[str]


@dataclass(frozen=True)
class Extremes:
    system: str
    best: list[ScoredOutput]
    worst: list[ScoredOutput]


def extremes(run: ScoreRun, metric: str) -> list[Extremes]:
    """Of each system the outputs with the highest and the lowest scores; none where a file is gone."""
    try:
        return _extremes(run, metric)
    except FileNotFoundError:
        return []


def _extremes(run: ScoreRun, metric: str) -> list[Extremes]:
    parts = [part.file for part in run.parts.select_related("run").order_by("number") if part.outputs]
    columns = ["place", "system", "text", metric]
    wide = pa.concat_tables([pq.read_table(part, columns=columns) for part in parts])
    systems, scores = np.array(wide["system"].to_pylist(), dtype=str), wide[metric].to_numpy()
    chosen = {str(system): _ends(np.flatnonzero(systems == system), scores) for system in np.unique(systems)}
    numbers = sorted({number for ends in chosen.values() for end in ends for number in end})
    rows = dict(zip(numbers, wide.take(numbers).to_pylist(), strict=True))
    sources = release_places(run.release, {row["place"] for row in rows.values()})

    def shown(number: int) -> ScoredOutput:
        row = rows[number]
        return _scored_output(sources[row["place"]], row, metric)

    return [
        Extremes(system_name(system), list(map(shown, best)), list(map(shown, worst)))
        for system, (best, worst) in chosen.items()
    ]


def _ends(rows: IntArray, scores: FloatArray) -> tuple[list[int], list[int]]:
    """The rows with the highest scores and those with the lowest, the farthest first."""
    falling = rows[np.argsort(-scores[rows], kind="stable")]
    return falling[:EXTREMES].tolist(), falling[::-1][:EXTREMES].tolist()


def _scored_output(source: ReleasedSource, row: Mapping[str, Any], metric: str) -> ScoredOutput:
    written = [text.text for text in source.texts]
    if row["system"] == PEOPLE:
        written.remove(row["text"])
    return ScoredOutput(source.source_id, source.text, row["text"], row[metric], written)


@dataclass(frozen=True)
class MetricLine:
    """A metric with a cell for each system."""

    metric: str
    cells: list[dict[str, float]]


def metric_lines(summary: Mapping[str, Any]) -> list[MetricLine]:
    return [
        MetricLine(
            metric,
            [
                {"value": each["means"][metric], "low": each["low"][metric], "high": each["high"][metric]}
                for each in summary["systems"]
            ],
        )
        for metric in summary["metrics"]
    ]


@dataclass(frozen=True)
class SystemLine:
    """A system's mean of one metric with its interval, and where these lie on an axis, in percent of its width."""

    system: str
    outputs: int
    cell: dict[str, float]
    places: dict[str, float]


@dataclass(frozen=True)
class Axis:
    low: float
    high: float

    @classmethod
    def of(cls, cells: list[dict[str, float]]) -> "Axis":
        """From 0 to 1, or beyond where a metric goes beyond."""
        return cls(min(0.0, *(cell["low"] for cell in cells)), max(1.0, *(cell["high"] for cell in cells)))

    def place(self, value: float) -> float:
        return 100 * (value - self.low) / (self.high - self.low)


def system_lines(summary: Mapping[str, Any], metric: str) -> tuple[Axis, list[SystemLine]]:
    (line,) = metric_lines({**summary, "metrics": [metric]})
    axis = Axis.of(line.cells)
    return axis, [
        SystemLine(system_name(each["system"]), each["outputs"], cell, {name: axis.place(cell[name]) for name in cell})
        for each, cell in zip(summary["systems"], line.cells, strict=True)
    ]


@dataclass(frozen=True)
class PartLine:
    """A part of the release with the mean of a metric for each system, or nothing where it has no output."""

    name: str
    means: list[float | None]


def part_lines(summary: Mapping[str, Any], kind: str, metric: str) -> list[PartLine]:
    """By genre ("genres") or by length of the source ("lengths")."""
    parts = [each[kind] for each in summary["systems"]]
    return [
        PartLine(name, [part[name]["means"][metric] if name in part else None for part in parts])
        for name in summary[kind]
    ]


def result_of_means(run: ScoreRun) -> Result:
    """The mean of each metric for each system."""
    summary: dict[str, Any] = run.summary or {"metrics": [], "systems": []}
    rows = [[each["means"][metric] for metric in summary["metrics"]] for each in summary["systems"]]
    names = [system_name(each["system"]) for each in summary["systems"]]
    return Result(names, np.array(rows), {metric: run.signatures[metric] for metric in summary["metrics"]})
