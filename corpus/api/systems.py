"""Systems, and the files with their outputs."""

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from compressions.api.imports import ImportSerializer, TableBody, TableImports
from compressions.models import MAX_SYSTEM_NAME_LENGTH, System
from compressions.services.outputs import system_name_fault
from corpus.services.outputs import Taken, output_import_request
from crowd.api.endpoint import CampaignEndpoint
from ratings.selectors.ratings import systems_of_campaign


class SystemSerializer(serializers.ModelSerializer[System]):
    """A system that shortens texts automatically."""

    outputs = serializers.IntegerField(source="output_count", help_text="How many texts it has an output for.")
    rated = serializers.IntegerField(source="rated_count", help_text="How many of its outputs have a rating.")

    class Meta:
        model = System
        fields = ["id", "name", "outputs", "rated"]


class OutputsBody(TableBody):
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

    decoys = serializers.BooleanField(
        default=False,
        help_text="Whether they are only compared with what editors write: never rated, scored, published.",
    )

    as_is = serializers.BooleanField(
        default=False,
        help_text="Whether outputs are taken that are longer than the campaign allows; releases mark them.",
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


class OutputImports(TableImports):
    @operation("importOutputs", body=OutputsBody, answer=ImportSerializer, status=HTTPStatus.ACCEPTED, upload=True)
    def post(self, request: Request) -> Any:
        """Import a file with the outputs of one system, or of several.

        A job reads the file. Lines that cannot be used are refused one by one; the others are imported.
        """
        taken = Taken(as_decoys=self.sent["decoys"], as_is=self.sent["as_is"])
        return output_import_request(**self.uploaded(), system=self.sent.get("system"), taken=taken)
