"""A test that fits the default scales in English, for staff who have none of their own yet."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign
from crowd.scales import DEFAULT_SCALES
from ratings.example_check import ExampleText
from ratings.example_files import Kind, examples_read
from ratings.selectors.qualification import STARTER_FILE, live_items
from ratings.services.qualification import example_of, qualification_items_add


def starter_test_fits(campaign: Campaign) -> bool:
    """Whether the starter set asks what the campaign asks, in its language."""
    is_english = campaign.language.partition("-")[0].lower() == "en"
    return is_english and campaign.task.judges_single_texts and campaign.rating_scales == DEFAULT_SCALES


def starter_test_missing(campaign: Campaign) -> list[ExampleText]:
    """Return the questions of the starter set that the campaign does not have; none if they do not fit it."""
    if not starter_test_fits(campaign):
        return []
    known = {(each.source, each.compression) for each in map(example_of, live_items(campaign))}
    starter = examples_read(STARTER_FILE.name, STARTER_FILE.read_bytes(), campaign, Kind.TEST)
    return [each for each in starter if (each.source, each.compression) not in known]


@transaction.atomic
def starter_test_add(*, campaign: Campaign, user: User | None = None) -> int:
    """Add the starter set to the test and return how many questions were new."""
    if not starter_test_fits(campaign):
        raise Refused(_("The starter questions are in English and for the default scales, so they do not fit here."))
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    return qualification_items_add(campaign=campaign, examples=starter_test_missing(campaign), user=user)
