"""Points of marks, scores from 0 to 100 and both beside each other; how many marks there are, and what edits."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from measures.core.drawn_sources import drawn_differences, drawn_ratios
from measures.core.undefined import Undefined
from measures.spans import (
    Annotation,
    Preset,
    edit_counts,
    edit_shares,
    score_means,
    segment_scores,
    system_scores,
    tau,
    z_means,
)
from measures.text.segmentation import word_count
from protocols.report_rows import ALL, About, ReportRow
from protocols.spans.settings import SpansParameters

POINTS, DIFFERENCES, SCORES, TAU = "points", "differences", "scores", "score and points"
MARKS, DENSITY, EDITS, SHARES = "marks", "marks per 100 words", "edits", "shares of words"
NO_NAME = "none"
"""What stands for no kind, and for no severity."""
NO_WEIGHTS = Undefined("the preset gives marks no weight")
NO_COMMON = "no source has texts of both"
MOST_COMPARED = 20
"""Of more systems than this not every pair is compared: pairs grow with their square."""

ByText = Mapping[tuple[str, str], float]
"""A value of each text, by segment and system."""


def score_rows(annotations: Sequence[Annotation], preset: Preset, parameters: SpansParameters) -> Iterator[ReportRow]:
    """Yield points by system, their differences, scores by system, and how scores go with points."""
    points = _points(annotations, preset, parameters)
    systems = sorted({each.system for each in annotations})
    if isinstance(points, Undefined):
        yield from (About(POINTS, ALL, system).row("points", points) for system in systems)
    else:
        for each in system_scores(points, seed=parameters.seed, draws=parameters.draws):
            yield About(POINTS, ALL, each.system).ratio("points", each.score, sign=-1)
        yield from _differences(points, systems, parameters)
    if preset.score == "none":
        return
    scores = score_means(annotations)
    yield from _scores("score", scores, systems, parameters)
    yield from _scores("z", z_means(annotations), systems, parameters)
    if not isinstance(points, Undefined):
        both = [each for each in scores if each in points]
        found = tau([scores[each] for each in both], [points[each] for each in both])
        yield About(TAU, ALL, "").row("tau", found, n=len(both), sources=len({segment for segment, _ in both}))


def _points(
    annotations: Sequence[Annotation], preset: Preset, parameters: SpansParameters
) -> dict[tuple[str, str], float] | Undefined:
    if not preset.weights:
        return NO_WEIGHTS
    try:
        return segment_scores(annotations, preset.weights, per_100_words=parameters.per_100_words)
    except ValueError as error:
        return Undefined(str(error))


def _differences(points: ByText, systems: Sequence[str], parameters: SpansParameters) -> Iterator[ReportRow]:
    """Yield by how much the first of two systems has better points, over the sources that both have."""
    if len(systems) > MOST_COMPARED:
        return
    groups = {system: _group(points, system) for system in systems}
    for one, other in combinations(systems, 2):
        (found,) = drawn_differences(
            groups[one], groups[other], draws=parameters.draws, seed=parameters.seed, nothing=NO_COMMON
        )
        yield About(DIFFERENCES, one, other).ratio("points", found, sign=-1)


def _group(values: ByText, system: str) -> tuple[list[list[float]], list[list[int]], list[str]]:
    segments = [segment for segment, other in values if other == system]
    return [[values[segment, system]] for segment in segments], [[1]] * len(segments), segments


def _scores(figure: str, scores: ByText, systems: Sequence[str], parameters: SpansParameters) -> Iterator[ReportRow]:
    """Yield the means of systems over the segments that all of them have."""
    found = system_scores(scores, shared_only=True, seed=parameters.seed, draws=parameters.draws)
    known = {each.system: each.score for each in found}
    for system in systems:
        nothing = Undefined("nobody gave scores that differ" if figure == "z" else "nobody gave a score")
        yield About(SCORES, ALL, system).ratio(figure, known.get(system, nothing))


def count_rows(
    annotations: Sequence[Annotation], preset: Preset, parameters: SpansParameters, language: str
) -> Iterator[ReportRow]:
    """Yield marks by system, kind and severity, marks per 100 words, and for kinds with questions the edits."""
    counted = Counter(
        (each.system, mark.kind or NO_NAME, mark.severity or NO_NAME) for each in annotations for mark in each.counted
    )
    for (system, kind, severity), number in sorted(counted.items()):
        yield About(MARKS, kind, system).row(severity, number)
    for system in sorted({each.system for each in annotations}):
        own = [each for each in annotations if each.system == system]
        (found,) = drawn_ratios(
            [[len(each.counted)] for each in own],
            [[word_count(each.source) / 100] for each in own],
            [each.segment for each in own],
            draws=parameters.draws,
            seed=parameters.seed,
            nothing="the sources have no words",
        )
        yield About(DENSITY, ALL, system).ratio("marks", found)
    if any(kind.questions for kind in preset.kinds):
        yield from _edit_rows(annotations, preset, language)


def _edit_rows(annotations: Sequence[Annotation], preset: Preset, language: str) -> Iterator[ReportRow]:
    for count in edit_counts(annotations, preset):
        judged = " ".join(str(each) for each in (count.efficacy, count.degree) if each is not None)
        yield About(EDITS, count.kind, count.system).row(judged or NO_NAME, count.edits)
    for share in edit_shares(annotations, preset, language=language):
        about = About(SHARES, share.kind, share.system)
        yield about.row("source", share.source)
        yield about.row("output", share.output)
