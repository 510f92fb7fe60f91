"""What the page of a finished report on rankings shows: its answer, a plot of mean ranks, and tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.templatetags.formatting import p_value
from common.words import Words
from protocols.dot_plots import dot_plot
from protocols.ranking import figures as of
from protocols.report_rows import Row, estimate_words, found, rows_of
from reports.figures import Figure
from reports.models import Report

PAPER, SECTION = "D04", "evaluation"
ALPHA_LEVEL = 0.05
MOST_PAIRS = 200
KIND_WORDS: Mapping[str, Words] = {
    "human": gettext_lazy("person"),
    "system": gettext_lazy("system"),
    "reference": gettext_lazy("reference"),
    "baseline": gettext_lazy("baseline"),
}


@dataclass(frozen=True)
class SystemLine:
    """A system in the main table, with the row of each figure."""

    name: str
    kind: Words
    midrank: Row
    given: Row | None
    strength: Row | None

    @property
    def rows(self) -> list[Row | None]:
        return [self.midrank, self.given, self.strength]


@dataclass(frozen=True)
class PairLine:
    """Two systems, and how they differ; the p of tests are there if all sets that count have both."""

    first: str
    second: str
    rows: Mapping[str, Row]

    @property
    def difference(self) -> Row | None:
        return self.rows.get(of.DIFFERENCE)

    @property
    def wins(self) -> Row:
        return self.rows[of.WINS]

    @property
    def tests(self) -> list[Row | None]:
        return [self.rows.get(each) for each in (of.CONOVER, of.CONOVER_HOLM, of.NEMENYI)]


def report_context(report: Report) -> dict[str, Any]:
    """Return what the page of a finished report shows."""
    rows, lines, pairs = report.rows or [], system_lines(report), pair_lines(report)
    return {
        "answer": answer_of(report),
        "drawn": list(filter(None, [_ranks_figure(lines)])),
        "systems": lines,
        "agreement": rows_of(report, of.AGREEMENT),
        "together": [row for row in rows_of(report, of.TOGETHER) if row["figure"] not in _COUNTS],
        "whole": _WHOLE,
        "pairs": pairs[:MOST_PAIRS],
        "hidden_pairs": max(0, len(pairs) - MOST_PAIRS),
        "left_out": _left_out(rows),
    }


def _ranks_figure(lines: Sequence[SystemLine]) -> Figure:
    named = [(line.name, str(line.kind), line.midrank) for line in lines]
    plot = dot_plot(named, _("Mean rank; 1 is best"), low=1, least_high=2)
    caption = _(
        "Over all answers; texts that tie share the mean of their ranks. Intervals are 95%, over draws of the sets."
    )
    return Figure("ranks", _("Mean ranks"), caption, plot)


_COUNTS, _WHOLE = (of.LEFT_OUT, of.SETS_LEFT_OUT), (of.CIRCLES, of.DECIDED)


def _left_out(rows: Sequence[Row]) -> list[str]:
    """Say which systems and sets are too many for the figures."""
    numbers = {figure: row["value"] for figure in _COUNTS if (row := found(rows, figure=figure))}
    said = []
    if number := numbers.get(of.LEFT_OUT):
        words = ngettext(
            "%(n)s system with fewer texts is left out: the report takes 40.",
            "%(n)s systems with fewer texts are left out: the report takes 40.",
            int(number),
        )
        said.append(words % {"n": f"{int(number):,}"})
    if number := numbers.get(of.SETS_LEFT_OUT):
        words = ngettext(
            "The last %(n)s set is left out: there are too many for so many systems.",
            "The last %(n)s sets are left out: there are too many for so many systems.",
            int(number),
        )
        said.append(words % {"n": f"{int(number):,}"})
    return said


def system_lines(report: Report) -> list[SystemLine]:
    """Return the systems, the best first."""
    ranks, strengths = rows_of(report, of.RANKS), rows_of(report, of.STRENGTHS)
    lines = [
        SystemLine(
            row["group"],
            KIND_WORDS[row["part"]],
            row,
            found(ranks, group=row["group"], figure=of.GIVEN),
            found(strengths, group=row["group"]),
        )
        for row in ranks
        if row["figure"] == of.MIDRANK
    ]
    return sorted(lines, key=lambda line: (line.midrank["value"], line.name))


def pair_lines(report: Report) -> list[PairLine]:
    by_pair: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows_of(report, of.PAIRS):
        by_pair.setdefault((row["part"], row["group"]), {})[row["figure"]] = row
    return [PairLine(first, second, rows) for (first, second), rows in by_pair.items()]


# The answer


def answer_of(report: Report) -> list[str]:
    """Say which texts people put first and last, whether systems are told apart, and how far people agree."""
    return [_order_words(system_lines(report)), _test_words(report), _agreement_words(report)]


def _order_words(lines: Sequence[SystemLine]) -> str:
    best, worst = lines[0], lines[-1]
    values = {
        "n": len(lines),
        "best": best.name,
        "rank": estimate_words(best.midrank),
        "worst": worst.name,
        "worst_rank": estimate_words(worst.midrank),
    }
    words = _(
        "Of %(n)s systems, %(best)s has the best mean rank, %(rank)s, and %(worst)s the worst, %(worst_rank)s, where 1 "
        "is best."
    )
    return words % values


def _test_words(report: Report) -> str:
    rows = rows_of(report, of.TOGETHER)
    chi2, p = found(rows, figure=of.CHI2), found(rows, figure=of.SHUFFLED_P)
    if chi2 is None or p is None:
        reason = chi2["reason"] if chi2 else _("there is no test")
        return _("Whether the systems differ is not tested: %(why)s.") % {"why": reason}
    told = p_value(p["value"])
    values = {"n": f"{p['sources']:,}", "p": told if told.startswith("<") else f"= {told}"}
    if p["value"] < ALPHA_LEVEL:
        words = ngettext(
            "Over %(n)s set that has all of them, their ranks differ by more than chance (Friedman’s test, p %(p)s).",
            "Over the %(n)s sets that have all of them, their ranks differ by more than chance (Friedman’s test, p "
            "%(p)s).",
            p["sources"],
        )
    else:
        words = ngettext(
            "Over %(n)s set that has all of them, no difference of their ranks is shown (Friedman’s test, p %(p)s).",
            "Over the %(n)s sets that have all of them, no difference of their ranks is shown (Friedman’s test, p "
            "%(p)s).",
            p["sources"],
        )
    return words % values


def _agreement_words(report: Report) -> str:
    rows = rows_of(report, of.AGREEMENT)
    tau, w = found(rows, figure=of.TAU_B), found(rows, figure=of.W)
    if tau is None or w is None or tau["value"] is None or w["value"] is None:
        why = next((row["reason"] for row in (tau, w) if row and row["reason"]), _("there is no such set"))
        return _("How far people agree on the order is not known: %(why)s.") % {"why": why}
    words = ngettext(
        "Within %(n)s set, people’s orders agree with a mean tau-b of %(tau)s and a W of %(w)s.",
        "Within %(n)s sets, people’s orders agree with a mean tau-b of %(tau)s and a mean W of %(w)s.",
        tau["sources"],
    )
    return words % {"n": f"{tau['sources']:,}", "tau": estimate_words(tau), "w": estimate_words(w)}
