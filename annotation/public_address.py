"""The address of a campaign's dashboard for mails, which no request asks for."""

from django.conf import settings
from django.urls import reverse

from crowd.models import Campaign


def public_address(campaign: Campaign) -> str:
    """Return the address under the installation's first public name; empty if it has none, or only a pattern."""
    public = [host for host in settings.ALLOWED_HOSTS if host not in settings.LOCAL_HOSTS]
    if not settings.PUBLIC or not public or public[0].startswith((".", "*")):
        return ""
    return f"https://{public[0]}{reverse('dashboard', args=[campaign.slug])}"
