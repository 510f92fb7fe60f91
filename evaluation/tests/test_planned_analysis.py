"""A metric that was named before the ratings stands apart from what was explored; one that was named later does not."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.services.erasure import worker_erase
from crowd.models import Campaign, Worker
from crowd.models.people import IMPORTED
from evaluation.planned_analysis import planned_analysis
from evaluation.tests.releases import computed, scored_release, sources_with_systems
from ratings.services.imported import ratings_import
from tests.support.factories import RATE, edit_all, enrol, make_campaign, make_staff, rate_all, readable, staff_client
from tests.support.reports import every_tab, printed
from tests.support.settings import settings_change, settings_of, settings_page

pytestmark = pytest.mark.django_db
PLAN = {"primary_metric": "good", "hypothesis": "It follows meaning with r above .5."}


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(sources=2, editors_per_source=1, raters_per_compression=3)
    edit_all(campaign, 1)
    return campaign


def planned(campaign: Campaign, pool: str = "crowd") -> dict[str, Any]:
    found = planned_analysis(Campaign.objects.get(pk=campaign.pk), pool)
    assert found
    return found


def test_what_is_named_before_the_first_rating_stays_named_whatever_else_changes(campaign: Campaign) -> None:
    assert planned_analysis(campaign, "crowd") is None
    settings_change(campaign, **PLAN)
    before = planned(campaign)
    rate_all(enrol(campaign, RATE, "rater"), 2, 3)
    settings_change(campaign, rater_tasks=7)
    assert planned(campaign) == before
    assert (before["ratings_before"], before["settings_version"], before["metric"]) == (0, 2, "good")
    settings_change(campaign, hypothesis="It follows grammar.")
    after = planned(campaign)
    assert (after["ratings_before"], after["settings_version"]) == (2, 4)
    assert after["checksum"] != before["checksum"]
    settings_change(campaign, **PLAN)
    again = planned(campaign)
    assert (again["ratings_before"], again["settings_version"]) == (2, 5)
    assert again["checksum"] == before["checksum"]
    assert planned(campaign, "experts")["ratings_before"] == 0


def test_when_imported_ratings_were_given_is_unknown(campaign: Campaign) -> None:
    rate_all(enrol(campaign, RATE, "rater"), 2, 3)
    settings_change(campaign, **PLAN)
    assert planned(campaign)["ratings_before"] == 2
    Worker.objects.filter(ratings__isnull=False).update(platform_key=IMPORTED)
    assert planned(campaign)["ratings_before"] is None


def test_ratings_by_nobody_known_say_nothing_of_their_time(campaign: Campaign) -> None:
    settings_change(campaign, **PLAN)
    source = campaign.sources.earliest("pk").source_id
    added = outputs_add(campaign=campaign, system="half", outputs=[Output(1, source, "What a system wrote.")])
    ratings_import(rated=[(added.outputs[1], [{"meaning": 1, "grammar": 1}])])
    assert planned(campaign)["ratings_before"] is None


def test_whoever_has_withdrawn_may_have_rated_before(campaign: Campaign) -> None:
    rater = enrol(campaign, RATE, "rater")
    rate_all(rater, 2, 3)
    settings_change(campaign, **PLAN)
    worker_erase(worker=rater.worker)
    assert planned(campaign)["ratings_before"] is None


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def release(owner: User) -> Release:
    release = scored_release(sources_with_systems(12), owner=owner)
    settings_change(release.campaign, **PLAN)
    release.campaign.refresh_from_db()
    return release


def page_of(release: Release, owner: User) -> str:
    address = f"/campaigns/{release.campaign.slug}/releases/{release.version}/evaluation/"
    return " ".join(readable(every_tab(staff_client(owner), address)).split())


def test_the_report_keeps_it_apart_on_the_page_in_the_terminal_and_in_files(owner: User, release: Release) -> None:
    report = computed(release)
    plan = report.pinned["planned_analysis"]
    shown = page_of(release, owner)
    assert "Named beforehand: good" in shown
    assert "before the first rating. All else in this report is exploratory." in shown
    assert PLAN["hypothesis"] in shown
    asked = ("report", release.name, "evaluation", "--draws=50")
    table = " ".join(printed(*asked, "--section=planned", "--format=table").split())
    assert "The metric that was named beforehand" in table
    assert plan["checksum"] in table
    for form in ("json", "csv", "latex"):
        assert plan["checksum"] in printed(*asked, f"--format={form}")
    assert json.loads(printed(*asked, "--format=json"))["planned_analysis"] == plan


def test_another_metric_makes_another_report_and_one_without_scores_is_said(owner: User, release: Release) -> None:
    first = computed(release)
    settings_change(release.campaign, primary_metric="splendid")
    release.campaign.refresh_from_db()
    assert computed(release).digest != first.digest
    assert "This report has no scores by that metric." in page_of(release, owner)


def test_staff_name_it_on_the_settings_page(owner: User, campaign: Campaign) -> None:
    campaign.staff.add(owner)
    client = staff_client(owner)
    reply = client.post(settings_page(campaign, *PLAN), settings_of(campaign, **PLAN), follow=True)
    assert reply.status_code == 200
    assert planned(campaign)["hypothesis"] == PLAN["hypothesis"]
    refused = client.post(settings_page(campaign, *PLAN), settings_of(campaign, hypothesis="x" * 2001))
    assert refused.status_code == 422
