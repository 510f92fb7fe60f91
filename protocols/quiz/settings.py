"""What staff choose for a quiz study, and read of its files."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from measures.experiments.latin_rows import MOST_CONDITIONS
from protocols.task import Settings

NONE, GENERIC, PRIMED, AUTOMATIC = KINDS = ("none", "generic", "primed", "automatic")
"""What people have in the quiz: all of the text; the summary that they chose, before or with sight of the questions;
or one of a program."""
PREPARE_KEY, QUIZ_KEY, MARKING_KEY = "prepare", "quiz", "marks"
"""The parts of the task."""
CONTEXT_FREE = "context-free"
"""The kind of summaries that annotators chose who know of no quiz."""
OWN_SUMMARIES = {GENERIC, PRIMED}
CONDITION = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
FILE_HELP = gettext_lazy(
    "Four kinds of JSON lines. A text: id, title, utterances (a list of id, text and optionally speaker, start and "
    "end), optionally slides (title, text, first_utterance) and audio (the name of a sound). A question: id, text_id, "
    "type (1 to 4), question, kind (short, blank or choice), key (the accepted answers), optionally marks, options and "
    "priming_only. A program’s summary: text_id, condition, utterances (ids). An annotator’s: text_id, annotator, "
    "utterances. docs/quiz.md explains them."
)


@dataclass(frozen=True)
class Condition:
    """A condition: its key stands in files, its kind says what people have in the quiz."""

    key: str
    kind: str


def conditions_of(settings: Settings) -> tuple[Condition, ...]:
    """Return the conditions; raise a ValidationError that names the line of one that cannot be."""
    found: list[Condition] = []
    for number, line in enumerate(settings["conditions"].splitlines(), start=1):
        key, colon, kind = (part.strip() for part in line.partition(":"))
        if not line.strip():
            continue
        if not CONDITION.fullmatch(key) or (kind if colon else key) not in KINDS:
            words = _(
                "Line %(line)s: a condition is its name, a colon and its kind, one of %(kinds)s: “mmr: automatic”."
            )
            raise ValidationError(words % {"line": number, "kinds": ", ".join(KINDS)})
        if key in {each.key for each in found}:
            raise ValidationError(_("Line %(line)s: there is a condition of this name already.") % {"line": number})
        if key == CONTEXT_FREE:
            words = _("Line %(line)s: “%(name)s” is the name of summaries that annotators chose.")
            raise ValidationError(words % {"line": number, "name": key})
        found.append(Condition(key, kind if colon else key))
    if not 2 <= len(found) <= MOST_CONDITIONS:
        raise ValidationError(_("A study has 2 to %(most)s conditions.") % {"most": MOST_CONDITIONS})
    return tuple(found)


class LengthForm(TypedTexts, forms.Form):
    """How long a summary may be."""

    least_percent = forms.IntegerField(
        label=gettext_lazy("Shortest summary, % of the words"), min_value=1, max_value=99, initial=17
    )
    most_percent = forms.IntegerField(
        label=gettext_lazy("Longest summary, % of the words"), min_value=1, max_value=99, initial=23
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if {"least_percent", "most_percent"} <= cleaned.keys() and cleaned["least_percent"] > cleaned["most_percent"]:
            self.add_error("most_percent", _("The longest summary must not be shorter than the shortest."))
        return cleaned


class QuizForm(LengthForm):
    conditions = forms.CharField(
        label=gettext_lazy("Conditions"),
        widget=forms.Textarea({"rows": 5}),
        initial="\n".join(f"{kind}: {kind}" for kind in KINDS),
        max_length=2_000,
        help_text=gettext_lazy(
            "A line for each: its name, a colon and its kind. In the quiz people have the whole text (none), the "
            "summary that they chose on the first visit without knowing the questions (generic) or seeing them "
            "(primed), or a program’s (automatic). There must be as many texts as conditions."
        ),
    )
    people = forms.IntegerField(
        label=gettext_lazy("People wanted"),
        min_value=2,
        max_value=1_000,
        initial=48,
        help_text=gettext_lazy("A multiple of the number of conditions. With 4, every 12 people balance all orders."),
    )
    minutes = forms.IntegerField(label=gettext_lazy("Minutes for a quiz"), min_value=1, max_value=120, initial=12)
    gap_days = forms.IntegerField(
        label=gettext_lazy("Days between the visits"),
        min_value=0,
        max_value=90,
        initial=7,
        help_text=gettext_lazy("At least so many after a person has chosen their last summary."),
    )
    everyone_summarises = forms.BooleanField(
        label=gettext_lazy("Everybody chooses a summary of every text"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "Otherwise who gets the whole text or a program’s summary only reads it on the first visit, and can tell."
        ),
    )
    warm_up = forms.CharField(
        label=gettext_lazy("Text of the warm-up"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("The id of a text that everybody is quizzed on first. It counts for nothing."),
    )
    field_order = ("conditions", "people", "minutes", "gap_days", "least_percent", "most_percent")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "conditions" in cleaned:
            try:
                number = len(conditions_of(cleaned))
            except ValidationError as error:
                self.add_error("conditions", error)
            else:
                if cleaned.get("people") and cleaned["people"] % number:
                    words = _("This must be a multiple of the number of conditions, %(n)s.")
                    self.add_error("people", words % {"n": number})
        return cleaned
