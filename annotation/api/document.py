"""The OpenAPI document of the API, and the page on which one reads and tries it."""

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from annotation.api.links import add_links
from crowd.access import public

PREFIX = "/api/v1/"
LIMITS_OF_COLUMNS = {sign * 2**bits - (sign > 0) for sign in (1, -1) for bits in (15, 31, 63)}
# What is listed under another heading than its own name.
HEADINGS = dict.fromkeys(
    ("state", "settings", "versions", "rounds", "jobs", "audit", "file", "clone", "progress"), "campaigns"
) | {
    "flags": "compressions",
    "templates": "campaigns",
    "campaign-files": "campaigns",
    "people": "participants",
}


@cache
def openapi() -> dict[str, Any]:
    """Return the document, made once for each process."""
    with override("en"):
        document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    for name, component in document["components"]["schemas"].items():
        if name.endswith("Request"):
            component["additionalProperties"] = False  # a field that nobody declared is refused
    for path, operations in document["paths"].items():
        for operation in operations.values():
            operation["tags"] = [_tag(path)]
    return add_links(_without_limits_of_the_database(document))


def _without_limits_of_the_database(part: Any) -> Any:
    """Return the document, or a part of it, without the largest numbers that the columns of this database hold."""
    if isinstance(part, list):
        return [_without_limits_of_the_database(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {name: _without_limits_of_the_database(each) for name, each in part.items()}
    if kept.get("type") == "integer":
        for name in ("minimum", "maximum"):
            if kept.get(name) in LIMITS_OF_COLUMNS:
                del kept[name]
        kept.pop("format", None)
    return kept


def _tag(path: str) -> str:
    """Return the heading under which an operation is listed: what lies directly below a campaign."""
    parts = path.removeprefix(PREFIX).strip("/").split("/")
    below = parts[2] if len(parts) > 2 else parts[0]
    return HEADINGS.get(below, below)


@public
@require_safe
def openapi_json(_request: HttpRequest) -> HttpResponse:
    """Send the document."""
    return HttpResponse(json.dumps(openapi()), content_type="application/json")


@public
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show all operations; with a token, each can be tried."""
    return render(request, "annotation/api.html")
