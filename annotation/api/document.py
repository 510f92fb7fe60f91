"""The OpenAPI document of the API, and the page on which one reads and tries it."""

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from annotation.api.links import add_links
from crowd.access import public


@cache
def openapi() -> dict[str, Any]:
    """Return the document, made once for each process."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    for name, component in document["components"]["schemas"].items():
        if name.endswith("Request"):
            component["additionalProperties"] = False  # a field that nobody declared is refused
    return add_links(document)


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


@public
@require_safe
def script(_request: HttpRequest) -> HttpResponse:
    """Send the few lines that start Swagger UI: the policy of our pages allows no script within a page."""
    start = f'SwaggerUIBundle({{url: {json.dumps(reverse("api-openapi"))}, dom_id: "#operations", deepLinking: true}});'
    return HttpResponse(start, content_type="text/javascript")
