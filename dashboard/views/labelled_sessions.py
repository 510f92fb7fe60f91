"""Staff: labelled sessions, and how well copies are told from own writing by them."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from common.charts import SECOND, Chart, line_of
from common.errors import Refused
from common.extras import CALIBRATION
from common.plots import linear_axis
from compressions.labelled import calibration_of, labelled_texts
from compressions.models import LabelledSessions
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign
from dashboard.services.labelled_sessions import (
    JOBS,
    calibration_request,
    labelled_sessions_make,
    labelled_sessions_remove,
    missing_extra,
)
from measures.quality_control.provenance.calibration import (
    FALSE_RATES,
    FEWEST_PEOPLE,
    FEWEST_SESSIONS,
    GRID,
    Curve,
    Sample,
    best_bound,
    fewest_honest,
    samples_of,
)


@campaign_staff
@require_http_methods(["GET", "POST"])
def labelled_sessions(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Say how well copies are told from own writing; a POST makes sessions, removes them, or learns from them."""
    if request.method == "POST":
        try:
            _act(request, campaign)
        except Refused as refusal:
            messages.error(request, str(refusal))
        return redirect("labelled-sessions", campaign.slug)
    sessions = LabelledSessions.objects.filter(campaign=campaign).select_related("sandbox").first()
    context: dict[str, object] = {
        "campaign": campaign,
        "sessions": sessions,
        "missing": "" if CALIBRATION.is_installed else missing_extra(),
    }
    if sessions is not None:
        context |= _found(campaign, sessions)
        link = sessions.sandbox.links.get()
        address = f"{request.build_absolute_uri(link.get_absolute_url())}?{link.platform.worker_parameter}=NAME"
        context |= {"link": link, "shown": {"address": address}}
    return render(request, "dashboard/labelled_sessions.html", context)


def _act(request: HttpRequest, campaign: Campaign) -> None:
    act, user = request.POST.get("act"), staff_user(request)
    if act == "make":
        number = labelled_sessions_make(campaign=campaign, user=user)
        words = ngettext(
            "%(n)s text can now be written and copied.", "%(n)s texts can now be written and copied.", number
        )
        messages.success(request, words % {"n": number})
    elif act == "learn":
        calibration_request(campaign=campaign, user=user)
    elif act == "remove":
        labelled_sessions_remove(campaign=campaign, user=user)
        messages.success(request, _("There are no labelled sessions any more."))


def _found(campaign: Campaign, sessions: LabelledSessions) -> dict[str, object]:
    found, calibration = labelled_texts(sessions), calibration_of(sessions)
    own, copied = samples_of(found.texts)
    job = JOBS.telling(campaign.pk)
    return {
        "sources": sessions.sandbox.sources.count(),
        "classes": [(_("Own writing"), own), (_("Copied"), copied)],
        "is_enough": own.is_enough and copied.is_enough,
        "least": {"people": FEWEST_PEOPLE, "sessions": FEWEST_SESSIONS},
        "left_out": found.left_out,
        "rates": offers(own),
        "best": best_bound(own.sessions) if own.sessions else None,
        "calibration": calibration,
        "is_current": sessions.fitted_on == found.digest,
        "plot": curve_plot(calibration.by_session) if calibration else None,
        "job": job if job is not None and job.state != job.State.DONE else None,
    }


@dataclass(frozen=True)
class Offer:
    """A share of honest sessions above a threshold, and how many honest sessions it takes to offer it."""

    rate: float
    needed: int
    missing: int


def offers(own: Sample) -> list[Offer]:
    """Return the rates that may be offered, and how many sessions are missing for each."""
    needed = [(rate, fewest_honest(rate)) for rate in FALSE_RATES]
    return [Offer(rate, number, max(0, number - own.sessions)) for rate, number in needed]


def curve_plot(curve: Curve) -> Chart:
    """Draw the share of copied sessions above a threshold by that of honest ones, with its interval dashed."""
    across = linear_axis(_("Own writing above the threshold"), 0, 1, percent=True)
    upwards = linear_axis(_("Copies above the threshold"), 0, 1, percent=True).upwards
    ends = [[*zip(GRID.tolist(), found, strict=True)] for found in (curve.found_low, curve.found_high)]
    line = line_of([*zip(curve.false, curve.found, strict=True)], 0, 1)
    return Chart(across, upwards, curves=[line, *(line_of(each, 0, 1, style=SECOND) for each in ends)])
