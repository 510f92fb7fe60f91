"""Access control for views. Every view declares its access with one of these decorators; a test checks all URLs.

A program shows its token in the header `Authorization: Bearer`.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import ResolverMatch

from common.errors import NotYours, Refused, StudyOver, TooManyRequests
from common.telemetry import refusal_counted
from crowd.languages import pages_for, pages_in
from crowd.models import ApiToken, Campaign, Enrolment, Role
from crowd.selectors.members import expert_campaign, membership_in
from crowd.services.api_tokens import api_token_used
from crowd.services.leases import STUDY_OVER
from crowd.sessions import (
    page_read,
    refused_json,
    session_is_lost,
    session_read,
    session_write,
    too_many_requests,
    wants_json,
)

P = ParamSpec("P")


class Access(StrEnum):
    PUBLIC = "public"
    WORKER = "this worker"
    SIGNED_IN = "any staff account"
    CAMPAIGN_STAFF = "staff of this campaign; what changes something, its managers"
    CAMPAIGN_LOOKER = "staff of this campaign, about themselves"
    CAMPAIGN_MANAGER = "managers of this campaign"
    CAMPAIGN_OWNER = "owners of this campaign"
    CAMPAIGN_EXPERT = "experts of this campaign"


STAFF_PAGES = {Access.SIGNED_IN, Access.CAMPAIGN_STAFF, Access.CAMPAIGN_MANAGER, Access.CAMPAIGN_OWNER}


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
    view: Callable[Concatenate[HttpRequest, Enrolment, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Require a worker's session and pass the enrolment to the view. Anything that is not theirs is a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        page_enrolment = page_read(request)
        enrolment = page_enrolment or session_read(request)
        if enrolment is None:
            with pages_for(request):
                return _session_ended(request)
        with pages_in(enrolment.campaign.page_language):
            response = answered(request, enrolment, *args, **kwargs)
        if page_enrolment and session_is_lost(request):
            session_write(response, enrolment)
        return response

    def answered(request: HttpRequest, enrolment: Enrolment, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if enrolment.campaign.is_archived and request.method not in SAFE_METHODS:
            return _study_over(request, enrolment)
        try:
            return view(request, enrolment, *args, **kwargs)
        except NotYours as error:
            raise Http404(str(error)) from error
        except TooManyRequests as refusal:
            return too_many_requests(request, refusal)
        except Refused as refusal:
            refusal_counted(refusal)
            context = {"enrolment": enrolment, "reason": str(refusal)}
            return render(request, "crowd/refused.html", context, status=409)

    _declare(guarded, Access.WORKER)
    return guarded


def _session_ended(request: HttpRequest) -> HttpResponse:
    """Ask for the link once more; the submitted text is shown again, so that an expired cookie loses nobody's work."""
    return render(request, "crowd/session_ended.html", {"typed": request.POST.get("text", "")}, status=403)


def _study_over(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Tell a participant of an archived campaign that nothing is taken any more; what they sent is shown to them."""
    if wants_json(request):
        return refused_json(StudyOver(STUDY_OVER), 409)
    context = {"enrolment": enrolment, "reason": STUDY_OVER, "typed": request.POST.get("text", "")}
    return render(request, "crowd/study_over.html", context, status=409)


def signed_in(view: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Require a staff account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except TooManyRequests as refusal:
            return too_many_requests(request, refusal)

    protected: Callable[..., HttpResponseBase] = login_required(guarded)
    _declare(protected, Access.SIGNED_IN)
    return protected


CampaignView = Callable[Concatenate[HttpRequest, Campaign, P], HttpResponseBase]
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
LOOKERS, MANAGERS, OWNERS = {Role.OWNER, Role.MANAGER, Role.VIEWER}, {Role.OWNER, Role.MANAGER}, {Role.OWNER}


@dataclass(frozen=True)
class Rights:
    """Which roles learn that something is there, which may look at it, and which may change it."""

    look: Set[Role]
    change: Set[Role]
    see: Set[Role] = frozenset(LOOKERS)


MAY = {
    Access.CAMPAIGN_STAFF: Rights(look=LOOKERS, change=MANAGERS),
    Access.CAMPAIGN_LOOKER: Rights(look=LOOKERS, change=LOOKERS),
    Access.CAMPAIGN_MANAGER: Rights(look=MANAGERS, change=MANAGERS),
    Access.CAMPAIGN_OWNER: Rights(look=OWNERS, change=OWNERS),
}


def campaign_staff(view: CampaignView[P]) -> Callable[..., HttpResponseBase]:
    """Pass the campaign named in the URL to the view: all staff may look at it, managers may change it."""
    return _guarded(view, Access.CAMPAIGN_STAFF)


def campaign_looker(view: CampaignView[P]) -> Callable[..., HttpResponseBase]:
    """Let all staff of the campaign change what is their own, such as the mails that they get."""
    return _guarded(view, Access.CAMPAIGN_LOOKER)


def campaign_manager(view: CampaignView[P]) -> Callable[..., HttpResponseBase]:
    """Require a manager or an owner of the campaign named in the URL: for what tells who participants are."""
    return _guarded(view, Access.CAMPAIGN_MANAGER)


def campaign_owner(view: CampaignView[P]) -> Callable[..., HttpResponseBase]:
    """Require an owner of the campaign named in the URL."""
    return _guarded(view, Access.CAMPAIGN_OWNER)


SECOND_FACTOR = "second_factor"
"""The key of a session in which a code was given after the password."""


def lacks_second_factor(request: HttpRequest) -> bool:
    """Whether what owners and managers may do is closed to a session, for want of a second factor."""
    return settings.SECOND_FACTOR_DEMANDED and not request.session.get(SECOND_FACTOR)


def _guarded(view: CampaignView[P], access: Access) -> Callable[..., HttpResponseBase]:
    """Guard a view. Whoever is not staff learns nothing (404); staff without the right are told (403)."""
    rights = MAY[access]

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        found = membership_in(staff_user(request), slug)
        if found is None or found.role not in rights.see:
            raise Http404("no such campaign")
        if any("\x00" in str(value) for value in kwargs.values()):
            raise Http404("no name has a NUL, and not every database can be asked for one")
        request.campaign_role = found.role  # type: ignore[attr-defined]  # for templates
        if found.role in MANAGERS and lacks_second_factor(request):
            return redirect("account-second-factor")
        if found.role not in (rights.look if request.method in SAFE_METHODS else rights.change):
            context = {"campaign": found.campaign, "role": found.role, "owners": rights.change == OWNERS}
            return render(request, "crowd/not_your_role.html", context, status=403)
        if found.campaign.is_archived and request.method not in SAFE_METHODS and not _works_when_archived(view):
            return render(request, "crowd/archived.html", {"campaign": found.campaign}, status=409)
        try:
            return view(request, found.campaign, *args, **kwargs)
        except TooManyRequests as refusal:
            return too_many_requests(request, refusal)

    protected: Callable[..., HttpResponseBase] = login_required(guarded)
    _declare(protected, access)
    return protected


def campaign_expert(view: CampaignView[P]) -> Callable[..., HttpResponseBase]:
    """Require an expert of the campaign named in the URL; to all others it does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        campaign = expert_campaign(staff_user(request), slug)
        if campaign is None:
            raise Http404("no such campaign")
        return view(request, campaign, *args, **kwargs)

    protected: Callable[..., HttpResponseBase] = login_required(guarded)
    _declare(protected, Access.CAMPAIGN_EXPERT)
    return protected


def when_archived(view: CampaignView[P]) -> CampaignView[P]:
    """Let a view change an archived campaign, as few may; put it below the decorator of who may."""
    view.works_when_archived = True  # type: ignore[attr-defined]
    return view


def _works_when_archived(view: Callable[..., object]) -> bool:
    return getattr(view, "works_when_archived", False)


def role_of(request: HttpRequest) -> Role:
    """Return what the account of a request admitted to a campaign is in it."""
    return Role(request.campaign_role)  # type: ignore[attr-defined]


def sees_ids(request: HttpRequest) -> bool:
    """Whether the account of a request admitted to a campaign may see who participants are on their platform."""
    return getattr(request, "campaign_role", None) in MANAGERS


def accepts_upload(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Let managers of the campaign send files to a page of `campaign_staff`; others may send small forms only."""
    view.accepts_upload = True  # type: ignore[attr-defined]
    return view


def may_upload(request: HttpRequest, match: ResolverMatch) -> bool:
    """Whether the sender of a request may send a file to the view that it resolves to."""
    sender = sender_of(request, match)
    if not getattr(match.func, "accepts_upload", False) or sender is None:
        return False
    if "slug" not in match.kwargs:
        return True
    found = membership_in(sender, match.kwargs["slug"])
    return found is not None and found.role in MANAGERS


def sender_of(request: HttpRequest, match: ResolverMatch) -> User | None:
    """Return the account that sends a request: by its token where that counts, else by its session."""
    if getattr(match.func, "is_api", False):
        token = token_of(request)
        return token.user if token else None
    return request.user if isinstance(request.user, User) else None


def staff_user(request: HttpRequest) -> User:
    """Return the account of a request admitted by one of the decorators for staff."""
    user: Any = request.user
    if not isinstance(user, User):
        raise TypeError("this view must be behind signed_in or a decorator of campaigns")
    return user


def token_of(request: HttpRequest) -> ApiToken | None:
    """Return the live token that a request shows; it is looked up once."""
    if not hasattr(request, "_api_token"):
        scheme, _space, words = request.headers.get("Authorization", "").partition(" ")
        found = api_token_used(words.strip()) if scheme.lower() == "bearer" else None
        request._api_token = found  # type: ignore[attr-defined]
    token: ApiToken | None = request._api_token  # type: ignore[attr-defined]
    return token
