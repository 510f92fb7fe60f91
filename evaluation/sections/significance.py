"""Does a metric find the differences between systems that people find? Agreement about significance."""

from collections.abc import Iterator

from evaluation.baselines import versus_baseline
from evaluation.judged_release import BY_RATER, COMBINED, JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from evaluation.sections.people_and_systems import NOBODY
from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    JudgedOutputs,
    Share,
    Verdicts,
    agreements,
    over_sets,
    pair_kinds,
    restricted,
)
from measures.meta_evaluation.pair_verdicts import PairKind
from measures.meta_evaluation.significance_agreement import SHARE_NAMES, Shares

TABLE = "significance"
AUTO_AUTO: PairKind = "auto-auto"
WITH_PEOPLE: tuple[PairKind, ...] = ("human-auto", "human-human")
OVER_GENRES = ", mean over genres"
SIGNIFICANT_FIGURES: tuple[Shares, ...] = ("sig", "all")
EVERY_JUDGEMENT = ", pairs significant for every judgement"


def significance_rows(judged: JudgedRelease) -> SectionResult:
    """Return the shares of pairs of systems on which metric and people agree, by kind of pair.

    Pairs of two systems are scored against all references, those with a person jackknifed. With several genres, also
    the mean of the shares over the genres, as over the paper's data sets; and the shares of the pairs that differ
    significantly for every scale.
    """
    rows: list[Row] = []
    for judgement in judged.judgements:
        outputs, found = judged.comparable(judgement), judged.verdicts[judgement]
        rows += _rows(judged, judgement, AUTO_AUTO, outputs, found)
        rows += _genre_rows(judged, judgement)
        rows += _restricted_rows(judged, judgement)
        rows += _people_rows(judged, judgement)
    return SectionResult(rows, {})


def _people_rows(judged: JudgedRelease, judgement: str) -> Iterator[Row]:
    everyone = judged.people_and_systems[judgement]
    counts = {"people": int(everyone.is_person.sum()), "people_left_out": everyone.too_few}
    if not everyone.is_person.any():
        for kind in WITH_PEOPLE:
            yield row(TABLE, "sig", NOBODY, judgement=judgement, other=kind, **counts)
        return
    kinds = pair_kinds(everyone.verdicts, everyone.is_person)
    for kind in WITH_PEOPLE:
        yield from _rows(judged, judgement, kind, everyone.outputs, kinds[kind], **counts)


def _rows(
    judged: JudgedRelease, judgement: str, kind: PairKind, outputs: JudgedOutputs, found: Verdicts, **counts: int
) -> Iterator[Row]:
    about = {"judgement": judgement, "other": kind, "is_coarse": found.coarse, **counts}
    if kind == AUTO_AUTO:
        about["left_out"] = found.left_out
    beside = versus_baseline(outputs, found, kind, judged.parameters)
    for number, each in enumerate(agreements(found)):
        for figure in SHARE_NAMES:
            share = each.shares[figure]
            known = {**about, **_values(share), **(beside.columns(figure, number) if beside else {})}
            yield row(TABLE, figure, _value(share), metric=outputs.metrics[number], **known)


def _value(share: Share | Undefined) -> float | Undefined:
    return share if isinstance(share, Undefined) else share.value


def _values(share: Share | Undefined) -> dict[str, object]:
    if isinstance(share, Undefined):
        return {"n": 0}
    (low, high), (wilson_low, wilson_high) = share.normal, share.wilson
    return {"low": low, "high": high, "wilson_low": wilson_low, "wilson_high": wilson_high, "n": share.of}


def _genre_rows(judged: JudgedRelease, judgement: str) -> Iterator[Row]:
    """Yield the mean of the shares over genres; n is the number of genres that have the share."""
    genres = [agreements(judged.verdicts_of(judgement, part)) for part in judged.parts if part.kind == "genre"]
    if not genres:
        return
    for number, metric in enumerate(judged.metrics):
        for figure in SHARE_NAMES:
            shares = [of_genre[number].shares[figure] for of_genre in genres]
            defined = sum(isinstance(each, Share) for each in shares)
            about = {"judgement": judgement, "metric": metric.name, "other": AUTO_AUTO, "n": defined}
            yield row(TABLE, f"{figure}{OVER_GENRES}", over_sets(shares), **about)


def _restricted_rows(judged: JudgedRelease, judgement: str) -> Iterator[Row]:
    """Yield the shares over pairs that differ significantly for every scale (Figure 5 of the paper)."""
    scales = [judged.verdicts[each] for each in judged.judgements if each != COMBINED and not each.endswith(BY_RATER)]
    if len(scales) < 2:
        return
    found = restricted(judged.verdicts[judgement], scales)
    for metric, each in zip(judged.metrics, agreements(found), strict=True):
        for figure in SIGNIFICANT_FIGURES:
            share = each.shares[figure]
            about = {"judgement": judgement, "metric": metric.name, "other": AUTO_AUTO, **_values(share)}
            yield row(TABLE, f"{figure}{EVERY_JUDGEMENT}", _value(share), **about)


SECTIONS = [ReportSection(100, significance_rows, cost=3)]
