"""All systems of a release in one table: metrics, ratings, lengths, operations, and how their outputs came about."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText
from corpus.selectors import sources_with_outputs
from crowd.scales import Scale
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.sections.shares import TOKEN_SHARES
from evaluation.selectors import runs_to_evaluate
from measures.meta_evaluation import variant_analysis
from measures.metrics import analyse_distinct
from measures.text.normalization import length
from reports.models import Report
from reports.selectors import latest_report
from scoring.entries import PEOPLE, system_label
from scoring.models import ScoreRun
from scoring.selectors import MAIN_METRIC, ScoredOutput, default_ground, extremes, section_of
from systems.models import SystemRun
from systems.selectors import is_marked, run_outputs

CHOSEN = (MAIN_METRIC, "LR-2+F-1+MULT-ALL", "LR-1+Recall+MULT-ALL")
MOST_METRICS, HALF_SHOWN = 3, 5
OPERATIONS_SHOWN = ("copied", "paraphrased", "inserted", "deleted")
NOVEL = {"unigrams": 1, "bigrams": 2}

Value = dict[str, float]
Words = Mapping[str, tuple[str, ...]]
Texts = Sequence[tuple[ReleasedSource, ReleasedText | ReleasedOutput]]


@dataclass(frozen=True)
class SystemLine:
    """What is known of a system, or of people: a figure that is not known is missing, never 0.

    `novel` are the shares of all its unigrams and bigrams that do not stand in their sources.
    `statuses` are those of the latest run here under the system's name, and `texts` how many that was on; nothing is
    known of them for outputs of files.
    """

    system: str
    outputs: int
    characters: float
    words: float
    novel: Mapping[str, float]
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
            **{f"novel {name}": value for name, value in self.novel.items()},
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
    words = _words(release, sources)
    texts: dict[str, list[tuple[ReleasedSource, ReleasedText | ReleasedOutput]]] = {}
    for source in sources:
        for written in source.texts:
            texts.setdefault(PEOPLE, []).append((source, written))
        for output in source.outputs:
            texts.setdefault(output.system, []).append((source, output))
    scores = next(iter(runs_to_evaluate(release)), None)
    by_metric, metrics = _metrics(scores)
    operations, figures = _operations(release)
    runs = latest_runs(release)
    lines = [
        _line(name, texts[name], words, scales, by_metric.get(name, {}), operations.get(name, {}), runs.get(name))
        for name in sorted(texts)
    ]
    return SystemsCompared(lines, metrics, scales, figures, scores)


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
    texts: Texts,
    words: Words,
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
        novel=_novel(texts, words),
        ratings=ratings,
        rated=rated,
        metrics=metrics,
        operations=operations,
        statuses=run.statuses if run and name else {},
        seconds_per_text=run.seconds_per_text if run and name else None,
        is_marked=bool(run and name and is_marked(run)),
    )


def _words(release: Release, sources: Iterable[ReleasedSource]) -> Words:
    """Return the words of every text, as metrics read them."""
    texts: list[str] = []
    for source in sources:
        texts += (source.text, *(each.text for each in source.texts), *(each.text for each in source.outputs))
    analysed = analyse_distinct(variant_analysis(release.campaign.language, stemmed=False), texts)
    return {text: found.words for text, found in analysed.items()}


def _novel(texts: Texts, words: Words) -> dict[str, float]:
    """Return the share of the n-grams of all texts together that do not stand in the source of their text."""
    novel: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for source, text in texts:
        for name, n in NOVEL.items():
            known = set(_ngrams(words[source.text], n))
            found = _ngrams(words[text.text], n)
            total[name] += len(found)
            novel[name] += sum(each not in known for each in found)
    return {name: novel[name] / number for name, number in total.items() if number}


def _ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return list(zip(*(words[start:] for start in range(n)), strict=False))


def _metrics(scores: ScoreRun | None) -> tuple[dict[str, dict[str, Value]], list[str]]:
    """Return means with their intervals by system and metric, of a few metrics, and the names of these."""
    if scores is None or scores.summary is None:
        return {}, []
    summary = section_of(scores.summary, default_ground(scores.summary))
    names = [name for name in CHOSEN if name in summary["metrics"]] or summary["metrics"][:MOST_METRICS]
    found = {
        each["system"]: {
            name: {"value": each["means"][name], "low": each["low"][name], "high": each["high"][name]} for name in names
        }
        for each in summary["systems"]
    }
    return found, names


def _operations(release: Release) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Return the shares of words by what was done to them, by system, from the latest finished report."""
    report: Report | None = latest_report(release, OPERATIONS)
    found: dict[str, dict[str, float]] = {}
    for row in (report.rows or []) if report else []:
        is_shown = row["table"] == TOKEN_SHARES and row["figure"] in OPERATIONS_SHOWN
        if is_shown and row["part"] in {"system", "release"} and row["value"] is not None:
            found.setdefault(row["group"], {})[row["figure"]] = row["value"]
    return found, [figure for figure in OPERATIONS_SHOWN if any(figure in each for each in found.values())]


@dataclass(frozen=True)
class ShownOutput:
    """An output beside its source and references; `value` is what it is ordered by, `status` how it came about."""

    source: ReleasedSource
    system: str
    text: str
    value: float | None
    status: str

    @property
    def references(self) -> list[str]:
        return [text.text for text in self.source.texts]


@dataclass(frozen=True)
class SystemOutputs:
    """Outputs of `system`, the best and the worst by a metric or by ratings; only the first ones where it has neither.

    `by` is the metric, or empty.
    """

    system: str
    by: str
    best: Sequence[ShownOutput]
    worst: Sequence[ShownOutput]
    first: Sequence[ShownOutput]


def outputs_shown(release: Release, system: str) -> SystemOutputs:
    """Return ten outputs of a system, of the first one if none is named: five of the best and five of the worst."""
    sources = sources_with_outputs(release)
    system = system or min((output.system for source in sources for output in source.outputs), default="")
    run = latest_runs(release).get(system)
    statuses = {line["id"]: line["status"] for line in run_outputs(run)} if run else {}
    texts = [
        ShownOutput(source, system, output.text, _rating(release, output), statuses.get(source.source_id, ""))
        for source in sources
        for output in source.outputs
        if output.system == system
    ]
    by_source = {each.source.source_id: each for each in texts}
    if scored := _scored(release, system):
        metric, best, worst = scored
        shown = [
            [
                replace(by_source[each.source_id], value=each.score, text=each.text)
                for each in part
                if each.source_id in by_source
            ]
            for part in (best, worst)
        ]
        return SystemOutputs(system, metric, shown[0], shown[1], [])
    rated = sorted((each for each in texts if each.value is not None), key=lambda each: -(each.value or 0.0))
    if rated:
        half = min(HALF_SHOWN, (len(rated) + 1) // 2)
        return SystemOutputs(system, "", rated[:half], rated[half:][::-1][:HALF_SHOWN], [])
    return SystemOutputs(system, "", [], [], texts[: 2 * HALF_SHOWN])


def _rating(release: Release, output: ReleasedOutput) -> float | None:
    """Return the mean over the scales of an output's mean ratings."""
    scales = [scale.key for scale in release.campaign.rating_scales if not scale.is_preference]
    points = [mean for key in scales if (mean := mean_points(output, key)) is not None]
    return float(np.mean(points)) if points else None


def _scored(release: Release, system: str) -> tuple[str, list[ScoredOutput], list[ScoredOutput]] | None:
    scores = next(iter(runs_to_evaluate(release)), None)
    _means, metrics = _metrics(scores)
    if scores is None or not metrics:
        return None
    ground = default_ground(scores.summary or {})
    for each in extremes(scores, metrics[0], ground):
        if each.system == system_label(system):
            return metrics[0], each.best, each.worst
    return None
