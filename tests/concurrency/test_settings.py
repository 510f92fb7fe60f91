"""Staff who change settings at the same moment, and people who join meanwhile."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from compressions.models import Compression
from crowd.models import Campaign, Enrolment
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from measures.text.length_rule import allowed_length
from tests.support.factories import EDIT, edit_next, enrol, make_campaign
from tests.support.settings import settings_change, version_numbers
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


def confirm(campaign: Campaign, keep_percent: int) -> bool:
    """Confirm a change that was shown for version 1; whether it was saved."""
    try:
        campaign_update(campaign=Campaign.objects.get(pk=campaign.pk), confirmed=1, keep_percent=keep_percent)
    except UnconfirmedChange:
        return False
    return True


@pytest.mark.parametrize("time", range(3))
def test_of_several_who_confirm_at_once_one_is_heard_and_the_others_are_asked_again(time: int) -> None:
    campaign = make_campaign(keep_percent=75)
    enrol(campaign, EDIT)
    saved = together([partial(confirm, campaign, 50 + number + time) for number in range(5)])
    campaign.refresh_from_db()
    assert sorted(saved) == [False] * 4 + [True]
    assert (campaign.keep_percent, version_numbers(campaign)) == (50 + saved.index(True) + time, [1, 2])


def test_whoever_joins_and_writes_while_settings_change_has_the_version_that_was_enforced() -> None:
    campaign = make_campaign(sources=6, keep_percent=75, editors_per_source=1)

    def work(number: int) -> None:
        for _ in range(3):
            edit_next(enrol(campaign, EDIT, f"editor {number}"))

    def change() -> None:
        for keep_percent in (80, 85, 90):
            settings_change(Campaign.objects.get(pk=campaign.pk), keep_percent=keep_percent)

    acts: list[Callable[[], None]] = [partial(work, 1), change, partial(work, 2)]
    together(acts)
    assert version_numbers(campaign) == [1, 2, 3, 4]
    assert Compression.objects.count() == 6
    assert not Enrolment.objects.filter(settings_version=None).exists()
    for compression in Compression.objects.select_related("settings_version", "source"):
        assert compression.settings_version
        keep = compression.settings_version.settings["keep_percent"]
        assert compression.allowed == allowed_length(compression.source.text, keep)
