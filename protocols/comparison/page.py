"""What the page of a comparison shows: its answer, its plots, and its tables, of the rows alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.templatetags.formatting import decimal, p_value, percent
from common.words import Words
from crowd.scales import Scale
from protocols.comparison import figures as of
from protocols.comparison.figures import Row
from protocols.comparison.plots import by_pair, pair_name, rows_of, share_plot
from reports.figures import Figure

FEW = 10
"""With fewer sources the answer counts them, and claims nothing of others."""
MOST_SENTENCES, MOST_SHOWN = 3, 200
LABELS: Mapping[str, Words] = {
    "mean": gettext_lazy("mean"),
    "rank": gettext_lazy("rank"),
    "better": gettext_lazy("better"),
    "equal": gettext_lazy("equal"),
    "worse": gettext_lazy("worse"),
    "superiority": gettext_lazy("share better plus half the share equal"),
    "left_out": gettext_lazy("sources left out: not both outputs have ratings that count"),
    "t": gettext_lazy("paired t: t"),
    "wilcoxon": gettext_lazy("Wilcoxon’s signed ranks: sum of the positive ranks"),
    "sign": gettext_lazy("sign test: sources better"),
    "permutation": gettext_lazy("permutation of signs: mean difference"),
    "difference": gettext_lazy("mean difference, in points"),
    "d_z": gettext_lazy("d_z: in standard deviations of the differences"),
    "g": gettext_lazy("g: the same, corrected for few sources"),
    "kappa": gettext_lazy("Cohen’s kappa, mean over pairs of judges"),
    "kappa_quadratic": gettext_lazy("the same, quadratic weights"),
    "alpha_ordinal": gettext_lazy("Krippendorff’s alpha, ordinal"),
    "friedman": gettext_lazy("Friedman’s chi-square"),
    "kendall_w": gettext_lazy("Kendall’s W"),
    "conover": gettext_lazy("difference in mean rank, Conover’s test"),
    "nemenyi": gettext_lazy("difference in mean rank, Nemenyi’s test"),
    "mixed": gettext_lazy("mixed model: difference in points"),
    "ordered": gettext_lazy("ordered model: log odds of a higher point"),
    "sd_sources": gettext_lazy("mixed model: standard deviation of sources"),
    "sd_judges": gettext_lazy("mixed model: standard deviation of judges, how they differ in severity"),
}
ORDER_LABELS: Mapping[str, Words] = {"permutation": gettext_lazy("the same by shuffled ranks")}
JUDGE_LABELS: Mapping[str, Words] = {
    "kappa": gettext_lazy("kappa"),
    "few_common": gettext_lazy("pairs of judges with too few texts in common"),
    "mean": gettext_lazy("mean of the ratings given"),
}


@dataclass(frozen=True)
class Heading:
    """A table of the report: its name in the rows, its heading, and how to read it."""

    table: str
    title: Words
    words: Words = ""


HEADINGS = (
    Heading(
        of.MEANS,
        gettext_lazy("Means"),
        gettext_lazy("Means over the sources for which all systems have ratings that count; 95% intervals by t."),
    ),
    Heading(
        of.DIRECTION,
        gettext_lazy("Better, equal, worse"),
        gettext_lazy("The second system against the first, source by source, by the mean of the same judges."),
    ),
    Heading(
        of.TESTS,
        gettext_lazy("Tests"),
        gettext_lazy(
            "Two-sided, over sources. The family of Holm’s correction is the same test of all pairs of systems on this "
            "scale."
        ),
    ),
    Heading(of.EFFECTS, gettext_lazy("Effects"), gettext_lazy("The second system less the first; 95% intervals.")),
    Heading(
        of.ORDER,
        gettext_lazy("All systems at once"),
        gettext_lazy("Ranks within each source. Conover’s and Nemenyi’s p allow for all pairs."),
    ),
    Heading(
        of.AGREEMENT,
        gettext_lazy("Agreement of the judges"),
        gettext_lazy("Over all outputs compared; pairs of judges with five or more in common. Intervals over sources."),
    ),
    Heading(
        of.MODELS,
        gettext_lazy("Models of single ratings"),
        gettext_lazy(
            "All ratings, whoever gave which: rating ~ system + (1 | source) + (1 | judge). The mixed model takes the "
            "ratings of one output as independent beside that, so its interval is too narrow where judges agree about "
            "an output; the ordered model has an effect of each output, too."
        ),
    ),
)
PAGE_HEADINGS = (*HEADINGS, Heading(of.JUDGES, gettext_lazy("Judge by judge")))


@dataclass(frozen=True)
class Line:
    label: str
    row: Row


@dataclass(frozen=True)
class Table:
    heading: Heading
    lines: Sequence[Line]

    @property
    def has_tests(self) -> bool:
        return any(line.row[name] is not None for line in self.lines for name in ("p", "p_holm"))


@dataclass(frozen=True)
class ShareTable:
    """Table 6 of the paper's kind: the categories from the highest, with the shares of both systems."""

    first: str
    second: str
    lines: Sequence[tuple[str, str, str, str]]
    """The category, the two shares, and by how much the second one is larger."""


@dataclass(frozen=True)
class Differences:
    """The differences of a system and the baseline, source by source, the largest first; the page has some."""

    first: str
    second: str
    lines: Sequence[Row]
    hidden: int


@dataclass(frozen=True)
class JudgePairs:
    """Cohen's kappa of each two judges; the page has the first ones."""

    lines: Sequence[Row]
    hidden: int
    left_out: int
    """Pairs with too few texts in common, where they are not listed."""


@dataclass(frozen=True)
class ScalePart:
    """All of one scale."""

    name: str
    shares: Sequence[ShareTable]
    figure: Figure
    tables: Sequence[Table]
    judges: Table | None
    judge_pairs: JudgePairs

    @property
    def judge_means(self) -> Table | None:
        """The table of judges without their pairs, which have one of their own."""
        lines = [each for each in (self.judges.lines if self.judges else ()) if each.row["figure"] == "mean"]
        return Table(self.judges.heading, lines) if self.judges and lines else None


def scale_parts(rows: Sequence[Row], scales: Sequence[Scale]) -> list[ScalePart]:
    by_key = {scale.key: scale for scale in scales}
    found = []
    for key, group in groupby(rows, key=lambda row: str(row["scale"])):
        of_scale, scale = list(group), by_key[key]
        tables = [
            Table(heading, [Line(label_of(row), row) for row in chosen])
            for heading in PAGE_HEADINGS
            if (chosen := rows_of(of_scale, heading.table))
        ]
        shares = list(_share_tables(of_scale, scale))
        judges = next((each for each in tables if each.heading.table == of.JUDGES), None)
        of_page = [each for each in tables if each is not judges]
        caption = _("Each output counts once, by its rounded mean or median.")
        title = _("%(scale)s: shares by category") % {"scale": scale.name}
        figure = Figure(f"shares-{key}", title, caption, share_plot(of_scale, scale))
        found.append(ScalePart(scale.name, shares, figure, of_page, judges, _judge_pairs(of_scale)))
    return found


def _judge_pairs(rows: Sequence[Row]) -> JudgePairs:
    lines = rows_of(rows, of.JUDGES, "kappa")
    left_out = sum(int(row["value"]) for row in rows_of(rows, of.JUDGES, "few_common"))
    return JudgePairs(lines[:MOST_SHOWN], max(0, len(lines) - MOST_SHOWN), left_out)


def label_of(row: Row) -> str:
    """Return what a row is about: its figure, and the systems or the judges."""
    if row["table"] == of.MEANS:
        return f"{row['group']}: {LABELS[row['figure']]}"
    own: Mapping[str, Mapping[str, Words]] = {of.ORDER: ORDER_LABELS, of.JUDGES: JUDGE_LABELS}
    figure = own.get(row["table"], {}).get(row["figure"]) or LABELS[row["figure"]]
    if not row["first"]:
        return str(figure)
    if row["table"] == of.JUDGES:
        who = " / ".join(each for each in (row["first"], row["second"]) if each)
        return f"{who}: {figure}"
    return f"{pair_name(row)}: {figure}"


def point_label(scale: Scale, value: str) -> str:
    point = next((each for each in scale.points if str(each.value) == value), None)
    return f"{value} {point.words}" if point else value


def _share_tables(rows: Sequence[Row], scale: Scale) -> Iterator[ShareTable]:
    by_pair = groupby(rows_of(rows, of.SHARES), key=lambda row: (row["first"], row["second"]))
    for (first, second), group in by_pair:
        found = {(row["group"], row["figure"]): row for row in group}
        points = [str(value) for value in reversed(scale.values)]
        lines = [(point_label(scale, each), *_two(found[first, each], found[second, each])) for each in points]
        yield ShareTable(first, second, lines)


def _two(first: Row, second: Row) -> tuple[str, str, str]:
    """Return two shares and their difference, in percent."""
    one, other = first["value"], second["value"]
    return percent(one), percent(other), _minus(f"{round(100 * (other - one)) + 0:d}%")


def answer_of(rows: Sequence[Row], scales: Sequence[Scale]) -> list[str]:
    """Return a sentence for each of the first scales."""
    names = {scale.key: scale.name for scale in scales}
    by_scale = [(names[key], list(group)) for key, group in groupby(rows, key=lambda row: str(row["scale"]))]
    return [_told(name, group) for name, group in by_scale[:MOST_SENTENCES]]


def _told(name: str, rows: Sequence[Row]) -> str:
    found = by_pair(rows)
    if len(found) > 1:
        return _several(name, rows, found)
    ((first, second), figures) = next(iter(found.items()))
    effect = figures["difference"]
    about = {"scale": name, "first": first, "second": second}
    if effect["value"] is None:
        words = _("%(scale)s: %(second)s cannot be compared with %(first)s: %(reason)s.")
        return words % {**about, "reason": effect["reason"]}
    about |= {each: f"{figures[each]['n']:,}" for each in ("better", "equal", "worse")}
    about |= {"n": f"{effect['n']:,}"}
    if effect["n"] < FEW or effect["low"] is None:
        words = _(
            "%(scale)s: of %(n)s sources, %(second)s is better than %(first)s on %(better)s, equal on %(equal)s and "
            "worse on %(worse)s."
        )
        return words % about
    about |= {each: decimal(effect[each]) for each in ("value", "low", "high")} | {"p": _p(figures["t"]["p"])}
    if effect["low"] <= 0 <= effect["high"]:
        words = _("%(scale)s: no difference of %(second)s and %(first)s is shown: %(counts)s; %(difference)s.")
    elif effect["value"] > 0:
        words = _("%(scale)s: %(second)s is rated higher than %(first)s: %(counts)s; %(difference)s.")
    else:
        words = _("%(scale)s: %(second)s is rated lower than %(first)s: %(counts)s; %(difference)s.")
    counts = _("better on %(better)s of %(n)s sources, equal on %(equal)s, worse on %(worse)s") % about
    difference = _("mean difference %(value)s points (95%% interval %(low)s to %(high)s, p %(p)s)") % about
    return words % {**about, "counts": counts, "difference": difference}


def _several(name: str, rows: Sequence[Row], found: Mapping[tuple[str, str], Mapping[str, Row]]) -> str:
    means = [row for row in rows_of(rows, of.MEANS, "mean") if row["value"] is not None]
    tests = [figures["t"] for figures in found.values() if "t" in figures]
    apart = sum(row["p_holm"] is not None and row["p_holm"] < 0.05 for row in tests)
    about = {"scale": name, "apart": apart, "pairs": len(found)}
    if not means:
        words = _("%(scale)s: %(apart)s of %(pairs)s pairs of systems differ (paired t, p < .05 after Holm).")
        return words % about
    about |= {"system": means[0]["group"], "mean": f"{means[0]['value']:.2f}"}
    words = _(
        "%(scale)s: %(system)s has the highest mean, %(mean)s; %(apart)s of %(pairs)s pairs of systems differ (paired "
        "t, p < .05 after Holm)."
    )
    return words % about


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def difference_lists(by_system: Sequence[Sequence[Row]]) -> list[Differences]:
    """Return the differences as the page shows them: the largest of either sign, if there are too many."""
    found = []
    for rows in by_system:
        if rows:
            half = MOST_SHOWN // 2
            shown = rows if len(rows) <= MOST_SHOWN else [*rows[:half], *rows[-half:]]
            found.append(Differences(rows[0]["first"], rows[0]["second"], shown, len(rows) - len(shown)))
    return found


def cell_text(row: Row) -> str:
    """Return a number with its interval for a terminal or LaTeX."""
    if row["value"] is None:
        return "--"
    text = f"{row['value']:.{0 if row['figure'] in ('left_out', 'few_common') else 3}f}"
    return text + (f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else "")


def _p(p: float) -> str:
    told = p_value(p)
    return told if told.startswith("<") else f"= {told}"


def p_text(p: float | None) -> str:
    return "" if p is None else p_value(p)
