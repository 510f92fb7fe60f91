"""Pages of participants inside the page of a platform, in a browser that blocks other sites' cookies."""

import re
from collections.abc import Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from tests.support.browser import SUBMIT, close, eventually, running_chromium
from tests.support.factories import EDIT, link_of, make_campaign, shortened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium("--test-third-party-cookie-phaseout") as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    close(context)


class Site:
    """Another site, whose only page shows an address of ours in a frame. To a browser 127.0.0.1 is not localhost."""

    def __init__(self) -> None:
        self.framed = ""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = f'<!doctype html><title>Study</title><iframe src="{escape(site.framed)}" height="900"></iframe>'
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def page_with(self, context: BrowserContext, address: str) -> Page:
        self.framed = address
        page = context.new_page()
        page.goto(self.origin)
        return page


@pytest.fixture
def platform() -> Iterator[Site]:
    yield from running_site()


@pytest.fixture
def elsewhere() -> Iterator[Site]:
    yield from running_site()


def running_site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.shutdown()
    site.server.server_close()


def join_address(server: LiveServer) -> str:
    campaign = make_campaign(sources=1, editors_per_source=1)
    return f"{server.url}/join/{link_of(campaign, EDIT).token}/?participant=ann"


def assert_refused(context: BrowserContext, site: Site, address: str) -> None:
    """The browser was answered, and does not show the answer because of our policy."""
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    page = site.page_with(context, address)
    eventually(page, lambda: any("frame-ancestors" in each for each in said))
    assert [each.url for each in page.frames if each.url.startswith("http://localhost")] == []


@pytest.mark.smoke
def test_somebody_works_inside_the_page_of_a_platform(
    context: BrowserContext, live_server: LiveServer, settings: Settings, platform: Site
) -> None:
    settings.FRAME_ANCESTORS = [platform.origin]
    frame = platform.page_with(context, join_address(live_server)).frame_locator("iframe")

    frame.get_by_role("button", name=re.compile("agree")).click()
    frame.get_by_role("button", name=re.compile("read")).click()
    box = frame.locator("#draft")
    expect(box).not_to_have_value("")
    box.fill(shortened(box.input_value()))
    box.press(SUBMIT)

    expect(frame.locator("h1")).to_have_text(re.compile("Thank you!"))
    assert Compression.objects.get().worker.external_id == "ann"


def test_any_other_site_shows_nothing_of_ours(
    context: BrowserContext, live_server: LiveServer, settings: Settings, platform: Site, elsewhere: Site
) -> None:
    address = join_address(live_server)
    assert_refused(context, platform, address)
    settings.FRAME_ANCESTORS = [platform.origin]
    assert_refused(context, elsewhere, address)


def test_not_even_a_platform_shows_the_pages_of_staff(
    context: BrowserContext, live_server: LiveServer, settings: Settings, platform: Site
) -> None:
    settings.FRAME_ANCESTORS = [platform.origin]
    assert_refused(context, platform, f"{live_server.url}/login/")
