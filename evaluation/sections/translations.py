"""Do metrics say the same where outputs or references are translated?"""

from collections.abc import Iterator, Mapping
from math import isnan

from corpus.release.records import ReleasedOutput, ReleasedText
from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    DiscriminativePower,
    Judges,
    Variant,
    VariantAgainstJudges,
    VariantFigures,
    translated_variants,
    variant_figures,
    variant_scores,
)
from systems.programs.extraction import sentence_summarizer

TABLE = "variants"
MAX_VARIANTS = 24
"""Every variant is scored anew, at the paper's size in about two seconds."""
LEFT_OUT = Undefined(f"only the first {MAX_VARIANTS} variants are scored")


def translation_rows(judged: JudgedRelease) -> SectionResult:
    """Return the figures of every variant that translations allow; nothing where no text is translated."""
    translated = judged.translations
    if not translated.rows:
        return SectionResult([], {})
    systems, people = _systems(judged), _people(judged)
    variants = translated_variants(
        translated.language,
        {key: output.text for key, output in systems.items()},
        {key: text.text for key, text in people.items()},
        translated.rows,
        summarize=sentence_summarizer(translated.keep_percent),
    )
    judges = [Judges(name, _means(judged, name, systems), _means(judged, name, people)) for name in judged.judgements]
    scored = [each for variant in variants[:MAX_VARIANTS] for each in _scored(judged, variant, judges)]
    left_out = [
        row(TABLE, "mean of systems", LEFT_OUT, judgement=name, other=variant.name)
        for name in judged.judgements
        for variant in variants[MAX_VARIANTS:]
    ]
    return SectionResult([each for name in judged.judgements for each in _rows(scored, name)] + left_out, {})


def _systems(judged: JudgedRelease) -> dict[tuple[str, str], ReleasedOutput]:
    return {(source.source_id, each.system): each for source in judged.inputs for each in source.outputs}


def _people(judged: JudgedRelease) -> dict[tuple[str, str], ReleasedText]:
    """Return the first text of each editor for each input."""
    found: dict[tuple[str, str], ReleasedText] = {}
    for source in judged.inputs:
        for text in source.texts:
            for editor in filter(None, text.editors):
                found.setdefault((source.source_id, editor), text)
    return found


def _means(
    judged: JudgedRelease, judgement: str, texts: Mapping[tuple[str, str], ReleasedOutput | ReleasedText]
) -> dict[tuple[str, str], float]:
    means = {key: judged.mean_points(text, judgement, judged.parameters.pool) for key, text in texts.items()}
    return {key: mean for key, mean in means.items() if not isnan(mean)}


def _scored(judged: JudgedRelease, variant: Variant, judges: list[Judges]) -> tuple[VariantFigures, ...]:
    chosen = judged.parameters
    return variant_figures(variant_scores(variant), judges, alpha=chosen.alpha, min_inputs=chosen.min_inputs)


def _rows(scored: list[VariantFigures], judgement: str) -> Iterator[Row]:
    for each in scored:
        about = {"judgement": judgement, "metric": each.metric, "other": each.variant, "signature": each.signature}
        yield row(TABLE, "mean of people", each.people_mean, n=each.people, **about)
        yield row(TABLE, "mean of systems", each.systems_mean, n=each.systems, **about)
        yield from _against(each.against[judgement], about)


def _against(found: VariantAgainstJudges, about: Mapping[str, str]) -> Iterator[Row]:
    for who, by_method in found.correlations.items():
        for method, correlation in by_method.items():
            p = None if isinstance(correlation.p, Undefined) else correlation.p
            yield row(TABLE, f"{method}, {who}", correlation.r, n=correlation.systems, p=p, **about)
    power = found.power
    if isinstance(power, DiscriminativePower):
        found_again = power.found_again
        again = found_again if isinstance(found_again, Undefined) else found_again.value
        yield row(TABLE, "pairs of systems that it tells apart", power.share.value, n=power.pairs, **about)
        yield row(TABLE, "differences in ratings that it finds", again, n=power.by_ratings, **about)
    else:
        yield row(TABLE, "pairs of systems that it tells apart", power, **about)


SECTIONS = [ReportSection(170, translation_rows, cost=2)]
