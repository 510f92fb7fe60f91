"""What the page of a finished report shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from common.listing import Listing, ListingState
from common.row_plots import RowPlot
from common.templatetags.formatting import p_value
from common.words import Words
from edit_operations.answer import answer_of
from edit_operations.page_tables import CLASSES, SENTENCES, TOKENS, VARIANTS, PartLine, ReportRows, shown_rows
from edit_operations.page_words import (
    HEADINGS,
    PARTS,
    VARIANT_LABELS,
    group_label,
    label_of,
    mean_caption,
    operation_label,
)
from edit_operations.plots import (
    class_plot,
    difference_plot,
    mean_plot,
    order_plot,
    percent,
    quantiles_of,
    system_plot,
    word_plot,
)
from edit_operations.published import CORPUS, SECTION, published_share
from edit_operations.sections.base import Row
from edit_operations.sections.costs import ORDERED, TOGETHER
from edit_operations.tables import df_of
from edit_operations.text_links import texts_query
from edit_operations.word_pairs import pair_count
from measures.alignment.deletions import FIGURES
from reports.models import Report
from reports.published import PublishedValue

MAX_PARTS, MAX_DRAWN = 200, 25
PAPER = {"short": "Toutanova et al. (2016)", "corpus": CORPUS, "section": SECTION}


@dataclass(frozen=True)
class Figure:
    """A number at the top of the page, and the texts behind it."""

    label: str
    value: str
    query: str = ""


@dataclass(frozen=True)
class ShareLine:
    """A figure of the whole release: its share, the variants of it, and the paper's."""

    label: str
    cells: list[Row | None]
    published: PublishedValue
    query: str

    @property
    def number(self) -> int | None:
        return self.cells[0].get("n") if self.cells[0] else None


@dataclass(frozen=True)
class LinkedPart:
    """A part of the release, with the texts behind it."""

    line: PartLine
    query: str

    @property
    def label(self) -> str:
        return self.line.label

    @property
    def texts(self) -> int | None:
        return self.line.texts

    @property
    def shown(self) -> list[tuple[str, Row | None]]:
        return self.line.shown


@dataclass(frozen=True)
class PartGroup:
    """All parts of a kind, such as genres, as the reader has sorted them."""

    anchor: str
    heading: Words
    first: Words
    listing: ListingState
    lines: list[LinkedPart]
    hidden: int

    @property
    def columns(self) -> list[tuple[str, str]]:
        return [(_key(figure), label_of(figure).capitalize()) for figure in (*TOKENS, *CLASSES)]


@dataclass(frozen=True)
class DrawnPlot:
    """A plot with its words; `full` and `hollow` say what the dots are, `hidden` how many rows are not drawn."""

    heading: Words
    caption: str
    plot: RowPlot
    full: str = ""
    hollow: str = ""
    hidden: int = 0


def report_context(report: Report, query: QueryDict) -> dict[str, Any]:
    """Return all that the template shows of a report that is computed, sorted as the address asks."""
    rows = ReportRows(shown_rows(report))
    scales = {scale.key: scale.name for scale in report.of_release.rating_scales}
    parts = {part: rows.parts(part) for part in PARTS}
    table_5, table_6 = rows.table_5(scales), rows.table_6(scales)
    digest = report.digest
    return {
        "answer": answer_of(rows),
        "figures": _figures(report, rows),
        "paper": PAPER,
        "plot_groups": _plot_groups(rows, parts, scales, report.parameters["means"]),
        "word_lines": [_share_line(rows, digest, figure, VARIANTS) for figure in TOKENS],
        "word_variants": [VARIANT_LABELS[variant] for variant in VARIANTS],
        "class_lines": [_share_line(rows, digest, figure) for figure in CLASSES],
        "sentence_lines": [_share_line(rows, digest, each) for each in SENTENCES if rows.share(each)],
        "table_5": [(cell, texts_query(digest, cell.operation)) for cell in table_5],
        "table_6": [(cell, "") for cell in table_6],
        "costs": [_cost(row, scales) for row in rows.of("costs")],
        "cost_methods": ", ".join(dict.fromkeys(row["method"] for row in rows.of("costs") if row.get("method"))),
        "ordered_ratings": [_cost(row, scales) for row in rows.of(ORDERED)],
        "aligner": _aligner(rows),
        "corrected_query": texts_query(digest, "corrected"),
        "all_query": texts_query(digest),
        "order_lines": [_order(row) for row in rows.of("order")],
        "order_pairs": [_order_pair(row) for row in rows.of("order pairs")],
        "system_lines": [_system(row, digest) for row in rows.of("systems")],
        "deletion_lines": rows.deletions(),
        "deletion_heads": [label_of(name).capitalize() for name in FIGURES],
        "deleted_grammar": rows.deleted_grammar(),
        "deleted_constituents": rows.deleted_constituents(),
        "plain_figures": ("span length", "spans"),
        "part_groups": [_group(part, lines, digest, query) for part, lines in parts.items() if lines],
        "reasons": rows.reasons(),
        "has_resources": pair_count(report) > 0 or bool(report.parameters.get("vectors")),
        "pair_count": pair_count(report),
    }


def _figures(report: Report, rows: ReportRows) -> list[Figure]:
    """Return the numbers at the top; what is undefined is left to the tables, which say why."""
    digest = report.digest
    figures = []
    classes = rows.share(CLASSES[0])
    if classes and classes.get("n") is not None:
        figures.append(Figure(_("compressions"), f"{classes['n']:,}", texts_query(digest)))
    labels = {
        "paraphrased": _("words paraphrased"),
        "inserted": _("words inserted"),
        "deleted": _("words of the source deleted"),
        "abstractive": _("compressions with other words"),
        "merged": _("two sentences merged into one"),
    }
    for name, label in labels.items():
        row = rows.share(name)
        if row and row.get("value") is not None:
            figures.append(Figure(label, percent(row["value"]), texts_query(digest, name)))
    return figures


def _share_line(rows: ReportRows, digest: str, figure: str, variants: Sequence[str] = ()) -> ShareLine:
    cells = [rows.share(figure), *(rows.share(figure, variant) for variant in variants)]
    return ShareLine(label_of(figure), cells, published_share(figure), texts_query(digest, figure))


def _plot_groups(
    rows: ReportRows, parts: Mapping[str, Sequence[PartLine]], scales: Mapping[str, str], means: str
) -> list[tuple[str, list[DrawnPlot]]]:
    return [
        (heading, [each for each in plots if each.plot])
        for heading, plots in (
            (_("Words"), [_drawn_parts(word_plot, part, parts[part]) for part in ("genre", "system")]),
            (_("Kinds of compression"), [_drawn_parts(class_plot, part, parts[part]) for part in PARTS]),
            (_("Operations and ratings"), _quality_plots(rows, scales, means)),
            (_("Order of edits"), [_order_plot(rows)]),
            (_("Systems and people"), [_system_plot(rows)]),
        )
        if any(each.plot for each in plots)
    ]


def _drawn_parts(draw: Callable[[Sequence[PartLine]], RowPlot], part: str, lines: Sequence[PartLine]) -> DrawnPlot:
    """Draw the parts with the most compressions, in the report's order."""
    largest = sorted(lines, key=lambda line: -(line.texts or 0))[:MAX_DRAWN]
    shown = [line for line in lines if line in largest]
    caption = _("Each row is 100%. The table below has the intervals.")
    return DrawnPlot(HEADINGS[part], caption, draw(shown), hidden=len(lines) - len(shown))


def _quality_plots(rows: ReportRows, scales: Mapping[str, str], means: str) -> list[DrawnPlot]:
    cells = rows.table_5(scales)
    return [
        DrawnPlot(
            _("Difference that goes with an operation"),
            _("To the right of the line, compressions with the operation are rated higher. Lines are 95% intervals."),
            difference_plot(cells),
        ),
        DrawnPlot(
            _("Mean ratings with and without an operation"),
            mean_caption(means),
            mean_plot(cells),
            full=_("present"),
            hollow=_("absent"),
        ),
    ]


def _order_plot(rows: ReportRows) -> DrawnPlot:
    caption = _("The dot is the median, the bar the middle half, the line the middle 80% of the edits.")
    return DrawnPlot(_("When people edit"), caption, order_plot(rows))


def _system_plot(rows: ReportRows) -> DrawnPlot:
    caption = _("To the right of the line, the system does it more often than people on the same sources.")
    return DrawnPlot(_("Systems minus people"), caption, system_plot(rows.of("systems"), (*TOKENS, *CLASSES)))


def _key(figure: str) -> str:
    return figure.replace(" ", "-")


def _group(part: str, lines: Sequence[PartLine], digest: str, query: QueryDict) -> PartGroup:
    sorts: dict[str, Any] = {
        "place": lines.index,
        "name": lambda line: line.label.casefold(),
        "texts": lambda line: line.texts,
    }
    for figure in (*TOKENS, *CLASSES):
        sorts[_key(figure)] = _by(figure)
    listing = Listing(sorts=sorts, default="place", prefix=f"{part}-").read(query)
    ordered = listing.of_rows(lines)
    shown = [LinkedPart(line, texts_query(digest, part=part, group=line.group)) for line in ordered[:MAX_PARTS]]
    return PartGroup(f"by-{part}", HEADINGS[part], PARTS[part], listing, shown, len(ordered) - len(shown))


def _by(figure: str) -> Callable[[PartLine], float | None]:
    return lambda line: line.value(figure)


def _cost(row: Row, scales: Mapping[str, str]) -> dict[str, Any]:
    scale, term = row.get("scale") or row.get("figure") or "", row.get("term") or row.get("group") or ""
    value = row["coefficient"] if row.get("coefficient") is not None else row.get("value")
    return {
        "scale": scales.get(scale, scale),
        "label": operation_label(term),
        "value": value,
        "row": row,
        "p": p_value(row.get("p")),
        "df": df_of(row),
        "is_f": term == TOGETHER,
    }


def _aligner(rows: ReportRows) -> list[tuple[str, Row]]:
    """Return the aligner's figures, unless nothing was corrected."""
    found = [(label_of(row["figure"]), row) for row in rows.of("aligner")]
    return found if any(row.get("n") for _label, row in found) else []


def _order(row: Row) -> dict[str, Any]:
    name = row.get("group") or row.get("figure") or ""
    return {"label": operation_label(name), "quantiles": quantiles_of(row), "row": row}


def _order_pair(row: Row) -> dict[str, Any]:
    return {"earlier": operation_label(row.get("group") or ""), "later": label_of(row["figure"]), "row": row}


def _system(row: Row, digest: str) -> dict[str, Any]:
    value = row["difference"] if row.get("difference") is not None else row.get("value")
    group = row.get("group") or ""
    return {
        "system": group_label("system", group),
        "label": label_of(row["figure"]),
        "value": value,
        "sources": row.get("sources", row.get("n")),
        "row": row,
        "query": texts_query(digest, row["figure"], "system", group),
    }
