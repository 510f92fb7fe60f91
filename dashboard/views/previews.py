"""Staff: try a campaign as a participant, remove test participants, simulate some."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import Refused
from common.typed_text import TypedTexts
from corpus.services.people_of_tests import people_of_tests_remove, work_of_tests_count
from crowd.access import campaign_staff, public, staff_user, when_archived
from crowd.models import Campaign, Round
from crowd.models.setting_words import WORDS, label_of
from crowd.sessions import session_put_aside, session_take_up
from dashboard.services.previews import preview_create, preview_end
from dashboard.simulation.crowd import MOST_PEOPLE, real_people, simulation_request

NOT_WITH_THESE_SETTINGS = _("The preview can’t be made with these settings.")


class CrowdForm(TypedTexts, forms.Form):
    editors = forms.IntegerField(label=_("editors"), min_value=0, max_value=MOST_PEOPLE, initial=10)
    raters = forms.IntegerField(label=_("raters"), min_value=0, max_value=MOST_PEOPLE, initial=10)


@campaign_staff
@when_archived
@require_POST
def preview(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponse:
    """Make a sandbox, and go to its link as a participant of a round does."""
    if work_round not in Round.values:
        raise Http404("no such round")
    try:
        link = preview_create(campaign=campaign, work_round=Round(work_round))
    except (Refused, ValidationError) as refusal:
        messages.error(request, f"{NOT_WITH_THESE_SETTINGS} {_words(refusal)}")
        return redirect("dashboard", campaign.slug)
    response = redirect(link)
    session_put_aside(request, response)
    return response


def _words(refusal: Refused | ValidationError) -> str:
    """Say why settings are refused, each reason of a table with the setting that it is about."""
    if isinstance(refusal, Refused):
        return str(refusal)
    named = refusal.message_dict if hasattr(refusal, "error_dict") else {"": refusal.messages}
    return " ".join(
        f"{capfirst(label_of(name))}: {reason}" if name in WORDS else reason
        for name, reasons in named.items()
        for reason in reasons
    )


@public
@require_POST
def preview_stop(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a sandbox at once; its name is known only to who walks through it."""
    sandboxes = Campaign.objects.filter(sandbox_of__isnull=False, labelled_sessions_for=None)
    sandbox = sandboxes.filter(slug=slug).select_related("sandbox_of").first()
    response = redirect("dashboard", sandbox.sandbox_of.slug) if sandbox and sandbox.sandbox_of else redirect("home")
    preview_end(slug=slug)
    session_take_up(request, response)
    return response


@campaign_staff
@require_http_methods(["GET", "POST"])
def test_people(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the test participants and their work, and remove them."""
    if request.method == "POST":
        removal = people_of_tests_remove(campaign=campaign, user=staff_user(request))
        messages.success(request, _("Removed: %(work)s.") % {"work": removal.words})
        return redirect("test-people", campaign.slug)
    return _page(request, campaign, CrowdForm())


@campaign_staff
@require_POST
def simulate(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Let simulated test participants work in the campaign."""
    form = CrowdForm(request.POST)
    if form.is_valid():
        try:
            job = simulation_request(campaign=campaign, user=staff_user(request), **form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("crowd:job", campaign.slug, job.pk)
    return _page(request, campaign, form)


def _page(request: HttpRequest, campaign: Campaign, form: CrowdForm) -> HttpResponse:
    context = {
        "campaign": campaign,
        "work": work_of_tests_count(campaign),
        "has_real_people": real_people(campaign),
        "form": form,
        "rounds": Round,
    }
    return render(request, "dashboard/test_people.html", context, status=422 if form.errors else 200)
