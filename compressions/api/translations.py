"""Imports of files of translations."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.bodies import FileBody, content_of
from common.api.endpoint import UploadEndpoint
from common.api.operations import operation
from compressions.api.imports import LineSerializer
from compressions.models import TranslationImport
from compressions.selectors.translations import translation_imports
from compressions.services.translations import translation_import_request
from crowd.api.endpoint import CampaignEndpoint


class TranslationImportSerializer(serializers.ModelSerializer[TranslationImport]):
    """A file of translations that was imported, or is being imported."""

    job = serializers.IntegerField(source="job_id", allow_null=True, help_text="The job that reads the file.")
    is_finished = serializers.SerializerMethodField()

    class Meta:
        model = TranslationImport
        fields = ["id", "file_name", "job", "is_finished", "added", "unchanged", "refused", "created_at", "finished_at"]
        extra_kwargs = {"unchanged": {"help_text": "Translations that the campaign had before."}}

    def get_is_finished(self, found: TranslationImport) -> bool:
        return found.finished_at is not None


class OneTranslationImportSerializer(TranslationImportSerializer):
    """An import of translations with the lines that were refused."""

    message = serializers.CharField(source="job.message", default="", help_text="What the job says, or why it failed.")
    problems = LineSerializer(many=True, help_text="Lines that were refused: the first 1,000.")

    class Meta(TranslationImportSerializer.Meta):
        fields = [*TranslationImportSerializer.Meta.fields, "message", "problems"]


class TranslationFileBody(FileBody):
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with id (of the text), kind (source, reference or output), text (the original; "
        "none for a source) or system (whose output), language, made_by (the translator) and translated."
    )


class TranslationImports(UploadEndpoint, CampaignEndpoint):
    accepts_upload = True

    @operation("listTranslationImports", answer=TranslationImportSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the imports of files of translations."""
        return translation_imports(self.campaign).defer("content", "problems", "warnings")

    @operation(
        "importTranslations",
        body=TranslationFileBody,
        answer=TranslationImportSerializer,
        status=HTTPStatus.ACCEPTED,
        upload=True,
    )
    def post(self, request: Request) -> Any:
        """Import a file of translations of texts, compressions and outputs; a job reads it."""
        upload = self.sent["file"]
        return translation_import_request(
            campaign=self.campaign, file_name=upload.name or "upload", content=content_of(upload), user=self.user
        )


class OneTranslationImport(CampaignEndpoint):
    @operation("getTranslationImport", answer=OneTranslationImportSerializer)
    def get(self, request: Request, import_id: int) -> Any:
        """Get an import of translations with the lines that were refused, and why."""
        return get_object_or_404(translation_imports(self.campaign), pk=import_id)
