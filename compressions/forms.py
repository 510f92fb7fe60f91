"""Forms for staff."""

from http import HTTPStatus

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from common.typed_text import TypedTexts

TOO_LARGE = "too-large"


class UploadForm(TypedTexts, forms.Form):
    """A file upload of limited size; `command` is the management command for larger files."""

    file = forms.FileField()
    command = ""

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > settings.UPLOAD_MAX_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {settings.UPLOAD_MAX_BYTES // 2**20} MiB. Use manage.py {self.command}.",
                code=TOO_LARGE,
            )
        return file

    @property
    def refusal_status(self) -> HTTPStatus:
        """The status of the page that says what is wrong with the form."""
        is_too_large = self.has_error("file", TOO_LARGE)
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_too_large else HTTPStatus.UNPROCESSABLE_ENTITY


class SourceImportForm(UploadForm):
    file = forms.FileField(help_text="JSONL, CSV or TSV with id and text; optionally genre, paragraph and sentences.")
    strict = forms.BooleanField(required=False, label="Refuse the whole file if a row cannot be used")
    command = "import_sources"


class DivisionForm(forms.Form):
    """How many paragraphs to draw for compression sentence by sentence."""

    count = forms.IntegerField(label="paragraphs to draw", min_value=1, max_value=1_000, initial=10)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=1, help_text="The same seed draws the same.")
