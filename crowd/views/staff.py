"""Staff views of campaigns, their settings, links and jobs."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from common.models import Job
from crowd.access import campaign_staff, signed_in, staff_user
from crowd.default_texts import default_texts
from crowd.models import Campaign
from crowd.models.campaign import CampaignState
from crowd.selectors.campaigns import campaigns_of_user
from crowd.selectors.members import expert_campaigns
from crowd.services.campaigns import campaign_create
from crowd.settings_forms import NewCampaignForm


@signed_in
@require_safe
def campaigns(request: HttpRequest) -> HttpResponse:
    user = staff_user(request)
    context = {"campaigns": campaigns_of_user(user), "expert_campaigns": expert_campaigns(user)}
    return render(request, "crowd/campaigns.html", context)


@signed_in
@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    form = NewCampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = default_texts() | form.cleaned_data
        campaign = campaign_create(owner=staff_user(request), state=CampaignState.DRAFT, **chosen)
        messages.success(
            request, f"{campaign.name} is a draft. Import its texts, look through its settings, then open it."
        )
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
