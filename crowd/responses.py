"""Answering scripts of a page and people who sent a form by the same view."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse

from crowd.models import Enrolment
from crowd.sessions import session_write


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def redirect_or_json(request: HttpRequest, enrolment: Enrolment, onward: HttpResponseRedirect) -> HttpResponse:
    """Send somebody on: a redirect for a form; for a script the address, so that it fetches the page only once.

    Who goes on from a page is its worker, whichever link the browser has opened since.
    """
    if not wants_json(request):
        return onward
    response = JsonResponse({"next": onward.url})
    session_write(response, enrolment)
    return response
