"""Staff views of a campaign's settings: change them, with a confirmation once people have joined, and their history."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused
from crowd.access import campaign_staff, staff_user
from crowd.forms import CampaignForm
from crowd.models import Campaign
from crowd.models.settings_version import TOLD_OR_HELD_TO
from crowd.selectors.settings_versions import counts_with, settings_history
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.settings_difference import settings_difference

EDIT_AGAIN = "edit_again"
CHANGED_MEANWHILE = (
    "Nothing has been saved: someone changed these settings while you were editing ({}). The form has what you sent: "
    "look at the settings history, and save again to keep it."
)


@campaign_staff
@require_http_methods(["GET", "POST"])
def campaign_edit(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    old_slug = campaign.slug
    form = CampaignForm(request.POST or None, instance=campaign)
    context = {"form": form, "campaign": campaign, "old_slug": old_slug}
    is_saved = request.method == "POST" and EDIT_AGAIN not in request.POST
    if is_saved and form.is_valid() and (meanwhile := _changed_meanwhile(request, campaign)):
        form.add_error(None, CHANGED_MEANWHILE.format(", ".join(meanwhile)))
        return render(request, "crowd/campaign_form.html", context, status=409)
    if is_saved and form.is_valid():
        try:
            campaign_update(
                campaign=campaign, user=staff_user(request), confirmed=confirmed_version(request), **form.cleaned_data
            )
        except UnconfirmedChange as change:
            return render(request, "crowd/settings_confirm.html", context | confirmation(request, change), status=409)
        except Refused as refusal:
            form.add_error("scales_text", str(refusal))
        else:
            messages.success(request, "The settings are saved. Places of items that exist already stay as they are.")
            return redirect("dashboard", campaign.slug)
    return render(request, "crowd/campaign_form.html", context, status=422 if is_saved else 200)


def confirmed_version(request: HttpRequest) -> int | None:
    """Return the number of the version that a confirmation was shown for, None without one."""
    return _version_number(request, "confirmed")


def _changed_meanwhile(request: HttpRequest, campaign: Campaign) -> list[str]:
    """Return what others changed since the form was opened; a confirmation is bound to its version by itself."""
    seen, current = _version_number(request, "seen"), campaign.settings_version
    if seen is None or current is None or seen == current.number or "confirmed" in request.POST:
        return []
    before = campaign.settings_versions.filter(number=seen).first()
    return [change.label for change in settings_difference(before.settings, current.settings)] if before else []


def _version_number(request: HttpRequest, name: str) -> int | None:
    number = request.POST.get(name, "")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def confirmation(request: HttpRequest, change: UnconfirmedChange) -> dict[str, object]:
    changes = settings_difference(change.before.settings, change.after)
    return {
        "before": change.before,
        "changes": changes,
        "counts": counts_with(change.before, {each.name for each in changes} & set(TOLD_OR_HELD_TO)),
        "is_outdated": "confirmed" in request.POST,
        "edit_again": EDIT_AGAIN,
    }


@campaign_staff
@require_safe
def history(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show all versions of the settings: who changed what and when, and how much was done under each."""
    context = {"campaign": campaign, "history": settings_history(campaign)}
    return render(request, "crowd/settings_history.html", context)
