"""Staff views of a campaign's settings: change them, with a confirmation once people have joined, and their history."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused
from crowd.access import campaign_staff, staff_user
from crowd.forms import CampaignForm
from crowd.models import Campaign
from crowd.selectors.settings_versions import counts_under, settings_history
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.settings_difference import settings_difference

EDIT_AGAIN = "edit_again"


@campaign_staff
@require_http_methods(["GET", "POST"])
def campaign_edit(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    old_slug = campaign.slug
    form = CampaignForm(request.POST or None, instance=campaign)
    context = {"form": form, "campaign": campaign, "old_slug": old_slug}
    is_saved = request.method == "POST" and EDIT_AGAIN not in request.POST
    if is_saved and form.is_valid():
        try:
            campaign_update(
                campaign=campaign, user=staff_user(request), confirmed=_confirmed(request), **form.cleaned_data
            )
        except UnconfirmedChange as change:
            return render(request, "crowd/settings_confirm.html", context | _confirmation(request, change), status=409)
        except Refused as refusal:
            form.add_error("scales_text", str(refusal))
        else:
            messages.success(request, "The settings are saved. Places of items that exist already stay as they are.")
            return redirect("dashboard", campaign.slug)
    return render(request, "crowd/campaign_form.html", context, status=422 if is_saved else 200)


def _confirmed(request: HttpRequest) -> int | None:
    """Return the number of the version that a confirmation was shown for, None without one."""
    number = request.POST.get("confirmed", "")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def _confirmation(request: HttpRequest, change: UnconfirmedChange) -> dict[str, object]:
    return {
        "before": change.before,
        "changes": settings_difference(change.before.settings, change.after),
        "counts": counts_under(change.before),
        "is_outdated": "confirmed" in request.POST,
        "edit_again": EDIT_AGAIN,
    }


@campaign_staff
@require_safe
def history(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show all versions of the settings: who changed what and when, and how much was done under each."""
    context = {"campaign": campaign, "history": settings_history(campaign)}
    return render(request, "crowd/settings_history.html", context)
