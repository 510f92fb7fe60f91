"""Responses from views that serve both page scripts and plain form posts."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse

from crowd.models import Enrolment
from crowd.sessions import session_write


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def redirect_or_json(request: HttpRequest, enrolment: Enrolment, redirect: HttpResponseRedirect) -> HttpResponse:
    """Redirect a form post; give a script the URL as JSON, so that the page is fetched only once.

    The session is set to the page's worker, whichever link the browser has opened since.
    """
    if not wants_json(request):
        return redirect
    response = JsonResponse({"next": redirect.url})
    session_write(response, enrolment)
    return response
