"""What the page of the report on a quiz shows first: the answer, the means, and the plot of people and means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.charts import THIN, Chart, Curve, Mark
from common.plots import Axis, Tick, linear_axis
from common.templatetags.formatting import decimal, p_value
from common.words import Words
from protocols.quiz import comparison_rows as compared
from protocols.quiz import score_rows as scores
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report_rows import Row
from protocols.quiz.report_tables import tables_of
from reports.figures import Figure
from reports.kinds import Tab
from reports.models import Report
from reports.published import PublishedTable, published_table

PAPER = "M12"
MOST_LINES = 300
"""Of more people not every line is drawn."""
GROUPS: Sequence[tuple[str, Words, Sequence[str]]] = (
    ("differences", gettext_lazy("Differences"), ("pairs", "equivalence", "power")),
    ("tests", gettext_lazy("Tests"), ("tests", "pairs-by-ranks", "mixed-model")),
    ("by", gettext_lazy("By text, place and type"), ("by-text", "by-place", "by-type", "types", "time")),
    (
        "summaries",
        gettext_lazy("Summaries"),
        ("utterance-f", "rouge", "rho", "rho-given-text", "rho-mean"),
    ),
    ("markers", gettext_lazy("Markers"), ("marking",)),
)


@dataclass(frozen=True)
class MeanLine:
    """A condition in the first table."""

    condition: str
    mean: Row
    sd: Row | None


def published_tables() -> list[PublishedTable]:
    """Return Tables 1 to 4 of the paper, and what its text says."""
    return [published_table(PAPER, f"Table {number}") for number in range(1, 5)] + [published_table(PAPER, "text")]


def context_of(rows: Sequence[Row], people: Iterable[Sequence[Row]], parameters: QuizParameters) -> dict[str, Any]:
    return {
        "answer": answer_of(rows, parameters),
        "left_out": left_out_words(rows),
        "means": mean_lines(rows),
        "drawn": list(filter(None, [figure_of(rows, people)])),
    }


def _shown(names: Sequence[str]) -> Callable[[Report, QueryDict], dict[str, Any]]:
    def shown_of(report: Report, _query: QueryDict) -> dict[str, Any]:
        tables = tables_of(report.rows or [])
        return {"tables": [tables[each] for each in names if each in tables]}

    return shown_of


TABS = tuple(Tab(key, name, "protocols/quiz/tables.html", _shown(names)) for key, name, names in GROUPS)


def of_table(rows: Sequence[Row], table: str, **wanted: str) -> list[Row]:
    return [row for row in rows if row["table"] == table and all(row[name] == each for name, each in wanted.items())]


def mean_lines(rows: Sequence[Row]) -> list[MeanLine]:
    sds = {row["group"]: row for row in of_table(rows, scores.MEANS, figure="sd")}
    means = of_table(rows, scores.MEANS, figure="mean")
    return [MeanLine(row["group"], row, sds.get(row["group"])) for row in means]


# The answer


def answer_of(rows: Sequence[Row], parameters: QuizParameters) -> list[str]:
    """Say in one to three sentences which conditions have the best and the least scores, and what is shown."""
    means = [row for row in of_table(rows, scores.MEANS, figure="mean") if row["value"] is not None]
    if not means:
        return [_("No quiz has a score yet.")]
    found = [_means_words(means), _test_words(rows)]
    return [*found, *_equivalence_words(rows, parameters)]


def _means_words(means: Sequence[Row]) -> str:
    best, worst = max(means, key=lambda row: row["value"]), min(means, key=lambda row: row["value"])
    if best["value"] == worst["value"]:
        words = _("The mean score is %(value)s of 100 under every condition that has one.")
        return words % {"value": decimal(best["value"], 1)}
    words = _("The mean score is highest under “%(best)s”, %(high)s of 100, and lowest under “%(worst)s”, %(low)s.")
    about = {"best": best["group"], "high": decimal(best["value"], 1)}
    return words % (about | {"worst": worst["group"], "low": decimal(worst["value"], 1)})


def _test_words(rows: Sequence[Row]) -> str:
    """Say whether conditions differ, and which pairs do."""
    (test,) = of_table(rows, compared.TESTS, figure="F, Greenhouse-Geisser")
    if test["p"] is None:
        return _("Whether conditions differ is not known: %(why)s.") % {"why": test["reason"]}
    about = {"f": decimal(test["value"]), "p": _equal(test["p"]), "n": f"{test['n']:,}"}
    pairs = of_table(rows, compared.PAIRS, figure="difference")
    apart = [row for row in pairs if row["p_adjusted"] is not None and row["p_adjusted"] < compared.ALPHA]
    if test["p"] >= compared.ALPHA:
        words = ngettext(
            "That conditions differ is not shown (F %(f)s, p %(p)s by Greenhouse and Geisser, %(n)s person).",
            "That conditions differ is not shown (F %(f)s, p %(p)s by Greenhouse and Geisser, %(n)s people).",
            test["n"],
        )
        return words % about
    if not apart:
        words = _(
            "Conditions differ (F %(f)s, p %(p)s by Greenhouse and Geisser, %(n)s people), but no two of them do after "
            "Holm’s correction."
        )
        return words % about
    words = _(
        "Conditions differ (F %(f)s, p %(p)s by Greenhouse and Geisser, %(n)s people). After Holm’s correction: "
        "%(pairs)s."
    )
    return words % (about | {"pairs": _listed([_pair_words(row) for row in apart])})


def _pair_words(row: Row) -> str:
    better, worse = (row["first"], row["second"]) if row["value"] > 0 else (row["second"], row["first"])
    words = _("“%(better)s” is %(points)s points above “%(worse)s” (p %(p)s)")
    about = {"better": better, "worse": worse, "points": decimal(abs(row["value"]), 1)}
    return words % (about | {"p": _equal(row["p_adjusted"])})


def _listed(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return _("%(first)s and %(last)s") % {"first": ", ".join(parts[:-1]), "last": parts[-1]}


def _equivalence_words(rows: Sequence[Row], parameters: QuizParameters) -> list[str]:
    """Say which conditions are shown to be as good as the control, within the bound."""
    known = [row for row in of_table(rows, compared.EQUIVALENCE) if row["p_adjusted"] is not None]
    if not known:
        return []
    about = {"control": known[0]["second"], "bound": f"{parameters.bound:g}"}
    shown = [f"“{row['first']}”" for row in known if row["p_adjusted"] < compared.ALPHA]
    if not shown:
        words = _("Of no condition is it shown that it is within %(bound)s points of “%(control)s”.")
        return [words % about]
    words = _("Within %(bound)s points of “%(control)s”, as is shown: %(shown)s.")
    return [words % (about | {"shown": ", ".join(shown)})]


def _equal(p: float) -> str:
    told = p_value(p)
    return told if told.startswith("<") else f"= {told}"


def left_out_words(rows: Sequence[Row]) -> str:
    """Say who is left out, and why."""
    found = [(row["figure"], round(row["value"])) for row in of_table(rows, scores.LEFT_OUT) if row["value"]]
    if not found:
        return _("Nobody is left out.")
    told = "; ".join(f"{reason} ({number:,})" for reason, number in found)
    return _("Left out: %(told)s.") % {"told": told}


# The plot


def figure_of(rows: Sequence[Row], people: Iterable[Sequence[Row]]) -> Figure | None:
    """Draw the scores of each person over the conditions, and the means; None if there are no means."""
    lines = mean_lines(rows)
    conditions = {line.condition: place for place, line in enumerate(lines)}
    if not any(line.mean["value"] is not None for line in lines):
        return None

    def x_of(condition: str) -> float:
        return round(100 * (conditions[condition] + 0.5) / len(conditions), 2)

    curves, number = [], 0
    for number, quizzes in enumerate(people, start=1):
        if number <= MOST_LINES:
            curves.append(_curve(number, quizzes, conditions, x_of))
    marks = [_mark(line, x_of(line.condition)) for line in lines if line.mean["value"] is not None]
    across = Axis(_("Condition"), [Tick(x_of(each), each) for each in conditions])
    chart = Chart(across, linear_axis(_("Score"), 0, 100).upwards, marks, curves=curves, height=240, size=6)
    return Figure("scores", _("Scores by condition"), _caption(min(number, MOST_LINES), number), chart)


def _caption(drawn: int, people: int) -> str:
    words = ngettext(
        "The dots are means with 95% intervals; the thin line is one person.",
        "The dots are means with 95% intervals; each thin line is one person.",
        people,
    )
    if drawn == people:
        return words
    some = _("%(drawn)s of %(all)s people are drawn.") % {"drawn": f"{drawn:,}", "all": f"{people:,}"}
    return f"{words} {some}"


def _curve(number: int, quizzes: Sequence[Row], conditions: Mapping[str, int], x_of: Callable[[str], float]) -> Curve:
    answered = (row for row in quizzes if row["value"] is not None)
    known = sorted((conditions[row["first"]], row["first"], row["value"]) for row in answered)
    path = "".join(
        f"{'L' if place else 'M'}{x_of(name):g} {100 - value:.1f}" for place, (_column, name, value) in enumerate(known)
    )
    points = [(name, value) for _column, name, value in known]
    return Curve(path, points, _("person %(n)s") % {"n": number}, THIN)


def _mark(line: MeanLine, x: float) -> Mark:
    row = line.mean
    about = {"condition": line.condition, **{name: decimal(row[name], 1) for name in ("value", "low", "high")}}
    at = x, 100 - row["value"]
    if row["low"] is None:
        return Mark(*at, _("%(condition)s: %(value)s") % about, _("mean"), line.condition, row["value"])
    words = _("%(condition)s: %(value)s (%(low)s to %(high)s)") % about
    ends = 100 - row["low"], 100 - row["high"]
    return Mark(*at, words, _("mean"), line.condition, row["value"], (row["low"], row["high"]), *ends)
