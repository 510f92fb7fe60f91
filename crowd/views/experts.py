"""Experts with an account: from the list of their campaigns to the expert round."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from crowd.access import campaign_expert, staff_user
from crowd.models import Campaign, JoinLink
from crowd.platforms import ACCOUNT, account_id
from crowd.services.entry import PlatformIds
from crowd.sessions import Arrival, arrival_write, browser_token


@campaign_expert
@require_POST
def rate(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Take an expert to the consent page, or on with their work, as the person that their account stands for.

    The id is given here and travels in our signed cookie; no address carries it, so nobody can come with another's.
    """
    link = get_object_or_404(JoinLink, campaign=campaign, platform_key=ACCOUNT)
    ids = PlatformIds(worker_id=account_id(staff_user(request).pk), is_signed=True)
    response = redirect("crowd:join", link.token)
    arrival_write(response, link, Arrival(ids, browser_token(request)))
    return response
