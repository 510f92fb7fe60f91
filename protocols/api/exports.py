"""What people answered, as files."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from corpus.downloads import CONTENT_TYPE
from crowd.api.endpoint import CampaignEndpoint
from protocols.exports import all_forms, file_response


class ExportQuery(serializers.Serializer[Any]):
    """Which format is wanted."""

    format = serializers.ChoiceField(
        all_forms(),
        default="marks",
        help_text="Each judgement task has its own. By default a CSV table with a line for each mark.",
    )


class AnswersFile(CampaignEndpoint):
    @operation("exportAnswers", query=ExportQuery, files={200: CONTENT_TYPE}, problems=(409,))
    def get(self, request: Request) -> Any:
        """Download what people answered to a judgement task, as a table or in the format of another program.

        These are the answers of now by the people who count. They are refused (409) in a format that is not of the
        task, or that they do not fit, such as marks of errors without kinds in MQM.
        """
        response = file_response(self.campaign, self.asked["format"])
        response.headers["Content-Type"] = CONTENT_TYPE  # whatever the format, as of all files
        return response
