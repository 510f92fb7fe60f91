"""Which two scales of a release are compared, and how many draws its intervals are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from corpus.models import Release
from crowd.models import Campaign
from crowd.scales import Scale
from reports.parameters import ReportForm, ReportParameters, draws, names, seed


@dataclass(frozen=True)
class ScaleParameters(ReportParameters):
    scales: tuple[str, ...] = names(
        most=2,
        label=gettext_lazy("Scales"),
        none=gettext_lazy("the first two of different arms"),
        api="The keys of the two scales, each of an arm of its own; differences are the first less the second. By "
        "default the first two of different arms.",
        option="key of a scale of an arm; give it twice",
    )
    draws: int = draws(
        "draws of sources and people, of which intervals are percentiles", gettext_lazy("Draws of sources and people")
    )
    seed: int = seed(is_folded=True)


def comparable_pairs(scales: Sequence[Scale]) -> list[tuple[Scale, Scale]]:
    """Return the pairs of scales that can be compared: of different arms, in either order."""
    of_arms = [scale for scale in scales if scale.arm and scale.numbers is None and not scale.is_preference]
    return [(one, other) for one, other in permutations(of_arms, 2) if one.arm != other.arm]


def chosen_scales(on: Release | Campaign, parameters: ScaleParameters) -> tuple[Scale, Scale]:
    """Return the two scales; raise Refused if they cannot be compared."""
    pairs = comparable_pairs(on.rating_scales)
    if not pairs:
        words = _("%(release)s has no two scales of different arms, so there is nothing to compare.")
        raise Refused(words % {"release": on.name})
    if not parameters.scales:
        return pairs[0]
    found = [pair for pair in pairs if tuple(scale.key for scale in pair) == parameters.scales]
    if not found:
        known = ", ".join(dict.fromkeys(pair[0].key for pair in pairs))
        words = _("Choose two scales of different arms, of these: %(known)s.")
        raise Refused(words % {"known": known})
    return found[0]


class ScaleForm(ReportForm):
    """The parameters, with the pairs of scales of a release to choose from."""

    def __init__(self, *args: Any, on: Release | Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pairs = comparable_pairs(on.rating_scales)
        choices = [
            (f"{one.key} {other.key}", _("%(one)s against %(other)s") % {"one": one.name, "other": other.name})
            for one, other in pairs
        ]
        self.fields["scales"] = forms.ChoiceField(choices=choices, label=_("Scales"), required=False)

    def clean_scales(self) -> tuple[str, ...]:
        """Return the keys of the pair."""
        return tuple(self.cleaned_data["scales"].split())
