"""Releases in which it is known how well metrics follow ratings, and their reports."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from django.contrib.auth.models import User

from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from evaluation.judged_release import JudgedRelease
from evaluation.kind import KIND
from evaluation.loading import judged_release
from evaluation.parameters import EvaluationParameters
from measures.core.arrays import FloatArray
from reports.models import Report
from reports.services import report_compute, report_get_or_create
from scoring.services.imports import scores_import
from scoring.services.runs import score_run_get_or_create, scores_complete
from scoring.settings import ScoreSettings
from tests.support.factories import silent
from tests.support.reports import released

Row = dict[str, Any]
FEW_DRAWS = EvaluationParameters(draws=50)
SYSTEMS = ("Alpha", "Beta", "Gamma", "Delta")
METRICS = ("good", "fair", "poor")
NOUNS = ("dog", "cat", "man", "bird", "fox", "cow", "boy", "girl")
GENRES = ("Letters", "News")


def sources_with_systems(
    number: int = 24, *, systems: Sequence[str] = SYSTEMS, raters: int = 3, experts: int = 0, seed: int = 2016
) -> list[ReleasedSource]:
    """Sources with three texts by people and an output of each system; the later a system, the better it is rated."""
    rng = np.random.default_rng(seed)
    return [_source(place, systems, raters, experts, rng) for place in range(1, number + 1)]


def _source(place: int, systems: Sequence[str], raters: int, experts: int, rng: np.random.Generator) -> ReleasedSource:
    noun = NOUNS[place % len(NOUNS)]
    also = " and then slept there" if place % 3 else ""
    text = f"On day {place} the old {noun} of the house went home very late{also}."
    texts = [
        ReleasedText(f"On day {place} the {noun} went home.", ("7",), _ratings((3, 3), 3)),
        ReleasedText(f"The old {noun} went home late.", ("8", "9"), _ratings((2, 3), 3)),
        ReleasedText(f"The {noun} went home on day {place}.", ("9",), _ratings((3, 2), 3)),
    ]
    outputs = []
    for rank, system in enumerate(systems):
        keeps = max(3, 9 - rank - int(rng.integers(3)))
        # The same text of two systems would be one text, with the same ratings.
        words = f"{system} said: on day {place} the old {noun} of the house went home very late".split()[:keeps]
        outputs.append(
            ReleasedOutput(
                system,
                " ".join(words) + ".",
                _drawn_ratings(rank / len(systems), raters, rng),
                _drawn_ratings(rank / len(systems), experts, rng, "e"),
            )
        )
    genre = GENRES[place % len(GENRES)]
    return ReleasedSource(str(place), genre, text, 1, "", str(place), "train", texts, outputs)


def _ratings(points: tuple[int, int], number: int) -> tuple[ReleasedRating, ...]:
    meaning, grammar = points
    return tuple(ReleasedRating(str(rater), {"meaning": meaning, "grammar": grammar}) for rater in range(1, number + 1))


def _drawn_ratings(level: float, number: int, rng: np.random.Generator, prefix: str = "") -> tuple[ReleasedRating, ...]:
    """Return ratings of 1 to 3 around 1.5 to 2.5."""
    drawn = np.clip(np.round(1.5 + level + rng.normal(scale=0.7, size=(number, 2))), 1, 3).astype(int).tolist()
    return tuple(
        ReleasedRating(f"{prefix}{rater}", {"meaning": meaning, "grammar": grammar})
        for rater, (meaning, grammar) in enumerate(drawn, start=1)
    )


def released_with(sources: Iterable[ReleasedSource], *, owner: User | None = None) -> Release:
    """A release that holds these sources, and says how many."""
    kept = list(sources)
    release = released(kept, scales=("Meaning", "Grammar"), owner=owner)
    release.summary = {"sources": len(kept)}
    release.save()
    return release


def scored_release(sources: Sequence[ReleasedSource] | None = None, *, owner: User | None = None) -> Release:
    """A release with imported scores that follow meaning well, fairly, and hardly."""
    kept = sources_with_systems() if sources is None else sources
    release = released_with(kept, owner=owner)
    rows = [row for name, noise in zip(METRICS, (0.1, 0.7, 5), strict=True) for row in score_rows(kept, name, noise)]
    import_rows(release, rows)
    return release


def score_rows(sources: Sequence[ReleasedSource], metric: str, noise: float) -> list[Row]:
    """A metric that is the mean rating for meaning, with noise."""
    rng = np.random.default_rng(sum(map(ord, metric)))
    return [
        {"source": source.source_id, "system": output.system, "metric": metric, "score": quality + float(drawn)}
        for source in sources
        for output in source.outputs
        for quality, drawn in [(mean_points(output), rng.normal(scale=noise))]
    ]


def mean_points(output: ReleasedOutput, scale: str = "meaning") -> float:
    points = [rating.scores[scale] for rating in output.ratings or output.expert_ratings]
    return float(np.mean(points)) if points else 2.0


def import_rows(release: Release, rows: Sequence[Row]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "scores.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        scores_import(release=release, path=path, signature="made:up")


def compute_scores(release: Release, *metrics: str) -> None:
    """Compute metrics of the app, such as LR-2+Recall+MULT-ALL."""
    run = score_run_get_or_create(release=release, settings=ScoreSettings(metrics=metrics))
    scores_complete(run=run, progress=silent)


def started(release: Release, parameters: EvaluationParameters = FEW_DRAWS) -> Report:
    return report_get_or_create(kind=KIND, on=release, parameters=parameters)


def computed(release: Release, parameters: EvaluationParameters = FEW_DRAWS) -> Report:
    """The report, computed at once."""
    report = started(release, parameters)
    report_compute(report=report, progress=silent)
    return reread(report)


def reread(report: Report) -> Report:
    return Report.objects.select_related("release__campaign").get(pk=report.pk)


def judged(release: Release, parameters: EvaluationParameters = FEW_DRAWS) -> JudgedRelease:
    """What the sections of a report are computed from."""
    return judged_release(started(release, parameters))


def metric_scores(found: JudgedRelease, metric: str) -> FloatArray:
    """The scores of a metric by system and input."""
    names = [each.name for each in found.metrics]
    scores: FloatArray = found.scored.scores[names.index(metric)]
    return scores
