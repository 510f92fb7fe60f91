"""The form for a report on editing operations, and what the installed pipeline offers for it."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.stored_models import PREFIX
from edit_operations.parameters import MAX_PAIRS_BYTES
from edit_operations.word_pairs import NO_PAIRS, ListTooLarge, PairList, read_pair_list
from reports.parameters import ReportForm

ANY_LANGUAGE = "xx"


@dataclass(frozen=True)
class PipelineOffer:
    """The pipeline that is configured, "" for none; whether it is for the language, and whether it has word vectors."""

    name: str
    fits: bool = False
    has_vectors: bool = False


def pipeline_offer(language: str) -> PipelineOffer:
    """Return what is known of the pipeline; one in a storage is offered, and only known once it is used."""
    name: str = settings.SPACY_MODEL
    if not name or name.startswith(PREFIX):
        return PipelineOffer(name, fits=bool(name), has_vectors=bool(name))
    description = _description(name)
    vectors = description.get("vectors")
    return PipelineOffer(
        name,
        fits=description.get("lang") in {language.partition("-")[0].lower(), ANY_LANGUAGE},
        has_vectors=isinstance(vectors, dict) and bool(vectors.get("vectors")),
    )


def _description(name: str) -> dict[str, object]:
    """Return what a pipeline says of itself; nothing if it is not installed."""
    try:
        package = find_spec(name) if name.isidentifier() else None
        folder = Path(package.origin).parent if package and package.origin else Path(name)
        found = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


WORD_PAIRS, TOO_LARGE = "word_pairs", "too_large"


class OperationsForm(ReportForm):
    """The parameters of a report; empty fields mean the defaults, which follow the paper where it states them."""

    word_pairs = forms.FileField(
        label=gettext_lazy("Word pairs"),
        required=False,
        help_text=gettext_lazy(
            "A text file in UTF-8, with 50,000 lines or fewer. Each line has two words that may replace each other, "
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
