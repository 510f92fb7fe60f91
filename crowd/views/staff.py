"""Staff views of campaigns, their settings, links and jobs."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused
from common.models import Job
from crowd.access import campaign_staff, signed_in, staff_user
from crowd.default_texts import default_texts
from crowd.forms import CampaignForm, JoinLinkForm
from crowd.models import Campaign, JoinLink
from crowd.selectors.campaigns import campaigns_of_user, links_of_campaign, open_browser_requests
from crowd.services.campaigns import campaign_create, join_link_create, join_link_set_active, join_link_set_keys


@signed_in
@require_safe
def campaigns(request: HttpRequest) -> HttpResponse:
    return render(request, "crowd/campaigns.html", {"campaigns": campaigns_of_user(staff_user(request))})


@signed_in
@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    form = CampaignForm(request.POST or None, initial=default_texts())
    if request.method == "POST" and form.is_valid():
        campaign = campaign_create(owner=staff_user(request), **form.cleaned_data)
        messages.success(request, f"{campaign.name} is ready. Import its texts next.")
        return redirect("dashboard", campaign.slug)
    return render(request, "crowd/campaign_form.html", {"form": form}, status=form_status(request))


def form_status(request: HttpRequest) -> int:
    return 422 if request.method == "POST" else 200


@campaign_staff
@require_http_methods(["GET", "POST"])
def links(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = JoinLinkForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        join_link_create(campaign=campaign, work_round=chosen["round"], platform_key=chosen["platform_key"])
        messages.success(request, "The link is ready to be handed out.")
        return redirect("crowd:links", campaign.slug)
    return _links_page(request, campaign, form)


def _links_page(
    request: HttpRequest, campaign: Campaign, form: JoinLinkForm, refused_keys: dict[str, object] | None = None
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "form": form,
        "links": [(link, request.build_absolute_uri(link.get_absolute_url())) for link in links_of_campaign(campaign)],
        "browser_requests": open_browser_requests(campaign),
        "refused_keys": refused_keys,
    }
    return render(request, "crowd/links.html", context, status=form_status(request))


@campaign_staff
@require_POST
def link_state(request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Switch a link on or off. The request states the target state, so that a second click changes nothing."""
    link = get_object_or_404(JoinLink, pk=link_id, campaign=campaign)
    join_link_set_active(link=link, is_active=request.POST.get("active") == "1")
    return redirect("crowd:links", campaign.slug)


@campaign_staff
@require_POST
def link_keys(request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Set or remove the keys by which a platform signs the ids of a link."""
    link = get_object_or_404(JoinLink, pk=link_id, campaign=campaign)
    text = request.POST.get("keys", "")
    try:
        join_link_set_keys(link=link, text=text)
    except Refused as refusal:
        return _links_page(request, campaign, JoinLinkForm(), {"link": link, "text": text, "reason": str(refusal)})
    taken = "Ids are now taken from signed addresses only." if text.strip() else "Ids are now taken unsigned again."
    messages.success(request, taken)
    return redirect("crowd:links", campaign.slug)


@campaign_staff
@require_safe
def job(request: HttpRequest, campaign: Campaign, job_id: int) -> HttpResponse:
    """Show a job; for htmx, only the part that changes."""
    found = get_object_or_404(Job, pk=job_id, campaign=campaign)
    partial = getattr(request, "htmx", False)
    template = "crowd/partials/job_state.html" if partial else "crowd/job.html"
    return render(request, template, {"campaign": campaign, "job": found})
