"""The browser that tests share."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.support.browser import close, open_task, profile, running_chromium
from tests.support.factories import make_campaign


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a fresh profile; an error in its scripts fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 780})
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    found = [*errors]
    close(context)
    assert [error for error in found if "422" not in error] == []


@pytest.fixture
def desk(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """An editor's page on the first of two texts; its network may fail, its scripts may not."""
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        open_task(page, live_server.url, make_campaign(sources=2, editor_tasks=2, editors_per_source=1))
        yield page
