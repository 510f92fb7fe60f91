"""All systems of a release in one table: metrics, ratings, lengths, operations, and how their outputs came about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText
from corpus.selectors import add_outputs_since, release_sources, youngest_output_since
from crowd.scales import Scale
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.sections.shares import TOKEN_SHARES
from evaluation.selectors import runs_to_evaluate
from measures.text.normalization import length
from reports.models import Report
from reports.selectors import latest_report
from scoring.entries import PEOPLE
from scoring.models import ScoreRun
from scoring.selectors import MAIN_METRIC, default_ground, section_of
from systems.models import SystemRun
from systems.selectors import is_marked

CHOSEN = (MAIN_METRIC, "LR-2+F-1+MULT-ALL", "LR-1+Recall+MULT-ALL")
MOST_METRICS = 3
OPERATION_FIGURES = ("kept", "deleted", "inserted", "substituted")

Value = dict[str, float]


@dataclass(frozen=True)
class SystemLine:
    """What is known of a system, or of people: a figure that is not known is missing, never 0.

    `statuses` are those of the latest run here under the system's name, and `texts` how many that was on; nothing is
    known of them for outputs of files.
    """

    system: str
    outputs: int
    characters: float
    words: float
    ratings: Mapping[str, float] = field(default_factory=dict)
    rated: int = 0
    metrics: Mapping[str, Value] = field(default_factory=dict)
    operations: Mapping[str, float] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    seconds_per_text: float | None = None
    is_marked: bool = False

    def row(self) -> dict[str, Any]:
        """Return the line flat, for programs."""
        return {
            "system": self.system or "people",
            "outputs": self.outputs,
            "characters_kept": self.characters,
            "words_kept": self.words,
            "rated": self.rated,
            **{f"rating {key}": value for key, value in self.ratings.items()},
            **{f"{metric} {name}": value for metric, each in self.metrics.items() for name, value in each.items()},
            **{f"words {name}": value for name, value in self.operations.items()},
            **{f"status {name}": number for name, number in self.statuses.items()},
            "seconds_per_text": self.seconds_per_text,
        }


@dataclass(frozen=True)
class SystemsCompared:
    """The lines, people's first, and which metrics, scales and operations they have."""

    lines: Sequence[SystemLine]
    metrics: Sequence[str]
    scales: Sequence[Scale]
    operations: Sequence[str]
    scores: ScoreRun | None


def systems_compared(release: Release) -> SystemsCompared:
    """Compare the systems of a finished release; outputs that were imported since are among them."""
    sources = sources_with_outputs(release)
    scales = [scale for scale in release.campaign.rating_scales if not scale.is_preference]
    texts: dict[str, list[tuple[ReleasedSource, ReleasedText | ReleasedOutput]]] = {}
    for source in sources:
        for text in (*source.texts, *source.outputs):
            name = text.system if isinstance(text, ReleasedOutput) else PEOPLE
            texts.setdefault(name, []).append((source, text))
    scores = next(iter(runs_to_evaluate(release)), None)
    by_metric, metrics = _metrics(scores)
    operations, figures = _operations(release)
    runs = latest_runs(release)
    lines = [
        _line(name, texts[name], scales, by_metric.get(name, {}), operations.get(name, {}), runs.get(name))
        for name in sorted(texts)
    ]
    return SystemsCompared(lines, metrics, scales, figures, scores)


def sources_with_outputs(release: Release) -> list[ReleasedSource]:
    sources = release_sources(release)
    last = youngest_output_since(release)
    if last is not None:
        add_outputs_since(release, sources, last)
    return sources


def latest_runs(release: Release) -> dict[str, SystemRun]:
    """Return the latest finished run here under each system's name whose outputs were added to the campaign."""
    runs = SystemRun.objects.filter(campaign=release.campaign_id, finished_at__isnull=False, is_for_raters=True)
    return {run.name: run for run in runs.order_by("pk")}


def mean_points(text: ReleasedText | ReleasedOutput, scale: str) -> float | None:
    """Return a text's mean rating by the crowd, or by experts where the crowd gave none."""
    points = [rating.scores[scale] for rating in text.ratings or text.expert_ratings if scale in rating.scores]
    return float(np.mean(points)) if points else None


def _line(
    name: str,
    texts: Sequence[tuple[ReleasedSource, ReleasedText | ReleasedOutput]],
    scales: Iterable[Scale],
    metrics: Mapping[str, Value],
    operations: Mapping[str, float],
    run: SystemRun | None,
) -> SystemLine:
    ratings, rated = {}, 0
    for scale in scales:
        points = [mean for _source, text in texts if (mean := mean_points(text, scale.key)) is not None]
        if points:
            ratings[scale.key], rated = float(np.mean(points)), max(rated, len(points))
    return SystemLine(
        system=name,
        outputs=len(texts),
        characters=float(np.mean([length(text.text) / length(source.text) for source, text in texts])),
        words=float(np.mean([len(text.text.split()) / len(source.text.split()) for source, text in texts])),
        ratings=ratings,
        rated=rated,
        metrics=metrics,
        operations=operations,
        statuses=run.statuses if run and name else {},
        seconds_per_text=run.seconds_per_text if run and name else None,
        is_marked=bool(run and name and is_marked(run)),
    )


def _metrics(scores: ScoreRun | None) -> tuple[dict[str, dict[str, Value]], list[str]]:
    """Return means with their intervals by system and metric, of a few metrics, and the names of these."""
    if scores is None or scores.summary is None:
        return {}, []
    summary = section_of(scores.summary, default_ground(scores.summary))
    names = [name for name in CHOSEN if name in summary["metrics"]] or summary["metrics"][:MOST_METRICS]
    found = {
        each["system"]: {
            name: {"mean": each["means"][name], "low": each["low"][name], "high": each["high"][name]} for name in names
        }
        for each in summary["systems"]
    }
    return found, names


def _operations(release: Release) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Return the shares of words by what was done to them, by system, from the latest finished report."""
    report: Report | None = latest_report(release, OPERATIONS)
    found: dict[str, dict[str, float]] = {}
    for row in (report.rows or []) if report else []:
        if row["table"] == TOKEN_SHARES and row["part"] in {"system", "release"} and row["value"] is not None:
            found.setdefault(row["group"], {})[row["figure"]] = row["value"]
    return found, list(dict.fromkeys(figure for each in found.values() for figure in each))
