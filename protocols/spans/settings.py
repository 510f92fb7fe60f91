"""What staff choose for the task of marking errors and for its report."""

import json
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from measures.spans import PRESETS, Preset, preset, preset_from
from measures.spans.presets import PREMARKED
from protocols.parameters import CampaignParameters
from protocols.task import Settings
from reports.parameters import number, seed, switch

OWN = "own"
WITH, WITHOUT = "with", "without"
"""The arms: whether people begin with marks."""
FILE_HELP = gettext_lazy(
    "One text in a line, with id, source and output, and in files with several systems their system. Optional are "
    "language, context_before, context_after, marks that are there at the beginning (JSON only), and for practice "
    "expected: the marks and the score that people see after theirs (JSON only)."
)


class SpansForm(TypedTexts, forms.Form):
    preset = forms.ChoiceField(
        label=gettext_lazy("Kinds and severities"),
        choices=[(key, preset(key).name) for key in PRESETS] + [(OWN, gettext_lazy("a preset of your own"))],
        initial="esa",
    )
    own_preset = forms.CharField(
        label=gettext_lazy("Your own preset"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea({"rows": 8, "class": "mono"}),
        help_text=gettext_lazy("JSON as in docs/error-spans.md. Only if you chose a preset of your own."),
    )
    premark = forms.ChoiceField(
        label=gettext_lazy("Marks that are there at the beginning"),
        choices=[
            ("none", gettext_lazy("none")),
            ("file", gettext_lazy("those of the file of material")),
            ("alignment", gettext_lazy("what the alignment of words says was changed")),
        ],
        initial="none",
        help_text=gettext_lazy("Half of the tasks, drawn at random, come without, so that the report can compare."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not {"preset", "own_preset"} <= cleaned.keys():
            return cleaned
        try:
            used = preset_of(cleaned)
        except ValueError as error:
            self.add_error("own_preset", str(error))
            return cleaned
        if cleaned.get("premark") == "alignment" and not all(map(used.kind, PREMARKED)):
            words = _("The alignment marks %(kinds)s, and these are not all kinds of the preset.")
            self.add_error("premark", words % {"kinds": ", ".join(PREMARKED)})
        return cleaned


def preset_of(settings: Settings) -> Preset:
    """Return the preset that the settings name; raise ValueError if it is none."""
    if settings["preset"] != OWN:
        return preset(settings["preset"])
    try:
        return preset_from(json.loads(settings["own_preset"]))
    except RecursionError as error:
        raise ValueError("lists and objects stand in each other too deep") from error


@dataclass(frozen=True)
class SpansParameters(CampaignParameters):
    """How points are counted, and intervals drawn.

    `per_100_words` divides the points of each text by the words of its source; `draws` are the bootstrap draws of
    sources.
    """

    per_100_words: bool = switch(
        label=gettext_lazy("Count points per 100 words of the source"),
        api="Whether points are counted per 100 words of the source.",
        option="count points per 100 words of the source",
    )
    draws: int = number(
        1000,
        least=1,
        most=10_000,
        label=gettext_lazy("Bootstrap draws of sources"),
        api="Bootstrap draws of sources.",
        option="bootstrap draws of sources",
    )
    seed: int = seed(label=gettext_lazy("Seed"), api="Seed of the draws.", option="seed of the draws", is_folded=True)
