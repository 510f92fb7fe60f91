"""The form for a report on editing operations."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from common.errors import Refused
from edit_operations.parameters import MAX_PAIRS_BYTES
from edit_operations.pipelines import PipelineOffer, pipeline_offer
from edit_operations.word_pairs import NO_PAIRS, ListTooLarge, PairList, read_pair_list
from reports.parameters import ReportForm

WORD_PAIRS, TOO_LARGE = "word_pairs", "too_large"


class OperationsForm(ReportForm):
    """The parameters of a report; empty fields mean the defaults, which follow the paper where it states them."""

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
    def attached(self) -> PairList:
        """The list of word pairs, which may have none."""
        return self.cleaned_data.get(WORD_PAIRS) or NO_PAIRS

    @property
    def refusal_status(self) -> HTTPStatus:
        is_too_large = self.has_error(WORD_PAIRS, TOO_LARGE)
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_too_large else super().refusal_status

    def clean_word_pairs(self) -> PairList:
        upload: Any = self.cleaned_data[WORD_PAIRS]
        if upload is None:
            return NO_PAIRS
        try:
            return read_pair_list(upload.read(MAX_PAIRS_BYTES + 1), upload.name or "")
        except Refused as refusal:
            code = TOO_LARGE if isinstance(refusal, ListTooLarge) else None
            raise forms.ValidationError(str(refusal), code=code) from refusal
