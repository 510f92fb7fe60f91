"""One visit to each task on scales, by keyboard alone and by touch on a phone: answers, side by side, and arms."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Source
from compressions.services.outputs import Output, outputs_add
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from ratings.models import Rating
from tests.support.arms import armed_campaign
from tests.support.browser import check, chosen, open_task, profile, tab_to
from tests.support.factories import RATE, edit_all, make_campaign

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
FIVE = "5 very good\n4 good\n3 barely acceptable\n2 poor\n1 very poor"


def answers() -> Campaign:
    scales = scales_dump(scales_from_text(f"Content: Is it an answer?\n{FIVE}\n\nCoherence: Does it hold?\n{FIVE}"))
    campaign = make_campaign(sources=1, rating_task="answer", scales=scales)
    source = Source.objects.get(campaign=campaign)
    outputs = [Output(line, source.source_id, f"An answer of its own, {line}.", f"s{line}") for line in (1, 2)]
    outputs_add(campaign=campaign, outputs=outputs)
    return campaign


def side_by_side() -> Campaign:
    scales = scales_dump(scales_from_text("Meaning: Which one keeps more?", side_by_side=True))
    campaign = make_campaign(sources=1, rating_task="pair", scales=scales)
    edit_all(campaign, 2)
    return campaign


def arms() -> Campaign:
    return armed_campaign(sources=1, texts=1)


TASKS = pytest.mark.parametrize("task", [answers, side_by_side, arms], ids=lambda task: task.__name__)


def done(page: Page, fields: int) -> None:
    rating = Rating.objects.get()
    assert rating.scores.count() == fields
    expect(page.locator("h1")).to_be_visible()


@TASKS
def test_a_visit_by_keyboard_alone(browser: Browser, live_server: LiveServer, task: Callable[[], Campaign]) -> None:
    with profile(browser, viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        open_task(page, live_server.url, task(), RATE)
        fields = page.locator("fieldset.scale").count()
        check(page, "nothing is chosen")
        page.set_viewport_size({"width": 1280, "height": 800})
        for place in range(fields):
            while page.evaluate("document.activeElement?.type") != "radio":
                page.keyboard.press("Tab")
            page.keyboard.press("Space")
            if place + 1 < fields:
                page.keyboard.press("Tab")
        assert all(chosen(page))
        tab_to(page, "Submit and continue")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        done(page, fields)


@TASKS
def test_a_visit_by_touch_on_a_phone(browser: Browser, live_server: LiveServer, task: Callable[[], Campaign]) -> None:
    with profile(browser, **PHONE) as context:
        page = context.new_page()
        open_task(page, live_server.url, task(), RATE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        scales = page.locator("fieldset.scale")
        scales_answered = scales.count()
        for place in range(scales_answered):
            radio = scales.nth(place).get_by_role("radio").first
            radio.tap()
            expect(radio).to_be_checked()
        assert all(chosen(page))
        with page.expect_navigation():
            page.get_by_role("button", name="Submit and continue").tap()
        done(page, scales_answered)
