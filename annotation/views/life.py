"""Staff: the state of a campaign, and its deletion."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.selectors.contents import contents_of
from annotation.selectors.staff_pages import exports
from annotation.services.campaign_deletion import campaign_deletion_request
from annotation.services.notices import member_notify
from annotation.states import DONE
from common.errors import Refused
from crowd.access import campaign_looker, campaign_owner, campaign_staff, staff_user, when_archived
from crowd.models import Campaign, CampaignState, Role
from crowd.services.campaign_states import campaign_state_set


@campaign_staff
@when_archived
@require_POST
def campaign_state(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Put the campaign into the state that the request names, so that a second click changes nothing."""
    try:
        campaign_state_set(campaign=campaign, state=request.POST.get("state", ""), user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        state = CampaignState(campaign.state)
        messages.success(request, DONE[state])
    return redirect("dashboard", campaign.slug)


@campaign_looker
@require_POST
def campaign_mails(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send the account mails about the campaign, or no more; the request states which."""
    wanted = request.POST.get("wanted") == "1"
    if not member_notify(campaign=campaign, user=staff_user(request), wanted=wanted):
        messages.error(request, _("To get emails, you must be staff of this campaign and have an email address."))
    elif wanted:
        messages.success(request, _("You will get emails about this campaign."))
    else:
        messages.success(request, _("You will get no more emails about this campaign."))
    return redirect("dashboard", campaign.slug)


@campaign_owner
@when_archived
@require_http_methods(["GET", "POST"])
def campaign_delete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List what a deletion deletes and offer to export it; delete the campaign once its short name is typed."""
    typed, refused = request.POST.get("name", ""), ""
    if request.method == "POST":
        try:
            campaign_deletion_request(campaign=campaign, typed_name=typed[:100], user=staff_user(request))
        except Refused as refusal:
            refused = str(refusal)
        else:
            words = _("%(campaign)s is being deleted. It stays in this list until it is gone.")
            messages.success(request, words % {"campaign": campaign.name})
            return redirect("crowd:campaigns")
    context = {
        "campaign": campaign,
        "contents": contents_of(campaign),
        "exports": exports(campaign, Role.OWNER),
        "typed": typed[:100],
        "refused": refused,
    }
    return render(request, "annotation/campaign_delete.html", context, status=422 if refused else 200)
