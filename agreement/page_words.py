"""What pages call the parts of a report. Reports and files keep names of their own, which never change."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement.sections.cleaning import AFTER, BEFORE
from agreement.sections.coefficients import ALL_EXPERTS, ALL_RATERS, PERCENT
from agreement.sections.paper_table import ALL_RATINGS, EXPERTS, EXPERTS_WORKERS, OTHER_ROUNDING, WORKERS
from agreement.sections.subgroups import BY_GENRE, BY_LENGTH, BY_SENTENCES
from common.words import Words
from measures.agreement.mean_rounding import Rounding

LABELS: dict[str, Words] = {
    WORKERS: gettext_lazy("Rater versus rater"),
    ALL_RATINGS: gettext_lazy("Rater versus rater, all ratings"),
    OTHER_ROUNDING.format(Rounding.HALF_UP.value): gettext_lazy("Rater versus rater, halves rounded up"),
    OTHER_ROUNDING.format(Rounding.HALF_EVEN.value): gettext_lazy("Rater versus rater, halves rounded to even"),
    EXPERTS: gettext_lazy("Expert versus expert"),
    EXPERTS_WORKERS: gettext_lazy("Expert versus rater"),
    ALL_RATERS: gettext_lazy("All raters"),
    ALL_EXPERTS: gettext_lazy("All experts"),
    PERCENT: gettext_lazy("Share of pairs that agree"),
    BY_GENRE: gettext_lazy("By genre"),
    BY_SENTENCES: gettext_lazy("By number of sentences"),
    BY_LENGTH: gettext_lazy("By length of the source"),
    BEFORE: gettext_lazy("Before"),
    AFTER: gettext_lazy("After"),
}
_WITH_RATINGS = re.compile(rf"({BEFORE}|{AFTER}): ([\d.]+) ratings per text")
_WEIGHTED = re.compile(rf"{PERCENT} \((\w+)\)")
_SENTENCES = re.compile(r"(\d+) sentences?")
_WEEK = re.compile(r"week of ([\d-]+)")


def label_of(name: str) -> str:
    """Return what a page calls a comparison, a coefficient, a grouping or a group; names of people stay as they are."""
    return str(LABELS[name]) if name in LABELS else _label_with_value(name)


def _label_with_value(name: str) -> str:
    if match := _WITH_RATINGS.fullmatch(name):
        words = _("Before: %(mean)s ratings per text") if match[1] == BEFORE else _("After: %(mean)s ratings per text")
        return words % {"mean": match[2]}
    if match := _WEIGHTED.fullmatch(name):
        return _("Share of pairs that agree (%(weights)s)") % {"weights": match[1]}
    if match := _SENTENCES.fullmatch(name):
        return ngettext("%(n)s sentence", "%(n)s sentences", int(match[1])) % {"n": match[1]}
    if match := _WEEK.fullmatch(name):
        return _("Week of %(day)s") % {"day": match[1]}
    return name
