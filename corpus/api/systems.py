"""Systems, and the files with their outputs."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from common.api.operations import Body, operation
from common.api.problems import Problem
from common.api.results import JOB_STATES
from common.models import Job
from compressions.models import MAX_SYSTEM_NAME_LENGTH, System
from compressions.services.outputs import system_name_fault
from corpus.models import OutputImport
from corpus.selectors import output_imports_of_campaign
from corpus.services.outputs import output_import_request
from crowd.api.endpoint import CampaignEndpoint
from ratings.selectors.ratings import systems_of_campaign

TIMES = ("created_at", "finished_at")


class SystemSerializer(serializers.ModelSerializer[System]):
    """A system that shortens texts automatically."""

    outputs = serializers.IntegerField(source="output_count", help_text="How many texts it has an output for.")
    rated = serializers.IntegerField(source="rated_count", help_text="How many of its outputs have a rating.")

    class Meta:
        model = System
        fields = ["id", "name", "outputs", "rated"]


class OutputImportSerializer(serializers.ModelSerializer[OutputImport]):
    """A file with the outputs of systems, and what became of its lines. `system` is empty if the lines name it."""

    job = serializers.IntegerField(source="job_id", allow_null=True, help_text="The job that imports it.")
    state = serializers.SerializerMethodField(help_text="How far the import is: that of its job.")

    class Meta:
        model = OutputImport
        fields = ["id", "system", "file_name", "state", "job", "added", "unchanged", "refused", *TIMES]

    @extend_schema_field(serializers.ChoiceField(JOB_STATES))
    def get_state(self, record: OutputImport) -> str:
        if record.job is not None:
            return record.job.state
        return Job.State.DONE if record.finished_at else Job.State.FAILED


class RefusedLineSerializer(serializers.Serializer[Any]):
    """A line that was refused. Line 0 stands for the whole file."""

    line = serializers.IntegerField()
    reason = serializers.CharField()


class OneOutputImportSerializer(OutputImportSerializer):
    """A file with the outputs of systems, what became of its lines, and why lines were refused."""

    problems = serializers.SerializerMethodField(help_text="Why lines were refused: the first 1,000 of them.")

    class Meta(OutputImportSerializer.Meta):
        fields = [*OutputImportSerializer.Meta.fields, "problems"]

    def get_problems(self, record: OutputImport) -> list[dict[str, Any]]:
        return [{"line": line, "reason": reason} for line, reason in record.problems]


class OutputsBody(Body):
    """A file, and whose outputs are in it."""

    system = serializers.CharField(
        required=False,
        max_length=MAX_SYSTEM_NAME_LENGTH,
        help_text="The name of the system, as it will appear in files. By default the column `system` of the file.",
    )
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with `id` and `text`, and `system` if it has the outputs of several systems; "
        "or the RawData of a release."
    )

    def validate_system(self, name: str) -> str:
        if reason := system_name_fault(name):
            raise serializers.ValidationError(reason)
        return name


class Systems(CampaignEndpoint):
    @operation("listSystems", answer=SystemSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the systems whose outputs were imported."""
        return systems_of_campaign(self.campaign)


class OutputImports(CampaignEndpoint):
    accepts_upload = True
    parser_classes = [MultiPartParser]

    @operation("listOutputImports", answer=OutputImportSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the imports of outputs."""
        return output_imports_of_campaign(self.campaign).defer("content", "problems", "warnings")

    @operation(
        "importOutputs", body=OutputsBody, answer=OneOutputImportSerializer, status=HTTPStatus.ACCEPTED, upload=True
    )
    def post(self, request: Request) -> Any:
        """Import a file with the outputs of one system, or of several.

        A job reads the file. Lines that cannot be used are refused one by one; the others are imported.
        """
        file = self.sent["file"]
        if file.size > settings.UPLOAD_MAX_BYTES:
            words = _("The file is larger than %(size)s MiB. Use manage.py %(command)s.")
            said = words % {"size": settings.UPLOAD_MAX_BYTES // 2**20, "command": "import_outputs"}
            raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, said, code="too_large")
        return output_import_request(
            campaign=self.campaign,
            system=self.sent.get("system"),
            file_name=file.name or "upload",
            content=file.read(),
            user=self.user,
        )


class OneOutputImport(CampaignEndpoint):
    @operation("getOutputImport", answer=OneOutputImportSerializer)
    def get(self, request: Request, import_id: int) -> Any:
        """Get an import of outputs, with the reasons why lines were refused."""
        return get_object_or_404(output_imports_of_campaign(self.campaign), pk=import_id)
