"""The menu of a campaign on each of its pages."""

from typing import Any

from django import template
from django.template import RequestContext
from django.urls import reverse

from crowd.models import Campaign
from dashboard.navigation import Menu, menu_of
from dashboard.simulation.tour import tour_release

register = template.Library()


@register.simple_tag(takes_context=True)
def campaign_menu(context: RequestContext) -> Menu | None:
    """Return the menu of the campaign that a page is about; None where the account was not let into one."""
    request, campaign = context["request"], context.get("campaign")
    role = getattr(request, "campaign_role", None)
    if role is None or not campaign:
        return None
    # A form that was refused may have changed the campaign's short name.
    home = reverse("dashboard", args=[request.resolver_match.kwargs["slug"]])
    return menu_of(campaign, role, home, request.path)


@register.inclusion_tag("dashboard/partials/tour.html")
def demo_tour(campaign: Campaign) -> dict[str, Any]:
    """Show the tour if a campaign is the demonstration."""
    return {"slug": campaign.slug, "version": tour_release(campaign)}
