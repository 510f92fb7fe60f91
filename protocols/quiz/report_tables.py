"""The tables of the report on a quiz, of its rows alone: for its page, for a terminal and for LaTeX."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.templatetags.formatting import p_value
from common.words import Words
from protocols.quiz import comparison_rows as compared
from protocols.quiz import score_rows as scores
from protocols.quiz import summary_rows as summaries
from protocols.quiz.report_rows import Row

COUNTS = frozenset({"time over", "answers with two marks", "marks more than .5 apart"})


@dataclass(frozen=True)
class Heading:
    """A table of the report: its name in the rows, what it is called, how it is read, and its digits."""

    table: str
    title: Words
    words: Words = ""
    digits: int = 3


@dataclass(frozen=True)
class Cell:
    """A figure in a table, by the digits of the table; counts have none."""

    row: Row
    digits: int

    @property
    def text(self) -> str:
        """The number with its interval, for a terminal or LaTeX."""
        row = self.row
        if row["value"] is None:
            return "--"
        text = f"{row['value']:.{self.digits}f}"
        return text + (
            f" [{row['low']:.{self.digits}f}, {row['high']:.{self.digits}f}]" if row["low"] is not None else ""
        )


@dataclass(frozen=True)
class ListTable:
    """A figure in a line, with n, p and the corrected p."""

    heading: Heading
    lines: Sequence[tuple[str, Cell]]
    columns: Sequence[str] = field(default=(), init=False)

    @property
    def has_tests(self) -> bool:
        return any(cell.row[name] is not None for _label, cell in self.lines for name in ("p", "p_adjusted"))

    @property
    def plain(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The head and the lines as texts."""
        lines: list[tuple[str, ...]] = [
            (label, cell.text, str(cell.row["n"] or ""), _p(cell.row["p"]), _p(cell.row["p_adjusted"]))
            for label, cell in self.lines
        ]
        return ("Figure", "Value", "n", "p", "p, corrected"), lines


@dataclass(frozen=True)
class GridTable:
    """A line of figures for each of `columns`; some may lack."""

    heading: Heading
    first: str
    columns: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Cell | None]]]

    @property
    def plain(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        lines = [(label, *("" if cell is None else cell.text for cell in cells)) for label, cells in self.lines]
        return (self.first, *self.columns), lines


Table = ListTable | GridTable


def _p(p: float | None) -> str:
    return "" if p is None else p_value(p)


LISTS = (
    Heading(
        compared.PAIRS,
        gettext_lazy("Differences between conditions"),
        gettext_lazy(
            "The first less the second, in points of 100, of people with a score under every condition. Each pair "
            "first has the interval by which all hold together and p after Holm; t has p after Bonferroni, as in the "
            "paper."
        ),
        2,
    ),
    Heading(
        compared.TESTS,
        gettext_lazy("Tests of all conditions at once"),
        gettext_lazy(
            "Of people with a score under every condition. The F to report is Greenhouse and Geisser’s, whatever "
            "Mauchly’s test says; skewness and the like are shown, and choose no test."
        ),
    ),
    Heading(
        compared.RANKED,
        gettext_lazy("Pairs by ranks"),
        gettext_lazy(
            "Differences of mean ranks within people; Conover’s p after Holm, Nemenyi’s allows for all pairs."
        ),
    ),
    Heading(
        compared.EQUIVALENCE,
        gettext_lazy("Equivalence"),
        gettext_lazy(
            "Two one-sided tests of whether a condition is closer to the control than the smallest difference that "
            "would matter, with 90% intervals; p after Holm. That a difference is not significant is no evidence of "
            "equality."
        ),
        2,
    ),
    Heading(
        compared.MODEL,
        gettext_lazy("Mixed model"),
        gettext_lazy(
            "score ~ condition + text + place + (1 | person), by restricted likelihood, of all quizzes with a score; p "
            "after Holm. The paper leaves what texts and places differ by in the residual."
        ),
    ),
    Heading(
        compared.TYPES,
        gettext_lazy("Types of question and conditions"),
        gettext_lazy("Mixed models of the scores on the questions of each type; p after Holm over types."),
    ),
    Heading(
        compared.POWER,
        gettext_lazy("What such a study can find"),
        gettext_lazy("The smallest true difference of two conditions, in points of 100, that is found with 80%."),
        1,
    ),
    Heading(
        scores.TIME,
        gettext_lazy("Time used"),
        gettext_lazy("Minutes from Begin to the end, with their standard deviation, and quizzes that the time ended."),
        1,
    ),
    Heading(
        scores.MARKING,
        gettext_lazy("Agreement of markers"),
        gettext_lazy(
            "Of the first two marks of each distinct short answer: quadratic kappa, and alpha at interval level. Where "
            "they are more than .5 apart, a third marks, and the median counts."
        ),
        2,
    ),
)


def _mean(row: Row) -> bool:
    return bool(row["figure"] == "mean")


def _peers(row: Row) -> str:
    return _("%(peers)s against %(models)s") % {"peers": row["first"], "models": row["second"]}


@dataclass(frozen=True)
class Grid:
    """How a grid is made of rows: which rows, the label of their line, and the column of each."""

    heading: Heading
    first: Words
    line: Callable[[Row], str]
    column: Callable[[Row], str]
    wanted: Callable[[Row], bool]


def _scores_by(table: str, title: Words, first: Words) -> Grid:
    words = gettext_lazy("Mean scores of all quizzes with one, in points of 100, with 95% intervals by t.")
    return Grid(Heading(table, title, words, 1), first, lambda row: row["group"], lambda row: row["first"], _mean)


def _correlations(figure: str, title: Words, words: Words) -> Grid:
    heading = Heading(summaries.CORRELATIONS, title, words)
    return Grid(
        heading,
        gettext_lazy("Peers against models"),
        _peers,
        lambda row: row["group"],
        lambda row: row["figure"] == figure,
    )


GRIDS = {
    "by-text": _scores_by(scores.BY_TEXT, gettext_lazy("By text"), gettext_lazy("Text")),
    "by-place": _scores_by(scores.BY_PLACE, gettext_lazy("By place"), gettext_lazy("Place")),
    "by-type": _scores_by(scores.BY_TYPE, gettext_lazy("By type of question"), gettext_lazy("Type")),
    "utterance-f": Grid(
        Heading(
            summaries.UTTERANCES,
            gettext_lazy("Utterance F"),
            gettext_lazy(
                "Mean over pairs of summaries of one text, then over texts; a summary is never held against itself. "
                "Intervals over people."
            ),
        ),
        gettext_lazy("Peers"),
        lambda row: row["first"],
        lambda row: _("%(kind)s models") % {"kind": row["second"]},
        lambda row: bool(row["figure"] == "F"),
    ),
    "rouge": Grid(
        Heading(
            summaries.ROUGE,
            gettext_lazy("ROUGE"),
            gettext_lazy(
                "Recall of the models of the text, itself left out; other summaries are scored without each of them in "
                "turn. Means over the peers of a text, then over texts."
            ),
        ),
        gettext_lazy("Peers against models"),
        _peers,
        lambda row: row["figure"],
        lambda row: row["value"] is not None,
    ),
    "rho": _correlations(
        "rho, all",
        gettext_lazy("Metric against quiz: rho over all people"),
        gettext_lazy(
            "Spearman’s rho of what a metric gives a person’s own summary and their score in the quiz with it, with "
            "intervals over people."
        ),
    ),
    "rho-given-text": _correlations(
        "rho given text",
        gettext_lazy("Metric against quiz: partial rho given the text"),
        gettext_lazy("The same of ranks less their mean on each text."),
    ),
    "rho-mean": _correlations(
        "rho, mean of texts",
        gettext_lazy("Metric against quiz: mean rho of the texts"),
        gettext_lazy("As in the paper. A mean of texts has no test."),
    ),
}


def list_table(rows: Sequence[Row], heading: Heading) -> ListTable | None:
    chosen = [row for row in rows if row["table"] == heading.table]
    lines = [(label_of(row), _cell(row, heading)) for row in chosen]
    return ListTable(heading, lines) if lines else None


def grid_table(rows: Sequence[Row], grid: Grid) -> GridTable | None:
    chosen = [row for row in rows if row["table"] == grid.heading.table and grid.wanted(row)]
    columns = list(dict.fromkeys(map(grid.column, chosen)))
    cells = {(grid.line(row), grid.column(row)): _cell(row, grid.heading) for row in chosen}
    labels = dict.fromkeys(map(grid.line, chosen))
    lines = [(label, [cells.get((label, column)) for column in columns]) for label in labels]
    return GridTable(grid.heading, str(grid.first), columns, lines) if lines else None


def _cell(row: Row, heading: Heading) -> Cell:
    return Cell(row, 0 if row["figure"] in COUNTS else heading.digits)


def label_of(row: Row) -> str:
    """Return what a row of a list is about: the conditions that it compares, or what it is of, and its figure."""
    figure = row["figure"]
    if row["first"] and row["second"]:
        words = _("%(first)s less %(second)s")
        pair = words % {"first": row["first"], "second": row["second"]}
        return pair if figure == "difference" else f"{pair}: {figure}"
    of = row["group"] or row["first"]
    return f"{of}: {figure}" if of else str(figure)


def tables_of(rows: Sequence[Row]) -> Mapping[str, Table]:
    """Return the tables that have rows, by their names in addresses and options."""
    found: dict[str, Any] = {each.table.replace(" ", "-"): list_table(rows, each) for each in LISTS}
    found |= {name: grid_table(rows, grid) for name, grid in GRIDS.items()}
    return {name: table for name, table in found.items() if table is not None}
