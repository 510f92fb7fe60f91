"""What staff fill in."""

from django import forms

from compressions.forms import UploadForm
from compressions.services.outputs import LONGEST_NAME


class OutputsForm(UploadForm):
    system = forms.CharField(max_length=LONGEST_NAME, help_text="What the system is called.")
    file = forms.FileField(help_text="JSONL, CSV or TSV with id and text, or the RawData of a release.")
    command = "import_outputs"
    field_order = ("system", "file")
