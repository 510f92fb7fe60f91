"""Staff decide whether somebody may continue in another browser."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from crowd.access import campaign_staff, staff_user
from crowd.models import BrowserRequest, Campaign
from crowd.services.browsers import browser_request_decide


@campaign_staff
@require_POST
def decide(request: HttpRequest, campaign: Campaign, request_id: int) -> HttpResponse:
    """Let the browser that asked continue, or refuse it. The request states which, so a second click is harmless."""
    asked = get_object_or_404(BrowserRequest, pk=request_id, enrolment__worker__campaign=campaign)
    allowed = request.POST.get("allowed") == "1"
    browser_request_decide(request=asked, allowed=allowed, user=staff_user(request))
    if allowed:
        words = _("Participant %(name)s can now continue in the other browser.")
    else:
        words = _("Participant %(name)s stays in the browser that they started with.")
    messages.success(request, words % {"name": asked.enrolment.worker.public_name})
    return redirect("crowd:links", campaign.slug)
