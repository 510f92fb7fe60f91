"""A quiz study over both its visits: by keys at a desk, and by touch on a phone; the server's clock is moved."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from common.clock import override_clock
from protocols.models import Response
from protocols.quiz.study import study_of
from protocols.quiz.tests.sounds import heard_study
from protocols.quiz.tests.studies import quiz_study
from tests.support.browser import check, enter, profile, tab_to
from tests.support.factories import EDIT, RATE

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
WEEK = 7 * 24 * 3600


@pytest.fixture
def later() -> Iterator[Callable[[float], None]]:
    """Let the server's clock stand, and move it on by so many seconds."""
    now = [datetime(2030, 5, 1, 9, tzinfo=UTC)]

    def move(seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)

    with override_clock(lambda: now[0]):
        yield move


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def go_on(page: Page, name: str) -> None:
    tab_to(page, name)
    with page.expect_navigation():
        press(page, "Enter")


def at_a_desk(page: Page, state: str) -> None:
    """Check a page, and have it as wide as before."""
    check(page, state)
    page.set_viewport_size({"width": 1280, "height": 800})


def hear(page: Page, seconds: float) -> None:
    """The sound is there, and as long as it should be."""
    page.wait_for_function("document.querySelector('audio').readyState > 0")
    assert page.evaluate("document.querySelector('audio').duration") == pytest.approx(seconds, abs=0.2)


def choose_a_summary(page: Page) -> None:
    box = page.get_by_role("checkbox").first
    expect(page.locator("#words-chosen")).to_have_text("0 words chosen. Choose at least 4 more.")
    box.focus()
    press(page, "Space", "ArrowDown", "Space", "ArrowUp")
    expect(page.locator("#words-chosen")).to_have_text("10 words chosen. Leave out at least 2.")
    press(page, "Enter")
    expect(page.locator("#answer")).to_contain_text("Your summary is too long.")
    box.focus()
    press(page, "Space")
    expect(page.locator("#answer")).not_to_contain_text("too long")
    expect(page.locator("#words-chosen")).to_have_text("5 words chosen. That is the right length.")


def warm_up(page: Page) -> None:
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
    go_on(page, "Check my answer")
    expect(page.get_by_role("alert")).to_contain_text("3 questions have no answer")
    go_on(page, "Check my answer")
    expect(page.get_by_text("We expected: the bridge")).to_be_visible()
    at_a_desk(page, "what was expected")
    go_on(page, "Continue")


def take_a_quiz(page: Page) -> None:
    expect(page.locator("#clock")).to_have_text(re.compile(r"1[12]:\d\d"))
    page.get_by_label("What fell?").focus()
    page.keyboard.type("the bridge")
    page.get_by_label("It fell in …").focus()
    page.keyboard.type("March")


@pytest.mark.smoke
def test_both_visits_by_keys(browser: Browser, live_server: LiveServer, later: Callable[[float], None]) -> None:
    campaign = heard_study()
    with profile(browser, viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        enter(page, live_server.url, campaign, EDIT)
        for text in range(3):
            choose_a_summary(page)
            hear(page, 6)
            if not text:
                at_a_desk(page, "a summary is chosen")
            go_on(page, "Submit and continue")
        expect(page.get_by_role("heading", name="All 3 texts done")).to_be_visible()
        assert [each.answer for each in Response.objects.all()] == [{"utterances": ["u2"]}] * 3

        enter(page, live_server.url, campaign, RATE)
        expect(page.get_by_role("heading", name="Please come back later")).to_be_visible()
        at_a_desk(page, "come back later")
        later(WEEK)
        page.goto(f"{live_server.url}/work/")
        warm_up(page)
        for text in range(3):
            expect(page.get_by_role("button", name="Begin")).to_be_visible()
            if not text:
                at_a_desk(page, "before the clock starts")
            go_on(page, "Begin")
            take_a_quiz(page)
            hear(page, 1.5 if page.get_by_text("Summary", exact=True).count() else 6)
            if not text:
                at_a_desk(page, "a quiz")
            later(60)
            tab_to(page, "Submit and continue")
            press(page, "Enter")
            expect(page.locator("#answer")).to_contain_text("1 question has no answer")
            go_on(page, "Submit and continue")
        at_a_desk(page, "had you heard it")
        page.get_by_label("Yes").focus()
        press(page, "ArrowDown")
        go_on(page, "Submit and continue")
        expect(page.get_by_role("heading", name="All 3 texts done")).to_be_visible()

    sittings = study_of(campaign).sittings
    assert [sorted(each.answers.values()) for each in sittings] == [["March", "the bridge"]] * 3
    assert [each.seconds for each in sittings] == [60] * 3
    assert sittings[-1].heard is False


def test_both_visits_by_touch_on_a_phone(
    browser: Browser, live_server: LiveServer, later: Callable[[float], None]
) -> None:
    campaign = quiz_study({"warm_up": ""})
    with profile(browser, **PHONE) as context:
        page = context.new_page()
        enter(page, live_server.url, campaign, EDIT)
        for _text in range(3):
            page.get_by_text("Nobody saw it at night").tap()
            expect(page.locator("#words-chosen")).to_be_visible()
            with page.expect_navigation():
                page.get_by_role("button", name="Submit and continue").tap()
        expect(page.get_by_role("heading", name="All 3 texts done")).to_be_visible()
        later(WEEK)
        enter(page, live_server.url, campaign, RATE)
        with page.expect_navigation():
            page.get_by_role("button", name="Begin").tap()
        page.get_by_text("a farmer", exact=True).tap()
        expect(page.locator("#clock")).to_be_in_viewport()
        with page.expect_response(re.compile("/draft/")):
            page.get_by_label("What fell?").tap()
            page.keyboard.type("a bridge")
            page.get_by_role("heading", name="Questions").tap()
        later(12 * 60 + 11)
        page.get_by_label("It fell in …").tap()
        page.keyboard.type("too late")
        with page.expect_navigation():
            page.get_by_role("button", name="Submit and continue").tap()
        with page.expect_navigation():
            page.get_by_role("button", name="Begin").tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    (sitting,) = study_of(campaign).sittings
    assert (sitting.closed, sitting.seconds) == ("time over", 720)
    assert "too late" not in sitting.answers.values()
    assert "a farmer" in sitting.answers.values()
