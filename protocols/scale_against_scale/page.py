"""What the page of a report on two scales shows: its answer, its plot, and its tables, of the rows alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.plots import linear_axis
from common.row_plots import Dot, Place, PlotRow, RowPlot
from common.templatetags.formatting import p_value
from common.words import Words
from measures.experiments.arm_checks import WRONGLY_DRAWN
from protocols.scale_against_scale import figures as of
from protocols.scale_against_scale.figures import DIFFERENCE, FIRST, SECOND, Row
from reports.figures import Figure

LABELS: Mapping[str, Words] = {
    "latent_icc": gettext_lazy("latent ICC"),
    "icc_k": gettext_lazy("ICC(1,k) of the mean of a text"),
    "icc_1": gettext_lazy("ICC(1) of one rating"),
    "split_half": gettext_lazy("split halves, all splits"),
    "icc_k_equal_minutes": gettext_lazy("ICC(1,k) at equal minutes"),
    "pairs_of_systems": gettext_lazy("pairs of systems with p < .05"),
    "pairs_of_systems_holm": gettext_lazy("pairs of systems with p < .05 after Holm"),
    "pairs_of_editors": gettext_lazy("pairs of editors with p < .05"),
    "pairs_of_editors_holm": gettext_lazy("pairs of editors with p < .05 after Holm"),
    "tied_pairs": gettext_lazy("pairs of texts with the same mean"),
    "bits": gettext_lazy("bits that two people share"),
    "bits_plain": gettext_lazy("bits before the correction for few pairs"),
    "bits_per_minute": gettext_lazy("bits per minute"),
    "minutes": gettext_lazy("minutes for a text (median)"),
    "correlation": gettext_lazy("r of the means of both arms"),
    "disattenuated": gettext_lazy("r, corrected for attenuation"),
    "mean": gettext_lazy("mean of the ratings (p by the draw repeated)"),
    "effect": gettext_lazy("mixed model: difference in points"),
    "standardised": gettext_lazy("difference in standard deviations of people’s means"),
    "log_odds": gettext_lazy("ordered model: log odds of a higher point"),
    "likelihood_ratio": gettext_lazy("ordered model: twice the gain in log-likelihood by the arms"),
    "agreement": gettext_lazy("agreement"),
    "kappa": gettext_lazy("kappa"),
    "kappa_linear": gettext_lazy("kappa, linear weights"),
    "kappa_quadratic": gettext_lazy("kappa, quadratic weights"),
    "alpha_nominal": gettext_lazy("alpha, nominal"),
    "alpha_ordinal": gettext_lazy("alpha, ordinal"),
    "alpha_interval": gettext_lazy("alpha, interval"),
    "drawn": gettext_lazy("people drawn"),
    "raters": gettext_lazy("people in the comparison"),
    "lost": gettext_lazy("share lost"),
    "counts": gettext_lazy("numbers against equal ones (chi-square)"),
    "smallest_found": gettext_lazy("smallest difference of ICC(1) found with 80%"),
    "ratings": gettext_lazy("ratings of a text"),
}


@dataclass(frozen=True)
class Heading:
    """A table of the report: its name in the rows, the question that it answers, and how to read it."""

    table: str
    question: Words
    words: Words = ""


HEADINGS = (
    Heading(
        of.JUDGING,
        gettext_lazy("Do people judge better?"),
        gettext_lazy("Free of the number of points if what people judge is normally distributed."),
    ),
    Heading(
        of.CORPUS,
        gettext_lazy("Which scale gives the better corpus?"),
        gettext_lazy("It grows with the points, and that gain is real: a finer cut keeps more."),
    ),
    Heading(
        of.APART,
        gettext_lazy("Which scale tells more apart?"),
        gettext_lazy("Paired t over sources. The difference counts the pairs that only one tells apart (McNemar)."),
    ),
    Heading(
        of.INFORMATION,
        gettext_lazy("How much do two people’s ratings share?"),
        gettext_lazy("A finer cut of the same judging never has less."),
    ),
    Heading(of.SAME, gettext_lazy("Do both scales measure the same?")),
    Heading(
        of.EFFECT,
        gettext_lazy("What does an arm do to the points that people give?"),
        gettext_lazy(
            "On the two scales if they have the same points, and on each scale that both arms have: rating ~ arm + "
            "(1 | source) + (1 | person). The columns are the arms of the two scales and their difference. The draw is "
            "repeated 2,000 times for as many people. Fewer than 6 people in an arm, or 12 sources, have no test."
        ),
    ),
    Heading(
        of.POINTS,
        gettext_lazy("What moves with the points alone"),
        gettext_lazy(
            "None of these says on which scale people judge better: fewer points raise agreement and kappa, more "
            "points raise quadratic kappa and alpha, though nobody judges otherwise."
        ),
    ),
    Heading(
        of.EXPECTED,
        gettext_lazy("The same if both arms judged equally well"),
        gettext_lazy("With the mean latent ICC of both arms, and the shares of points of each."),
    ),
    Heading(
        of.DRAW,
        gettext_lazy("The arms"),
        gettext_lazy("People are analysed as they were drawn. Arms that lose people differently are no longer alike."),
    ),
    Heading(
        of.POWER,
        gettext_lazy("What such numbers of texts and ratings can find"),
        gettext_lazy("On the safe side: the arms share their texts."),
    ),
)
COUNTS = frozenset({"drawn", "raters", "ratings", *(name for name in LABELS if name.startswith("pairs_of_"))})
"""The figures that are whole numbers."""
PAPER = (
    "Pilot studies suggested that a scale of 1-3 offered better inter-annotator agreement than the standard 5-point "
    "Likert-type scale, at the cost of granularity."
)


@dataclass(frozen=True)
class Line:
    """A figure of both scales and of their difference; any of them may be missing."""

    label: Words
    first: Row | None
    second: Row | None
    difference: Row | None

    @property
    def cells(self) -> list[Row | None]:
        return [self.first, self.second, self.difference]


@dataclass(frozen=True)
class Table:
    heading: Heading
    lines: list[Line]


def rows_by(rows: Sequence[Row]) -> dict[tuple[str, str, str], Row]:
    return {(row["table"], row["figure"], row["scale"]): row for row in rows}


def label_of(figure: str) -> str:
    """Return what a figure is called; behind a colon it has the name of the scale that both arms have."""
    key, _colon, scale = figure.partition(": ")
    return f"{scale}: {LABELS[key]}" if scale else str(LABELS[key])


def tables_of(rows: Sequence[Row]) -> list[Table]:
    """Return the tables that have rows, in the order of the page."""
    found = rows_by(rows)
    tables = []
    for each in HEADINGS:
        table = each.table
        figures = dict.fromkeys(row["figure"] for row in rows if row["table"] == table)
        lines = [
            Line(
                label_of(figure),
                found.get((table, figure, FIRST)),
                found.get((table, figure, SECOND)),
                found.get((table, figure, DIFFERENCE)) or found.get((table, figure, "")),
            )
            for figure in figures
        ]
        if lines:
            tables.append(Table(each, lines))
    return tables


def answer_of(rows: Sequence[Row], names: tuple[str, str]) -> list[str]:
    """Return the answer in one to three sentences, and never more than is known."""
    found = rows_by(rows)
    judging, corpus = found[of.JUDGING, "latent_icc", DIFFERENCE], found[of.CORPUS, "icc_k", DIFFERENCE]
    sentences = [_told(judging, names, JUDGING_WORDS), _told(corpus, names, CORPUS_WORDS)]
    counts = found.get((of.DRAW, "counts", ""), {})
    if counts.get("p") is not None and counts["p"] < WRONGLY_DRAWN:
        words = _("So uneven are the numbers of people that the arms were drawn wrongly, and cannot be compared.")
        return [words, *sentences]
    return sentences


@dataclass(frozen=True)
class AnswerWords:
    """A sentence for each way in which a question can be answered."""

    unknown: Words
    shown: Words
    not_shown: Words


JUDGING_WORDS = AnswerWords(
    gettext_lazy("Whether people judge better on one of the scales is not known: %(reason)s."),
    gettext_lazy(
        "People judge better on the scale %(better)s: the latent ICCs differ by %(value)s (95%% interval %(low)s to "
        "%(high)s)."
    ),
    gettext_lazy(
        "It is not shown that people judge better on one of the scales: the latent ICCs differ by %(value)s (95%% "
        "interval %(low)s to %(high)s)."
    ),
)
CORPUS_WORDS = AnswerWords(
    gettext_lazy("Which scale gives the more reliable means of texts is not known: %(reason)s."),
    gettext_lazy(
        "The scale %(better)s gives the more reliable means of texts: ICC(1,k) differs by %(value)s (95%% interval "
        "%(low)s to %(high)s)."
    ),
    gettext_lazy(
        "It is not shown that one of the scales gives the more reliable means of texts: ICC(1,k) differs by %(value)s "
        "(95%% interval %(low)s to %(high)s)."
    ),
)


def _told(row: Row, names: tuple[str, str], words: AnswerWords) -> str:
    if row["low"] is None:
        return str(words.unknown) % {"reason": row["reason"].rstrip(".")}
    is_shown = row["low"] > 0 or row["high"] < 0
    return str(words.shown if is_shown else words.not_shown) % {**_named(row, names), **_ends(row)}


def _named(row: Row, names: tuple[str, str]) -> dict[str, str]:
    return {"better": names[0] if row["value"] > 0 else names[1]}


def _ends(row: Row) -> dict[str, str]:
    return {name: _decimal(row[name]) for name in ("value", "low", "high")}


def _decimal(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def figure_of(rows: Sequence[Row], names: tuple[str, str]) -> Figure:
    """Draw the latent ICC and ICC(1,k) of both scales with their intervals."""
    found = rows_by(rows)
    keys = [
        (table, figure, scale)
        for table, figure in ((of.JUDGING, "latent_icc"), (of.CORPUS, "icc_k"))
        for scale in of.ARMS
    ]
    chosen = [(key, found[key]) for key in keys]
    ends = [each for _, row in chosen for each in (row["low"], row["high"], row["value"]) if each is not None]
    place = Place(min([0.0, *ends]), max([1.0, *ends]))
    drawn = [
        PlotRow(str(LABELS[figure]), names[of.ARMS.index(scale)], [], *_dot(row, place))
        for (_table, figure, scale), row in chosen
    ]
    plot = RowPlot(drawn, linear_axis(_("Reliability"), place.low, place.high))
    caption = _("Each with its interval over sources and people.")
    return Figure("reliability", _("Reliability of both scales"), caption, plot)


def _dot(row: Row, place: Place) -> tuple[list[Dot], str]:
    if row["value"] is None:
        return [], row["reason"]
    words = _decimal(row["value"])
    if row["low"] is not None:
        words = _("%(value)s, 95%% interval %(low)s to %(high)s") % _ends(row)
    return [place.dot(row["value"], words, row["low"], row["high"])], ""


def cell_text(row: Row | None) -> str:
    """Return a number with its interval and p for a terminal or LaTeX."""
    if row is None:
        return ""
    if row["value"] is None:
        return "--"
    digits = 0 if row["figure"] in COUNTS else 3
    text = f"{row['value']:.{digits}f}"
    text += f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return text + (f" (p {p_value(row['p'])})" if row["p"] is not None else "")


def context_of(rows: Sequence[Row], names: tuple[str, str]) -> dict[str, Any]:
    return {
        "answer": answer_of(rows, names),
        "drawn": list(filter(None, [figure_of(rows, names)])),
        "tables": tables_of(rows),
        "names": names,
        "counts": COUNTS,
    }
