"""Where the features of a text, or of an editor's texts, lie among the texts of others in a campaign, for staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.words import Words
from compressions.models import TextFeatures
from crowd.models import Worker
from measures.quality_control.provenance.features import Feature, Place, features_sorted, place_among

MOST_COMPARED = 2_000
"""Of the newest texts of others, so that the page of a person costs the same in a large campaign."""


@dataclass(frozen=True)
class FeaturePlace:
    """A feature with its value, and where that lies among the texts of others; empty where there are too few."""

    name: Words
    value: str
    place: str


def places_of(worker: Worker, values: Mapping[str, float]) -> list[FeaturePlace]:
    """Return the features of a person's text or texts among those that others wrote in the campaign."""
    texts = TextFeatures.objects.filter(
        compression__worker__campaign=worker.campaign_id, compression__worker__is_test=False
    )
    others = texts.exclude(compression__worker=worker).order_by("-pk").values_list("values", flat=True)
    by_feature = features_sorted(list(others[:MOST_COMPARED])) if values else {}
    return [
        FeaturePlace(words, shown(values[feature]), _place_words(place_among(values[feature], by_feature[feature])))
        for feature, (words, shown) in SHOWN.items()
        if feature in values
    ]


def median_features(texts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the median of each feature over the texts that have it."""
    return {name: median(values) for name, values in features_sorted(texts).items() if values}


def _place_words(place: Place | None) -> str:
    if place is None:
        return ""
    numbers = {"percent": place.percent, "texts": f"{place.texts:,}"}
    if place.is_higher:
        return _("higher than %(percent)s%% of %(texts)s texts") % numbers
    return _("lower than %(percent)s%% of %(texts)s texts") % numbers


def _number(value: float) -> str:
    return f"{value:,.1f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def _seconds(value: float) -> str:
    return _("%(n)s s") % {"n": _number(value)}


# How often a text is its original with one piece cut out is a rule, and said as that.
SHOWN = {
    Feature.READING_S: (gettext_lazy("Reading: time before the first change"), _seconds),
    Feature.FRESH: (gettext_lazy("New in the text"), _percent),
    Feature.TYPED: (gettext_lazy("Typed"), _percent),
    Feature.PASTED: (gettext_lazy("Pasted, dropped or put in at once"), _percent),
    Feature.BY_PROGRAM: (gettext_lazy("Put in by programs"), _percent),
    Feature.LINEAR: (gettext_lazy("Put in at the end, in texts begun anew"), _percent),
    Feature.BEHIND100: (gettext_lazy("Changes before the end, in 100 characters put in"), _number),
    Feature.DELETED_AFTER: (gettext_lazy("Deleted again, of what was put in"), _percent),
    Feature.PAUSES100: (gettext_lazy("Pauses, in 100 characters put in"), _number),
    Feature.SPREAD: (gettext_lazy("Time from key to key: middle half over the median"), _number),
    Feature.TAIL: (gettext_lazy("Time from key to key: slowest 5% over the median"), _number),
    Feature.WORD_PAUSE: (gettext_lazy("Time before words over that within"), _number),
    Feature.WORD_Z: (gettext_lazy("Longer before words, in standard deviations"), _number),
    Feature.AWAY_S: (gettext_lazy("Away from the page"), _seconds),
    Feature.AFTER_RETURN: (gettext_lazy("Written within 30 seconds after coming back"), _percent),
    Feature.SMALL_WORDS: (gettext_lazy("Small words, of their share in the original"), _percent),
}
