"""The form for a report on editing operations."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, get_args

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.typed_text import TypedTexts
from common.words import Words
from edit_operations.page_words import choice_label
from edit_operations.parameters import MAX_NUMBER, MAX_PAIRS_BYTES, Apart, Means, OperationsParameters, Substitute
from edit_operations.pipelines import PipelineOffer, pipeline_offer
from edit_operations.word_pairs import NO_PAIRS, ListTooLarge, PairList, read_pair_list

DEFAULTS = OperationsParameters()
WORD_PAIRS, TOO_LARGE = "word_pairs", "too_large"


def _number(label: Words, name: str, least: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=MAX_NUMBER[name], initial=getattr(DEFAULTS, name), required=False
    )


def _choice(label: Words, choices: Sequence[str]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[(each, choice_label(each)) for each in choices], required=False)


class OperationsForm(TypedTexts, forms.Form):
    """The parameters of a report; empty fields mean the defaults, which follow the paper where it states them."""

    substitute = _choice(gettext_lazy("Table 5 counts as a substitution"), get_args(Substitute))
    means = _choice(gettext_lazy("Average Table 5 over"), get_args(Means))
    apart = _choice(gettext_lazy("Sentences of a paragraph in Table 6 count"), get_args(Apart))
    draws = _number(gettext_lazy("Bootstrap draws of sources"), "draws", 1)
    seed = _number(gettext_lazy("Seed"), "seed", 0)
    vectors = forms.BooleanField(label=gettext_lazy("Use the word vectors of the installed pipeline"), required=False)
    word_pairs = forms.FileField(
        label=gettext_lazy("Word pairs"),
        required=False,
        help_text=gettext_lazy(
            "A text file in UTF-8, with 200,000 lines or fewer. Each line has two words that may replace each other, "
            "separated by a tab."
        ),
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer: PipelineOffer = pipeline_offer(language)
        if not (self.offer.fits and self.offer.has_vectors):
            del self.fields["vectors"]

    @property
    def parameters(self) -> OperationsParameters:
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        given.pop(WORD_PAIRS, None)
        return OperationsParameters(**given)

    @property
    def pairs(self) -> PairList:
        """The list of word pairs, which may have none."""
        return self.cleaned_data.get(WORD_PAIRS) or NO_PAIRS

    @property
    def refusal_status(self) -> HTTPStatus:
        """The HTTP status of the page that shows the form's errors."""
        is_too_large = self.has_error(WORD_PAIRS, TOO_LARGE)
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_too_large else HTTPStatus.UNPROCESSABLE_ENTITY

    def clean_word_pairs(self) -> PairList:
        upload: Any = self.cleaned_data[WORD_PAIRS]
        if upload is None:
            return NO_PAIRS
        try:
            return read_pair_list(upload.read(MAX_PAIRS_BYTES + 1), upload.name or "")
        except Refused as refusal:
            code = TOO_LARGE if isinstance(refusal, ListTooLarge) else None
            raise forms.ValidationError(str(refusal), code=code) from refusal


def display_parameters(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the parameters of a report with the labels of the form."""
    fields = OperationsForm.base_fields
    return [
        (str(fields[name].label), _display_value(name, value)) for name, value in parameters.items() if name in fields
    ]


def changed_settings(parameters: Mapping[str, Any]) -> list[str]:
    """Say which settings of a report are not the default ones."""
    return [
        _("%(setting)s: %(value)s") % {"setting": label, "value": value}
        for (label, value), usual in zip(display_parameters(parameters), _usual(parameters), strict=True)
        if value != usual
    ]


def _usual(parameters: Mapping[str, Any]) -> list[str]:
    usual = asdict(DEFAULTS)
    return [value for _label, value in display_parameters({name: usual.get(name, "") for name in parameters})]


def _display_value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return str(value) if name == "seed" else f"{value:,}"
    return choice_label(str(value))
