"""Who is staff of a campaign, and invitations to it."""

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refused
from common.mail import mail_send
from crowd.access import campaign_owner, campaign_staff, staff_user
from crowd.accounts.forms import InvitationForm, RoleForm
from crowd.models import Campaign, Invitation, Membership, Role
from crowd.public_address import mailed_origin
from crowd.selectors.members import members_of_campaign, open_invitations
from crowd.services.invitation_ends import invitation_revoke
from crowd.services.invitations import invitation_create
from crowd.services.members import member_remove, member_set

NEW_LINK = "precis_invitation"
NEW_LINK_SECONDS = 120


@campaign_staff
@never_cache
@require_safe
def staff(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the members and the open invitations; the link of a new one is shown once."""
    return _page(request, campaign, InvitationForm())


def _page(request: HttpRequest, campaign: Campaign, form: InvitationForm) -> HttpResponse:
    token = _new_token(request, campaign)
    context = {
        "campaign": campaign,
        "form": form,
        "members": members_of_campaign(campaign),
        "invitations": open_invitations(campaign),
        "roles": Role.choices,
        "new_link": request.build_absolute_uri(reverse("crowd:invitation", args=[token])) if token else "",
    }
    response = render(request, "crowd/staff.html", context, status=422 if form.is_bound else 200)
    if token:
        response.delete_cookie(NEW_LINK, path=_address(campaign))
    return response


def _address(campaign: Campaign) -> str:
    return reverse("crowd:staff", args=[campaign.slug])


def _new_token(request: HttpRequest, campaign: Campaign) -> str:
    """Return the token of the invitation just made: only the browser that made it has it, in a cookie."""
    try:
        content = signing.loads(request.COOKIES.get(NEW_LINK, ""), salt=NEW_LINK, max_age=NEW_LINK_SECONDS)
    except signing.BadSignature:
        return ""
    return str(content["token"]) if content["campaign"] == campaign.pk else ""


@campaign_owner
@require_POST
def invite(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Make an invitation, and send it if that is possible."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, form)
    token = invitation_create(campaign=campaign, user=staff_user(request), **form.cleaned_data)
    if form.cleaned_data["email"] and settings.SENDS_MAIL:
        _send(request, campaign, form.cleaned_data["email"], token)
        words = _("The invitation is on its way to %(email)s.")
        messages.success(request, words % {"email": form.cleaned_data["email"]})
    response = redirect("crowd:staff", campaign.slug)
    response.set_cookie(
        NEW_LINK,
        signing.dumps({"campaign": campaign.pk, "token": token}, salt=NEW_LINK),
        max_age=NEW_LINK_SECONDS,
        path=_address(campaign),
        httponly=True,
        secure=settings.PUBLIC,
        samesite="Strict",
    )
    return response


def _send(request: HttpRequest, campaign: Campaign, email: str, token: str) -> None:
    link = mailed_origin(request) + reverse("crowd:invitation", args=[token])
    context = {"campaign": campaign, "link": link, "inviter": staff_user(request).get_username()}
    mail_send(to=email, template="crowd/mails/invitation.txt", context=context)


@campaign_owner
@require_POST
def revoke(request: HttpRequest, campaign: Campaign, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=invitation_id, campaign=campaign)
    invitation_revoke(invitation=invitation, user=staff_user(request))
    messages.success(request, _("The invitation no longer works."))
    return redirect("crowd:staff", campaign.slug)


@campaign_owner
@require_POST
def member(request: HttpRequest, campaign: Campaign, member_id: int) -> HttpResponse:
    """Change the role of a member."""
    found = get_object_or_404(Membership.objects.select_related("user"), pk=member_id, campaign=campaign)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles."))
        return redirect("crowd:staff", campaign.slug)
    try:
        member_set(campaign=campaign, member=found.user, role=form.cleaned_data["role"], user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        values = {"name": found.user.get_username(), "role": Role(form.cleaned_data["role"]).label}
        messages.success(request, _("%(name)s is now %(role)s.") % values)
    return _back(request, campaign)


@campaign_owner
@require_POST
def remove(request: HttpRequest, campaign: Campaign, member_id: int) -> HttpResponse:
    """Remove a member; a second click finds them gone."""
    found = Membership.objects.select_related("user").filter(pk=member_id, campaign=campaign).first()
    try:
        if found is not None:
            member_remove(campaign=campaign, member=found.user, user=staff_user(request))
            words = _("%(name)s is no longer staff of this campaign.")
            messages.success(request, words % {"name": found.user.get_username()})
    except Refused as refusal:
        messages.error(request, str(refusal))
    return _back(request, campaign)


def _back(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Go back to the page, unless it is no longer for the person who changed their own part."""
    user = staff_user(request)
    stays = user.is_superuser or members_of_campaign(campaign).filter(user=user).exclude(role=Role.EXPERT).exists()
    return redirect("crowd:staff", campaign.slug) if stays else redirect("crowd:campaigns")
