"""What people answered, as files."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from corpus.downloads import CONTENT_TYPE
from crowd.api.endpoint import CampaignEndpoint
from protocols.exports import answers_export, export_keys, file_response


class ExportQuery(serializers.Serializer[Any]):
    """Which format is wanted."""

    format = serializers.ChoiceField(
        export_keys(), required=False, help_text="Each judgement task has its own; by default its first, a CSV table."
    )


class AnswersFile(CampaignEndpoint):
    @operation("exportAnswers", query=ExportQuery, files={200: CONTENT_TYPE}, problems=(409,))
    def get(self, request: Request) -> Any:
        """Download what people answered to the judgement task, as a table or in the format of another program.

        These are the answers so far of the people who count. They are refused (409) in a format of another task, and in
        one that they do not fit, such as marks without kinds in MQM.
        """
        response = file_response(self.campaign, *answers_export(self.campaign, self.asked.get("format", "")))
        response.headers["Content-Type"] = CONTENT_TYPE  # whatever the format, as of all files
        return response
