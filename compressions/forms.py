"""Forms for staff: texts, their translations and outputs, what a list shows, and corrected alignments."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.typed_text import TypedTexts
from compressions.alignment_drawing import places_read
from compressions.alignment_words import MAX_WORDS
from compressions.genres import genre_words
from compressions.models import MAX_RETIRE_NOTE_LENGTH, Source
from compressions.other_tools import MAX_COLUMN_LINES, TOOL_NAMES, column_lines
from compressions.rows import MAX_TEXT
from compressions.selectors.found_sources import COMPLETE, MEAN, ORDERS, RETIRED, WANTS, Wanted, shown_scales
from compressions.services.alignments import MAX_VERSION, places_check
from compressions.services.file_imports import ReadAs
from compressions.services.retirement import correction_check
from compressions.text_aligner import TextPair
from crowd.languages import direction_of
from crowd.models import Campaign
from crowd.scales import MAX_POINTS

TOO_LARGE = "too-large"


class UploadForm(TypedTexts, forms.Form):
    """A file upload of limited size; `command` is the management command for larger files, if any."""

    file = forms.FileField(label=gettext_lazy("File"))
    command = ""

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > settings.UPLOAD_MAX_BYTES:
            words = _("The file is larger than %(size)s MiB.")
            if self.command:
                words = _("The file is larger than %(size)s MiB. Use manage.py %(command)s.")
            size = {"size": settings.UPLOAD_MAX_BYTES // 2**20, "command": self.command}
            raise forms.ValidationError(words % size, code=TOO_LARGE)
        return file

    @property
    def refusal_status(self) -> HTTPStatus:
        """The status of the page that says what is wrong with the form."""
        is_too_large = self.has_error("file", TOO_LARGE)
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_too_large else HTTPStatus.UNPROCESSABLE_ENTITY


class TableForm(UploadForm):
    """An upload of a table, or of what another tool exports, whose columns may have other names."""

    written_by = forms.ChoiceField(
        label=gettext_lazy("Written by"),
        required=False,
        choices=[("", gettext_lazy("none of these tools")), *TOOL_NAMES.items()],
        help_text=gettext_lazy(
            "An export of another tool is read as a table with the columns of its items, a column for each question, "
            "and item and person."
        ),
    )
    columns = forms.CharField(
        label=gettext_lazy("Columns with other names"),
        required=False,
        max_length=MAX_COLUMN_LINES,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("One in each line: what is wanted, =, and its column, such as text=source."),
    )

    def clean_columns(self) -> dict[str, str]:
        try:
            return column_lines(self.cleaned_data["columns"])
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    @property
    def read_as(self) -> ReadAs:
        return ReadAs(self.cleaned_data["written_by"], self.cleaned_data["columns"])


class SourceImportForm(TableForm):
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "JSONL, CSV or TSV with id and text; optionally genre, paragraph, sentences and nuggets."
        ),
    )
    strict = forms.BooleanField(required=False, label=gettext_lazy("Refuse the whole file if a row cannot be used"))
    command = "import_sources"
    field_order = ("file", "written_by", "columns", "strict")


class TranslationsForm(UploadForm):
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("JSONL, CSV or TSV with id, kind, text or system, language, made_by and translated."),
    )
    command = "import_translations"


class SourceFilterForm(TypedTexts, forms.Form):
    """What texts are looked for in the list of texts; nothing is required."""

    q = forms.CharField(label=gettext_lazy("Words or ID"), max_length=200, required=False)
    genre = forms.ChoiceField(label=gettext_lazy("Genre"), required=False)
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            ("", gettext_lazy("any")),
            (WANTS, gettext_lazy("needs compressions")),
            (COMPLETE, gettext_lazy("complete")),
            (RETIRED, gettext_lazy("retired")),
        ],
    )
    least = forms.IntegerField(
        label=gettext_lazy("Minimum compressions"), min_value=0, max_value=1_000_000, required=False
    )
    most = forms.IntegerField(
        label=gettext_lazy("Maximum compressions"), min_value=0, max_value=1_000_000, required=False
    )
    scale = forms.ChoiceField(label=gettext_lazy("Mean rating on"), required=False)
    above = forms.FloatField(label=gettext_lazy("Mean above"), min_value=0, max_value=MAX_POINTS, required=False)
    below = forms.FloatField(label=gettext_lazy("Mean below"), min_value=0, max_value=MAX_POINTS + 1, required=False)
    reported = forms.BooleanField(label=gettext_lazy("Only texts with a reported problem"), required=False)
    sort = forms.ChoiceField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, campaign: Campaign, genres: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        scales = [scale for scale in campaign.rating_scales if scale.key in shown_scales(campaign)]
        _choices(self, "genre", [("", _("any")), *((genre, genre_words(genre)) for genre in genres)])
        _choices(self, "scale", [(scale.key, scale.name) for scale in scales])
        orders = [*ORDERS, *(f"{MEAN}{scale.key}" for scale in scales)]
        _choices(self, "sort", [(f"{sign}{order}", order) for order in orders for sign in ("", "-")])
        self.first_scale = scales[0].key if scales else ""
        if not scales:
            for name in ("scale", "above", "below"):
                del self.fields[name]

    @property
    def wanted(self) -> Wanted:
        """What is asked for in the fields that are valid."""
        given = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        return Wanted(**{"scale": self.first_scale} | given)


def language_attributes(campaign: Campaign) -> dict[str, str]:
    """Return the attributes of a box for a text of a campaign: its language and direction."""
    return {"lang": campaign.language, "dir": direction_of(campaign.language)}


def _choices(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        field.choices = choices


class RetireForm(TypedTexts, forms.Form):
    """Why a text is retired, and what becomes of the work done on it."""

    note = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=MAX_RETIRE_NOTE_LENGTH,
        error_messages={"required": gettext_lazy("Say why this text is retired.")},
    )
    work = forms.ChoiceField(
        label=gettext_lazy("Its compressions and ratings"),
        choices=[
            ("keep", gettext_lazy("keep in releases")),
            ("leave", gettext_lazy("exclude from releases, together with the text")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what happens to the work done on this text.")},
    )

    @property
    def decision(self) -> dict[str, Any]:
        return {"note": self.cleaned_data["note"], "work_is_kept": self.cleaned_data["work"] == "keep"}


class CorrectionForm(RetireForm):
    text = forms.CharField(
        label=gettext_lazy("Corrected text"), max_length=MAX_TEXT, widget=forms.Textarea({"rows": 6})
    )

    def __init__(self, *args: Any, source: Source, **kwargs: Any) -> None:
        super().__init__(*args, initial={"text": source.text}, **kwargs)
        self.source = source
        self.fields["text"].widget.attrs |= language_attributes(source.campaign)
        self.order_fields(["text", "note", "work"])

    def clean_text(self) -> str:
        try:
            return correction_check(source=self.source, text=self.cleaned_data["text"])
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal


class DivisionForm(forms.Form):
    """How many paragraphs to draw for compression sentence by sentence."""

    count = forms.IntegerField(label=gettext_lazy("Paragraphs to draw"), min_value=1, max_value=1_000, initial=10)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        help_text=gettext_lazy("The same seed draws the same paragraphs."),
    )


class AnswerForm(TypedTexts, forms.Form):
    """What staff did about a remark, for themselves."""

    note = forms.CharField(label=gettext_lazy("Note"), max_length=500, required=False)


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
