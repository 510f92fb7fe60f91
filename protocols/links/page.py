"""What the page of a finished report on linked sentences shows: the answer, a plot, and tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.charts import Chart, Curve, line_of
from common.plots import linear_axis
from common.row_plots import Place, PlotRow, RowPlot
from common.templatetags.formatting import decimal, p_value
from common.words import Words
from protocols.links import rows as of
from protocols.links.divided import ALGORITHMS, CURVE
from protocols.links.kept import kept_documents
from protocols.links.rows import Row
from reports.figures import Figure
from reports.models import Report
from reports.published import PublishedTable, published_table

GRAPHS = (of.PREDICTED, of.ALL, of.OWN)
"""The graphs from the one that the paper's claim is about on."""
EQUAL = 1e-9
"""Means that differ by less are the same."""
FEW = 10
"""With fewer documents the answer claims nothing of others."""
LABELS: Mapping[str, Words] = {
    "omega": gettext_lazy("Omega"),
    "chance": gettext_lazy("shuffled sentences: 97.5% are below"),
    "F of pairs": gettext_lazy("F of pairs that are together"),
    "alpha": gettext_lazy("Krippendorff’s alpha"),
    "communities": gettext_lazy("communities of linked sentences"),
    "largest": gettext_lazy("sentences of the largest community"),
    "communities per sentence": gettext_lazy("communities per sentence"),
    "mutual information": gettext_lazy("mutual information (McDaid)"),
    "difference": gettext_lazy("mean difference"),
    "d_z": gettext_lazy("d_z: in standard deviations of the differences"),
    "f": gettext_lazy("F"),
    "auroc": gettext_lazy("AUROC"),
}


@dataclass(frozen=True)
class Table:
    """A table of the page: a heading, how to read it, whether it has tests, and lines of a label and a row."""

    title: Words
    words: Words
    lines: Sequence[tuple[str, Row]]

    @property
    def has_tests(self) -> bool:
        return any(row["p"] is not None for _label, row in self.lines)


def rows_of(report: Report, table: str, **wanted: str) -> list[Row]:
    found = [row for row in report.rows or [] if row["table"] == table]
    return [row for row in found if all(row[name] == each for name, each in wanted.items())]


def label(figure: str) -> str:
    return str(LABELS.get(figure, figure))


def about(row: Row) -> str:
    """Return what a row is of: the graph, against whom, the algorithms, and the figure."""
    both = _("trained on %(one)s, tested on %(other)s") if row["table"] == of.TRANSFER else _("%(one)s less %(other)s")
    who = both % row if row["other"] else row["one"]
    against = _("against %(whom)s") % {"whom": row["against"]} if row["graph"] else ""
    return ", ".join(filter(None, (row["graph"], against, who))) + f": {label(row['figure'])}"


def lines_of(report: Report, table: str, **wanted: str) -> list[tuple[str, Row]]:
    return [(about(row).removeprefix(": "), row) for row in rows_of(report, table, **wanted)]


def context_of(report: Report) -> dict[str, Any]:
    asked = f"?report={report.digest[:16]}"
    slug = report.of_campaign.slug
    of_documents, curves = documents_figure(report), curve_figures(report)
    links, people = lines_of(report, of.LINKS, against="macro"), lines_of(report, of.PEOPLE)
    return {
        "answer": answer_of(report),
        "of_documents": of_documents,
        "drawn": [*filter(None, [of_documents]), *curves],
        "main": [(about(row), row, _chance(report, row)) for row in rows_of(report, of.OMEGA, figure="omega")],
        "ties": lines_of(report, of.TIES),
        "tables": [
            Table(gettext_lazy("How well links are predicted"), LINKS_WORDS, links),
            Table(gettext_lazy("How far people agree"), PEOPLE_WORDS, people),
            Table(gettext_lazy("Tests"), TESTS_WORDS, lines_of(report, of.TESTS)),
            Table(gettext_lazy("Sizes and overlap"), SIZES_WORDS, lines_of(report, of.SIZES)),
        ],
        "curves": curves,
        "curve_table": curve_table(report),
        "algorithms": list(ALGORITHMS),
        "transfer": transfer_lines(report),
        "transfer_reason": next((row["reason"] for row in rows_of(report, of.TRANSFER) if not row["one"]), ""),
        "documents": [
            (each.name, reverse("protocols:links:document", args=[slug, place]) + asked)
            for place, each in enumerate(kept_documents(report), start=1)
        ],
    }


def more_files(report: Report) -> list[tuple[str, str]]:
    forms, asked = ((_("Communities (JSONL)"), "jsonl"), (_("Links (TSV)"), "tsv")), f"?report={report.digest[:16]}"
    slug = report.of_campaign.slug
    return [(name, reverse("protocols:links:files", args=[slug, form]) + asked) for name, form in forms]


LINKS_WORDS = gettext_lazy(
    "Means over documents. Linked is a pair of sentences that somebody linked to one sentence of an abstract. All "
    "pairs linked is the lower bound; messages link sentences that share an act and an entity; the classifier is "
    "trained on other documents, with parts of speech where the material has tags; the file is that of links made "
    "elsewhere."
)
PEOPLE_WORDS = gettext_lazy("Of the communities of two people who linked the same document, over documents.")
TESTS_WORDS = gettext_lazy(
    "On the medians of documents, two-sided. The family of Holm’s correction is the same test of all pairs of "
    "algorithms on these links."
)
SIZES_WORDS = gettext_lazy("Means over documents of medians over copies; sentences without a link are alone.")


def _chance(report: Report, row: Row) -> Row | None:
    where = {name: row[name] for name in ("graph", "against", "one")}
    return next(iter(rows_of(report, of.OMEGA, figure="chance", **where)), None)


# The answer


def answer_of(report: Report) -> list[str]:
    """Say how far people agree, and whether an algorithm comes nearer to them; never more than is known."""
    (people,) = rows_of(report, of.PEOPLE, figure="omega")
    said = [_people_words(people)]
    graph = next((each for each in GRAPHS if rows_of(report, of.OMEGA, graph=each)), of.ALL)
    known = [row for row in rows_of(report, of.OMEGA, graph=graph, against=of.EVERYONE, figure="omega") if row["n"]]
    if not known:
        return [*said, _("How near algorithms come to people is not known.")]
    best = max(known, key=lambda row: row["value"])
    chance = _chance(report, best)
    by_chance = chance["value"] if chance else None
    if best["value"] <= max(0.0, by_chance or 0.0):
        words = _(
            "Of %(graph)s, no algorithm is shown to come nearer to people than chance: Omega is at most %(value)s."
        )
        if by_chance is not None:
            words += " " + _("Of shuffled communities, 97.5%% are below %(chance)s.")
        values = {"graph": graph, "value": decimal(best["value"], 3), "chance": decimal(by_chance, 3)}
        return [*said, words % values]
    equal = [row["one"] for row in known if best["value"] - row["value"] < EQUAL]
    if len(equal) == 1:
        words = _("Of %(graph)s, the communities of %(one)s are nearest to those of people: Omega %(value)s%(chance)s.")
    else:
        words = _(
            "Of %(graph)s, the communities of %(one)s are equally near to those of people: Omega %(value)s%(chance)s."
        )
    values = {"graph": graph, "one": get_text_list(equal, _("and")), "value": estimate_words(best), "chance": ""}
    if chance and chance["value"] is not None:
        more = _(", where 97.5%% of shuffled ones are below %(value)s")
        values["chance"] = more % {"value": decimal(chance["value"], 3)}
    last = [_tests_words(report, graph, best)] if len(equal) == 1 or best["n"] < FEW else []
    return [*said, words % values, *last]


def _people_words(row: Row) -> str:
    if row["value"] is None:
        return _("How far people agree is not known: %(reason)s.") % {"reason": row["reason"]}
    words = _("People agree on communities with a mean Omega of %(value)s (documents: %(n)s).")
    return words % {"value": estimate_words(row), "n": row["n"]}


def _tests_words(report: Report, graph: str, best: Row) -> str:
    tests = rows_of(report, of.TESTS, graph=graph, against=of.EVERYONE, figure="paired t")
    own = [row for row in tests if best["one"] in (row["one"], row["other"])]
    if best["n"] < FEW:
        return _("With so few documents, that says nothing of others.")
    apart = [row for row in own if row["p_holm"] is not None and row["p_holm"] < 0.05]
    if not own or not apart:
        return _("That it is better than the others is not shown (paired t, Holm).")
    others = [row["other"] if row["one"] == best["one"] else row["one"] for row in apart]
    values = ", ".join(f"{other} (p {p_value(row['p_holm'])})" for other, row in zip(others, apart, strict=True))
    words = _("It is better than %(others)s by paired t after Holm.")
    return words % {"others": values}


def estimate_words(row: Row) -> str:
    """Return a value with its interval in words."""
    if row["low"] is None:
        return decimal(row["value"], 3)
    words = _("%(value)s (95%% interval %(low)s to %(high)s)")
    return words % {name: decimal(row[name], 3) for name in ("value", "low", "high")}


# The plots


def documents_figure(report: Report) -> Figure:
    """Draw a dot for each document: people among each other, and each algorithm against them."""
    rows = [row for row in rows_of(report, of.DOCUMENTS) if row["value"] is not None and row["graph"] != of.OWN]
    place = Place(min([0.0, *(row["value"] for row in rows)]), 1.0)
    groups = dict.fromkeys((row["graph"], row["one"]) for row in rows)
    drawn = [
        PlotRow(
            one,
            graph,
            dots=[
                place.dot(row["value"], f"{row['document']}: {decimal(row['value'], 3)}")
                for row in rows
                if (row["graph"], row["one"]) == (graph, one)
            ],
        )
        for graph, one in groups
    ]
    plot = RowPlot(drawn, linear_axis(_("Omega of a document"), place.low, place.high))
    caption = _("A dot is a document; 1 is agreement, 0 what chance gives.")
    return Figure("documents", _("Omega of each document"), caption, plot)


def _curves(report: Report) -> tuple[str, dict[str, dict[int, float | None]]]:
    """Return the first graph that has curves, and its curves by algorithm."""
    graph = next((each for each in GRAPHS if rows_of(report, of.NUMBERS, graph=each)), "")
    found: dict[str, dict[int, float | None]] = {}
    for row in rows_of(report, of.NUMBERS, graph=graph):
        found.setdefault(row["one"], {})[int(row["figure"])] = row["value"]
    return graph, found


def curve_figures(report: Report) -> list[Figure]:
    """Draw the mean Omega over the number of communities, for each algorithm."""
    graph, curves = _curves(report)
    caption = _("Mean Omega over documents, of %(graph)s, against people. Below 0 is drawn as 0.") % {"graph": graph}
    return [
        Figure(f"numbers-{number}", name, caption, _curve(values))
        for number, (name, values) in enumerate(curves.items(), start=1)
    ]


def _curve(values: Mapping[int, float | None]) -> Chart:
    first, last = CURVE[0], CURVE[-1]
    drawn = line_of([(n, None if value is None else max(0.0, value)) for n, value in values.items()], first, last)
    across = linear_axis(_("Communities of linked sentences"), first, last, whole=True)
    known = [(n, value) for n, value in values.items() if value is not None]
    return Chart(across, linear_axis(_("Omega"), 0, 1).upwards, curves=[Curve(drawn.path, known)])


def curve_table(report: Report) -> list[tuple[int, list[float | None]]]:
    _graph, curves = _curves(report)
    return [(number, [curves[name].get(number) for name in ALGORITHMS]) for number in CURVE] if curves else []


def transfer_lines(report: Report) -> list[tuple[str, str, list[Row]]]:
    """Return the figures of each annotator in training and each in the test."""
    pairs: dict[tuple[str, str], list[Row]] = {}
    for row in rows_of(report, of.TRANSFER):
        if row["one"]:
            pairs.setdefault((row["one"], row["other"]), []).append(row)
    return [(one, other, found) for (one, other), found in pairs.items()]


def published_tables() -> list[PublishedTable]:
    """Return the tables of the paper that stand beside a report."""
    return [published_table("MU12", table) for table in ("Table 1", "Table 2", "Table 3", "text")]
