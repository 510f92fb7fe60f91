"""Addresses of pages under the installation's public name, for mails and webhooks, which no request asks for."""

from django.conf import settings
from django.urls import reverse

from crowd.models import Campaign


def public_address(campaign: Campaign) -> str:
    """Return the address of a campaign's dashboard; empty if the installation has no public name, or only a pattern."""
    origin = public_origin()
    return f"{origin}{reverse('dashboard', args=[campaign.slug])}" if origin else ""


def public_origin() -> str:
    """Return the scheme and first public name of the installation; empty if it has none, or only a pattern."""
    public = [host for host in settings.ALLOWED_HOSTS if host not in settings.LOCAL_HOSTS]
    if not settings.PUBLIC or not public or public[0].startswith((".", "*")):
        return ""
    return f"https://{public[0]}"
