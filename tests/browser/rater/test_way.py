"""A rater's whole way by keys alone: link, consent, guidelines, practice, test, texts, answers, code."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Campaign, Enrolment
from ratings.models import QualificationAttempt
from ratings.services.qualification import qualification_items_replace
from tests.support.browser import focused, press, press_digits, rate, rating_campaign, stored, tab_to
from tests.support.factories import EXAMPLE, RATE, link_of

TEXTS = 3
PRACTICE = replace(EXAMPLE, answers={"meaning": [3], "grammar": [2]}, why="A word is missing.", is_practice=True)


def answer_by_keys(page: Page) -> None:
    """Choose the highest point of every scale, as one does where there are no scripts."""
    tab_to(page, "3")
    for _ in range(2):
        assert focused(page).startswith("3")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")


def pass_the_test(page: Page, campaign: Campaign) -> None:
    answer_by_keys(page)
    press(page, "Check my answers")
    expect(page.get_by_role("region", name="Our ratings")).to_contain_text("You: 3, ours: 2")
    expect(page.locator("main")).to_contain_text(PRACTICE.why)
    press(page, "Start the test")
    assert not QualificationAttempt.objects.exists()
    tab_to(page, "Guidelines")
    page.keyboard.press("Enter")
    expect(page.locator("#guidelines")).to_contain_text(campaign.rater_guidelines)
    page.reload()
    for button in ("Continue", "Submit the test"):
        answer_by_keys(page)
        press(page, button)
    expect(page.locator("h1")).to_have_text("You passed the test")
    expect(page.locator("main")).to_contain_text(EXAMPLE.why)
    press(page, "Continue to the texts")


@pytest.mark.smoke
def test_the_whole_way_by_keys_alone(page: Page, live_server: LiveServer) -> None:
    campaign = rating_campaign(texts=TEXTS)
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE, EXAMPLE, PRACTICE])
    page.goto(f"{live_server.url}/join/{link_of(campaign, RATE).token}/?participant=browser")
    press(page, "I agree")
    press(page, "I have read", "Space")
    pass_the_test(page, campaign)

    page.keyboard.press("Alt+g")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for number in range(1, TEXTS + 1):
        expect(page.locator("header")).to_contain_text(f"Text {number} of {TEXTS}")
        rate(page, 3, 2)

    expect(page.locator("main")).to_contain_text(link_of(campaign, RATE).code_done)
    press(page, "Look over your answers")
    page.get_by_role("link", name="Change your rating Text 2").press("Enter")
    expect(page.locator("h1")).to_have_text("Change your rating")
    tab_to(page, "3 Most important meaning")
    press_digits(page, 1)
    press(page, "Save this rating")
    expect(page.locator("h1")).to_have_text("Your answers")
    press(page, "Back to the end of the study")
    expect(page.locator("main")).to_contain_text(link_of(campaign, RATE).code_done)
    assert stored() == [(3, 2), (1, 2), (3, 2)]
    assert Enrolment.objects.get(round=RATE).outcome == "done"


def test_the_order_of_the_focus_follows_the_page(page: Page, live_server: LiveServer) -> None:
    campaign = rating_campaign(texts=2)
    page.goto(f"{live_server.url}/join/{link_of(campaign, RATE).token}/?participant=browser")
    press(page, "I agree")
    press(page, "I have read")
    rate(page, 3, 3)
    order = [
        "Skip to the content",
        "Guidelines",
        "More",
        "Show differences",
        "3",
        "3",
        "Add a comment",
        "Submit and continue",
    ]
    expect(page.locator("#rating")).to_be_focused()
    for name in reversed(order[:3]):
        page.keyboard.press("Shift+Tab")
        assert focused(page).startswith(name)
    for name in order[1:]:
        page.keyboard.press("Tab")
        assert focused(page).startswith(name)
