"""Files of texts and of translations, and what became of any file that staff sent."""

from http import HTTPStatus
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.bodies import FileBody, content_of
from common.api.endpoint import UploadEndpoint
from common.api.operations import operation
from common.api.results import JOB_STATES
from common.errors import Refused
from common.models import Job
from compressions.models import FileImport
from compressions.other_tools import MAX_COLUMN_LINES, TOOL_NAMES, column_lines
from compressions.selectors.sources import file_imports
from compressions.services.file_imports import ReadAs
from compressions.services.imports import source_import_request
from compressions.services.translations import translation_import_request
from crowd.api.endpoint import CampaignEndpoint


class LineSerializer(serializers.Serializer[Any]):
    """A line of a file, and what became of it."""

    line = serializers.IntegerField(help_text="0 for the file as a whole.")
    reason = serializers.CharField()

    def to_representation(self, stored: list[Any]) -> Any:
        line, reason = stored
        return super().to_representation({"line": line, "reason": reason})


class ImportSerializer(serializers.Serializer[FileImport]):
    """A file that was imported, or is being imported, and what became of its lines."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="What is in the file: texts, outputs, ratings or translations.")
    file_name = serializers.CharField()
    job = serializers.IntegerField(source="job_id", allow_null=True, help_text="The job that reads the file.")
    state = serializers.SerializerMethodField(help_text="How far the import is: that of its job.")
    message = serializers.CharField(source="job.message", default="", help_text="What the job says, or why it failed.")
    added = serializers.IntegerField()
    unchanged = serializers.IntegerField(help_text="What the campaign had before.")
    refused = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    problems = LineSerializer(many=True, help_text="Lines that were refused: the first 1,000.")
    warnings = LineSerializer(many=True, help_text="Lines in which something was changed: the first 1,000.")

    @extend_schema_field(serializers.ChoiceField(JOB_STATES))
    def get_state(self, found: FileImport) -> str:
        if found.job is not None:
            return found.job.state
        return Job.State.DONE if found.finished_at else Job.State.FAILED


class FileImports(UploadEndpoint, CampaignEndpoint):
    """An endpoint that takes files of a kind; a job reads them."""

    accepts_upload = True

    def uploaded(self) -> dict[str, Any]:
        """Return what every request for an import takes."""
        file = self.sent["file"]
        name = file.name or "upload"
        return {"campaign": self.campaign, "file_name": name, "content": content_of(file), "user": self.user}


class TableBody(FileBody):
    """A form with a table, or what another tool exports, whose columns may have other names."""

    written_by = serializers.ChoiceField(
        [*TOOL_NAMES.items()],
        required=False,
        help_text="The tool of which the file is an export. It is read as a table with the columns of its items, a "
        "column for each question, and `item` and `person`. By default the file is a table.",
    )
    columns = serializers.CharField(
        default="",
        max_length=MAX_COLUMN_LINES,
        help_text="Columns with other names: in each line what is wanted, `=`, and its column, such as `text=source`.",
    )

    def validate_columns(self, given: str) -> dict[str, str]:
        try:
            return column_lines(given)
        except Refused as refusal:
            raise serializers.ValidationError(str(refusal)) from refusal


class TextFileBody(TableBody):
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with id and text; optionally genre, paragraph, sentences and nuggets."
    )
    strict = serializers.BooleanField(
        default=False, help_text="Whether the whole file is refused if a row cannot be used."
    )


class TableImports(FileImports):
    """An endpoint that takes tables, and what other tools export."""

    def uploaded(self) -> dict[str, Any]:
        return super().uploaded() | {"read_as": ReadAs(self.sent.get("written_by", ""), self.sent["columns"])}


class TextImports(TableImports):
    @operation("importTexts", body=TextFileBody, answer=ImportSerializer, status=HTTPStatus.ACCEPTED, upload=True)
    def post(self, request: Request) -> Any:
        """Import a file of texts; a job reads it."""
        return source_import_request(**self.uploaded(), strict=self.sent["strict"])


class TranslationFileBody(FileBody):
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with id (of the text), kind (source, reference or output), text (the original; "
        "none for a source) or system (whose output), language, made_by (the translator) and translated."
    )


class TranslationImports(FileImports):
    @operation(
        "importTranslations", body=TranslationFileBody, answer=ImportSerializer, status=HTTPStatus.ACCEPTED, upload=True
    )
    def post(self, request: Request) -> Any:
        """Import a file of translations of texts, compressions and outputs; a job reads it."""
        return translation_import_request(**self.uploaded())


class OneImport(CampaignEndpoint):
    @operation("getImport", answer=ImportSerializer)
    def get(self, request: Request, kind: str, import_id: int) -> Any:
        """Get what became of a file: how many lines were added, and which were refused, and why."""
        model = next((each for each in FileImport.__subclasses__() if each.kind == kind), None)
        if model is None:
            raise Http404
        return get_object_or_404(file_imports(model, self.campaign), pk=import_id)
