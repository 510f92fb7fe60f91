"""A plan that takes long is computed by a job, kept, and marked once there are newer ratings."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from agreement.planning import kept_plans
from agreement.planning.kept_plans import plans_dump, plans_load
from agreement.planning.plans import Prices, campaign_plans
from agreement.tests.test_plan import page_of, plans_on_page, points
from common.models import Job
from compressions.models import Target
from crowd.models import Campaign
from ratings.models import KeptResult
from tests.flows.test_own_scales_release import compared, side_by_side
from tests.support.factories import (
    RATE,
    edit_all,
    enrol,
    judged_campaign,
    make_campaign,
    rate_each,
    readable,
    staff_client,
)
from tests.support.reports import strict_json

pytestmark = pytest.mark.django_db
BUTTON = "Compute</button>"


@pytest.fixture
def campaign() -> Campaign:
    """Six texts by three raters, who differ on some, and with room for a fourth."""
    campaign = make_campaign(sources=6, editors_per_source=1, raters_per_compression=4, editor_tasks=9, rater_tasks=9)
    edit_all(campaign, 1)
    for number in range(3):
        judge_all(campaign, number)
    return campaign


def judge_all(campaign: Campaign, number: int) -> None:
    def said(target: Target) -> tuple[int, int]:
        return points(target, number)

    rate_each(enrol(campaign, RATE, f"rater-{number}"), said)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_plans, "QUICK_RATINGS", 0)


def ask(campaign: Campaign, **asked: str) -> Any:
    return staff_client(campaign.staff.get()).post(f"/campaigns/{campaign.slug}/plan/compute/", asked)


def words_of(campaign: Campaign, **asked: str) -> str:
    return " ".join(readable(page_of(campaign, **asked)).split())


def test_a_job_finds_what_a_quick_page_shows(
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    asked = {"raters": "2,4", "texts": "50", "price_per_rating": "0.12"}
    at_once = plans_on_page(campaign, **asked)
    monkeypatch.setattr(kept_plans, "QUICK_RATINGS", 0)
    assert BUTTON in words_of(campaign, **asked)

    with django_capture_on_commit_callbacks(execute=True):
        reply = ask(campaign, **asked)

    assert reply["Location"].endswith("/plan/?raters=2%2C4&texts=50&price_per_rating=0.12")
    assert plans_on_page(campaign, **asked) == at_once
    page = words_of(campaign, **asked)
    assert "There are no newer ratings or decisions." in page
    assert BUTTON not in page
    job = Job.objects.get()
    assert job.done == job.total == 3
    assert f'href="/campaigns/{campaign.slug}/plan/?raters=2%2C4&texts=50"' in readable(
        staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/jobs/{job.pk}/")
    )


def test_another_price_needs_no_other_job(
    slow: None, campaign: Campaign, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        ask(campaign, raters="3", texts="100")

    (row,) = plans_on_page(campaign, raters="3", texts="100", price_per_rating="2")["grammar"]

    assert row[4] == "600.00"


def test_asked_twice_one_job_runs_and_the_page_shows_it(slow: None, campaign: Campaign) -> None:
    ask(campaign)
    ask(campaign, raters="3, 4, 5, 7, 10")  # the defaults, said

    job = Job.objects.get()
    assert f'hx-get="/campaigns/{campaign.slug}/jobs/{job.pk}/"' in words_of(campaign)
    assert KeptResult.objects.count() == 1


def test_newer_ratings_are_told_and_computed_in(
    slow: None, campaign: Campaign, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        ask(campaign)
    judge_all(campaign, 3)

    page = words_of(campaign)
    assert "before 6 newer ratings." in page
    assert "(18 ratings in total)" in page
    with django_capture_on_commit_callbacks(execute=True):
        ask(campaign)

    assert "(24 ratings in total)" in words_of(campaign)


def test_numbers_without_sense_are_refused(campaign: Campaign) -> None:
    reply = ask(campaign, raters="three")

    assert reply.status_code == 422
    assert 'href="#id_raters"' in readable(reply)
    assert not Job.objects.exists()


@pytest.mark.parametrize("prices", [Prices(), Prices(Decimal("0.1"), Decimal(2))])
def test_plans_survive_being_kept(campaign: Campaign, prices: Prices) -> None:
    disputed, agreed = judged_campaign(), judged_campaign(scores=((2, 2), (2, 2)))
    for each in (campaign, compared(side_by_side()), disputed, agreed, make_campaign()):
        plans = campaign_plans(each, prices=prices)

        stored = strict_json(json.dumps(plans_dump(plans)))
        assert plans_load(stored, each, prices) == plans
