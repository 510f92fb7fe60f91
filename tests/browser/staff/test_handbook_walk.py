"""The way through a new campaign that the handbook tells, by the steps that also take its pictures."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from crowd.models import Campaign, CampaignState, Worker
from tests.support.browser import check, profile, staff_in
from tests.support.factories import make_staff

sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts"))

from handbook_pictures import SHORT_NAME, SIZE, WAY, Walk


@pytest.mark.smoke
def test_a_campaign_is_set_up_tried_and_opened_as_the_handbook_says(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, viewport=SIZE) as context:
        page = context.new_page()
        refused = list[str]()
        page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
        staff_in(context, live_server.url, make_staff("dora"))
        for step in WAY.values():
            step(Walk(page, live_server.url))
    assert refused == []
    campaign = Campaign.objects.get(slug=SHORT_NAME)
    assert campaign.state == CampaignState.OPEN
    assert campaign.sources.count() == 60
    assert campaign.links.get(platform_key="prolific").max_people == 20
    assert campaign.qualification_items.exists()
    assert "{pay}" in campaign.consent
    assert not Worker.objects.filter(campaign=campaign).exists()
    assert not Campaign.objects.filter(sandbox_of=campaign).exists()


@pytest.mark.parametrize("name", ["handbook", "accessibility"])
def test_everyone_can_read_the_documents(browser: Browser, live_server: LiveServer, name: str) -> None:
    with profile(browser) as context:
        page = context.new_page()
        page.goto(f"{live_server.url}/{name}/")
        check(page, name)
