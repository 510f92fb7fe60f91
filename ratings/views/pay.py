"""Staff pages: how long people were at work and what that makes of their pay; tell participants how long it takes."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign, Round
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.views.campaign_settings import EDIT_AGAIN, confirmation, confirmed_version
from ratings.forms import MinutesForm
from ratings.selectors.pay import FEW_PEOPLE, time_and_pay

SETTINGS = {Round.EDIT: "editor_minutes", Round.RATE: "rater_minutes"}


@campaign_staff
@require_safe
def pay(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    found = [time_and_pay(campaign, each) for each in Round]
    shown = [each for each in found if each.round in SETTINGS or each.finished]
    return render(request, "ratings/pay.html", {"campaign": campaign, "found": shown, "few": FEW_PEOPLE})


@campaign_staff
@require_POST
def tell_minutes(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Tell participants of a round that it takes as long as half of the people needed at most."""
    form = MinutesForm(request.POST)
    if EDIT_AGAIN in request.POST or not form.is_valid():
        return redirect("ratings:pay", campaign.slug)
    work_round = Round(form.cleaned_data["round"])
    if time_and_pay(campaign, work_round).suggested_minutes is None:
        words = _("Nothing has changed: fewer than %(n)s participants have finished so far.")
        messages.error(request, words % {"n": FEW_PEOPLE})
        return redirect("ratings:pay", campaign.slug)
    minutes = form.cleaned_data["minutes"]
    try:
        campaign_update(
            campaign=campaign,
            user=staff_user(request),
            confirmed=confirmed_version(request),
            **{SETTINGS[work_round]: minutes},
        )
    except UnconfirmedChange as change:
        context = {"campaign": campaign, "old_slug": campaign.slug, "form": form, **confirmation(request, change)}
        return render(request, "crowd/settings_confirm.html", context, status=409)
    words = ngettext(
        "New participants are told that it takes about %(n)s minute.",
        "New participants are told that it takes about %(n)s minutes.",
        minutes,
    )
    messages.success(request, words % {"n": minutes})
    return redirect("ratings:pay", campaign.slug)
