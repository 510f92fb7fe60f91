"""What the management commands share: finding what they are about, and showing progress."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from tqdm import tqdm

from crowd.models import Campaign
from crowd.services.jobs import Progress


def campaign_named(slug: str) -> Campaign:
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        known = ", ".join(Campaign.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no campaign {slug!r}. Campaigns: {known}.")
    return campaign


def only_campaign() -> Campaign:
    """The campaign that is meant where there is but one."""
    campaigns = list(Campaign.objects.order_by("slug")[:2])
    if len(campaigns) != 1:
        raise CommandError("Name the campaign with --campaign: there is none, or more than one.")
    return campaigns[0]


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """A progress function that draws a bar on a terminal and is silent elsewhere."""
    with tqdm(unit=unit, disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield progress
