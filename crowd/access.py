"""Who may see a view. Every view declares it with one of these decorators; a test walks all addresses."""

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from common.errors import NotYours, Refused
from crowd.models import Campaign, Enrolment
from crowd.selectors.campaigns import campaign_of_user
from crowd.sessions import page_read, session_is_lost, session_read, session_write

P = ParamSpec("P")


class Access(StrEnum):
    PUBLIC = "public"
    WORKER = "this worker"
    SIGNED_IN = "any staff account"
    CAMPAIGN_STAFF = "staff of this campaign"


def _declare(view: Callable[..., HttpResponseBase], access: Access) -> None:
    view.access = access  # type: ignore[attr-defined]


def public(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Anyone may see it."""
    _declare(view, Access.PUBLIC)
    return view


def worker_only(
    view: Callable[Concatenate[HttpRequest, Enrolment, P], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """The worker whose session it is; the view gets their enrolment. What is not theirs does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        named_by_page = page_read(request)
        enrolment = named_by_page or session_read(request)
        if enrolment is None:
            # Whatever was being sent is shown once more: nobody loses a text to an expired cookie.
            typed = request.POST.get("text", "")
            return render(request, "crowd/session_ended.html", {"typed": typed}, status=403)
        try:
            response = view(request, enrolment, *args, **kwargs)
            if named_by_page and session_is_lost(request):
                session_write(response, enrolment)
            return response
        except NotYours as error:
            raise Http404(str(error)) from error
        except Refused as refusal:
            return render(request, "crowd/refused.html", {"reason": str(refusal)}, status=409)

    _declare(guarded, Access.WORKER)
    return guarded


def signed_in(view: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Anyone with a staff account."""
    guarded: Callable[..., HttpResponseBase] = login_required(view)
    _declare(guarded, Access.SIGNED_IN)
    return guarded


def campaign_staff(
    view: Callable[Concatenate[HttpRequest, Campaign, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Staff of the campaign that the address names; the view gets the campaign."""

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        campaign = campaign_of_user(staff_user(request), slug)
        if campaign is None:
            raise Http404("no such campaign")
        if any("\x00" in str(value) for value in kwargs.values()):
            raise Http404("no name has a NUL, and not every database can be asked for one")
        return view(request, campaign, *args, **kwargs)

    protected: Callable[..., HttpResponseBase] = login_required(guarded)
    _declare(protected, Access.CAMPAIGN_STAFF)
    return protected


def staff_user(request: HttpRequest) -> User:
    """The account behind a request that a decorator above let through."""
    user: Any = request.user
    if not isinstance(user, User):
        raise TypeError("this view must be behind signed_in or campaign_staff")
    return user
