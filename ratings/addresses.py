"""Addresses of pages that carry parameters."""

from urllib.parse import urlencode

from django.urls import reverse

from common.templatetags.formatting import in_percent
from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters


def preview_query(parameters: FilterParameters) -> dict[str, str]:
    """Return the fields of FilterForm for these parameters."""
    return {
        "share": str(in_percent(parameters.share)),
        "min_items": str(parameters.min_items),
        "rater_quality": parameters.rater_quality.value,
        "order": parameters.order.value,
        "roles": parameters.roles.value,
    }


def preview_address(campaign: Campaign, parameters: FilterParameters) -> str:
    """Return the address of the preview of the worker filter with these parameters."""
    return f"{reverse('ratings:quality-preview', args=[campaign.slug])}?{urlencode(preview_query(parameters))}"
