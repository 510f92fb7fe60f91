"""The form that corrects an alignment: which word above is joined to which word below."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from compressions.alignment_drawing import places_read
from compressions.alignment_words import MAX_WORDS
from compressions.services.alignments import MAX_VERSION, places_check
from compressions.text_aligner import TextPair

MAX_PAIRS_LENGTH = MAX_WORDS * len("500-500 ")


class AlignmentForm(TypedTexts, forms.Form):
    pairs = forms.CharField(
        label=gettext_lazy("Joined words"),
        help_text=gettext_lazy(
            "Pairs of numbers: a word of the original, a hyphen, a word of the compression. 4-2 joins word 4 above to "
            "word 2 below. Words without a pair are deleted above and inserted below."
        ),
        max_length=MAX_PAIRS_LENGTH,
        required=False,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false"}),
    )
    based_on_version = forms.IntegerField(min_value=0, max_value=MAX_VERSION)
    fingerprint = forms.CharField(max_length=64)

    def __init__(self, *args: Any, words: TextPair, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words

    def clean(self) -> dict[str, Any]:
        """Read the places; refused ones are kept, so that the page can show them again."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "pairs" not in cleaned:
            return cleaned
        places, faults = places_read(cleaned["pairs"], self.words)
        if not faults:
            try:
                places_check(self.words, places)
            except ValidationError as error:
                faults = error.messages
        for fault in faults:
            self.add_error("pairs", fault)
        return {**cleaned, "places": tuple(places)}

    @property
    def places(self) -> tuple[int | None, ...] | None:
        """What was sent, if it can be drawn."""
        return self.cleaned_data.get("places") if self.is_bound and not self.has_error("pairs") else None
