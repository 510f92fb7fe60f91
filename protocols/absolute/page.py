"""What the page of a finished report on points shows: its answer, a plot of means, and tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from django.utils.translation import gettext as _

from common.templatetags.formatting import decimal, p_value
from protocols.absolute import figures as of
from protocols.absolute.settings import WITH, WITHOUT
from protocols.dot_plots import dot_plot
from protocols.report_rows import Row, estimate_words, found, rows_of, system_name
from reports.figures import Figure
from reports.models import Report

PAPER, SECTION = "D04", "evaluation"
ALPHA_LEVEL = 0.05


@dataclass(frozen=True)
class SystemLine:
    """A system with its means by arm."""

    name: str
    with_reference: Row | None
    without: Row | None


@dataclass(frozen=True)
class PairLine:
    first: str
    second: str
    rows: Mapping[str, Row]

    @property
    def difference(self) -> Row:
        return self.rows[of.DIFFERENCE]

    @property
    def tests(self) -> list[Row | None]:
        return [self.rows.get(each) for each in (of.P, of.P_HOLM)]


def report_context(report: Report) -> dict[str, Any]:
    """Return what the page of a finished report shows."""
    lines = system_lines(report)
    return {
        "answer": answer_of(report),
        "drawn": list(filter(None, [_points_figure(lines)])),
        "systems": lines,
        "has_arms": any(line.without and line.with_reference for line in lines),
        "agreement": rows_of(report, of.AGREEMENT),
        "model": rows_of(report, of.MODEL),
        "pairs": pair_lines(report),
    }


def _points_figure(lines: Sequence[SystemLine]) -> Figure:
    named = [(line.name, "", line.with_reference) for line in lines if line.with_reference]
    plot = dot_plot(named, _("Mean points; 1 is the best, 5 the worst"), low=1, least_high=4.9)
    caption = _(
        "1 is the best, 5 the worst. Of each text the mean, over all texts, of answers after the reference; 95% "
        "intervals by t."
    )
    return Figure("points", _("Mean points"), caption, plot)


def system_lines(report: Report) -> list[SystemLine]:
    """Return the systems, the best first, which has the fewest points."""
    rows = rows_of(report, of.MEANS)
    lines = [
        SystemLine(system_name(name), found(rows, group=name, part=WITH), found(rows, group=name, part=WITHOUT))
        for name in dict.fromkeys(row["group"] for row in rows)
    ]
    return sorted(lines, key=lambda line: (line.with_reference["value"] if line.with_reference else inf, line.name))


def pair_lines(report: Report) -> list[PairLine]:
    by_pair: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows_of(report, of.PAIRS):
        by_pair.setdefault((row["part"], row["group"]), {})[row["figure"]] = row
    return [PairLine(system_name(first), system_name(second), rows) for (first, second), rows in by_pair.items()]


# The answer


def answer_of(report: Report) -> list[str]:
    """Say which system has the best points, whether systems differ, and what the reference does."""
    lines = system_lines(report)
    return [_means_words(lines), *_tests_words(report), *_reference_words(report)]


def _means_words(lines: Sequence[SystemLine]) -> str:
    known = [(line.name, line.with_reference) for line in lines if line.with_reference]
    if not known:
        return _("Nobody has given points after reading a reference yet.")
    (best, points), (worst, worst_points) = known[0], known[-1]
    values = {"best": best, "points": estimate_words(points)}
    if len(known) == 1:
        return _("People gave %(best)s %(points)s points on average, where 1 is the best and 5 the worst.") % values
    values |= {"worst": worst, "worst_points": estimate_words(worst_points), "n": str(len(known))}
    words = _(
        "Of %(n)s systems, %(best)s has the best points on average, %(points)s, and %(worst)s the worst, "
        "%(worst_points)s, where 1 is the best and 5 the worst."
    )
    return words % values


def _tests_words(report: Report) -> list[str]:
    pairs = [row for row in rows_of(report, of.PAIRS) if row["figure"] == of.P_HOLM]
    tested = [row for row in pairs if row["value"] is not None]
    if not tested:
        why = next((row["reason"] or row["no_interval"] for row in _untested(report)), "")
        return [_("Whether systems differ is not tested: %(why)s.") % {"why": why}] if why else []
    apart = sum(row["value"] < ALPHA_LEVEL for row in tested)
    words = _("In the mixed model %(apart)s of %(pairs)s pairs of systems differ (p < .05 after Holm).")
    return [words % {"apart": apart, "pairs": len(tested)}]


def _untested(report: Report) -> list[Row]:
    rows = [*rows_of(report, of.PAIRS), *rows_of(report, of.MODEL)]
    return [row for row in rows if row["reason"] or row["no_interval"]]


def _reference_words(report: Report) -> list[str]:
    rows = rows_of(report, of.MODEL)
    effect, p = found(rows, figure=of.REFERENCE_EFFECT), found(rows, figure=of.REFERENCE_P)
    if effect is None or effect["value"] is None or p is None:
        return []
    told = p_value(p["value"])
    values = {
        "value": decimal(effect["value"]),
        "low": decimal(effect["low"]),
        "high": decimal(effect["high"]),
        "p": told if told.startswith("<") else f"= {told}",
    }
    if effect["low"] <= 0 <= effect["high"]:
        words = _(
            "No effect of the reference is shown: points without it less those with it are %(value)s (95%% interval "
            "%(low)s to %(high)s, p %(p)s)."
        )
    elif effect["value"] > 0:
        words = _(
            "Without the reference people give more points, which is worse: %(value)s (95%% interval %(low)s to "
            "%(high)s, p %(p)s)."
        )
    else:
        words = _(
            "Without the reference people give fewer points, which is better: %(value)s (95%% interval %(low)s to "
            "%(high)s, p %(p)s)."
        )
    return [words % values]
