"""Clicks and keys that come twice, and tabs side by side: one answer, and nothing writes over it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Assignment
from ratings.models import Rating, RatingVersion
from tests.support.browser import (
    assert_stored_once,
    choose,
    eventually,
    press_digits,
    rate,
    rater_at_work,
    stored,
)

IN_OTHER_TAB = "You’ve already submitted this in another tab. Your answers there count."
FIRST_COUNTS = "You had already rated this text. Your earlier rating counts."
DEAF = "window.BroadcastChannel = class { postMessage() {} close() {} };"


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the first of two texts."""
    with rater_at_work(browser, live_server.url) as page:
        yield page


@pytest.fixture
def other_tab(rater: Page) -> Page:
    """The same task once more."""
    tab = rater.context.new_page()
    tab.clock.install()
    tab.goto(rater.url)
    return tab


def posts_of(page: Page) -> list[str]:
    """The addresses to which a page sends from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


def versions() -> list[dict[str, int]]:
    return list(RatingVersion.objects.order_by("pk").values_list("scores", flat=True))


@pytest.mark.smoke
def test_a_double_click_sends_once(rater: Page) -> None:
    sent = posts_of(rater)
    press_digits(rater, 3, 2)
    with rater.expect_navigation():
        rater.get_by_role("button", name="Submit and continue").dblclick()
    assert_stored_once(rater, 3, 2)
    assert len(sent) == 1


def test_enter_twice_sends_once_and_answers_nothing_on_the_next_page(rater: Page) -> None:
    sent = posts_of(rater)
    press_digits(rater, 3, 2)
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
        rater.keyboard.press("Enter")
    rater.keyboard.press("Enter")
    assert_stored_once(rater, 3, 2)
    assert len(sent) == 1


@pytest.mark.parametrize("where", ["the button", "a scale"])
def test_enter_held_down_sends_once(rater: Page, where: str) -> None:
    sent = posts_of(rater)
    press_digits(rater, 3, 2)
    if where == "a scale":
        rater.locator("fieldset input:checked").last.focus()
    with rater.expect_navigation():
        for _ in range(10):
            rater.keyboard.down("Enter")
    for _ in range(10):
        rater.keyboard.down("Enter")
    rater.keyboard.up("Enter")
    assert_stored_once(rater, 3, 2)
    assert len(sent) == 1


def test_what_is_sent_in_one_tab_ends_the_other(rater: Page, other_tab: Page) -> None:
    press_digits(other_tab, 1)
    rate(rater, 3, 2)
    expect(other_tab.get_by_role("alert")).to_contain_text(IN_OTHER_TAB)
    expect(other_tab.get_by_role("button", name="Submit and continue")).to_be_hidden()
    expect(other_tab.locator("#answer")).to_be_focused()
    expect(other_tab.get_by_role("radio").first).to_be_disabled()
    press_digits(other_tab, 1, 1)
    with other_tab.expect_navigation():
        other_tab.keyboard.press("Enter")
    expect(other_tab).to_have_url(rater.url)
    assert_stored_once(other_tab, 3, 2)
    assert Assignment.objects.filter(worker__external_id="browser", state="leased").count() == 1


def test_what_is_given_back_in_one_tab_ends_the_other(rater: Page, other_tab: Page) -> None:
    choose(rater, "I can’t rate this text")
    rater.get_by_label("It is broken or incomplete").check()
    with rater.expect_navigation():
        rater.get_by_role("dialog").get_by_role("button", name="Skip this text").click()
    expect(other_tab.get_by_role("alert")).to_contain_text("You’ve skipped this text.")
    with other_tab.expect_navigation():
        other_tab.get_by_role("button", name="Continue with the next text").click()
    expect(other_tab).to_have_url(rater.url)
    assert not Rating.objects.exists()


def test_a_tab_that_heard_nothing_writes_over_no_answer(rater: Page) -> None:
    stale = rater.context.new_page()
    stale.add_init_script(DEAF)
    stale.goto(rater.url)
    press_digits(stale, 1, 1)
    rate(rater, 3, 2)
    with stale.expect_navigation():
        stale.keyboard.press("Enter")
    expect(stale.locator(".messages")).to_contain_text(FIRST_COUNTS)
    expect(stale).to_have_url(rater.url)
    assert_stored_once(stale, 3, 2)


def test_both_tabs_send_at_once(rater: Page, other_tab: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    for page, points in ((rater, (3, 2)), (other_tab, (1, 1))):
        page.route("**/work/rate/*/", hold)
        press_digits(page, *points)
        page.keyboard.press("Enter")
    eventually(rater, lambda: len(held) == 2)
    first = rater.url
    for route in held:
        route.continue_()
    for page in (rater, other_tab):
        expect(page).not_to_have_url(first)
        expect(page.locator("header")).to_contain_text("Text 2 of 2")
    assert len(stored()) == len(versions()) == 1
