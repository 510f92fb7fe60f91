"""What pages call the parameters and measures of the worker filter; their own names are stored and stay English."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.words import Words
from crowd.models import Round
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure

ORDERS: dict[Order, Words] = {
    Order.RATERS_FIRST: gettext_lazy("raters first"),
    Order.EDITORS_FIRST: gettext_lazy("editors first"),
}
ROLES: dict[Roles, Words] = {
    Roles.BOTH: gettext_lazy("raters and editors"),
    Roles.RATERS: gettext_lazy("raters only"),
    Roles.EDITORS: gettext_lazy("editors only"),
}
RATER_QUALITIES: dict[RaterQuality, Words] = {
    RaterQuality.DEVIATION: gettext_lazy("deviation from the others"),
    RaterQuality.GOLD: gettext_lazy("accuracy on gold questions"),
    RaterQuality.DAWID_SKENE: gettext_lazy("Dawid-Skene accuracy"),
}


@dataclass(frozen=True)
class MeasureWords:
    """A measure of quality: its name, the name of its axis, the title of a ranking by it, and what it means."""

    title: Words
    axis: Words
    ranking: Words
    meaning: Words


MEASURES: dict[Measure, MeasureWords] = {
    EDITOR_MEASURE: MeasureWords(
        gettext_lazy("Quality"),
        gettext_lazy("Quality (points)"),
        gettext_lazy("Editors, lowest quality first"),
        gettext_lazy(
            "Quality: the mean of meaning and grammar over the editor’s compressions, 1 to 3, higher is better."
        ),
    ),
    RATER_MEASURES[RaterQuality.DEVIATION]: MeasureWords(
        gettext_lazy("Deviation"),
        gettext_lazy("Deviation (points)"),
        gettext_lazy("Raters, highest deviation first"),
        gettext_lazy(
            "Deviation: the mean distance from the other raters of the same compression, in points, lower is better."
        ),
    ),
    RATER_MEASURES[RaterQuality.GOLD]: MeasureWords(
        gettext_lazy("Accuracy"),
        gettext_lazy("Accuracy (0 to 1)"),
        gettext_lazy("Raters, lowest accuracy first"),
        gettext_lazy("Accuracy: the share of the answers to gold questions that are right, higher is better."),
    ),
    RATER_MEASURES[RaterQuality.DAWID_SKENE]: MeasureWords(
        gettext_lazy("Dawid-Skene accuracy"),
        gettext_lazy("Dawid-Skene accuracy (0 to 1)"),
        gettext_lazy("Raters, lowest Dawid-Skene accuracy first"),
        gettext_lazy(
            "Accuracy: how often the rater gives the point that the model of Dawid and Skene takes for the true one, "
            "0 to 1."
        ),
    ),
}


@dataclass(frozen=True)
class RoleWords:
    """A role in a preview: its name, and the titles of what is shown of its people."""

    title: Words
    not_assessed: Words
    plot: Words
    table: Words
    pages: Words


ROLE_WORDS: dict[str, RoleWords] = {
    Round.EDIT: RoleWords(
        gettext_lazy("Editors"),
        gettext_lazy("This rule does not assess editors."),
        gettext_lazy("Distribution of the editors’ quality; the table below shows the same as figures"),
        gettext_lazy("Editors, worst first"),
        gettext_lazy("Pages of editors"),
    ),
    Round.RATE: RoleWords(
        gettext_lazy("Raters"),
        gettext_lazy("This rule does not assess raters."),
        gettext_lazy("Distribution of the raters’ quality; the table below shows the same as figures"),
        gettext_lazy("Raters, worst first"),
        gettext_lazy("Pages of raters"),
    ),
}


def preview_caption(work_round: str, measure: MeasureWords, number: int, eligible: int) -> str:
    """Say what the histogram of a role shows, and how many of its people can be assessed."""
    if work_round == Round.EDIT:
        words = ngettext(
            "%(measure)s of %(number)s editor; %(eligible)s with enough ratings.",
            "%(measure)s of %(number)s editors; %(eligible)s with enough ratings.",
            number,
        )
    else:
        words = ngettext(
            "%(measure)s of %(number)s rater; %(eligible)s with enough ratings.",
            "%(measure)s of %(number)s raters; %(eligible)s with enough ratings.",
            number,
        )
    return words % {"measure": measure.title, "number": f"{number:,}", "eligible": f"{eligible:,}"}


def rule_words(parameters: FilterParameters) -> list[str]:
    """Return sentences that say whom a rule assesses, and by what."""
    return [_roles_words(parameters), *_rater_quality_words(parameters), _min_items_words(parameters.min_items)]


def _roles_words(parameters: FilterParameters) -> str:
    if parameters.roles is Roles.RATERS:
        return _("It assesses only raters.")
    if parameters.roles is Roles.EDITORS:
        return _("It assesses only editors.")
    if parameters.order is Order.RATERS_FIRST:
        return _("It assesses raters first, then editors.")
    return _("It assesses editors first, then raters.")


def _rater_quality_words(parameters: FilterParameters) -> list[str]:
    if not parameters.judges_raters:
        return []
    words = {
        RaterQuality.DEVIATION: _("Raters are assessed by their deviation from the others."),
        RaterQuality.GOLD: _("Raters are assessed by their accuracy on gold questions."),
        RaterQuality.DAWID_SKENE: _("Raters are assessed by their accuracy under the model of Dawid and Skene."),
    }
    return [words[parameters.rater_quality]]


def _min_items_words(number: int) -> str:
    words = ngettext(
        "Participants with fewer than %(number)s rating are not assessed.",
        "Participants with fewer than %(number)s ratings are not assessed.",
        number,
    )
    return words % {"number": f"{number:,}"}
