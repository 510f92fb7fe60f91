"""Which ratings count where raters were asked because earlier ones disagreed: by the settings in force then."""

import pytest

from agreement.extra_raters import first_ratings_of_campaign, first_ratings_of_release
from compressions.models import Target
from crowd.models import Campaign
from crowd.models.people import IMPORTED
from ratings.models import Rating
from tests.support.factories import RATE, edit_all, enrol, freeze, make_campaign, rate_each, readable, staff_client
from tests.support.reports import printed
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db


def disputed(raters: int, *, extra: bool) -> Campaign:
    """Four texts, of which the raters disagree by two points on two."""
    campaign = make_campaign(
        sources=4,
        editors_per_source=1,
        raters_per_compression=raters,
        editor_tasks=9,
        rater_tasks=9,
        extra_raters=extra,
    )
    edit_all(campaign, 1)
    for rater in range(raters + 2):

        def said(target: Target, rater: int = rater) -> tuple[int, int]:
            return (1 + 2 * (rater % 2), 3) if int(target.source.source_id) % 2 else (3, 2)

        rate_each(enrol(campaign, RATE, f"rater-{rater}"), said)
    return campaign


@pytest.mark.parametrize("raters", [3, 4])
def test_with_extra_raters_the_first_ratings_count_whatever_their_number(raters: int) -> None:
    campaign = disputed(raters, extra=True)
    release = freeze(campaign)

    report = printed("report", release.name, "agreement", "--draws=20", "--replications=20")

    assert first_ratings_of_campaign(campaign) == first_ratings_of_release(release) == raters
    assert "worker versus worker, all ratings" in report
    client = staff_client(campaign.staff.get())
    shown, plan = (
        " ".join(readable(client.get(f"/campaigns/{campaign.slug}/{page}/")).split())
        for page in ("releases/1/agreement", "plan")
    )
    assert f"agreement is computed from the first {raters} ratings of each text" in shown
    assert f"({4 * raters} ratings in total)" in plan


def test_without_extra_raters_no_rating_is_left_out() -> None:
    campaign = disputed(3, extra=False)
    report = printed("report", freeze(campaign).name, "agreement", "--draws=20", "--replications=20")

    assert first_ratings_of_campaign(campaign) is None
    assert "all ratings" not in report


def test_what_counts_is_what_was_in_force_when_ratings_were_given() -> None:
    campaign = disputed(3, extra=True)
    release = freeze(campaign)

    settings_change(campaign, extra_raters=False, raters_per_compression=5)

    assert first_ratings_of_release(release) == first_ratings_of_campaign(campaign) == 3
    other = disputed(3, extra=False)
    settings_change(other, extra_raters=True)
    assert first_ratings_of_campaign(other) is None  # nobody has rated since


def test_ratings_from_before_versions_count_as_given_under_the_first() -> None:
    campaign = disputed(3, extra=True)
    Rating.objects.update(settings_version=None)

    assert first_ratings_of_campaign(campaign) == 3


def test_nobody_knows_how_imported_ratings_were_asked_for() -> None:
    campaign = disputed(3, extra=True)
    campaign.workers.update(platform_key=IMPORTED)

    assert first_ratings_of_campaign(campaign) is None
