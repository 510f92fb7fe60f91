"""Addresses of pages under the installation's public name, for mails and webhooks.

They are never taken from a request: its header Host is what a stranger wrote, and mails go to others.
"""

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from crowd.models import Campaign


def public_address(campaign: Campaign) -> str:
    """Return the address of a campaign's dashboard; empty if the installation has no public name, or only a pattern."""
    origin = settings.PUBLIC_ORIGIN
    return f"{origin}{reverse('dashboard', args=[campaign.slug])}" if origin else ""


def mailed_origin(request: HttpRequest) -> str:
    """Return the scheme and name with which links in mails begin; a local installation has only its own computer's."""
    origin: str = settings.PUBLIC_ORIGIN
    return origin if settings.PUBLIC else request.build_absolute_uri("/").removesuffix("/")
