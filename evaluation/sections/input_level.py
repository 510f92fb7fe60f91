"""Which metrics tell how much better an output is than another of the same input (input level), and who dominates."""

from collections.abc import Iterator

import numpy as np

from evaluation.compared import Compared, compare_metrics
from evaluation.judged_release import JudgedRelease, Part
from evaluation.sections.base import (
    LEAST_INPUTS,
    TOO_FEW_INPUTS,
    Figures,
    ReportSection,
    Row,
    SectionResult,
    plain,
    row,
)
from evaluation.sections.corpus_level import interval_values
from measures.core.undefined import Undefined
from measures.meta_evaluation import BesideLength, beside_length, cluster_ranks, input_level_intervals

TABLE, BY_PAIR = "input level", "input level by pair"
OTHER_SHARES = (0.7, 0.9)
"""Shares of the pairs of systems beside the one asked for, to see what depends on it."""


def input_rows(judged: JudgedRelease) -> SectionResult:
    """Return the correlations of each metric on all inputs, by pair of systems, and on parts of the inputs."""
    rows: list[Row] = []
    by_pair: list[Row] = []
    figures: Figures = {}
    for judgement in judged.judgements:
        compared = judged.compared[judgement]
        rows += _whole_rows(judged, judgement, compared)
        by_pair += _pair_rows(judgement, compared)
        for part in judged.parts[1:]:
            rows += _part_rows(judged, judgement, part)
        figures[judgement] = matrix_of(judged, compared)
    return SectionResult(rows, {"input level": figures}, by_pair)


def _whole_rows(judged: JudgedRelease, judgement: str, compared: Compared) -> Iterator[Row]:
    chosen, metrics = judged.parameters, compared.outputs.metrics
    ratings = judged.given_ratings(judgement)
    intervals = input_level_intervals(compared.outputs, ratings=ratings, missing=chosen.missing)
    lengths = beside_length(compared.outputs, missing=chosen.missing, alpha=chosen.alpha, share=chosen.share)
    ranks = cluster_ranks(compared.level.means, np.asarray(compared.dominance.holm < chosen.alpha))
    for number, metric in enumerate(metrics):
        found = compared.level.over_pairs(number, chosen.over_pairs)
        # Only the mean over pairs has an interval.
        has_interval = chosen.over_pairs == "mean" and not isinstance(found, Undefined)
        interval = intervals[number] if compared.level.inputs.max(initial=0) >= LEAST_INPUTS else TOO_FEW_INPUTS
        yield row(
            TABLE,
            "r",
            found,
            judgement=judgement,
            metric=metric,
            rank=ranks[number],
            **(interval_values(interval) if has_interval else {}),
            **_values(compared, number),
            **_beside_length(lengths, number),
        )


def _values(compared: Compared, metric: int) -> dict[str, object]:
    """Return the columns that all inputs and parts of them have."""
    defined = ~np.isnan(compared.level.r[metric])
    found = compared.dominance
    others = {how: compared.level.over_pairs(metric, how) for how in ("fisher", "pooled")}
    return {
        "n": compared.level.least_inputs(metric),
        "pairs": int(defined.sum()),
        "small_pairs": int((compared.level.inputs[defined] < LEAST_INPUTS).sum()),
        **{how: None if isinstance(value, Undefined) else value for how, value in others.items()},
        "is_top": metric in found.top,
        "is_top_literal": metric in found.top_literal,
        **{f"is_top_at_{share:.1f}": metric in found.top_at(share) for share in OTHER_SHARES},
        "dominated_by": int(found.dominates[:, metric].sum()),
        "dominates": int(found.dominates[metric].sum()),
    }


def _beside_length(lengths: tuple[BesideLength, ...] | Undefined, metric: int) -> dict[str, object]:
    if isinstance(lengths, Undefined):
        return {"partial_r": None, "beats_length": None}
    found = lengths[metric]
    known = {"partial_r": found.partial, "beats_length": found.is_better}
    return {name: None if isinstance(value, Undefined) else value for name, value in known.items()}


def _pair_rows(judgement: str, compared: Compared) -> Iterator[Row]:
    for number, metric in enumerate(compared.outputs.metrics):
        for place, pair in enumerate(compared.outputs.pair_names):
            about = {"judgement": judgement, "metric": metric, "other": ", ".join(pair)}
            yield row(BY_PAIR, "r", compared.level.at(number, place), n=compared.level.inputs[place], **about)


def _part_rows(judged: JudgedRelease, judgement: str, part: Part) -> Iterator[Row]:
    compared = compare_metrics(judged.judged(judgement, part), judged.parameters)
    about = {"judgement": judgement, "part_kind": part.kind, "part": part.name}
    for number, metric in enumerate(compared.outputs.metrics):
        found = compared.level.over_pairs(number, judged.parameters.over_pairs)
        yield row(TABLE, "r", found, metric=metric, **about, **_values(compared, number))


def matrix_of(judged: JudgedRelease, compared: Compared) -> dict[str, object]:
    """Return the share of pairs on which each metric is better than each other, and p with error control."""
    found = compared.dominance
    defined = found.defined
    won = np.where(defined > 0, found.won / np.maximum(defined, 1), np.nan)
    return {
        "metrics": list(found.metrics),
        "won": [[plain(round(value, 4)) for value in line] for line in won.tolist()],
        "p_holm": [[plain(round(value, 6)) for value in line] for line in found.holm.tolist()],
        "p_bh": [[plain(round(value, 6)) for value in line] for line in found.benjamini_hochberg.tolist()],
        "share": judged.parameters.share,
        "alpha": judged.parameters.alpha,
    }


SECTIONS = [ReportSection(40, input_rows, cost=6)]
