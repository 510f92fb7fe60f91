"""Accepting an invitation to the staff of a campaign, with an account or by making one."""

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from common.clock import database_now
from common.errors import TooManyRequests
from crowd.access import public
from crowd.accounts.forms import NewAccountForm
from crowd.limits import take_guess
from crowd.models import Invitation, Membership, Role
from crowd.services.accounts import UsernameTaken, account_create_invited
from crowd.services.invitations import (
    InvitationGone,
    StaffClosed,
    invitation_accept,
    invitation_check,
    invitation_of_token,
)
from crowd.sessions import too_many_requests

BACKEND = "django.contrib.auth.backends.ModelBackend"


@public
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation and accept it. Whoever has no link that works learns nothing, not even that there was one."""
    found = invitation_of_token(token)
    try:
        if found is None:
            take_guess(request)
            return _gone(request)
        return _answer(request, found)
    except TooManyRequests as refusal:
        return too_many_requests(request, refusal)
    except InvitationGone:
        return _gone(request)
    except StaffClosed as refusal:
        return render(request, "crowd/invitation_gone.html", {"reason": str(refusal)}, status=409)


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "crowd/invitation_gone.html", status=404)


def _answer(request: HttpRequest, found: Invitation) -> HttpResponse:
    user = request.user
    if isinstance(user, User):
        if request.method == "POST":
            return _joined(request, invitation_accept(invitation=found, user=user))
        own = found.campaign.memberships.filter(user=user).first()
        if own is not None and found.accepted_by_id == user.pk:
            return _joined(request, own)
    elif request.method == "POST":
        return _new_account(request, found)
    invitation_check(found)
    context = {"invitation": found} if isinstance(user, User) else {"invitation": found, "form": NewAccountForm()}
    return render(request, "crowd/invitation.html", context)


def _new_account(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Make an account and accept with it."""
    if not found.is_open(database_now()):
        return _second_click(request, found)
    form = NewAccountForm(request.POST)
    if form.is_valid():
        typed = form.cleaned_data
        try:
            user = account_create_invited(
                invitation=found, username=typed["username"], password=typed["password1"], email=typed["email"]
            )
        except UsernameTaken as refusal:
            form.add_error("username", str(refusal))
        except InvitationGone:
            found.refresh_from_db()
            return _second_click(request, found)
        else:
            login(request, user, BACKEND)
            return _joined(request, found.campaign.memberships.get(user=user))
    return render(request, "crowd/invitation.html", {"invitation": found, "form": form}, status=422)


def _second_click(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Send whoever has just made their account with this invitation on; the first answer may have logged them in."""
    maker = found.accepted_by
    if maker is None or maker.get_username() != request.POST.get("username", "").strip():
        raise InvitationGone
    return redirect("crowd:campaigns")


def _joined(request: HttpRequest, member: Membership) -> HttpResponse:
    values = {"role": member.get_role_display(), "campaign": member.campaign.name}
    messages.success(request, _("You are now %(role)s of %(campaign)s.") % values)
    if member.role == Role.EXPERT:
        return redirect("crowd:campaigns")
    return redirect("dashboard", member.campaign.slug)
