"""Imports of files of texts."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.bodies import FileBody, content_of
from common.api.endpoint import UploadEndpoint
from common.api.operations import operation
from compressions.models import SourceImport
from compressions.selectors.sources import imports_of_campaign
from compressions.services.imports import source_import_request
from crowd.api.endpoint import CampaignEndpoint


class LineSerializer(serializers.Serializer[Any]):
    """A line of a file, and what became of it."""

    line = serializers.IntegerField(help_text="0 for the file as a whole.")
    reason = serializers.CharField()

    def to_representation(self, stored: list[Any]) -> Any:
        line, reason = stored
        return super().to_representation({"line": line, "reason": reason})


class TextImportSerializer(serializers.ModelSerializer[SourceImport]):
    """A file of texts that was imported, or is being imported."""

    job = serializers.IntegerField(source="job_id", allow_null=True, help_text="The job that reads the file.")
    is_finished = serializers.SerializerMethodField()

    class Meta:
        model = SourceImport
        fields = ["id", "file_name", "strict", "job", "is_finished", "added", "unchanged", "refused"]
        fields += ["created_at", "finished_at"]
        extra_kwargs = {"unchanged": {"help_text": "Rows that the campaign had before."}}

    def get_is_finished(self, found: SourceImport) -> bool:
        return found.finished_at is not None


class OneTextImportSerializer(TextImportSerializer):
    """An import with what became of the lines of its file."""

    message = serializers.CharField(source="job.message", default="", help_text="What the job says, or why it failed.")
    problems = LineSerializer(many=True, help_text="Rows that were refused: the first 1,000.")
    warnings = LineSerializer(many=True, help_text="Rows in which something was changed: the first 1,000.")

    class Meta(TextImportSerializer.Meta):
        fields = [*TextImportSerializer.Meta.fields, "message", "problems", "warnings"]


class TextFileBody(FileBody):
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with id and text; optionally genre, paragraph and sentences."
    )
    strict = serializers.BooleanField(
        default=False, help_text="Whether the whole file is refused if a row cannot be used."
    )


class Imports(UploadEndpoint, CampaignEndpoint):
    accepts_upload = True

    @operation("listTextImports", answer=TextImportSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the imports of files of texts."""
        return imports_of_campaign(self.campaign).defer("problems", "warnings")

    @operation("importTexts", body=TextFileBody, answer=TextImportSerializer, status=HTTPStatus.ACCEPTED, upload=True)
    def post(self, request: Request) -> Any:
        """Import a file of texts; a job reads it."""
        upload = self.sent["file"]
        return source_import_request(
            campaign=self.campaign,
            file_name=upload.name or "upload",
            content=content_of(upload),
            strict=self.sent["strict"],
            user=self.user,
        )


class OneImport(CampaignEndpoint):
    @operation("getTextImport", answer=OneTextImportSerializer)
    def get(self, request: Request, import_id: int) -> Any:
        """Get an import with the rows that were refused, and why."""
        return get_object_or_404(imports_of_campaign(self.campaign), pk=import_id)
