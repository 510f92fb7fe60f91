"""What the page of a finished report on which units texts have shows: its answer, tables, and the grid of a source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.templatetags.formatting import decimal
from protocols.content_units import figures as of
from protocols.dot_plots import dot_plot
from protocols.report_rows import ALL, Row, estimate_words, found, rows_of, system_name
from reports.figures import Figure
from reports.models import Report
from reports.published import PublishedTable, published_table

PAPER, EVALUATION, TABLE_3 = "D04", "evaluation", "Table 3 (text)"
MOST_DIFFERENCES = 100
FACTOID_FIGURES = (of.F, of.PRECISION, of.RECALL, of.MEAN_F, of.ORIGINAL, of.MODIFIED, of.FURTHER)
PEER_FIGURES = (of.ORIGINAL, of.MODIFIED, of.FURTHER)
Label = tuple[str, Row]


@dataclass(frozen=True)
class Grid:
    """The units of a source by text: of each the share of people who say that it has it."""

    source: str
    systems: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Row | None]]]


@dataclass(frozen=True)
class SubsetLine:
    """The ranks of a system by all subsets of references, as a range, and by each size of subset."""

    system: str
    best: float
    worst: float
    means: Sequence[float]


def units_context(report: Report, query: QueryDict) -> dict[str, Any]:
    """Return what the page of a finished report shows."""
    figures = FACTOID_FIGURES if report.kind == "factoids" else PEER_FIGURES
    known = {row["figure"] for row in rows_of(report, of.SYSTEMS) if row["value"] is not None}
    unknown = {row["figure"]: row["reason"] for row in rows_of(report, of.SYSTEMS) if row["figure"] not in known}
    shown = [each for each in figures if each in known]
    systems, ways = system_lines(report, shown), ways_of(report)
    sources = list(dict.fromkeys(row["part"] for row in rows_of(report, of.GRID)))
    chosen = query.get("source", "")
    return {
        "answer": answer_of(report),
        "is_on_facts": report.kind == "factoids",
        "figures": shown,
        "unknown": unknown,
        "systems": systems,
        "has_pyramids": any(pyramid for pyramid, _system, _rows in systems),
        "drawn": _figures(systems, shown),
        "kappas": kappa_lines(report),
        "kappa_systems": kappa_systems(report),
        "alpha": [row for row in rows_of(report, of.JUDGES) if row["part"] == ALL],
        "people": people_lines(report),
        "subsets": subset_lines(report),
        "subsets_reason": next((row["reason"] for row in rows_of(report, of.SUBSETS) if row["reason"]), ""),
        "ways": ways,
        "has_files": bool({of.RELATIVE, of.ABSOLUTE} & set(ways)),
        "way_lines": way_lines(report, ways),
        "orders": rows_of(report, of.ORDERS),
        "sources": sources,
        "grid": grid_of(report, chosen if chosen in sources else sources[0]) if sources else None,
        "differences": list(differences(report))[:MOST_DIFFERENCES],
        "hidden_differences": max(0, sum(1 for _each in differences(report)) - MOST_DIFFERENCES),
        "counts": {row["figure"]: int(row["value"]) for row in rows_of(report, of.COUNTS)},
    }


def _figures(systems: Sequence[tuple[str, str, Sequence[Row | None]]], figures: Sequence[str]) -> list[Figure]:
    named = [(system, pyramid, rows[0]) for pyramid, system, rows in systems if rows and rows[0]]
    if not named:
        return []
    plot = dot_plot(named, figures[0].capitalize(), low=0, least_high=1)
    return list(
        filter(
            None,
            [Figure("systems", _("Systems"), _("Over all sources, with 95% intervals for ten sources or more"), plot)],
        )
    )


def published_tables() -> list[PublishedTable]:
    return [published_table(PAPER, "text", section=each) for each in (TABLE_3, EVALUATION)]


def system_lines(report: Report, figures: Sequence[str]) -> list[tuple[str, str, Sequence[Row | None]]]:
    """Return a line for each system under each pyramid: both names, and the row of each figure; the best first."""
    rows = rows_of(report, of.SYSTEMS)
    by_place: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        by_place.setdefault((row["part"], row["group"]), {})[row["figure"]] = row
    lines = [
        (pyramid, system_name(system), [of_figure.get(each) for each in figures])
        for (pyramid, system), of_figure in by_place.items()
    ]
    return sorted(lines, key=lambda line: (line[0], -_value(line[2][0] if line[2] else None), line[1]))


def _value(row: Row | None) -> float:
    return row["value"] if row and row["value"] is not None else -1.0


def kappa_systems(report: Report) -> list[str]:
    rows = rows_of(report, of.KAPPA)
    return list(dict.fromkeys([*(row["part"] for row in rows), *(row["group"] for row in rows)]))


def kappa_lines(report: Report) -> list[tuple[str, Sequence[Row | None]]]:
    """Return the matrix of kappas, half of it filled: a line for each system but the first."""
    rows = {(row["part"], row["group"]): row for row in rows_of(report, of.KAPPA) if row["figure"] == of.KAPPA_OF}
    names = kappa_systems(report)
    return [
        (system_name(name), [rows.get((other, name)) or rows.get((name, other)) for other in names[:place]])
        for place, name in enumerate(names)
        if place
    ]


def people_lines(report: Report) -> list[tuple[str, str, Mapping[str, Row]]]:
    """Return each two people with the rows of their agreement, by what each is."""
    by_pair: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows_of(report, of.JUDGES):
        if row["part"] != ALL:
            by_pair.setdefault((row["part"], row["group"]), {})[row["figure"].replace(" ", "_")] = row
    return [(first, second, rows) for (first, second), rows in by_pair.items()]


def subset_lines(report: Report) -> list[SubsetLine]:
    rows = [
        row for row in rows_of(report, of.SUBSETS) if row["figure"] == of.RANK_ORIGINAL and row["value"] is not None
    ]
    lines = []
    for system in dict.fromkeys(row["group"] for row in rows):
        own = [row for row in rows if row["group"] == system]
        ranks = [row["value"] for row in own]
        by_size: dict[int, list[float]] = {}
        for row in own:
            by_size.setdefault(row["n"], []).append(row["value"])
        means = [sum(each) / len(each) for _size, each in sorted(by_size.items())]
        lines.append(SubsetLine(system_name(system), min(ranks), max(ranks), means))
    return sorted(lines, key=lambda line: (line.means[-1], line.system))


def ways_of(report: Report) -> list[str]:
    return list(dict.fromkeys(row["part"] for row in rows_of(report, of.PROTOCOLS)))


def way_lines(report: Report, ways: Sequence[str]) -> list[tuple[str, Sequence[tuple[Row | None, bool]]]]:
    """Return each system with its value by each way of judging, and whether it would win."""
    rows = rows_of(report, of.PROTOCOLS)
    values = {(row["part"], row["group"]): row for row in rows if row["figure"] == of.VALUE}
    best = {(row["part"], row["group"]) for row in rows if row["figure"] == of.BEST}
    systems = list(dict.fromkeys(row["group"] for row in rows))
    return [
        (system_name(system), [(values.get((way, system)), (way, system) in best) for way in ways])
        for system in systems
    ]


def grid_of(report: Report, source: str) -> Grid:
    rows = rows_of(report, of.GRID, source)
    cells = {(row["figure"], row["group"]): row for row in rows}
    systems = sorted({row["group"] for row in rows})
    texts = (report.figures or {}).get("units", {}).get(source, {})
    lines = [
        (texts.get(unit, unit), [cells.get((unit, system)) for system in systems])
        for unit in dict.fromkeys(row["figure"] for row in rows)
    ]
    return Grid(source, [system_name(each) for each in systems], lines)


def differences(report: Report) -> Iterator[tuple[Row, str]]:
    """Yield where people differ on a unit of a text, with the words of the unit."""
    units = (report.figures or {}).get("units", {})
    for row in rows_of(report, of.GRID):
        if 0 < row["value"] < 1:
            yield row, units.get(row["part"], {}).get(row["figure"], row["figure"])


# The answer


def answer_of(report: Report) -> list[str]:
    """Say which system has most of what counts, and how far people agree."""
    figure = of.F if report.kind == "factoids" else of.ORIGINAL
    rows = [row for row in rows_of(report, of.SYSTEMS) if row["figure"] == figure and row["value"] is not None]
    return [*_best_words(rows, figure), *_agreement_words(report)]


def _best_words(rows: Sequence[Row], figure: str) -> list[str]:
    if not rows:
        return [_("No system has a score yet.")]
    said = []
    for pyramid in dict.fromkeys(row["part"] for row in rows):
        known = sorted((row for row in rows if row["part"] == pyramid), key=lambda row: (-row["value"], row["group"]))
        values = {
            "figure": _("F") if figure == of.F else _("original pyramid score"),
            "best": system_name(known[0]["group"]),
            "value": estimate_words(known[0]),
            "worst": system_name(known[-1]["group"]),
            "worst_value": estimate_words(known[-1]),
            "n": len(known),
            "pyramid": pyramid,
        }
        words = (
            _(
                "Of %(n)s systems, %(best)s has the highest %(figure)s, %(value)s, and %(worst)s the lowest, "
                "%(worst_value)s."
            )
            if len(known) > 1
            else _("%(best)s has the %(figure)s %(value)s.")
        )
        said.append((_("Pyramid %(pyramid)s: ") % values if pyramid else "") + words % values)
    return said


def _agreement_words(report: Report) -> list[str]:
    alpha = found(rows_of(report, of.JUDGES), part=ALL)
    if alpha is None or alpha["value"] is None:
        why = alpha["reason"] if alpha else ""
        return [_("How far people agree is not known: %(why)s.") % {"why": why}]
    words = ngettext(
        "On %(n)s unit of a text that two people or more looked for, Krippendorff’s alpha is %(alpha)s.",
        "On %(n)s units of texts that two people or more looked for, Krippendorff’s alpha is %(alpha)s.",
        alpha["n"],
    )
    return [words % {"n": f"{alpha['n']:,}", "alpha": decimal(alpha["value"])}]
