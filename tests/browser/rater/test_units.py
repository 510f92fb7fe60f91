"""Facts and units of content: marked by keys and by touch, put back after a refusal, and facts without scripts."""

import re
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.content_units.tests.answered import units_campaign
from protocols.content_units.tests.examples import fact_line, peer_line
from protocols.models import Response
from tests.support.browser import check, open_task, profile, tab_to
from tests.support.factories import RATE

REFERENCES = {"a": "It rained in Bonn.", "b": "Rain fell."}


class ByKeys:
    options: ClassVar[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, button: str) -> None:
        tab_to(self.page, button)
        self.page.keyboard.press("Enter")

    def mark(self, words: str, text: int = 0) -> None:
        shown = self.page.locator(f"#text-{text}").inner_text()
        tab_to(self.page, shown)
        first, *more = re.findall(r"\w+", words)
        to_first = re.findall(r"\w+", shown).index(first)
        for key in ("Home", *["ArrowRight"] * to_first, *["Shift+ArrowRight"] * len(more), "Enter"):
            self.page.keyboard.press(key)

    def take_away(self) -> None:
        self.page.keyboard.press("Delete")

    def go_on(self) -> None:
        self.page.locator("#text-0").press("]")


class ByTouch:
    options: ClassVar[dict[str, Any]] = {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
    }

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button).tap()

    def mark(self, words: str, text: int = 0) -> None:
        each = words.split()
        for word in (each[0], each[-1]):
            self.page.locator(f"#text-{text} > span").filter(has_text=re.compile(rf"\b{word}\b")).first.tap()

    def take_away(self) -> None:
        self.press("Take away")

    def go_on(self) -> None:
        self.press("Next")


WAYS = pytest.mark.parametrize("way_of", [ByKeys, ByTouch])


@WAYS
def test_peers_what_is_open_is_refused_and_what_was_marked_stays(
    browser: Browser, live_server: LiveServer, way_of: type[ByKeys | ByTouch]
) -> None:
    with profile(browser, **way_of.options) as context:
        page = context.new_page()
        way = way_of(page)
        open_task(page, live_server.url, units_campaign("peer", [peer_line("1", "x")]), RATE)
        title = page.locator("#unit-title")
        is_first = "rained" in (title.text_content() or "")
        way.mark("It rained")
        expect(page.locator("#unit-live")).to_have_text("Statement 1: “It rained”")
        way.press("Submit and continue")
        expect(page.locator("#answer")).to_contain_text("1 statement is open")
        expect(page.locator("#answer")).to_contain_text("how many further statements")
        check(page, "a unit marked")
        page.set_viewport_size(way.options["viewport"])
        page.reload()
        expect(page.locator("#unit-parts")).to_contain_text("“It rained”")
        way.go_on()
        expect(title).to_contain_text("2. ")
        page.get_by_label("Not in the text").check()
        page.get_by_label("How many further statements").fill("1")
        with page.expect_navigation():
            way.press("Submit and continue")
    units = {"u1": [[0, 0, 9]], "u2": []} if is_first else {"u1": [], "u2": [[0, 0, 9]]}
    answer = Response.objects.get().answer
    assert (answer["units"], answer["further"]) == (units, 1)


@WAYS
def test_units_of_two_texts(browser: Browser, live_server: LiveServer, way_of: type[ByKeys | ByTouch]) -> None:
    with profile(browser, **way_of.options) as context:
        page = context.new_page()
        way = way_of(page)
        open_task(page, live_server.url, units_campaign("scu", [{"id": "1", "references": REFERENCES}]), RATE)
        place = 0 if "Bonn" in (page.locator("#text-0").text_content() or "") else 1
        page.get_by_label("What it says").fill("Rain")
        way.mark("It rained", place)
        way.mark("Rain fell", 1 - place)
        expect(page.locator("#unit-parts li")).to_have_count(2)
        way.press("New")
        page.get_by_label("What it says").fill("In Bonn")
        way.mark("in Bonn", place)
        way.take_away()
        way.mark("Bonn", place)
        check(page, "units marked")
        with page.expect_navigation():
            way.press("Submit and continue")
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
