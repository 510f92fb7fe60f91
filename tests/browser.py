"""Driving the system's Chromium in tests."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from compressions.edit_logs import log_replayed
from compressions.models import Compression, Draft
from crowd.models import Campaign, Worker
from crowd.sessions import WORKER_COOKIE
from measures.edits import Operation, parse_log, replay
from tests.factories import EDIT, link_of, worker_client

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 360, "height": 780}
SUBMIT = "ControlOrMeta+Enter"


def chromium() -> str | None:
    """The path of the browser: as `make test` found it, or on the PATH."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


@contextmanager
def running_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def profile(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A fresh profile whose network and server may fail; an error in a script fails the test."""
    context = browser.new_context(**{"viewport": PHONE, **options})
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield context
    close(context)
    assert [error for error in errors if not error.startswith("Failed to load resource")] == []


def close(context: BrowserContext) -> None:
    """Close all pages; nothing that they send while they go away gets into the next test."""
    context.route("**/*", lambda route: route.abort())
    for page in context.pages:
        page.goto("about:blank")
    context.close()


def enter(page: Page, address: str, campaign: Campaign, work_round: str, name: str = "browser") -> None:
    """Walk from the join link to the first task, or to the test before it."""
    page.goto(f"{address}/join/{link_of(campaign, work_round).token}/?participant={name}")
    assert "participant" not in page.url
    page.get_by_role("button", name=re.compile("agree")).click()
    with page.expect_navigation():  # until the page's scripts are there
        page.get_by_role("button", name=re.compile("read")).click()


def sign_in(context: BrowserContext, address: str, campaign: Campaign, work_round: str, name: str) -> None:
    """Give a profile the session of a worker who has consented, read the guidelines and claimed a task."""
    session = worker_client(campaign, work_round, name).cookies[WORKER_COOKIE].value
    context.add_cookies([{"name": WORKER_COOKIE, "value": session, "url": address}])


def open_task(page: Page, address: str, campaign: Campaign, work_round: str = EDIT, name: str = "browser") -> None:
    """Go to a worker's task at once."""
    sign_in(page.context, address, campaign, work_round, name)
    page.goto(f"{address}/work/")


def source_on(page: Page) -> str:
    return page.locator("#source").text_content() or ""


def write(page: Page, text: str) -> None:
    """Replace the whole draft by typing."""
    page.locator("#draft").press("ControlOrMeta+A")
    page.keyboard.type(text)


def submit(page: Page) -> None:
    """Send the text, and wait for what comes next."""
    with page.expect_navigation():
        page.keyboard.press(SUBMIT)


def eventually(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for what happens on the server, while a page lives on."""
    for _ in range(200):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to that within ten seconds")


def drafts() -> set[str]:
    """The texts that the server keeps."""
    rows = Draft.objects.select_related("assignment__item__source")
    return {log_replayed(row.assignment.item.source, row.started_from, row.edit_log).text for row in rows}


def saved(page: Page, *texts: str) -> None:
    """Wait until the server keeps these texts and no others, and the page says so."""
    eventually(page, lambda: drafts() == set(texts))
    expect(page.locator("#saved")).to_have_text("Saved.")


def assert_submitted_once(page: Page, text: str) -> None:
    """The first of two texts is stored, and the page has gone on to the second."""
    worker = Worker.objects.get(external_id="browser")
    assert list(worker.compressions.values_list("text", flat=True)) == [text]
    expect(page.locator("h1")).to_have_text("Shorten this text")
    expect(page.locator("#draft")).to_have_value(source_on(page))
    assert worker.assignments.filter(round=EDIT).count() == 2


def submitted_log(page: Page) -> list[Operation]:
    """Submit; the log, once it leads to what stood in the box."""
    text = page.locator("#draft").input_value()
    submit(page)
    stored = Compression.objects.get()
    log = list(parse_log(stored.edit_log))
    assert replay(stored.source.text, log) == stored.text == text
    return log
