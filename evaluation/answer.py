"""A report's answer for a judgement in a sentence, and what limits it: true for any number of metrics and systems."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.templatetags.formatting import decimal
from common.words import Words
from evaluation.page_rows import INPUT_LEVEL, ReportRows, Row
from evaluation.page_words import sentinel_label
from evaluation.planned_analysis import PlannedAnalysis
from evaluation.sections.base import LEAST_INPUTS
from evaluation.sections.ceiling import OVER_PAIRS
from measures.meta_evaluation.ceiling import FEW_RATERS
from measures.meta_evaluation.sentinels import ONE_RATER

MOST_NAMED = 3
"""More metrics than this that share the highest value are counted, not named."""
MOST_IN_GROUP = 5
"""Of a longer group of metrics that may be the best, the first are named."""
HARDLY = 0.005
"""Less luck than this is 0 as it is shown."""
FEW_SYSTEMS = 10
TRUSTED = "95%"
Linked = Callable[[str], Any]


@dataclass(frozen=True)
class Answer:
    """The sentence for a judgement, and those that say how far it goes."""

    first: str
    more: list[str]


def answer_of(rows: ReportRows, judgement: str, linked: Linked, *, are_tested: bool = True) -> Answer:
    """Return the answer; `are_tested` says whether any two metrics could be tested against each other."""
    levels = rows.metric_levels(judgement)
    known = [row for row in levels if row["value"] is not None]
    first = best_sentence(levels, known, linked, are_tested=are_tested)
    if not known:
        return Answer(first, [])
    more = [
        left_out_sentence(len(levels) - len(known)),
        luck_sentence(rows, judgement, known[0]),
        group_sentence(rows, judgement, known[0], linked),
        no_correlation_sentence(known[0]),
        one_rating_sentence(rows, judgement),
        small_pairs_sentence(known[0]),
        sentinel_sentence(rows, judgement, known[0]),
        trusted_sentence(rows, judgement, levels, linked),
    ]
    return Answer(first, [sentence for sentence in more if sentence])


def best_sentence(levels: Sequence[Row], known: Sequence[Row], linked: Linked, *, are_tested: bool) -> str:
    if not levels:
        return _("Which metric follows these ratings is unknown: the report has no correlations.")
    if not known:
        return _none_defined(levels)
    best = [row for row in known if row["value"] == known[0]["value"]]
    values = {
        "top": sum(bool(row.get("is_top")) for row in known),
        "n": len(known),
        "r": estimate(known[0]),
        "best": linked(best[0]["metric"]),
    }
    if len(known) == 1:
        return filled(_("On this corpus one metric can be held against these ratings: %(best)s, r = %(r)s."), values)
    if len(best) > 1:
        return _tied(best, values, linked, are_tested=are_tested)
    words = _best_words(values["top"], values["n"]) if are_tested else UNTESTED_BEST
    return filled(str(words), values)


UNTESTED_BEST: Words = gettext_lazy(
    "On this corpus no two of %(n)s metrics can be tested against each other; the highest is %(best)s, r = %(r)s."
)
UNTESTED: Words = gettext_lazy("On this corpus no two of %(n)s metrics can be tested against each other.")


def _best_words(top: int, number: int) -> str:
    if top == number:
        return _(
            "On this corpus none of %(n)s metrics is shown to be worse than another; the highest is %(best)s, "
            "r = %(r)s."
        )
    if top == 0:
        return _(
            "On this corpus each of %(n)s metrics is shown to be worse than some other; the highest is %(best)s, "
            "r = %(r)s."
        )
    return ngettext(
        "On this corpus %(top)s of %(n)s metrics is not shown to be worse than any other; the highest is %(best)s, "
        "r = %(r)s.",
        "On this corpus %(top)s of %(n)s metrics are not shown to be worse than any other; the highest is %(best)s, "
        "r = %(r)s.",
        top,
    )


def _tied(best: Sequence[Row], values: dict[str, Any], linked: Linked, *, are_tested: bool) -> str:
    """Say which metrics share the highest value."""
    top = _tied_top(values) if are_tested else str(UNTESTED)
    values = {**values, "tied": len(best), "value": decimal(best[0]["value"])}
    if len(best) > MOST_NAMED:
        return filled(f"{top} {_('%(tied)s share the highest r, %(value)s.')}", values)
    names = filled(", ".join(f"%({number})s" for number in range(len(best))), _numbered(best, linked))
    return filled(f"{top} {_('The highest are %(names)s, r = %(value)s each.')}", {**values, "names": names})


def _tied_top(values: dict[str, Any]) -> str:
    if values["top"] == values["n"]:
        return _("On this corpus none of %(n)s metrics is shown to be worse than another.")
    if values["top"] == 0:
        return _("On this corpus each of %(n)s metrics is shown to be worse than some other.")
    return ngettext(
        "On this corpus %(top)s of %(n)s metrics is not shown to be worse than any other.",
        "On this corpus %(top)s of %(n)s metrics are not shown to be worse than any other.",
        values["top"],
    )


def _numbered(best: Sequence[Row], linked: Linked) -> dict[str, Any]:
    return {str(number): linked(row["metric"]) for number, row in enumerate(best)}


def _none_defined(levels: Sequence[Row]) -> str:
    reasons = {row["reason"] for row in levels if row.get("reason")}
    if len(reasons) == 1:
        words = _("No metric can be held against these ratings: %(reason)s.")
        return words % {"reason": reasons.pop().rstrip(".")}
    return _("No metric can be held against these ratings. The table says why.")


def left_out_sentence(number: int) -> str:
    if not number:
        return ""
    words = ngettext(
        "%(n)s more metric has no correlation that is defined.",
        "%(n)s more metrics have no correlation that is defined.",
        number,
    )
    return words % {"n": number}


def luck_sentence(rows: ReportRows, judgement: str, best: Row) -> str:
    """Say what is left of the highest r without the luck of having been chosen."""
    for row in rows.of("best of many", judgement, "adjusted r"):
        # A report may average over pairs of systems in another way, and so have another best metric.
        if row["value"] is not None and (row["metric"], row["r"]) == (best["metric"], best["value"]):
            words = _(
                "The best of %(n)s on these texts owes about %(luck)s of its r to luck, so expect about %(r)s on "
                "others."
            )
            if row["luck"] < HARDLY:
                words = _("As the best of %(n)s on these texts, it owes hardly any of its r to luck.")
            values = {"n": row["metrics"], "luck": decimal(row["luck"]), "r": decimal(row["value"])}
            return words % values
    return ""


def group_sentence(rows: ReportRows, judgement: str, best: Row, linked: Linked) -> str:
    """Name the metrics that may as well be the best."""
    found = rows.of("best of many", judgement, "not shown to be worse")
    others = [row["other"] for row in found if row["metric"] == best["metric"]]
    if not others:
        return ""
    named = {str(number): linked(name) for number, name in enumerate(others[:MOST_IN_GROUP])}
    names = filled(", ".join(f"%({number})s" for number in named), named)
    left = len(others) - len(named)
    if not left:
        return filled(_("Within its error, and perhaps better: %(names)s."), {"names": names})
    words = ngettext(
        "Within its error, and perhaps better: %(names)s and %(n)s more.",
        "Within its error, and perhaps better: %(names)s and %(n)s more.",
        left,
    )
    return filled(words, {"names": names, "n": left})


def no_correlation_sentence(best: Row) -> str:
    """Warn where even the best metric may not follow the ratings."""
    if best["value"] <= 0:
        return _("On these texts no metric rises with the ratings.")
    if best.get("low") is None:
        return _("It has no interval, so this says nothing beyond these texts.")
    if best["low"] <= 0:
        return _("Its interval includes 0, so it may not follow these ratings at all.")
    return ""


def one_rating_sentence(rows: ReportRows, judgement: str) -> str:
    """Warn where nothing shows how far another rater would agree."""
    found = rows.of("ceiling", judgement, OVER_PAIRS)
    if not found or found[0]["reason"] != FEW_RATERS.reason:
        return ""
    return _("Hardly an output has two ratings, so it is unknown whether other raters would say the same.")


def small_pairs_sentence(best: Row) -> str:
    """Warn where r is over pairs of systems of very different sizes."""
    small, pairs = best.get("small_pairs") or 0, best.get("pairs") or 0
    if not 0 < small < pairs:
        return ""
    words = ngettext(
        "%(small)s of the %(pairs)s pairs of systems shares fewer than %(few)s texts, and counts as much as the "
        "others.",
        "%(small)s of the %(pairs)s pairs of systems share fewer than %(few)s texts, and count as much as the others.",
        small,
    )
    return words % {"small": small, "pairs": pairs, "few": LEAST_INPUTS}


def sentinel_sentence(rows: ReportRows, judgement: str, best: Row) -> str:
    """Name a number that hardly looks at the text, unless the best metric is clearly above it."""
    sentinel, low = best_sentinel(rows, judgement), best.get("low")
    if sentinel is None or (low is not None and sentinel["value"] < low):
        return ""
    if sentinel["value"] > best["value"]:
        words = _("A number that no metric should lose to has a higher r: %(sentinel)s, r = %(r)s.")
    elif low is None:
        words = _("It is not shown to be above what no metric should lose to: %(sentinel)s, r = %(r)s.")
    else:
        words = _("Its interval reaches down to what no metric should lose to: %(sentinel)s, r = %(r)s.")
    return words % {"sentinel": sentinel_label(sentinel["metric"]), "r": estimate(sentinel)}


def best_sentinel(rows: ReportRows, judgement: str) -> Row | None:
    """Return the number that follows the ratings best; one rater may well follow the others better than a metric."""
    rows_of_texts = (row for row in rows.of("sentinels", judgement, "r") if row["metric"] != ONE_RATER)
    known = [row for row in rows_of_texts if row["value"] is not None]
    return max(known, key=lambda row: float(row["value"]), default=None)


def trusted_sentence(rows: ReportRows, judgement: str, levels: Sequence[Row], linked: Linked) -> str:
    """Say how far apart systems must be in the only metric; of many, each one's page says it for that one."""
    if len(levels) != 1:
        return ""
    for row in rows.of("shown difference", judgement, TRUSTED):
        if row["value"] is not None:
            words = _(
                "Where two systems differ by at least %(value)s in %(metric)s, it is shown to agree with people on "
                "95%% of the pairs."
            )
            return filled(words, {"metric": linked(row["metric"]), "value": decimal(row["value"], 3)})
    return ""


def planned_sentences(plan: PlannedAnalysis, rows: ReportRows) -> list[str]:
    """Say what was named beforehand, and what that makes of the rest of the report."""
    values = {"day": date_format(datetime.fromisoformat(plan.named_at), "Y-m-d"), "number": plan.settings_version}
    if plan.ratings_before is None:
        words = _(
            "The settings have named it since version %(number)s (%(day)s). Whether that was before the first rating "
            "is unknown."
        )
    elif plan.is_confirmatory:
        words = _(
            "The settings have named it since version %(number)s (%(day)s), before the first rating. All else in this "
            "report is exploratory."
        )
    else:
        values["n"] = f"{plan.ratings_before:,}"
        words = ngettext(
            "The settings have named it since version %(number)s (%(day)s), when %(n)s rating was in: this is "
            "exploratory, too.",
            "The settings have named it since version %(number)s (%(day)s), when %(n)s ratings were in: this is "
            "exploratory, too.",
            plan.ratings_before,
        )
    is_here = any(row["metric"] == plan.metric for row in rows.of(INPUT_LEVEL))
    return [words % values, *([] if is_here else [_("This report has no scores by that metric.")])]


def few_systems_sentence(systems: int) -> str:
    if not 1 < systems < FEW_SYSTEMS:
        return ""
    pairs = systems * (systems - 1) // 2
    words = ngettext(
        "This is coarse: %(systems)s systems make only %(n)s pair.",
        "This is coarse: %(systems)s systems make only %(n)s pairs.",
        pairs,
    )
    return words % {"systems": systems, "n": pairs}


def number_of_systems(rows: ReportRows) -> int:
    """Return how many systems have a mean rating; 0 if the report does not say."""
    return len({row["other"] for row in rows.of("table 8") if row.get("other") and row["value"] is not None})


def estimate(row: Row) -> str:
    """Return a value with its interval, if it has one."""
    if row.get("low") is None or row.get("high") is None:
        return _("%(value)s (no interval)") % {"value": decimal(row["value"])}
    return f"{decimal(row['value'])} [{decimal(row['low'])}, {decimal(row['high'])}]"


def filled(words: str, values: dict[str, Any]) -> SafeString:
    """Fill a sentence in which names of metrics are links; everything else is escaped."""
    escaped = {name: conditional_escape(value) for name, value in values.items()}
    return mark_safe(conditional_escape(words) % escaped)  # noqa: S308  (every part is escaped)
