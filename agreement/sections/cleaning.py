"""Agreement before and after people were left out, by the worker filter or by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy

from agreement.report_rows import ReportRow, undefined_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from crowd.scales import Scale
from measures.agreement.rating_patterns import Patterns, count_patterns
from measures.agreement.simulated_pairs import simulated_pair_agreement
from measures.core.undefined import Undefined

CLEANING = "before and after cleaning"
HEADING = gettext_lazy("Before and after participants were left out")
BEFORE, AFTER = "before", "after"
RATINGS_PER_TEXT = "ratings per text"
UNKNOWN = Undefined("unknown: some ratings were imported, or an earlier version made this release")


def cleaning_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Worker versus worker over all ratings collected for the released sources, and over those that were kept.

    Nothing without a rating that was kept.
    """
    after = count_patterns(ratings.all_crowd, ratings.scale.values, min_ratings=1)
    if not after.items.size:
        return []
    if ratings.before_cleaning is None:
        unknown = undefined_rows(ratings.scale.key, CLEANING, UNKNOWN)
        before = [row.of(BEFORE) for row in unknown]
    else:
        before = _rows(ratings, BEFORE, patterns_of(ratings.before_cleaning, ratings.scale))
    return [*before, *_rows(ratings, AFTER, after)]


def patterns_of(stored: Sequence[dict[str, Any]], scale: Scale) -> Patterns:
    """Return the patterns in the summary of a release: those of all texts with at least one rating."""
    counts = [[each["points"].count(value) for value in scale.values] for each in stored]
    table = np.array(counts, dtype=np.int64).reshape(-1, len(scale.values))
    texts = np.array([each["texts"] for each in stored], dtype=np.int64)
    # In the order of `count_patterns`, so that the same ratings are drawn the same.
    order = np.lexsort(table.T[::-1])
    return Patterns(table[order], texts[order], left_out=0)


def _rows(ratings: ScaleRatings, name: str, patterns: Patterns) -> list[ReportRow]:
    """Return agreement, kappa and the number of ratings of the texts with any; the name tells the last one, too.

    No interval: the draws reflect the choice of a rater only.
    """
    scale, numbers = ratings.scale.key, patterns.counts.sum(axis=1)
    texts = int(patterns.items.sum())
    mean = float(patterns.items @ numbers) / texts
    group = f"{name}: {mean:.3f} ratings per text"
    found = _agreement(ratings, _of_several_ratings(patterns))
    rows = [
        *(undefined_rows(scale, CLEANING, found) if isinstance(found, Undefined) else found),
        ReportRow(scale, CLEANING, RATINGS_PER_TEXT, mean, items=texts),
    ]
    return [row.of(group) for row in rows]


def _agreement(ratings: ScaleRatings, patterns: Patterns) -> list[ReportRow] | Undefined:
    """Return agreement and kappa as the means over the draws that the report's parameters ask for."""
    parameters, scale = ratings.parameters, ratings.scale
    found = simulated_pair_agreement(
        patterns,
        categories=scale.values,
        draws=parameters.draws,
        seed=parameters.seed,
        rounding=parameters.rounding,
        weights=parameters.weights,
    )
    if isinstance(found, Undefined):
        return found
    kappa, draws = found.kappa, found.draws - found.undefined_draws
    row = ReportRow(scale.key, CLEANING, "kappa", items=found.items)
    return [
        ReportRow(scale.key, CLEANING, "agreement", found.agreement.mean, items=found.items, draws=found.draws),
        replace(row, undefined=kappa.reason)
        if isinstance(kappa, Undefined)
        else replace(row, value=kappa.mean, draws=draws),
    ]


def _of_several_ratings(patterns: Patterns) -> Patterns:
    """Leave out the texts with a single rating, which have no pair."""
    several = patterns.counts.sum(axis=1) > 1
    left_out = int(patterns.items[~several].sum())
    return Patterns(patterns.counts[several], patterns.items[several], left_out)


SECTIONS = [ReportSection(15, cleaning_rows, comparison=CLEANING, heading=HEADING)]
