"""What staff choose for the task of giving points, and read of it."""

from django import forms
from django.utils.translation import gettext_lazy

from protocols.fusions import FusionForm
from protocols.task import Settings

WITH, WITHOUT = "with reference", "without reference"
"""The arms: whether the reference is read before the text."""
BASE = WITH
FILE_HELP = gettext_lazy(
    "One text in a line, with id, reference and output, and in files with several systems their system. Lines with the "
    "same id have the same reference; nobody is given more than one of them, and there are 50 at most. Optional are "
    "sentences (the two that the texts are made from, in CSV with | between), language, and for practice expected: the "
    "points from 1, the best, to 5."
)


class AbsoluteForm(FusionForm):
    reference = forms.ChoiceField(
        label=gettext_lazy("Who reads the reference first"),
        choices=[
            ("all", gettext_lazy("everybody")),
            ("half", gettext_lazy("half of the tasks, drawn at random: the report compares")),
        ],
        initial="all",
    )
    shows_sentences = forms.BooleanField(
        label=gettext_lazy("Show the two sentences beside the text"),
        required=False,
        initial=False,
        help_text=gettext_lazy("If the file has them."),
    )


def draws_arms(settings: Settings) -> bool:
    return bool(settings["reference"] == "half")
