"""Answering scripts of a page and people who sent a form by the same view."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def go_on(request: HttpRequest, onward: HttpResponseRedirect) -> HttpResponse:
    """Send somebody on: a redirect for a form; for a script the address, so that it fetches the page only once."""
    return JsonResponse({"next": onward.url}) if wants_json(request) else onward
