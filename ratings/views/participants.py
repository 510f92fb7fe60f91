"""Staff pages: the participants of each round, and their CSV files. Ids are given out by POST, and that is logged."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.chosen import chosen_numbers
from common.listing import ListingState
from common.spreadsheets import csv_download
from crowd.access import campaign_staff, sees_ids, staff_user, when_archived
from crowd.models import Campaign, JoinLink, Round
from crowd.selectors.progress import links_of_round
from crowd.services.audit import ids_record
from crowd.views.list_views import list_context
from ratings.forms import ExclusionForm
from ratings.participant_list import (
    chosen_participants,
    chosen_visits,
    head_of_csv,
    participants_columns,
    participants_listing,
    rows_of_csv,
)
from ratings.selectors.participants import Participant, participants_of_round
from ratings.selectors.people import workers_of_campaign
from ratings.selectors.visits import Visit
from ratings.services.exclusions import people_exclude

PEOPLE_PER_PAGE = 12
TITLES = {
    Round.EDIT: gettext_lazy("Participants: editor round"),
    Round.RATE: gettext_lazy("Participants: rater round"),
    Round.EXPERT: gettext_lazy("Participants: expert round"),
}
Visits = Iterable[tuple[Participant, Visit]]


@campaign_staff
@require_safe
def participants(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponseBase:
    """List the participants of a round. No flag is by itself a reason to reject."""
    return _page(request, campaign, work_round)


def _page(
    request: HttpRequest, campaign: Campaign, work_round: str, form: ExclusionForm | None = None
) -> HttpResponseBase:
    """List the participants that are asked for; `form` is an exclusion of some of them that could not be made."""
    links = list(links_of_round(campaign, known_round(work_round)))
    listing = _listing(request, work_round, links)
    people = participants_of_round(campaign, work_round)
    page = Paginator(chosen_participants(people, listing), PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    has_links, shows_ids = len(links) > 1, sees_ids(request)
    columns = participants_columns(request.GET, campaign, work_round, has_links=has_links, shows_ids=shows_ids)
    context = list_context(request, campaign, work_round, columns) | {
        "campaign": campaign,
        "title": TITLES[Round(work_round)],
        "work_round": Round(work_round),
        "rounds": list(Round),
        "listing": listing,
        "has_sessions": any(link.platform.study_parameter for link in links),
        "page": page,
        "total": len(people),
        "to_look_at": sum(each.is_to_look_at for each in people),
        "shows_ids": shows_ids,
        "narrowed_by": request.GET.urlencode(),
        "form": form or ExclusionForm(),
        "may_change": shows_ids and not campaign.is_archived,
        "chosen": chosen_numbers(request.POST),
    }
    return render(request, "ratings/participants.html", context, status=422 if form else 200)


@campaign_staff
@require_POST
def exclude_many(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponseBase:
    """Exclude the people of a round who were chosen in the list."""
    form, chosen = ExclusionForm(request.POST), chosen_numbers(request.POST)
    people = workers_of_campaign(campaign).filter(number__in=chosen, enrolments__round=known_round(work_round))
    if form.is_valid() and not chosen:
        form.add_error(None, _("Choose at least one participant."))
    if not form.is_valid():
        return _page(request, campaign, work_round, form)
    user = staff_user(request)
    number = people_exclude(workers=people, work_round=work_round, user=user, **form.cleaned_data)
    words = ngettext("%(n)s participant is excluded.", "%(n)s participants are excluded.", number)
    messages.success(request, words % {"n": f"{number:,}"})
    return back_to_list(request, campaign, work_round)


def back_to_list(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponse:
    address = reverse("ratings:participants", args=[campaign.slug, work_round])
    return redirect(f"{address}?{request.GET.urlencode()}")


@campaign_staff
@when_archived
@require_http_methods(["GET", "POST"])
def participants_csv(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponseBase:
    """Download those whom the list shows: with their ids by POST, without by GET."""
    listing = _listing(request, known_round(work_round), links_of_round(campaign, work_round))
    people = participants_of_round(campaign, work_round)
    return _csv(request, campaign, f"participants-{work_round}", chosen_visits(people, listing))


@campaign_staff
@when_archived
@require_http_methods(["GET", "POST"])
def all_participants_csv(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """Download the participants of all rounds, which are looked up one after the other."""
    people = (each for work_round in Round for each in participants_of_round(campaign, work_round))
    visits = ((each, visit) for each in people for visit in each.visits)
    return _csv(request, campaign, "participants", visits)


def _csv(request: HttpRequest, campaign: Campaign, what: str, visits: Visits) -> HttpResponseBase:
    shows_ids = request.method == "POST"
    if shows_ids:
        visits = list(visits)
        ids_record(campaign=campaign, user=staff_user(request), what=what, count=len(visits))
    rows = rows_of_csv(visits, shows_ids=shows_ids)
    return csv_download(f"{campaign.slug}-{what}", head_of_csv(shows_ids=shows_ids), rows)


def _listing(request: HttpRequest, work_round: str, links: Iterable[JoinLink]) -> ListingState:
    return participants_listing(work_round, list(links), shows_ids=sees_ids(request)).read(request.GET)


def known_round(work_round: str) -> str:
    if work_round not in Round.values:
        raise Http404(_("There is no such round."))
    return work_round


@campaign_staff
@require_safe
def raters(_request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """Lead to the list of the rater round from the address that it had before."""
    return redirect("ratings:participants", campaign.slug, Round.RATE)


@campaign_staff
@require_safe
def raters_csv(_request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    return redirect("ratings:participants-csv", campaign.slug, Round.RATE)
