"""Access control for views. Every view declares its access with one of these decorators; a test checks all URLs."""

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import ResolverMatch

from common.errors import NotYours, Refused, TooManyRequests
from crowd.models import Campaign, Enrolment
from crowd.responses import too_many_requests
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
    """Allow anyone."""
    _declare(view, Access.PUBLIC)
    return view


def framed(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Mark a page of participants as one that platforms may show in a frame, as everything `worker_only` is."""
    view.is_framed = True  # type: ignore[attr-defined]
    return view


def may_be_framed(view: Callable[..., object]) -> bool:
    return getattr(view, "is_framed", False) or getattr(view, "access", None) is Access.WORKER


def worker_only(
    view: Callable[Concatenate[HttpRequest, Enrolment, P], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Require a worker's session and pass the enrolment to the view. Anything that is not theirs is a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        page_enrolment = page_read(request)
        enrolment = page_enrolment or session_read(request)
        if enrolment is None:
            # Show the submitted text again, so that an expired cookie loses nobody's work.
            typed = request.POST.get("text", "")
            return render(request, "crowd/session_ended.html", {"typed": typed}, status=403)
        try:
            response = view(request, enrolment, *args, **kwargs)
            if page_enrolment and session_is_lost(request):
                session_write(response, enrolment)
            return response
        except NotYours as error:
            raise Http404(str(error)) from error
        except TooManyRequests as refusal:
            return too_many_requests(request, refusal)
        except Refused as refusal:
            return render(request, "crowd/refused.html", {"reason": str(refusal)}, status=409)

    _declare(guarded, Access.WORKER)
    return guarded


def signed_in(view: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Require a staff account."""
    guarded: Callable[..., HttpResponseBase] = login_required(view)
    _declare(guarded, Access.SIGNED_IN)
    return guarded


def campaign_staff(
    view: Callable[Concatenate[HttpRequest, Campaign, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Require staff of the campaign named in the URL, and pass the campaign to the view."""

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        campaign = campaign_of_user(staff_user(request), slug)
        if campaign is None:
            raise Http404("no such campaign")
        if any("\x00" in str(value) for value in kwargs.values()):
            raise Http404("no name has a NUL, and not every database can be asked for one")
        try:
            return view(request, campaign, *args, **kwargs)
        except TooManyRequests as refusal:
            return too_many_requests(request, refusal)

    protected: Callable[..., HttpResponseBase] = login_required(guarded)
    _declare(protected, Access.CAMPAIGN_STAFF)
    return protected


def accepts_upload(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Let staff of the campaign send files to a page of `campaign_staff`; others may send small forms only."""
    view.accepts_upload = True  # type: ignore[attr-defined]
    return view


def may_upload(request: HttpRequest, match: ResolverMatch) -> bool:
    """Whether the sender of a request may send a file to the view that it resolves to."""
    return (
        getattr(match.func, "accepts_upload", False)
        and isinstance(request.user, User)
        and campaign_of_user(request.user, match.kwargs["slug"]) is not None
    )


def staff_user(request: HttpRequest) -> User:
    """Return the account of a request admitted by `signed_in` or `campaign_staff`."""
    user: Any = request.user
    if not isinstance(user, User):
        raise TypeError("this view must be behind signed_in or campaign_staff")
    return user
