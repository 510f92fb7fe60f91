"""What the pages of a finished report show, tab by tab."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy

from common.listing import Listing, ListingState
from common.templatetags.formatting import p_value
from common.words import Words
from edit_operations.answer import answer_of
from edit_operations.drawn_plots import drawn_kinds, drawn_order, drawn_systems, drawn_words, quality_plots
from edit_operations.page_tables import (
    CLASSES,
    SENTENCES,
    TOKENS,
    VARIANTS,
    PartLine,
    ReportRows,
    shown_rows,
)
from edit_operations.page_words import (
    HEADINGS,
    PARTS,
    VARIANT_LABELS,
    group_label,
    label_of,
    operation_label,
)
from edit_operations.plots import (
    quantiles_of,
)
from edit_operations.published import CORPUS, SECTION, published_share
from edit_operations.sections.base import Row
from edit_operations.sections.costs import ORDERED, TOGETHER
from edit_operations.tables import df_of
from edit_operations.text_links import texts_query
from edit_operations.word_pairs import pair_count
from measures.alignment.deletions import FIGURES
from reports.kinds import Tab
from reports.models import Report
from reports.published import PublishedValue

PARTS_SHOWN, SYSTEM_LINES = 12, 14
DRAWN_FIRST = ("genre", "split", "sentences")
PAPER = {"short": "Toutanova et al. (2016)", "corpus": CORPUS, "section": SECTION}


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
    """The parts of a kind, such as genres, as the reader has sorted them."""

    anchor: str
    heading: Words
    first: Words
    listing: ListingState
    page: Page[PartLine]
    lines: list[LinkedPart]

    @property
    def columns(self) -> list[tuple[str, str]]:
        return [(_key(figure), label_of(figure).capitalize()) for figure in (*TOKENS, *CLASSES)]


class _Shown:
    """What the functions of tabs begin with: the rows of a report, the names of its scales, and what all tabs say."""

    def __init__(self, report: Report) -> None:
        self.rows = ReportRows(shown_rows(report))
        self.scales = {scale.key: scale.name for scale in report.of_release.rating_scales}
        release = report.of_release
        place = [release.campaign.slug, release.version]
        self.base = {"paper": PAPER, "texts_url": reverse("edit-operations:texts", args=place)}


def answer_context(report: Report) -> dict[str, Any]:
    """Return the answer, the plot that shows most of it, and what happened to the words."""
    shown = _Shown(report)
    rows = shown.rows
    return shown.base | {
        "answer": answer_of(rows),
        "drawn": list(filter(None, (drawn_kinds(rows.parts(each)) for each in DRAWN_FIRST)))[:1],
        "word_lines": [_share_line(rows, report.digest, figure, VARIANTS) for figure in TOKENS],
        "word_variants": [VARIANT_LABELS[variant] for variant in VARIANTS],
        "all_query": texts_query(report.digest),
    }


def method_context(report: Report) -> dict[str, Any]:
    return {
        "paper": PAPER,
        "reasons": ReportRows(shown_rows(report)).reasons(),
        "has_resources": pair_count(report) > 0 or bool(report.parameters.get("vectors")),
        "pair_count": pair_count(report),
    }


def _kinds(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    rows, digest = shown.rows, report.digest
    return shown.base | {
        "class_lines": [_share_line(rows, digest, figure) for figure in CLASSES],
        "sentence_lines": [_share_line(rows, digest, each) for each in SENTENCES if rows.share(each)],
    }


def _quality(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    table_5, table_6 = shown.rows.table_5(shown.scales), shown.rows.table_6(shown.scales)
    return shown.base | {
        "drawn": list(filter(None, quality_plots(table_5, report.parameters["means"]))),
        "table_5": [(cell, texts_query(report.digest, cell.operation)) for cell in table_5],
        "table_6": [(cell, "") for cell in table_6],
    }


def _models(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    costs, ordered = shown.rows.of("costs"), shown.rows.of(ORDERED)
    return shown.base | {
        "costs": [_cost(row, shown.scales) for row in costs],
        "cost_methods": ", ".join(dict.fromkeys(row["method"] for row in costs if row.get("method"))),
        "ordered_ratings": [_cost(row, shown.scales) for row in ordered],
        "ordered_as_t": any(row.get("df") for row in ordered),
    }


def _deletions(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    return shown.base | {
        "deletion_lines": shown.rows.deletions(),
        "deletion_heads": [label_of(name).capitalize() for name in FIGURES],
        "deleted_grammar": shown.rows.deleted_grammar(),
        "deleted_constituents": shown.rows.deleted_constituents(),
        "plain_figures": ("span length", "spans"),
    }


def _orders(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    return shown.base | {
        "drawn": list(filter(None, [drawn_order(shown.rows)])),
        "order_lines": [_order(row) for row in shown.rows.of("order")],
        "order_pairs": [_order_pair(row) for row in shown.rows.of("order pairs")],
    }


def _systems(report: Report, query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    page = Paginator(shown.rows.of("systems"), SYSTEM_LINES).get_page(query.get("page"))
    return shown.base | {
        "drawn": list(filter(None, [drawn_systems(list(page))])),
        "page": page,
        "system_lines": [_system(row, report.digest) for row in page],
    }


def _parts(report: Report, query: QueryDict) -> Mapping[str, Any]:
    """Return the parts of the kind that the address names, or else of the first that there is."""
    shown = _Shown(report)
    found = {part: lines for part in PARTS if (lines := shown.rows.parts(part))}
    asked = query.get("part", "")
    chosen = asked if asked in found else next(iter(found), "")
    lines = found.get(chosen, [])
    return shown.base | {
        "choices": [(part, HEADINGS[part], part == chosen) for part in found],
        "drawn": list(filter(None, [drawn_words(lines), drawn_kinds(lines)])),
        "group": _group(chosen, lines, report.digest, query) if lines else None,
    }


def _alignment(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report)
    return shown.base | {
        "aligner": _aligner(shown.rows),
        "corrected_query": texts_query(report.digest, "corrected"),
        "all_query": texts_query(report.digest),
    }


TABS = (
    Tab("kinds", gettext_lazy("Kinds"), "edit_operations/kinds.html", _kinds),
    Tab("ratings", gettext_lazy("Ratings"), "edit_operations/quality.html", _quality),
    Tab("models", gettext_lazy("Length"), "edit_operations/models.html", _models),
    Tab("deletions", gettext_lazy("Deletions"), "edit_operations/deletions.html", _deletions),
    Tab("order", gettext_lazy("Order"), "edit_operations/order.html", _orders),
    Tab("systems", gettext_lazy("Systems"), "edit_operations/systems.html", _systems),
    Tab("parts", gettext_lazy("Parts"), "edit_operations/parts.html", _parts),
    Tab("alignment", gettext_lazy("Alignment"), "edit_operations/alignment.html", _alignment),
)


def _share_line(rows: ReportRows, digest: str, figure: str, variants: Sequence[str] = ()) -> ShareLine:
    cells = [rows.share(figure), *(rows.share(figure, variant) for variant in variants)]
    return ShareLine(label_of(figure), cells, published_share(figure), texts_query(digest, figure))


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
    listing = Listing(sorts=sorts, default="place").read(query)
    page = Paginator(listing.of_rows(lines), PARTS_SHOWN).get_page(query.get("page"))
    shown = [LinkedPart(line, texts_query(digest, part=part, group=line.group)) for line in page]
    return PartGroup(f"by-{part}", HEADINGS[part], PARTS[part], listing, page, shown)


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
