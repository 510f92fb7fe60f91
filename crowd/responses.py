"""Responses from views that serve both page scripts and plain form posts."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render

from common.errors import Refused, TooManyRequests
from common.metrics import refusal_counted
from crowd.models import Enrolment
from crowd.sessions import session_write


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def refused_json(refusal: Refused, status: int, **more: str) -> JsonResponse:
    """Refuse a script's request: the words are for the person, and the code is what the script goes by."""
    refusal_counted(refusal)
    return JsonResponse({"error": str(refusal), "code": refusal.code, **more}, status=status)


def redirect_or_json(request: HttpRequest, enrolment: Enrolment, redirect: HttpResponseRedirect) -> HttpResponse:
    """Redirect a form post; give a script the URL as JSON, so that the page is fetched only once.

    The session is set to the page's worker, whichever link the browser has opened since.
    """
    if not wants_json(request):
        return redirect
    response = JsonResponse({"next": redirect.url})
    session_write(response, enrolment)
    return response


def too_many_requests(request: HttpRequest, refusal: TooManyRequests) -> HttpResponse:
    """Ask somebody to wait; what they sent comes back in the page, to be sent again."""
    response: HttpResponse
    if wants_json(request):
        response = JsonResponse({"error": str(refusal)}, status=429)
    else:
        sent = [(name, value) for name, values in request.POST.lists() for value in values]
        kept = [field for field in sent if field[0] != "csrfmiddlewaretoken"]
        context = {
            "reason": str(refusal),
            "kept": kept,
            "typed": request.POST.get("text", ""),
            "may_send_again": request.method == "POST",
        }
        response = render(request, "crowd/too_many_requests.html", context, status=429)
    response["Retry-After"] = str(refusal.retry_after)
    return response
