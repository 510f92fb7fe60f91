"""The base of all endpoints: JSON in, JSON out, and problems in words."""

import json
from collections import Counter
from itertools import count
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

LONGEST_REASON = 100
SMALL_BODY = 256 * 1024
MOST_OBJECTS, MOST_LISTS, MOST_MEMBERS = 20_000, 200_000, 150_000
"""An empty object takes thirty times as much memory as the two characters of it; an empty list or a member, much."""


class AlwaysJson(BaseContentNegotiation):
    """Answer in JSON, whatever a client says that it takes: there is nothing else."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        media_type = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class BoundedJsonParser(BaseParser):
    """JSON, but for what is nested so deeply that it cannot be read, and objects that name a member twice."""

    media_type = "application/json"
    renderer_class = JSONRenderer

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        content, objects = stream.read(), count()
        if content.count(b"[") > MOST_LISTS:
            raise ParseError(_("This has too many lists."))

        if content.count(b":") > MOST_MEMBERS:
            raise ParseError(_("This has too many members."))

        def named_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
            if next(objects) >= MOST_OBJECTS:
                raise ParseError(_("This has too many objects."))
            return _named_once(members)

        try:
            return json.loads(content, object_pairs_hook=named_once, parse_constant=_no_number)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply.")) from error
        except ValueError as error:
            raise ParseError(_("This is not JSON: %(reason)s") % {"reason": str(error)[:LONGEST_REASON]}) from error


def _named_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(members)
    if len(named) < len(members):
        names = Counter(name for name, _value in members)
        raise ParseError(_("“%(name)s” is there twice.") % {"name": names.most_common(1)[0][0][:LONGEST_REASON]})
    return named


def _no_number(word: str) -> float:
    raise ValueError(word)


class Endpoint(APIView):
    """One address of the API; its methods are declared with `operation`."""

    renderer_classes = [JSONRenderer]
    parser_classes = [BoundedJsonParser]
    content_negotiation_class = AlwaysJson
    largest_body: ClassVar[int] = SMALL_BODY
    """How many bytes may be sent; where texts travel, `settings.DATA_UPLOAD_MAX_MEMORY_SIZE`."""

    asked: dict[str, Any]
    sent: dict[str, Any]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        # What has an ETag may be kept by who asked, who asks again whether it is still so.
        answer.headers.setdefault("Cache-Control", "private, no-cache" if answer.has_header("ETag") else "no-store")
        return answer


class UploadEndpoint(Endpoint):
    """An endpoint that takes a form with one file."""

    parser_classes = [MultiPartParser]
