"""How far people agree on marks, and on the score of a text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from measures.agreement.number_scales import interval_alpha, number_intraclass, sampled_numbers
from measures.core.undefined import Undefined
from measures.spans import Annotation, PairAgreement, Preset, character_f, only, pair_f, span_alpha
from protocols.report_rows import ALL, About, ReportRow
from protocols.spans.settings import SpansParameters

AGREEMENT, OF_SCORES = "agreement", "agreement of scores"
BY_KIND, BY_SEVERITY = "kind", "severity"
FEWEST_MARKS = 10
"""Agreement on a kind or severity is computed from so many of its marks on."""

Side = Literal["source", "output"]
Unit = Literal["marked", "severity", "boundary"]


def agreement_rows(
    annotations: Sequence[Annotation], preset: Preset, parameters: SpansParameters, language: str
) -> Iterator[ReportRow]:
    """Yield the agreement on all marks, on those of each kind and severity, and on scores."""
    about = About(AGREEMENT, ALL, "")
    yield from _alphas(about, annotations, preset, parameters, language)
    yield from _of_marks(about, annotations, parameters)
    for part, groups in ((BY_KIND, _named(annotations, "kind")), (BY_SEVERITY, _named(annotations, "severity"))):
        for name in groups:
            own = only(annotations, lambda mark, part=part, name=name: getattr(mark, part) == name)  # type: ignore[misc]
            yield from main_rows(About(AGREEMENT, part, name), own, parameters, language)
    if preset.score != "none":
        yield from _of_scores(annotations)


def _named(annotations: Sequence[Annotation], field: str) -> list[str]:
    """Return the kinds or severities that have enough marks, if there are several of them."""
    counts = Counter(getattr(mark, field) for each in annotations for mark in each.counted)
    counts.pop(None, None)
    return sorted(name for name, number in counts.items() if number >= FEWEST_MARKS) if len(counts) > 1 else []


def main_rows(
    about: About, annotations: Sequence[Annotation], parameters: SpansParameters, language: str
) -> Iterator[ReportRow]:
    """Yield the two figures that stand for all: alpha of the tokens marked, and F with credit."""
    for side in _sides(annotations):
        found = span_alpha(
            annotations, "marked", side=side, language=language, draws=parameters.draws, seed=parameters.seed
        )
        yield about.row(
            _alpha_name("tokens marked", side), found.alpha, found.interval, n=found.units, sources=found.sources
        )
    yield _pairs(about, "F credit", pair_f(annotations, draws=parameters.draws, seed=parameters.seed))


def _sides(annotations: Sequence[Annotation]) -> list[Side]:
    """Return the sides that have marks; the output if none has."""
    sides = {place.side for each in annotations for mark in each.counted for place in mark.places}
    return [side for side in ("output", "source") if side in sides] or ["output"]


def _alpha_name(unit: str, side: Side) -> str:
    return f"alpha of {unit}" if side == "output" else f"alpha of {unit} in the source"


def _alphas(
    about: About, annotations: Sequence[Annotation], preset: Preset, parameters: SpansParameters, language: str
) -> Iterator[ReportRow]:
    units: tuple[tuple[Unit, str], ...] = (
        ("marked", "tokens marked"),
        ("severity", "severities of tokens"),
        ("boundary", "boundaries"),
    )
    for side in _sides(annotations):
        for unit, name in units:
            if unit == "severity" and len(preset.severities) < 2:
                continue
            found = span_alpha(
                annotations,
                unit,
                severities=preset.gravest_last,
                side=side,
                language=language,
                draws=parameters.draws,
                seed=parameters.seed,
            )
            yield about.row(_alpha_name(name, side), found.alpha, found.interval, n=found.units, sources=found.sources)
            if unit == "marked":
                share = _alpha_name(name, side).replace("alpha", "share", 1)
                yield about.row(share, found.share, n=found.units, sources=found.sources)
    if any(mark.missing for each in annotations for mark in each.counted):
        found = span_alpha(annotations, "missing", draws=parameters.draws, seed=parameters.seed)
        yield about.row("alpha of something missing", found.alpha, found.interval, n=found.units, sources=found.sources)


def _of_marks(about: About, annotations: Sequence[Annotation], parameters: SpansParameters) -> Iterator[ReportRow]:
    draws, seed = parameters.draws, parameters.seed
    for matching in ("exact", "overlap", "credit"):
        yield _pairs(about, f"F {matching}", pair_f(annotations, matching, draws=draws, seed=seed))
        halved = pair_f(annotations, matching, penalty=0.5, draws=draws, seed=seed)
        yield _pairs(about, f"F {matching}, half for unequal severities", halved)
    yield _pairs(about, "F characters", character_f(annotations, draws=draws, seed=seed))


def _pairs(about: About, figure: str, found: PairAgreement) -> ReportRow:
    return about.row(figure, found.mean, found.interval, n=len(found.couples), sources=found.sources)


def _of_scores(annotations: Sequence[Annotation]) -> Iterator[ReportRow]:
    """Yield the intraclass correlations and alpha of the scores from 0 to 100."""
    about, scored = About(OF_SCORES, ALL, ""), [each for each in annotations if each.score is not None]
    texts = {text: row for row, text in enumerate(dict.fromkeys(each.text for each in scored))}
    people = {person: column for column, person in enumerate(sorted({each.person for each in scored}))}
    matrix = np.full((len(texts), len(people)), np.nan)
    for each in scored:
        matrix[texts[each.text], people[each.person]] = each.score
    raters = np.broadcast_to(np.arange(len(people)), matrix.shape)
    numbers = sampled_numbers(matrix, sources=[segment for segment, _ in texts], raters=raters)
    found = number_intraclass(numbers)
    n, of_sources = len(texts), numbers.sources
    if isinstance(found, Undefined):
        yield about.row("ICC(1)", found, n=n, sources=of_sources)
        yield about.row("ICC(1,k)", found, n=n, sources=of_sources)
    else:
        yield about.row("ICC(1)", found.single, found.single_interval, n=n, sources=of_sources)
        yield about.row("ICC(1,k)", found.panel, found.panel_interval, n=n, sources=of_sources)
    alpha = interval_alpha(numbers)
    if isinstance(alpha, Undefined):
        yield about.row("alpha", alpha, n=n, sources=of_sources)
    else:
        yield about.row("alpha", alpha.alpha, alpha.interval, n=alpha.items, sources=numbers.sources)
