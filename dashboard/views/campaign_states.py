"""Staff: the states of a campaign, its mails, and its deletion."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import Refused
from common.words import Words
from crowd.access import campaign_looker, campaign_owner, campaign_staff, staff_user, when_archived
from crowd.models import Campaign, CampaignState, Role
from crowd.opening import NotReady
from crowd.selectors.progress import texts_held
from crowd.services.campaigns import campaign_state_set
from crowd.views.links import CONFIRMED, opening_to_confirm
from dashboard.navigation import exports
from dashboard.selectors import contents_of
from dashboard.services.deletion import campaign_deletion_request
from dashboard.services.notices import member_notify


@dataclass(frozen=True)
class StateChoice:
    state: str
    button: Words
    meaning: Words


MEANINGS = {
    CampaignState.DRAFT: gettext_lazy(
        "Only test links and previews work. Participants can still submit the texts they have open."
    ),
    CampaignState.OPEN: gettext_lazy("Participants can join by your links and are given texts."),
    CampaignState.PAUSED: gettext_lazy(
        "Nobody is given new texts. Participants can still submit the texts they have open."
    ),
    CampaignState.CLOSED: gettext_lazy("Nothing more can be submitted, not even open texts, and answers are final."),
    CampaignState.ARCHIVED: gettext_lazy("Closed, read-only, and hidden from the list of campaigns."),
}
BUTTONS = {
    CampaignState.DRAFT: gettext_lazy("Make it a draft"),
    CampaignState.OPEN: gettext_lazy("Open"),
    CampaignState.PAUSED: gettext_lazy("Pause"),
    CampaignState.CLOSED: gettext_lazy("Close"),
    CampaignState.ARCHIVED: gettext_lazy("Archive"),
}
DONE = {
    CampaignState.DRAFT: gettext_lazy("The campaign is a draft."),
    CampaignState.OPEN: gettext_lazy("The campaign is open."),
    CampaignState.PAUSED: gettext_lazy("The campaign is paused."),
    CampaignState.CLOSED: gettext_lazy("The campaign is closed."),
    CampaignState.ARCHIVED: gettext_lazy("The campaign is archived."),
}

PAUSE_FIRST = gettext_lazy("Pause first to let participants finish.")


def meaning_of(campaign: Campaign) -> Words:
    return MEANINGS[CampaignState(campaign.state)]


def other_states(campaign: Campaign) -> list[StateChoice]:
    """Return the states that a campaign can be put into."""
    return [
        StateChoice(state, BUTTONS[state], _meaning_of_choice(campaign, state))
        for state in CampaignState
        if state != campaign.state
    ]


def _meaning_of_choice(campaign: Campaign, state: CampaignState) -> Words:
    lets_finish = state == CampaignState.CLOSED and not campaign.is_final
    return f"{MEANINGS[state]} {PAUSE_FIRST}" if lets_finish else MEANINGS[state]


@campaign_staff
@when_archived
@require_POST
def campaign_state(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Put the campaign into the state that the request names, so that a second click changes nothing.

    An end that would cut people short asks first.
    """
    wanted = request.POST.get("state", "")
    ends = wanted in {CampaignState.CLOSED, CampaignState.ARCHIVED} and not campaign.is_final
    if ends and "texts_held" not in request.POST and (held := texts_held(campaign)):
        context = {"campaign": campaign, "state": wanted, "held": held, "button": BUTTONS[CampaignState(wanted)]}
        return render(request, "dashboard/campaign_close.html", context)
    try:
        confirmed = request.POST.getlist(CONFIRMED)
        campaign_state_set(campaign=campaign, state=wanted, user=staff_user(request), confirmed=confirmed)
    except NotReady as refusal:
        return opening_to_confirm(request, campaign, refusal)
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
    return render(request, "dashboard/campaign_delete.html", context, status=422 if refused else 200)
