"""The base of all endpoints: JSON in, JSON out, and problems in words."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView


class AlwaysJson(BaseContentNegotiation):
    """Answer in JSON, whatever a client says that it takes: there is nothing else."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        media_type = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class BoundedJsonParser(JSONParser):
    """JSON, but for what is nested so deeply that it cannot be read."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply.")) from error


class Endpoint(APIView):
    """One address of the API; its methods are declared with `operation`."""

    renderer_classes = [JSONRenderer]
    parser_classes = [BoundedJsonParser]
    content_negotiation_class = AlwaysJson

    asked: dict[str, Any]
    sent: dict[str, Any]


class UploadEndpoint(Endpoint):
    """An endpoint that takes a form with one file."""

    parser_classes = [MultiPartParser]
