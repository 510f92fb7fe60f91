"""Staff views of a campaign's settings: change them tab by tab, with a confirmation once people have joined."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused
from crowd.access import campaign_staff, staff_user
from crowd.cost_notes import cost_notes
from crowd.models import Campaign
from crowd.placeholders import PlaceholdersRefused, placeholders_of
from crowd.readings import READ_IN, Reading, readings_of, told_names
from crowd.selectors.progress import progress_of_rounds
from crowd.selectors.settings_versions import counts_with, settings_history
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.settings_difference import settings_difference
from crowd.settings_forms import PreviewForm, SettingsForm
from crowd.settings_opened import ChangedMeanwhile, opened_now
from crowd.settings_tabs import BY_KEY, GENERAL, PAY, SCALES_TEXT, TABS, Tab

EDIT_AGAIN, PREVIEW, OPENED = "edit_again", "preview", "opened"
CHANGED_MEANWHILE = _(
    "Nothing has been saved: someone changed these settings while you were editing (%(settings)s). The form shows "
    "what you sent. Check the settings history, and save again to keep your version."
)


@campaign_staff
@require_http_methods(["GET", "POST"])
def campaign_edit(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _tab_page(request, campaign, GENERAL)


@campaign_staff
@require_http_methods(["GET", "POST"])
def settings_tab(request: HttpRequest, campaign: Campaign, tab: str) -> HttpResponse:
    if tab not in BY_KEY:
        raise Http404("there is no such tab")
    return _tab_page(request, campaign, BY_KEY[tab])


def _tab_page(request: HttpRequest, campaign: Campaign, tab: Tab) -> HttpResponse:
    """Show one tab, or save what was sent of it; the other settings stay as they are."""
    opened = request.POST.get(OPENED) or opened_now(campaign, tab.settings)  # before the form changes the campaign
    form = SettingsForm(request.POST or None, instance=campaign, tab=tab)
    is_saved = request.method == "POST" and not {EDIT_AGAIN, PREVIEW} & set(request.POST)
    if is_saved and form.is_valid():
        return _save(request, campaign, form, opened)
    return _form_page(request, campaign, form, 422 if is_saved else 200, opened)


def _save(request: HttpRequest, campaign: Campaign, form: SettingsForm, opened: str) -> HttpResponse:
    user, confirmed = staff_user(request), confirmed_version(request)
    try:
        campaign_update(campaign=campaign, user=user, confirmed=confirmed, opened=opened, **form.cleaned_data)
    except ChangedMeanwhile as refusal:
        form.add_error(None, CHANGED_MEANWHILE % {"settings": ", ".join(refusal.labels)})
        now = opened_now(Campaign.objects.get(pk=campaign.pk), form.tab.settings)
        return _form_page(request, campaign, form, 409, now)
    except UnconfirmedChange as change:
        context = {"form": form, "campaign": campaign, "opened": opened, **confirmation(request, change)}
        return render(request, "crowd/settings_confirm.html", context, status=409)
    except PlaceholdersRefused as refusal:
        form.refuse(refusal.faults)
    except Refused as refusal:
        form.add_error(SCALES_TEXT if SCALES_TEXT in form.fields else None, str(refusal))
    else:
        messages.success(request, _("The settings under “%(tab)s” have been saved.") % {"tab": form.tab.title})
        return redirect(tab_url(campaign, form.tab))
    return _form_page(request, campaign, form, 422, opened)


def _form_page(request: HttpRequest, campaign: Campaign, form: SettingsForm, status: int, opened: str) -> HttpResponse:
    """Show the form; `opened` is what its settings were when whoever fills it in last saw them."""
    context: dict[str, Any] = {"form": form, "tab": form.tab, "tabs": tabs_of(campaign), "campaign": campaign}
    context["opened"] = opened
    if form.tab is PAY:
        form.is_valid()  # which gives the campaign what was typed, as far as it can be
        context["costs"] = cost_notes(form.instance, progress_of_rounds([campaign.pk]))
    if form.tab.is_read:
        numbers = campaign.versioned_settings
        context["readings"] = {name: _reading(name, form[name].value(), numbers) for name in form.fields}
        rounds = [each for name in form.fields for each in READ_IN[name]]
        context["placeholders"] = placeholders_of(numbers, rounds)
    return render(request, "crowd/settings_form.html", context, status=status)


def tab_url(campaign: Campaign, tab: Tab) -> str:
    if not tab.key:
        return reverse("crowd:campaign-edit", args=[campaign.slug])
    return reverse("crowd:settings-tab", args=[campaign.slug, tab.key])


def tabs_of(campaign: Campaign) -> list[tuple[Tab, str]]:
    return [(tab, tab_url(campaign, tab)) for tab in TABS]


def confirmed_version(request: HttpRequest) -> int | None:
    """Return the number of the version that a confirmation was shown for, None without one."""
    number = request.POST.get("confirmed", "")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def confirmation(request: HttpRequest, change: UnconfirmedChange) -> dict[str, object]:
    changes = settings_difference(change.known, change.after)
    return {
        "before": change.before,
        "changes": changes,
        "counts": counts_with(change.before, told_names(change.known, change.after)),
        "is_outdated": "confirmed" in request.POST,
        "edit_again": EDIT_AGAIN,
    }


@campaign_staff
@require_POST
def preview(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show a text as its readers would see it, while staff write it. Nothing is stored."""
    name, text = request.POST.get("name", ""), request.POST.get("text", "")
    reading = _reading(name, text, campaign.versioned_settings)
    status = 200 if reading.texts else 422
    return render(request, "crowd/partials/preview.html", {"reading": reading}, status=status)


def _reading(name: str, text: str, settings: Mapping[str, Any]) -> Reading:
    """Return a text as it would be read; of one that is too long to look at, only why it is refused."""
    form = PreviewForm({"name": name, "text": text})
    if form.is_valid():
        return readings_of(name, form.cleaned_data["text"], settings)
    return Reading([str(reason) for reasons in form.errors.values() for reason in reasons], [])


@campaign_staff
@require_safe
def history(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show all versions of the settings: who changed what and when, and how much was done under each."""
    context = {"campaign": campaign, "history": settings_history(campaign), "tabs": tabs_of(campaign)}
    return render(request, "crowd/settings_history.html", context)
