"""Staff views of campaigns and of their jobs; experts with an account go on from the list to their round."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.models import Job
from crowd.access import campaign_expert, campaign_staff, signed_in, staff_user
from crowd.default_texts import default_settings
from crowd.models import Campaign, CampaignState, JoinLink
from crowd.platforms import ACCOUNT, account_id
from crowd.selectors.campaigns import campaign_rows, state_counts
from crowd.selectors.members import expert_campaigns
from crowd.services.account_bounds import may_create_campaigns
from crowd.services.campaigns import campaign_create
from crowd.services.entry import PlatformIds
from crowd.sessions import Arrival, arrival_write, browser_token
from crowd.settings_forms import NewCampaignForm


@signed_in
@require_safe
def campaigns(request: HttpRequest) -> HttpResponse:
    """List the account's campaigns; archived ones only if asked for."""
    user, state = staff_user(request), request.GET.get("state", "")
    state = state if state in CampaignState.values else ""
    context = {
        "rows": campaign_rows(user, state),
        "counts": state_counts(user),
        "state": state,
        "expert_campaigns": expert_campaigns(user),
        "may_create": may_create_campaigns(user),
    }
    return render(request, "crowd/campaigns.html", context)


@signed_in
@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    form = NewCampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = default_settings(form.cleaned_data["page_language"]) | form.cleaned_data
        campaign = campaign_create(owner=staff_user(request), state=CampaignState.DRAFT, **chosen)
        words = _("%(campaign)s is a draft. Import its texts, check its settings, then open it.")
        messages.success(request, words % {"campaign": campaign.name})
        return redirect("dashboard", campaign.slug)
    return render(request, "crowd/campaign_form.html", {"form": form}, status=form_status(request))


def form_status(request: HttpRequest) -> int:
    return 422 if request.method == "POST" else 200


@campaign_staff
@require_safe
def job(request: HttpRequest, campaign: Campaign, job_id: int) -> HttpResponse:
    """Show a job; for htmx, only the part that changes."""
    found = get_object_or_404(Job, pk=job_id, campaign=campaign)
    partial = getattr(request, "htmx", False)
    template = "crowd/partials/job_state.html" if partial else "crowd/job.html"
    return render(request, template, {"campaign": campaign, "job": found})


@campaign_expert
@require_POST
def rate_as_expert(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Take an expert to the consent page, or on with their work, as the person that their account stands for.

    The id is given here and travels in our signed cookie; no address carries it, so nobody can come with another's.
    """
    link = get_object_or_404(JoinLink, campaign=campaign, platform_key=ACCOUNT)
    ids = PlatformIds(worker_id=account_id(staff_user(request).pk), is_signed=True)
    response = redirect("crowd:join", link.token)
    arrival_write(response, link, Arrival(ids, browser_token(request)))
    return response
