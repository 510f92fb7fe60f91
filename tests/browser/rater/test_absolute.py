"""Points after a reference: the page that closes, by keys, and on a phone."""

from typing import Any

from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from protocols.absolute.tests.answered import absolute_campaign
from protocols.models import PageVisit, Response
from tests.support.browser import check, open_task, profile, tab_to
from tests.support.factories import RATE

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_the_reference_closes_and_points_are_given_by_keys(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser, **PHONE) as context:
        page = context.new_page()
        open_task(page, live_server.url, absolute_campaign(1), RATE)
        check(page, "the reference")
        page.set_viewport_size({"width": 360, "height": 740})
        tab_to(page, "Continue")
        page.keyboard.press("Enter")
        expect(page.locator("#answer").or_(page.get_by_role("group", name="Points"))).to_be_visible()
        page.wait_for_timeout(5000)  # the page can be left after five seconds of the server's clock
        if page.get_by_role("button", name="Continue", exact=True).count():
            with page.expect_navigation():
                page.get_by_role("button", name="Continue", exact=True).click()
        expect(page.get_by_role("heading", name="Text to rate")).to_be_visible()
        assert "The mill closed on day 0." not in page.inner_text("main")
        check(page, "the points")
        page.set_viewport_size({"width": 360, "height": 740})
        with page.expect_navigation():
            page.get_by_role("button", name="Show the first text again").tap()
        expect(page.get_by_text("You have read it. That page is not shown again.")).to_be_visible()
        tab_to(page, "1")
        page.keyboard.press("ArrowDown")
        tab_to(page, "Submit and continue")
        with page.expect_navigation():
            page.keyboard.press("Enter")
    assert Response.objects.get().answer["score"] in {1, 2}
    assert PageVisit.objects.get(page="reference").back_tries == 1
