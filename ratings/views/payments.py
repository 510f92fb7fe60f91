"""Staff pages of pay: how long people were at work and what that makes, lists of people for the platform, and bonuses.

Ids are given out by POST, and that is logged.
"""

import re
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.chosen import chosen_numbers
from common.spreadsheets import csv_download
from crowd.access import campaign_staff, sees_ids, staff_user, when_archived
from crowd.models import Campaign, JoinLink, Round
from crowd.selectors.audit import last_entries
from crowd.selectors.progress import links_of_round
from crowd.services.audit import IDS_EXPORTED, ids_record
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.services.payments import visits_paid_set
from crowd.views.campaign_settings import EDIT_AGAIN, confirmation, confirmed_version
from ratings.bonus import Bonuses, bonuses_of_link
from ratings.forms import BonusForm, MinutesForm
from ratings.participant_list import head_of_csv, rows_of_csv
from ratings.platform_lists import BY_KEY, LinkLists, PlatformList, lists_by_link
from ratings.selectors.participants import participants_of_round
from ratings.selectors.pay import FEW_PEOPLE, paid_links, time_and_pay, time_and_pay_of_rounds
from ratings.selectors.quality import latest_quality_run, people_left_out
from ratings.views.participants import back_to_list, known_round

SETTINGS = {Round.EDIT: "editor_minutes", Round.RATE: "rater_minutes"}


@campaign_staff
@require_safe
def pay(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    found = time_and_pay_of_rounds(campaign)
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


PEOPLE_PER_PAGE = 15
AS_CSV, ALL_LINKS = "csv", "all"
LIST_TITLES = {
    Round.EDIT: gettext_lazy("Lists for the platform: editor round"),
    Round.RATE: gettext_lazy("Lists for the platform: rater round"),
    Round.EXPERT: gettext_lazy("Lists for the platform: expert round"),
}
BONUS_TITLES = {
    Round.EDIT: gettext_lazy("Bonuses: editor round"),
    Round.RATE: gettext_lazy("Bonuses: rater round"),
    Round.EXPERT: gettext_lazy("Bonuses: expert round"),
}


@campaign_staff
@when_archived
@require_http_methods(["GET", "POST"])
def platform_lists(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponseBase:
    """Count whom to approve, to ask back and to look at first; a POST gives the ids of one list."""
    is_csv = request.method == "POST" and request.POST.get("as") == AS_CSV
    people = participants_of_round(campaign, known_round(work_round))
    found = lists_by_link(campaign, people, links_of_round(campaign, work_round))
    context = _context(request, campaign, work_round) | {"title": LIST_TITLES[Round(work_round)], "found": found}
    if request.method == "POST":
        asked = _asked_list(request, found).scored()
        ids_record(campaign=campaign, user=staff_user(request), what=asked.subject, count=len(asked.ids))
        if is_csv:
            rows = rows_of_csv(asked.unpaid, shows_ids=True)
            return csv_download(f"{campaign.slug}-{work_round}-{asked.kind.key}", head_of_csv(shows_ids=True), rows)
        context |= {"shown": asked, "text": "\n".join(asked.ids)}
    context["last_given"] = last_entries(campaign, IDS_EXPORTED)
    return render(request, "ratings/platform_lists.html", context)


@campaign_staff
@when_archived
@require_POST
def paid(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponse:
    """Mark the visits of some people, by a link or by all, as paid, or no longer; the form posts the target state."""
    asked = request.POST.get("link", "")
    links = [each for each in links_of_round(campaign, known_round(work_round)) if asked in (ALL_LINKS, str(each.pk))]
    if not links:
        raise Http404(_("There is no such list."))
    numbers = {int(each) for each in request.POST.get("people", "").split() if re.fullmatch("[0-9]{1,9}", each)}
    numbers |= set(chosen_numbers(request.POST))
    is_paid, user = request.POST.get("paid") == "1", staff_user(request)
    changed = sum(visits_paid_set(link=each, numbers=numbers, is_paid=is_paid, user=user) for each in links)
    if is_paid:
        words = ngettext("%(n)s visit is marked as paid.", "%(n)s visits are marked as paid.", changed)
    else:
        words = ngettext(
            "%(n)s visit is no longer marked as paid.", "%(n)s visits are no longer marked as paid.", changed
        )
    messages.success(request, words % {"n": f"{changed:,}"})
    if request.POST.get("back") == "person" and len(numbers) == 1:
        return redirect("ratings:person", campaign.slug, *numbers)
    if asked == ALL_LINKS:
        return back_to_list(request, campaign, work_round)
    return redirect("ratings:platform-lists", campaign.slug, work_round)


def _asked_list(request: HttpRequest, found: list[LinkLists]) -> PlatformList:
    link, key = request.POST.get("link", ""), request.POST.get("list", "")
    of_link = next((each for each in found if str(each.link.pk) == link), None)
    if of_link is None or key not in BY_KEY:
        raise Http404(_("There is no such list."))
    return of_link.list_of(key)


@campaign_staff
@when_archived
@require_http_methods(["GET", "POST"])
def bonus(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponseBase:
    """Show what a rule would pay to whom; a POST gives the ids with the amounts."""
    links = paid_links(campaign, known_round(work_round))
    form = BonusForm(request.POST or request.GET or None, links=links, work_round=work_round)
    context = _context(request, campaign, work_round) | {"title": BONUS_TITLES[Round(work_round)], "form": form}
    if not form.is_bound or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "ratings/bonus.html", context, status=status)
    link = next(each for each in links if str(each.pk) == form.cleaned_data["link"])
    bonuses, subject = _bonuses(campaign, link, form), f"Bonuses: {link.title} (link {link.pk})"
    if request.method == "POST":
        ids_record(campaign=campaign, user=staff_user(request), what=subject, count=len(bonuses.payable))
        if request.POST.get("as") == AS_CSV:
            rows = ((each.worker.external_id, f"{each.amount:.2f}") for each in bonuses.payable)
            return csv_download(f"{campaign.slug}-{work_round}-bonuses", ("id", "amount"), rows)
        context["text"] = "\n".join(bonuses.lines)
    context |= {
        "bonuses": bonuses,
        "link": link,
        "page": Paginator(bonuses.paid, PEOPLE_PER_PAGE).get_page(request.GET.get("page")),
        "last_given": last_entries(campaign, IDS_EXPORTED).get(subject),
    }
    return render(request, "ratings/bonus.html", context)


def _bonuses(campaign: Campaign, link: JoinLink, form: BonusForm) -> Bonuses:
    left_out = people_left_out(campaign, latest_quality_run(campaign))
    in_round = {each.worker.pk for each in left_out if each.round == link.round}
    people = participants_of_round(campaign, link.round)
    return bonuses_of_link(people, link, form.rule, in_round)


def _context(request: HttpRequest, campaign: Campaign, work_round: str) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "work_round": Round(work_round),
        "rounds": list(Round),
        "shows_ids": sees_ids(request),
    }
