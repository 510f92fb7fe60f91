"""What the page of a finished report on marks of errors shows: the answer, a plot, and tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.plots import linear_axis
from common.row_plots import Place, PlotRow, RowPlot
from common.templatetags.formatting import decimal
from common.words import Words
from protocols.report_rows import ALL, Row, estimate_words, found, rows_of, system_name
from protocols.spans.agreement import AGREEMENT, OF_SCORES
from protocols.spans.exports import FORMS
from protocols.spans.premarked import DIFFERENCE, FATES, PREMARKS
from protocols.spans.scores import DENSITY, DIFFERENCES, EDITS, MARKS, POINTS, SCORES, SHARES, TAU
from protocols.spans.settings import WITH, WITHOUT, SpansParameters
from reports.figures import Figure
from reports.models import Report

MAIN_ALPHA, MAIN_SHARE = "alpha of tokens marked", "share of tokens marked"


@dataclass(frozen=True)
class SystemLine:
    """A system in the main table."""

    name: str
    points: Row | None
    score: Row | None
    z: Row | None
    density: Row | None


@dataclass(frozen=True)
class MarkTable:
    """The marks of a kind: how many of each severity, by system."""

    severities: list[str]
    lines: list[tuple[str, str, list[int]]]


def report_context(report: Report) -> dict[str, Any]:
    """Return what the page of a finished report shows."""
    parameters = SpansParameters.of(report.parameters)
    points = rows_of(report, POINTS)
    slug = report.of_campaign.slug
    return {
        "answer": answer_of(report),
        "per": _("per 100 words of the source") if parameters.per_100_words else _("per text"),
        "drawn": list(filter(None, [points_figure(points, _axis_name(parameters))])),
        "systems": _system_lines(report),
        "has_scores": bool(rows_of(report, SCORES)),
        "differences": [
            (system_name(row["part"]), system_name(row["group"]), row) for row in rows_of(report, DIFFERENCES)
        ],
        "tau": found(rows_of(report, TAU)),
        "marks": mark_table(rows_of(report, MARKS)),
        "edits": [(system_name(row["group"]), row) for row in rows_of(report, EDITS)],
        "shares": [(system_name(row["group"]), row) for row in rows_of(report, SHARES)],
        "agreement": rows_of(report, AGREEMENT, ALL),
        "agreement_by": [row for row in rows_of(report, AGREEMENT) if row["part"] != ALL],
        "of_scores": rows_of(report, OF_SCORES),
        "premarks": _premark_lines(report),
        "fates": rows_of(report, FATES),
        "formats": [_format_line(slug, each) for each in report.figures["formats"]],
    }


def _axis_name(parameters: SpansParameters) -> str:
    if parameters.per_100_words:
        return _("Points per 100 words of the source; 0 is best")
    return _("Points per text; 0 is best")


def _format_line(slug: str, found: Mapping[str, Any]) -> tuple[Words, str, list[str], str]:
    """Return what a format is called, its address, what it has no place for, and why it cannot be written."""
    form = FORMS[found["format"]]
    return form.label, reverse("protocols:answers-file", args=[slug, form.key]), found["lost"], found["refused"]


# The answer


def answer_of(report: Report) -> list[str]:
    """Say in one to three sentences what is known of the systems, and how far people agree."""
    points = [row for row in rows_of(report, POINTS) if row["value"] is not None]
    said = [_systems_words(report, points)] if points else _density_words(report)
    alpha = found(rows_of(report, AGREEMENT, ALL), figure=MAIN_ALPHA)
    return [*said, *([_agreement_words(report, alpha)] if alpha else [])]


def _systems_words(report: Report, points: Sequence[Row]) -> str:
    best = max(points, key=lambda row: row["value"])
    values: dict[str, Any] = {"best": system_name(best["group"]), "points": estimate_words(best)}
    if len(points) == 1:
        words = _("People gave %(best)s %(points)s points on average, where 0 is best.")
        return words % values
    worst = min(points, key=lambda row: row["value"])
    values |= {"worst": system_name(worst["group"]), "worst_points": estimate_words(worst), "n": len(points)}
    words = ngettext(
        "Of %(n)s system %(best)s has the best points on average, %(points)s, and %(worst)s the worst, "
        "%(worst_points)s, where 0 is best.",
        "Of %(n)s systems %(best)s has the best points on average, %(points)s, and %(worst)s the worst, "
        "%(worst_points)s, where 0 is best.",
        len(points),
    )
    return f"{words % values} {_difference_words(report, best['group'], worst['group'])}".strip()


def _difference_words(report: Report, best: str, worst: str) -> str:
    """Say how far the two are apart over the sources that both have, and whether that is told from none."""
    rows = rows_of(report, DIFFERENCES)
    row, sign = found(rows, part=best, group=worst), 1
    if row is None:
        row, sign = found(rows, part=worst, group=best), -1
    if row is None:
        return ""
    if row["value"] is None:
        return _("No source has texts of both.")
    if row["low"] is None:
        words = _("On the sources that both have they are %(value)s points apart; there is no interval: %(why)s.")
        return words % {"value": decimal(sign * row["value"]), "why": row["no_interval"]}
    ends = sorted((sign * row["low"], sign * row["high"]))
    values = {"value": decimal(sign * row["value"]), "low": decimal(ends[0]), "high": decimal(ends[1])}
    if ends[0] <= 0 <= ends[1]:
        return (
            _(
                "On the sources that both have they are %(value)s points apart (%(low)s to %(high)s): which of the two "
                "is better is not shown."
            )
            % values
        )
    return _("On the sources that both have they are %(value)s points apart (%(low)s to %(high)s).") % values


def _density_words(report: Report) -> list[str]:
    rows = [row for row in rows_of(report, DENSITY) if row["value"] is not None]
    words = _("%(system)s: %(value)s marks per 100 words of the source")
    said = [words % {"system": system_name(row["group"]), "value": estimate_words(row)} for row in rows[:5]]
    return ["; ".join(said) + "."] if said else []


def _agreement_words(report: Report, alpha: Row) -> str:
    share = found(rows_of(report, AGREEMENT, ALL), figure=MAIN_SHARE)
    if alpha["value"] is None:
        return _("How far people agree on which words are marked is not known: %(why)s.") % {"why": alpha["reason"]}
    values = {"alpha": estimate_words(alpha), "share": decimal(100 * (share["value"] or 0) if share else 0, 1)}
    words = _("On which words are marked people agree with Krippendorff’s alpha %(alpha)s; %(share)s%% are marked.")
    return words % values


# The plot and the tables


def points_figure(points: Sequence[Row], axis_name: str) -> Figure | None:
    """Draw the points of systems, best first; None if there are none."""
    known = sorted((row for row in points if row["value"] is not None), key=lambda row: -row["value"])
    if not known:
        return None
    low = min(row["value"] if row["low"] is None else row["low"] for row in known) * 1.05 or -1.0
    place = Place(low, 0)
    rows = [
        PlotRow(system_name(row["group"]), dots=[place.dot(row["value"], estimate_words(row), row["low"], row["high"])])
        for row in known
    ]
    caption = _("A dot is the mean over texts, its line the 95% interval over sources.")
    return Figure("points", _("Points by system"), caption, RowPlot(rows, linear_axis(axis_name, low, 0)))


def _system_lines(report: Report) -> list[SystemLine]:
    points, scores, densities = (rows_of(report, table) for table in (POINTS, SCORES, DENSITY))
    lines = [
        SystemLine(
            system_name(row["group"]),
            found(points, group=row["group"]),
            found(scores, group=row["group"], figure="score"),
            found(scores, group=row["group"], figure="z"),
            row,
        )
        for row in densities
    ]
    return sorted(lines, key=_rank)


def _rank(line: SystemLine) -> float:
    """Return the place of a system in the table: those without points come last."""
    value = line.points["value"] if line.points else None
    return inf if value is None else -float(value)


def mark_table(rows: Sequence[Row]) -> MarkTable:
    """Return the numbers of marks with a column for each severity."""
    severities = sorted({row["figure"] for row in rows})
    places = sorted({(row["group"], row["part"]) for row in rows})
    numbers = {(row["group"], row["part"], row["figure"]): row["value"] for row in rows}
    lines = [
        (system_name(system), kind, [numbers.get((system, kind, severity), 0) for severity in severities])
        for system, kind in places
    ]
    return MarkTable(severities, lines)


def _premark_lines(report: Report) -> list[tuple[str, list[Row | None]]]:
    """Return the figures of pre-marks with a column for with, without, and the difference."""
    rows = rows_of(report, PREMARKS)
    figures = dict.fromkeys(row["figure"] for row in rows)
    return [
        (figure, [found(rows, figure=figure, part=part) for part in (WITH, WITHOUT, DIFFERENCE)]) for figure in figures
    ]
