"""Linking sentences: by keys, and by touch on a phone, with what was ticked kept over a reload."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.links.tests.examples import LINKS, SENTENCES, line
from protocols.links.tests.planted import links_campaign
from protocols.models import Response
from tests.browser.rater.test_spans import PHONE, press
from tests.support.browser import check, open_task, profile, tab_to
from tests.support.factories import RATE


@pytest.fixture
def desk(browser: Browser) -> Iterator[Page]:
    with profile(browser, viewport={"width": 1280, "height": 800}) as context:
        yield context.new_page()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with profile(browser, **PHONE) as context:
        yield context.new_page()


def linked() -> dict[str, list[str]]:
    found: dict[str, list[str]] = Response.objects.get().answer["links"]
    return found


@pytest.mark.smoke
def test_a_visit_by_keys(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, links_campaign([line("1")]), RATE)
    first, second = page.locator("#summary-1"), page.locator("#summary-2")
    expect(first).to_be_visible()
    expect(second).to_be_hidden()
    tab_to(page, "Next sentence")
    press(page, "Tab", "Space", "ArrowDown", "Space", "ArrowDown", "Space")
    check(page, "three boxes are ticked")
    page.set_viewport_size({"width": 1280, "height": 800})
    press(page, "ArrowRight")
    expect(second).to_be_focused()
    expect(first).to_be_hidden()
    tab_to(page, "Submit and continue")
    press(page, "Enter")
    expect(page.locator("#answer")).to_contain_text("Nothing is ticked for sentence 2 of the summary.")
    second.focus()
    press(page, "ArrowDown", *["ArrowDown"] * 4, "Space", "ArrowDown", "Space")
    tab_to(page, "Submit and continue")
    with page.expect_navigation():
        press(page, "Enter")
    assert linked() == LINKS


@pytest.mark.smoke
def test_a_visit_by_touch_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    page = phone
    open_task(page, live_server.url, links_campaign([line("1")]), RATE)
    for words in ("The remote must be cheap", "Then we drop", "A screen costs"):
        page.locator("#summary-1 label").filter(has_text=words).tap()
    page.get_by_role("link", name="Next sentence").tap()
    page.locator("#summary-2 label").filter(has_text="Yellow sells").tap()
    box = page.locator("#summary-2 label").last.bounding_box()
    assert box
    assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    expect(page.locator("#summary-2")).to_be_visible()
    page.locator("#summary-2 label").filter(has_text="Yellow it is").tap()
    page.get_by_role("link", name="Previous sentence").tap()
    expect(page.locator("#summary-1 :checked")).to_have_count(3)
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and continue").tap()
    assert linked() == LINKS


def test_an_abstract_of_ones_own_is_written_linked_changed_and_linked_again(
    phone: Page, live_server: LiveServer
) -> None:
    page = phone
    document = {"id": "1", "sentences": SENTENCES}
    open_task(page, live_server.url, links_campaign([document], task_settings={"writes_abstract": True}), RATE)
    check(page, "an abstract is written")
    page.get_by_role("textbox", name="Your summary").fill("No screen.\nIt is yellow.")
    page.get_by_role("button", name="Continue").tap()
    expect(page.locator("#answer")).to_contain_text("Write 3 to 40 sentences")
    page.reload()
    page.get_by_role("textbox", name="Your summary").press("Control+End")
    page.keyboard.type("\nIt is cheap.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_navigation():
        page.get_by_role("button", name="Continue").tap()
    for number, words in enumerate(("Then we drop", "Yellow sells", "must be cheap"), start=1):
        page.locator(f"#summary-{number} label").filter(has_text=words).tap()
        if number < 3:
            page.get_by_role("link", name="Next sentence").tap()
    check(page, "a sentence of one's own is linked")
    with page.expect_navigation():
        page.get_by_role("button", name="Change your summary").tap()
    page.get_by_role("textbox", name="Your summary").fill("No screen.\nIt is cheap.\nIt is as yellow as the sun.")
    with page.expect_navigation():
        page.get_by_role("button", name="Continue").tap()
    expect(page.locator("#summary-1 :checked")).to_have_count(1)
    expect(page.locator(".link-page :checked")).to_have_count(2)
    for _turn in range(2):
        page.get_by_role("link", name="Next sentence").tap()
    page.locator("#summary-3 label").filter(has_text="Yellow it is").tap()
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and continue").tap()
    assert sorted(linked().values()) == [["1"], ["2"], ["6"]]
