"""What people answered, in the formats of other programs."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from corpus.downloads import CONTENT_TYPE
from crowd.api.endpoint import CampaignEndpoint
from protocols.spans.exports import FORMS, answers_export
from protocols.spans.views import file_response


class ExportQuery(serializers.Serializer[Any]):
    """Which format is wanted."""

    format = serializers.ChoiceField(
        list(FORMS), default="marks", help_text="By default a CSV table with a line for each mark."
    )


class AnswersFile(CampaignEndpoint):
    @operation("exportAnswers", query=ExportQuery, files={200: CONTENT_TYPE}, problems=(409,))
    def get(self, request: Request) -> Any:
        """Download the marks of errors that people made, in the format of another program or as a table.

        These are the answers of now by the people who count. They are refused (409) in a format that they do not fit,
        such as marks without kinds in MQM.
        """
        form = self.asked["format"]
        response = file_response(self.campaign, FORMS[form], answers_export(self.campaign, form))
        response.headers["Content-Type"] = CONTENT_TYPE  # whatever the format, as of all files
        return response
