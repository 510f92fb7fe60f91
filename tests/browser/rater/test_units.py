"""Facts and units of content: marked by keys and by touch, put back after a refusal, and facts without scripts."""

from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.content_units.tests.answered import units_campaign
from protocols.content_units.tests.examples import fact_line, peer_line
from protocols.models import Response
from tests.support.browser import check, open_task, profile, tab_to
from tests.support.factories import RATE

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
REFERENCES = {"a": "It rained in Bonn.", "b": "Rain fell."}


def word(page: Page, words: str, text: int = 0) -> Locator:
    return page.locator(f"#text-{text} > span").filter(has_text=words).first


def test_peers_by_keys_what_is_open_is_refused_and_what_was_marked_stays(
    browser: Browser, live_server: LiveServer
) -> None:
    with profile(browser, viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        open_task(page, live_server.url, units_campaign("peer", [peer_line("1", "x")]), RATE)
        title = page.locator("#unit-title")
        is_first = "rained" in (title.text_content() or "")
        tab_to(page, "It rained")
        for key in ("ArrowRight", "Shift+ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#unit-live")).to_have_text("Statement 1: “It rained”")
        tab_to(page, "Submit and continue")
        page.keyboard.press("Enter")
        expect(page.locator("#answer")).to_contain_text("1 statement is open")
        expect(page.locator("#answer")).to_contain_text("how many further statements")
        check(page, "a unit marked")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.reload()
        expect(page.locator("#unit-parts")).to_contain_text("“It rained”")
        page.locator("#text-0").focus()
        page.keyboard.press("]")
        expect(title).to_contain_text("2. ")
        page.get_by_label("Not in the text").check()
        page.get_by_label("How many further statements").fill("1")
        with page.expect_navigation():
            page.get_by_role("button", name="Submit and continue").click()
    units = {"u1": [[0, 0, 9]], "u2": []} if is_first else {"u1": [], "u2": [[0, 0, 9]]}
    answer = Response.objects.get().answer
    assert (answer["units"], answer["further"]) == (units, 1)


def test_units_by_touch_on_a_phone(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, **PHONE) as context:
        page = context.new_page()
        open_task(page, live_server.url, units_campaign("scu", [{"id": "1", "references": REFERENCES}]), RATE)
        place = 0 if "Bonn" in (page.locator("#text-0").text_content() or "") else 1
        page.get_by_label("What it says").fill("Rain")
        for text, first, last in ((place, "It", "rained"), (1 - place, "Rain", "fell")):
            word(page, first, text).tap()
            word(page, last, text).tap()
        expect(page.locator("#unit-parts li")).to_have_count(2)
        page.get_by_role("button", name="New").tap()
        page.get_by_label("What it says").fill("In Bonn")
        word(page, "in", place).tap()
        word(page, "Bonn", place).tap()
        page.get_by_role("button", name="Take away").tap()
        word(page, "Bonn", place).tap()
        word(page, "Bonn", place).tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        check(page, "units marked")
        with page.expect_navigation():
            page.get_by_role("button", name="Submit and continue").tap()
    units = Response.objects.get().answer["units"]
    assert units == [{"label": "Rain", "parts": [[0, 0, 9], [1, 0, 9]]}, {"label": "In Bonn", "parts": [[0, 13, 17]]}]


def test_facts_without_scripts_and_units_that_say_that_they_need_one(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, java_script_enabled=False) as context:
        page = context.new_page()
        open_task(page, live_server.url, units_campaign("factoids", [fact_line("1", "x")]), RATE)
        for answer, legend in (("Yes", "1. "), ("No", "2. "), ("too broken", "3. ")):
            page.get_by_role("group", name=legend).get_by_label(answer).check()
        page.get_by_label("How many facts").fill("2")
        with page.expect_navigation():
            page.get_by_role("button", name="Submit and continue").click()
        open_task(page, live_server.url, units_campaign("peer", [peer_line("1", "x")]), RATE, name="other")
        # A browser that is driven without scripts does not show what stands in `noscript`; others do.
        assert "is switched off in your browser" in (page.locator("noscript").first.text_content() or "")
    assert Response.objects.get().answer == {"units": {"1": "yes", "2": "no", "3": "broken"}, "further": 2}
