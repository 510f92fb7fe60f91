"""Queries for scores: the runs of a release, and the best and worst outputs by a metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.clock import database_now
from common.models import Job
from compressions.genres import genre_label
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import release_places
from measures.core.arrays import FloatArray, IntArray
from measures.metrics.options import Ground
from measures.metrics.signatures import with_ground
from measures.metrics.writers import Result
from scoring.entries import ALL, JACKKNIFED, PEOPLE, system_label, system_name
from scoring.models import JOBS, ScoreRun
from scoring.parquet_tables import lacks_parquet, read_part
from scoring.summary import names_of, on_ground

EXTREMES = 5
MANY_METRICS = 60
NOT_JACKKNIFED = "no source has two or more references and an output of every system, so nothing can be jackknifed"
MAIN_METRIC = "SKIP-2+Recall+MULT-PROB"


def runs_of_release(release: Release) -> QuerySet[ScoreRun]:
    """Return all runs, newest first."""
    return ScoreRun.objects.filter(release=release).select_related("release__campaign").order_by("-pk")


def most_complete_run(runs: QuerySet[ScoreRun]) -> ScoreRun | None:
    """Return the latest run with nearly all metrics, or else the latest run."""
    metrics = {run.pk: len(run.signatures) for run in runs.defer("summary")}
    chosen = max(metrics, key=lambda pk: (metrics[pk] >= MANY_METRICS, pk), default=None)
    return None if chosen is None else runs.get(pk=chosen)


def is_being_computed(run: ScoreRun) -> bool:
    """Return whether a job or a command holds the lease of a part."""
    return run.parts.filter(lease_ends_at__gt=database_now()).exists()


def jobs_of_runs(release: Release) -> dict[int, Job]:
    """Return, for each unfinished run of a release that has jobs, the one that best shows its state."""
    unfinished = list(ScoreRun.objects.filter(release=release, finished_at=None).values_list("pk", flat=True))
    return JOBS.telling_of_each(unfinished, campaign_id=release.campaign_id)


@dataclass(frozen=True)
class ScoredOutput:
    """An output with its score, its source and its references."""

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


def extremes(run: ScoreRun, metric: str, ground: Ground = ALL) -> list[Extremes]:
    """Return each system's outputs with the highest and lowest scores, or nothing if they cannot be read."""
    if lacks_parquet():
        return []
    try:
        return _extremes(run, metric, ground)
    except FileNotFoundError:
        return []


def _extremes(run: ScoreRun, metric: str, ground: Ground) -> list[Extremes]:
    import pyarrow as pa

    parts = [part for part in run.parts.order_by("number") if part.outputs]
    tables = [read_part(part, run, ["source", "system", "ground", metric]) for part in parts]
    wide = pa.concat_tables(tables)
    systems, of_sources, grounds = names_of(wide)
    shown = np.flatnonzero(on_ground(systems, of_sources, grounds, ground))
    scores = wide[metric].to_numpy()
    chosen = {
        str(system): _best_and_worst(shown[systems[shown] == system], scores) for system in np.unique(systems[shown])
    }
    numbers = np.unique([number for best, worst in chosen.values() for number in (*best, *worst)])
    rows: dict[int, dict[str, Any]] = {}
    start = 0
    for part, table in zip(parts, tables, strict=True):  # texts are read of those parts alone that hold one of them
        within = numbers[(numbers >= start) & (numbers < start + len(table))]
        if len(within):
            texts = read_part(part, run, ["place", "system", "text", metric]).take(pa.array(within - start, pa.int64()))
            rows |= zip(within.tolist(), texts.to_pylist(), strict=True)
        start += len(table)
    sources = release_places(run.release, {row["place"] for row in rows.values()})

    def output(number: int) -> ScoredOutput:
        row = rows[number]
        return _scored_output(sources[row["place"]], row, metric)

    return [
        Extremes(system_label(system), list(map(output, best)), list(map(output, worst)))
        for system, (best, worst) in chosen.items()
    ]


def _best_and_worst(rows: IntArray, scores: FloatArray) -> tuple[list[int], list[int]]:
    """Return the rows with the highest and with the lowest scores, most extreme first."""
    descending = rows[np.argsort(-scores[rows], kind="stable")]
    return descending[:EXTREMES].tolist(), descending[::-1][:EXTREMES].tolist()


def _scored_output(source: ReleasedSource, row: Mapping[str, Any], metric: str) -> ScoredOutput:
    written = [text.text for text in source.texts]
    if row["system"] == PEOPLE:
        written.remove(row["text"])
    return ScoredOutput(source.source_id, source.text, row["text"], row[metric], written)


@dataclass(frozen=True)
class CommonGround:
    """The sources that jackknifed means are over: their number, and by system the number that each has for itself."""

    sources: int
    coverage: list[tuple[str, int]]
    missing: list[str]

    @property
    def is_smaller(self) -> bool:
        """Whether one of them has more sources than all have in common."""
        return any(number > self.sources for _, number in self.coverage)

    def described(self) -> str:
        """Return the number of sources that each has for itself, where they differ, and who has none."""
        each = ", ".join(f"{name} {number}" for name, number in self.coverage)
        said = [_("Sources with two or more references: %(counts)s.") % {"counts": each}] if self.is_smaller else []
        if self.missing:
            words = _("Left out, since none of their sources has two references: %(names)s.")
            said.append(words % {"names": ", ".join(self.missing)})
        return " ".join(said)


def common_ground(summary: Mapping[str, Any]) -> CommonGround | None:
    """Return what jackknifed means are over, or None where nothing was jackknifed."""
    jackknifed = summary.get("jackknifed")
    covered = {system for system, _ in jackknifed["coverage"]} if jackknifed else set()
    if not jackknifed or not covered - {PEOPLE}:
        return None
    systems = {each["system"] for each in summary["systems"]} - covered
    return CommonGround(
        jackknifed["sources"],
        [(system_label(system), number) for system, number in jackknifed["coverage"]],
        [system_label(system) for system in sorted(systems)],
    )


def default_ground(summary: Mapping[str, Any]) -> Ground:
    """Return the ground on which a summary is shown unless another is asked for."""
    ground = common_ground(summary)
    return JACKKNIFED if ground and ground.sources else ALL


def section_of(summary: Mapping[str, Any], ground: Ground) -> dict[str, Any]:
    """Return the part of a summary that is on a ground, in the form of a summary."""
    return {**summary, **summary["jackknifed"]} if ground == JACKKNIFED else dict(summary)


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
    """A system's mean of one metric with its interval."""

    system: str
    outputs: int
    cell: dict[str, float]


def system_lines(summary: Mapping[str, Any], metric: str) -> list[SystemLine]:
    (line,) = metric_lines({**summary, "metrics": [metric]})
    return [
        SystemLine(system_label(each["system"]), each["outputs"], cell)
        for each, cell in zip(summary["systems"], line.cells, strict=True)
    ]


def answer_words(metric: str, systems: Sequence[SystemLine]) -> str:
    """Say who has the highest mean, which is of these texts alone."""
    if not systems:
        return _("No text has a score by %(metric)s.") % {"metric": metric}
    best = max(systems, key=lambda line: line.cell["value"])
    values = {
        "metric": metric,
        "n": len(systems),
        "value": _("{value:.3f} (95% interval {low:.3f} to {high:.3f})").format(**best.cell),
        "names": _(" and ").join(str(line.system) for line in systems if line.cell["value"] == best.cell["value"]),
    }
    words = ngettext(
        "By %(metric)s, the mean of %(names)s is %(value)s.",
        "By %(metric)s, the highest of %(n)s means is %(value)s: %(names)s.",
        len(systems),
    )
    return words % values


@dataclass(frozen=True)
class PartLine:
    """A part of the release with each system's mean of a metric, or None for a system without outputs there."""

    name: str
    means: list[float | None]


def part_lines(summary: Mapping[str, Any], kind: str, metric: str) -> list[PartLine]:
    """Return the means by genre (kind "genres") or by length of the source ("lengths")."""
    parts = [each[kind] for each in summary["systems"]]
    return [
        PartLine(genre_label(name), [part[name]["means"][metric] if name in part else None for part in parts])
        for name in summary[kind]
    ]


def result_of_means(run: ScoreRun, ground: Ground) -> Result:
    """Return each system's mean of each metric."""
    summary = section_of(run.summary or {"metrics": [], "systems": []}, ground)
    rows = [[each["means"][metric] for metric in summary["metrics"]] for each in summary["systems"]]
    names = [system_name(each["system"]) for each in summary["systems"]]
    return Result(
        names, np.array(rows), {metric: with_ground(run.signatures[metric], ground) for metric in summary["metrics"]}
    )
