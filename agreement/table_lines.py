"""The rows of a report as lines of tables for pages, files and terminals, and what pages call their parts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement.report_rows import FEW_TEXTS
from agreement.sections.by_rater import ONE_RATER, PAIR
from agreement.sections.cleaning import AFTER, BEFORE
from agreement.sections.coefficients import ALL_EXPERTS, ALL_RATERS, PERCENT
from agreement.sections.number_scales import KENDALL, MANY_POINTS, SPEARMAN
from agreement.sections.paper_table import ALL_RATINGS, EXPERTS, EXPERTS_WORKERS, OTHER_ROUNDING, TABLE_FOUR, WORKERS
from agreement.sections.subgroups import BY_GENRE, BY_LENGTH, BY_SENTENCES
from common.words import Words
from compressions.genres import genre_label
from crowd.scales import Scale
from measures.agreement.mean_rounding import Rounding
from reports.models import Report
from reports.selectors import rows_by_key

LABELS: dict[str, Words] = {
    WORKERS: gettext_lazy("Rater versus rater"),
    ALL_RATINGS: gettext_lazy("Rater versus rater, all ratings"),
    OTHER_ROUNDING.format(Rounding.HALF_UP.value): gettext_lazy("Rater versus rater, halves rounded up"),
    OTHER_ROUNDING.format(Rounding.HALF_EVEN.value): gettext_lazy("Rater versus rater, halves rounded to even"),
    EXPERTS: gettext_lazy("Expert versus expert"),
    EXPERTS_WORKERS: gettext_lazy("Expert versus rater"),
    ALL_RATERS: gettext_lazy("All raters"),
    ALL_EXPERTS: gettext_lazy("All experts"),
    PERCENT: gettext_lazy("Share of pairs that agree"),
    SPEARMAN: gettext_lazy("Spearman’s ρ, mean over pairs of raters"),
    KENDALL: gettext_lazy("Kendall’s τ-b, mean over pairs of raters"),
    BY_GENRE: gettext_lazy("By genre"),
    BY_SENTENCES: gettext_lazy("By number of sentences"),
    BY_LENGTH: gettext_lazy("By length of the source"),
    BEFORE: gettext_lazy("Before"),
    AFTER: gettext_lazy("After"),
}
_WITH_RATINGS = re.compile(rf"({BEFORE}|{AFTER}): ([\d.]+) ratings per text")
_WEIGHTED = re.compile(rf"{PERCENT} \((\w+)\)")
_SENTENCES = re.compile(r"(\d+) sentences?")
_WEEK = re.compile(r"week of ([\d-]+)")


def label_of(name: str) -> str:
    """Return what a page calls a comparison, a coefficient, a grouping or a group; names of people stay as they are."""
    return str(LABELS[name]) if name in LABELS else _label_with_value(name)


def _label_with_value(name: str) -> str:
    if match := _WITH_RATINGS.fullmatch(name):
        words = _("Before: %(mean)s ratings per text") if match[1] == BEFORE else _("After: %(mean)s ratings per text")
        return words % {"mean": match[2]}
    if match := _WEIGHTED.fullmatch(name):
        return _("Share of pairs that agree (%(weights)s)") % {"weights": match[1]}
    if match := _SENTENCES.fullmatch(name):
        return ngettext("%(n)s sentence", "%(n)s sentences", int(match[1])) % {"n": match[1]}
    if match := _WEEK.fullmatch(name):
        return _("Week of %(day)s") % {"day": match[1]}
    return name


# With fewer texts of two experts, bootstrap intervals over texts hold the true kappa less often than they say.
ENOUGH_EXPERT_TEXTS = 50
CELLS = ("agreement", "kappa")
# The groups of these have names that people gave.
NAMED_GROUPS = {BY_GENRE, ONE_RATER, PAIR}


@dataclass(frozen=True)
class TableLine:
    """A comparison, with cells in the order of the paper's Table 4: agreement and kappa of each scale.

    `comparison` is its name in files, `label` the one on pages.
    """

    comparison: str
    label: str
    cells: list[dict[str, Any]]


def table_lines(report: Report, comparisons: Iterable[str] = TABLE_FOUR) -> list[TableLine]:
    """Return one line per comparison, with the scales in the campaign's order."""
    scales = [scale.key for scale in few_point_scales(report)]
    by_key = {(row["comparison"], row["scale"], row["measure"]): row for row in report.rows or []}
    return [
        TableLine(
            name,
            label_of(name),
            [by_key[name, scale, measure] for scale in scales for measure in CELLS],
        )
        for name in comparisons
        if scales and (name, scales[0], "kappa") in by_key
    ]


def spread_lines(report: Report) -> list[TableLine]:
    """Return the variants of the worker vs worker row, such as with resampled items or the other rounding."""
    names = dict.fromkeys(row["comparison"] for row in report.rows or [])
    return table_lines(report, [name for name in names if name.startswith(f"{WORKERS},")])


@dataclass(frozen=True)
class Headline:
    """The one interval of a scale to cite."""

    scale: str
    row: dict[str, Any]


def headlines(report: Report) -> list[Headline]:
    """Return kappa of worker versus worker of each scale that has an interval over sources and enough texts to cite."""
    return [each for each in _with_intervals(report) if each.row["items"] >= FEW_TEXTS]


def too_few_to_cite(report: Report) -> int | None:
    """Return the most texts that a scale has, if that is too few for every scale; None if one can be cited."""
    texts = [each.row["items"] for each in _with_intervals(report)]
    return max(texts) if texts and max(texts) < FEW_TEXTS else None


def why_no_kappa(report: Report) -> str:
    """Return why no scale has a kappa of worker versus worker with an interval over sources, as far as it is known."""
    rows = [row for row in rows_of(report, WORKERS) if row["measure"] == "kappa"]
    return "; ".join(dict.fromkeys(why for row in rows if (why := row["undefined"] or row.get("no_interval"))))


def _with_intervals(report: Report) -> list[Headline]:
    names = {scale.key: scale.name for scale in report.of_release.rating_scales}
    rows = {row["scale"]: row for row in rows_of(report, WORKERS) if row["measure"] == "kappa"}
    cited = [(name, rows[key]) for key, name in names.items() if key in rows]
    return [Headline(name, row) for name, row in cited if row["value"] is not None and row.get("sources")]


def few_expert_texts(report: Report) -> int | None:
    """Return how many texts two experts rated if that is too few for the paper's interval to cover as it says."""
    items = [row["items"] for row in rows_of(report, EXPERTS) if row["items"]]
    return min(items) if items and min(items) < ENOUGH_EXPERT_TEXTS else None


def group_lines(report: Report, comparison: str) -> list[TableLine]:
    """Return one line per subgroup or person, with the scales in the campaign's order."""
    return _lines_of(report, comparison, rows_of(report, comparison))


def _lines_of(report: Report, comparison: str, rows: list[dict[str, Any]]) -> list[TableLine]:
    scales = [scale.key for scale in few_point_scales(report)]
    label = str if comparison in NAMED_GROUPS else label_of
    by_key = {(row["group"], row["scale"], row["measure"]): row for row in rows}
    return [
        TableLine(
            group,
            label(group),
            [by_key[group, scale, measure] for scale in scales for measure in CELLS],
        )
        for group in dict.fromkeys(row["group"] for row in rows)
        if scales and all((group, scale, "kappa") in by_key for scale in scales)
    ]


def part_lines(report: Report, grouping: str) -> list[TableLine]:
    """Return one line per part of the release; texts without a genre are a part whose name is empty in files."""
    lines = group_lines(report, grouping)
    return [replace(line, label=genre_label(line.comparison)) for line in lines] if grouping == BY_GENRE else lines


@dataclass(frozen=True)
class CoefficientLine:
    """A coefficient over all raters of a round, with a cell for each scale."""

    judges: str
    measure: str
    cells: list[dict[str, Any]]

    @property
    def judges_label(self) -> str:
        return label_of(self.judges)

    @property
    def measure_label(self) -> str:
        return label_of(self.measure)


def coefficient_lines(report: Report) -> list[CoefficientLine]:
    """Return the coefficients by round, with the scales in the campaign's order; rounds without ratings are absent."""
    scales = [scale.key for scale in few_point_scales(report)]
    rows = [row for row in _of_all(report) if row["scale"] in scales]
    by_key = {(row["comparison"], row["measure"], row["scale"]): row for row in rows}
    return [
        CoefficientLine(judges, measure, [by_key[judges, measure, scale] for scale in scales])
        for judges, measure in dict.fromkeys((row["comparison"], row["measure"]) for row in rows)
    ]


def _of_all(report: Report) -> list[dict[str, Any]]:
    return [*rows_of(report, ALL_RATERS), *rows_of(report, ALL_EXPERTS)]


def few_point_scales(report: Report) -> list[Scale]:
    """Return the scales on which people often give the same point, so that there is a kappa."""
    return [scale for scale in report.of_release.rating_scales if scale.has_few_points]


@dataclass(frozen=True)
class NumberTable:
    """The coefficients of a scale of many points or real numbers, and why it has no kappa."""

    scale: Scale
    lines: list[CoefficientLine]
    why: str

    @property
    def cited(self) -> dict[str, Any]:
        """The row of the coefficient that answers first: alpha of all raters."""
        return self.lines[0].cells[0]


def number_tables(report: Report) -> list[NumberTable]:
    """Return a table for each scale of many points or real numbers."""
    return [
        NumberTable(
            scale,
            [
                CoefficientLine(row["comparison"], row["measure"], [row])
                for row in _of_all(report)
                if row["scale"] == scale.key
            ],
            MANY_POINTS.reason,
        )
        for scale in report.of_release.rating_scales
        if not scale.has_few_points
    ]


def rows_of(report: Report, comparison: str) -> list[dict[str, Any]]:
    return [row for row in report.rows or [] if row["comparison"] == comparison]


def pair_lines(report: Report) -> list[TableLine]:
    """Return one line per pair of raters, those that no page shows after the others."""
    return _lines_of(report, PAIR, [*rows_of(report, PAIR), *chain.from_iterable(rows_by_key(report))])
