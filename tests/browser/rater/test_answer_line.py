"""What a rater is told stands beside the button and is seen, on the smallest of phones too, and in any direction."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from tests.support.browser import chosen, open_task, profile, rater_at_work, rating_campaign, stored
from tests.support.factories import RATE

SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 420}, "has_touch": True, "is_mobile": True}
SCALES = scales_dump(scales_from_text("Meaning: Which one keeps more?", side_by_side=True))
FINGER = 44
SEND = "Submit and continue"
COUNT_ALERTS = """() => {
    window.alerts = 0;
    new MutationObserver((changes) => {
        const added = changes.flatMap((change) => [...change.addedNodes]);
        window.alerts += added.filter((node) => node.role === "alert").length;
    }).observe(document.getElementById("answer"), { childList: true });
}"""


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    with rater_at_work(browser, live_server.url) as page:
        page.wait_for_load_state("load")
        yield page


def test_a_refusal_is_in_sight_on_the_smallest_phone(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, **SMALL) as context:
        page = context.new_page()
        open_task(page, live_server.url, rating_campaign(texts=1), RATE)
        page.wait_for_load_state("load")
        button = page.get_by_role("button", name=SEND)
        expect(button).to_be_in_viewport(ratio=1)
        button.tap()
        expect(page.get_by_role("alert")).to_contain_text("Not submitted: Answer “Meaning”. Answer “Grammar”.")
        expect(page.locator("#answer")).to_be_in_viewport(ratio=1)
        expect(page.locator("#answer")).to_be_focused()
        expect(page.locator(".dock .keys")).to_be_hidden()
        page.get_by_role("link", name="Grammar").tap()
        expect(page.get_by_role("radio").nth(3)).to_be_focused()
        expect(page.get_by_role("radio").nth(3)).to_be_in_viewport()
        assert stored() == []


def test_each_refusal_is_announced_even_if_it_says_the_same(rater: Page) -> None:
    rater.evaluate(COUNT_ALERTS)
    for number in (1, 2):
        rater.get_by_role("button", name=SEND).click()
        assert rater.evaluate("window.alerts") == number
        expect(rater.locator("#answer")).to_be_focused()


def test_a_refusal_goes_once_everything_is_answered_and_not_before(rater: Page) -> None:
    title = rater.title()
    rater.get_by_role("button", name=SEND).click()
    assert rater.title() == f"Error: {title}"
    answer = rater.locator("#answer")
    expect(answer).to_contain_text("Not submitted: Answer “Meaning”. Answer “Grammar”.")
    expect(answer.get_by_role("link")).to_contain_text(["Meaning", "Grammar"])
    rater.get_by_role("radio").nth(0).check()
    expect(answer).to_contain_text("Not submitted: Answer “Grammar”.")
    expect(answer.get_by_role("link")).to_have_count(1)
    answer.get_by_role("link", name="Grammar").click()
    expect(rater.get_by_role("radio").nth(3)).to_be_focused()
    rater.get_by_role("radio").nth(3).check()
    expect(answer.get_by_role("link")).to_have_count(0)
    expect(answer).to_have_text("")
    assert rater.title() == title


def test_the_button_says_that_it_is_sending(rater: Page) -> None:
    rater.get_by_role("radio").nth(0).check()
    rater.get_by_role("radio").nth(3).check()
    rater.context.set_offline(True)
    rater.locator("#submit").click()
    expect(rater.locator("#submit")).to_have_text("Sending …")
    expect(rater.locator("#submit")).to_have_attribute("aria-disabled", "true")
    with rater.expect_navigation():
        rater.context.set_offline(False)


def test_two_texts_are_compared_by_three_equal_targets_in_a_row(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, **SMALL) as context:
        page = context.new_page()
        campaign = rating_campaign(texts=1, editors=2, rating_task="pair", scales=SCALES)
        open_task(page, live_server.url, campaign, RATE)
        page.wait_for_load_state("load")
        answers = page.locator(".preference label")
        expect(answers).to_contain_text(["A is better", "About the same", "B is better"])
        boxes = [answers.nth(number).bounding_box() for number in range(3)]
        assert [box["x"] for box in boxes if box] == sorted(box["x"] for box in boxes if box)
        assert len({round(box["y"]) for box in boxes if box}) == len({round(box["width"]) for box in boxes if box}) == 1
        assert all(box and min(box["width"], box["height"]) >= FINGER for box in boxes)
        answers.nth(1).tap()
        assert chosen(page) == [2]


def test_a_page_from_right_to_left_is_no_wider_than_its_screen(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, **SMALL) as context:
        page = context.new_page()
        campaign = rating_campaign(texts=1, page_language="ar", language="ar")
        open_task(page, live_server.url, campaign, RATE)
        page.wait_for_load_state("load")
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        for text in (".original", ".version"):
            expect(page.locator(text)).to_have_attribute("lang", "ar")
            expect(page.locator(text)).to_have_attribute("dir", "rtl")
        page.locator("#submit").tap()
        expect(page.locator("#answer")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        radio = page.get_by_role("radio").first.bounding_box()
        words = page.locator("fieldset label span").first.bounding_box()
        assert radio
        assert words
        assert radio["x"] > words["x"]
