"""Forms for staff."""

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile


class UploadForm(forms.Form):
    """A file upload of limited size; `command` is the management command for larger files."""

    file = forms.FileField()
    command = ""

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > settings.UPLOAD_MAX_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {settings.UPLOAD_MAX_BYTES // 2**20} MiB. Use manage.py {self.command}."
            )
        return file


class SourceImportForm(UploadForm):
    file = forms.FileField(help_text="JSONL, CSV or TSV with id, genre and text; optionally paragraph and sentences.")
    strict = forms.BooleanField(required=False, label="Refuse the whole file if a row cannot be used")
    command = "import_sources"


class DivisionForm(forms.Form):
    """How many paragraphs to draw for compression sentence by sentence."""

    count = forms.IntegerField(label="paragraphs to draw", min_value=1, max_value=1_000, initial=10)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=1, help_text="The same seed draws the same.")
