"""Ranking texts: by keys, by touch on a phone, and with what was typed put back."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Response
from protocols.ranking.tests.answered import ranking_campaign, set_line
from tests.support.browser import check, open_task, profile, tab_to
from tests.support.factories import RATE

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SYSTEMS = ["one", "two", "three", "four"]


@pytest.fixture
def desk(browser: Browser) -> Iterator[Page]:
    with profile(browser, viewport={"width": 1280, "height": 800}) as context:
        yield context.new_page()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with profile(browser, **PHONE) as context:
        yield context.new_page()


def letters(page: Page) -> list[str]:
    found: list[str] = page.locator("#ranking > li").evaluate_all("texts => texts.map((text) => text.dataset.letter)")
    return found


def numbers(page: Page) -> dict[str, str]:
    return {letter: page.locator(f'li[data-letter="{letter}"] input').input_value() for letter in "ABCD"}


def by_letter(response: Response) -> list[int]:
    return [response.answer["given"][index] for index in response.answer["order"]]


def send(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and continue").click()


def test_by_keys_the_list_is_sorted_when_asked_and_the_focus_stays(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, ranking_campaign([set_line("1", SYSTEMS)]), RATE)
    tab_to(page, "Rank of A")
    page.keyboard.type("3")
    page.get_by_role("button", name="Text B: better by one rank").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rank-live")).to_have_text("Text B: rank 1")
    expect(page.get_by_role("button", name="Text B: better by one rank")).to_be_focused()
    page.get_by_role("button", name="Text C: as good as the text above it").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Text D: worse by one rank").focus()
    page.keyboard.press("Enter")
    assert (letters(page), numbers(page)) == (list("ABCD"), {"A": "3", "B": "1", "C": "1", "D": "4"})
    tab_to(page, "Sort the list by rank")
    page.keyboard.press("Enter")
    assert letters(page) == list("BCAD")
    check(page, "ranked and sorted")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    assert numbers(page) == {"A": "3", "B": "1", "C": "1", "D": "4"}
    tab_to(page, "Submit and continue")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert by_letter(Response.objects.get()) == [3, 1, 1, 4]


def test_on_a_phone_texts_are_dragged_and_what_has_no_rank_is_named(phone: Page, live_server: LiveServer) -> None:
    page = phone
    open_task(page, live_server.url, ranking_campaign([set_line("1", SYSTEMS)]), RATE)
    page.get_by_role("button", name="Text C: better by one rank").tap()
    expect(page.get_by_label("Rank of C")).to_have_value("1")
    for letter, to in (("D", "A"), ("B", "D")):
        drag(page, letter, to)
        expect(page.locator("#rank-live")).to_have_text(f"Text {letter}: rank 1")
    assert (letters(page), numbers(page)) == (list("BDAC"), {"A": "", "B": "1", "C": "3", "D": "2"})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#answer")).to_contain_text("Text A has no rank yet.")
    page.get_by_label("Rank of A").fill("2")
    send(page)
    assert by_letter(Response.objects.get()) == [2, 1, 3, 2]


def drag(page: Page, letter: str, to: str) -> None:
    """Drag a text by its handle to just above another one, as a finger does."""
    handle = page.locator(f'li[data-letter="{letter}"] .rank-handle')
    handle.scroll_into_view_if_needed()
    start, end = handle.bounding_box(), page.locator(f'li[data-letter="{to}"]').bounding_box()
    assert start
    assert end
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    touch = page.context.new_cdp_session(page)
    for kind, at in (("touchStart", y), *(("touchMove", y + (end["y"] + 4 - y) * step / 5) for step in range(1, 6))):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": at}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


def test_without_scripts_numbers_alone_are_the_answer(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, java_script_enabled=False) as context:
        page = context.new_page()
        open_task(page, live_server.url, ranking_campaign([set_line("1", SYSTEMS)]), RATE)
        assert not page.get_by_role("button", name="better by one rank").count()
        for letter, rank in zip("ABCD", "1234", strict=True):
            page.get_by_label(f"Rank of {letter}").fill(rank)
        send(page)
    assert by_letter(Response.objects.get()) == [1, 2, 3, 4]
