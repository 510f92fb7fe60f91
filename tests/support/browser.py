"""Driving the system's Chromium in tests."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from compressions.models import Compression, Draft
from compressions.services.submission import replay_log
from crowd.models import Campaign, Worker
from crowd.sessions import WORKER_COOKIE
from measures.keystrokes.edit_log import Operation, parse_log, replay
from ratings.models import Rating
from ratings.services.rating import scores_of
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    import_texts,
    link_of,
    make_campaign,
    staff_client,
    worker_client,
)
from tests.support.requests import requests_end

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from find_chromium import chromium_path

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 360, "height": 780}
SUBMIT = "ControlOrMeta+Enter"
PATIENCE_SECONDS = 30  # a machine may have much else to do; only a test that fails waits so long
expect.set_options(timeout=1000 * PATIENCE_SECONDS)


@contextmanager
def running_chromium(*arguments: str) -> Iterator[Browser]:
    if (path := chromium_path()) is None:
        pytest.skip("no Chromium was found")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *arguments])
        # Playwright keeps an event loop in this thread, which Django takes for asynchronous code.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        yield browser
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
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
    """Close all pages; nothing that they send while they go away, or have sent, gets into the next test."""
    context.route("**/*", lambda route: route.abort())
    for page in context.pages:
        page.goto("about:blank")
    context.close()
    requests_end()


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


def staff_in(context: BrowserContext, address: str, user: User) -> None:
    """Let a member of staff in, as if they had logged in."""
    session = staff_client(user).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


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
        mean_it(page)


def mean_it(page: Page) -> None:
    """Send the text although the page has a question, if it has one."""
    with suppress(PlaywrightError):  # there was none, and the page is on its way
        page.evaluate("document.querySelector('#answer[data-kind=question] button')?.click()")


def choose(page: Page, name: str) -> None:
    """Choose one of the rare actions from the menu."""
    page.locator("details.menu > summary").click()
    page.locator("details.menu").get_by_text(name).click()


def eventually(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for what happens on the server, while a page lives on."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it did not come to that within {PATIENCE_SECONDS} seconds")


def show(page: Page, *, hidden: bool) -> None:
    """Bring the page out of sight or into it."""
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def drafts() -> set[str]:
    """The texts that the server keeps."""
    rows = Draft.objects.select_related("assignment__item__source")
    return {replay_log(row.assignment.item.source, row.started_from, row.edit_log).text for row in rows}


def saved(page: Page, *texts: str) -> None:
    """Wait until the server keeps these texts and no others, and the page says so."""
    eventually(page, lambda: drafts() == set(texts))
    expect(page.locator("#answer")).to_have_text("Saved.")


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


def page_record() -> dict[str, int]:
    """What the page told beside the text."""
    record: dict[str, int] | None = Compression.objects.get().page_record
    assert record is not None
    return record


# What tests without a mouse need.

FOCUSED = """() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return {
        name: (element.labels?.[0] ?? element).innerText.trim(),
        hasOutline: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
        isInSight: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    };
}"""


def focused(page: Page) -> str:
    """The name of what has the focus, which must be there to be seen."""
    if page.evaluate("document.activeElement.matches('body, form')"):  # a rating page begins in its form as a whole
        return ""
    found = page.evaluate(FOCUSED)
    assert found["hasOutline"], f"{found['name']} has no outline"
    assert found["isInSight"], f"{found['name']} has the focus and is out of sight"
    name: str = found["name"]
    return name


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    met = [focused(page)]
    while not met[-1].startswith(name):
        assert len(met) < 30, f"{name} cannot be reached: {met}"
        page.keyboard.press(key)
        met.append(focused(page))


def press(page: Page, name: str, key: str = "Enter") -> None:
    """Go to a button that leads to another page, and press it."""
    tab_to(page, name)
    with page.expect_navigation():
        page.keyboard.press(key)


# What tests of accessibility need.

AXE = Path(__file__).resolve().parents[2] / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"]
OF_COLOURS = ["color-contrast", "link-in-text-block"]
SCHEMES: dict[Literal["light", "dark"], list[Any]] = {"light": ["tag", TAGS], "dark": ["rule", OF_COLOURS]}
RUN = """async ([type, values]) => {
    const { violations } = await axe.run(document, {
        runOnly: { type, values },
        ...(type === "tag" && { rules: { "color-contrast-enhanced": { enabled: false } } }), // 7:1, beyond level AA
        resultTypes: ["violations"],
    });
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
        `${id} (${help}): ${target.join(" ")}: ${failureSummary}`));
}"""


def check(page: Page, state: str) -> None:
    """Look at a page as it is, on a phone and on a desk, in daylight and at night, when only colours are others."""
    if not AXE.exists():
        pytest.skip("no axe-core was found: npm ci installs it")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))  # a script element would be refused by the page's policy
    found: list[str] = []
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 780})
        for scheme, rules in SCHEMES.items():
            page.emulate_media(color_scheme=scheme)
            page.evaluate("scrollTo(0, document.body.scrollHeight)")  # what a bar in front covers is out from behind it
            found += [f"{width} px, {scheme}: {violation}" for violation in page.evaluate(RUN, rules)]
    wide = page.evaluate(
        """() => [document.scrollingElement, ...document.querySelectorAll("dialog[open]")]
            .filter((box) => box.scrollWidth > box.clientWidth)
            .map((box) => `${box.tagName} is ${box.scrollWidth} pixels wide`)"""
    )
    found += wide
    assert not found, f"{state}:\n" + "\n".join(found)


# What tests of the rating page need.


BRIDGE = (
    "Bridge {}, which the committee had looked at for more than three hours on Tuesday evening, is going to be mended "
    "before the first snow of the winter falls."
)


def rating_campaign(*, texts: int = 2, editors: int = 1, **settings: Any) -> Campaign:
    """A campaign whose texts are written, and no two are alike; a rater may judge all of them."""
    campaign = make_campaign(**{"rater_tasks": texts * editors, **settings})
    import_texts(campaign, [BRIDGE.format(number) for number in range(1, texts + 1)])
    edit_all(campaign, editors)
    return campaign


@contextmanager
def rater_at_work(browser: Browser, address: str, **settings: Any) -> Iterator[Page]:
    """A rater's page on the first texts of a campaign; its network may fail, its scripts may not."""
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        open_task(page, address, rating_campaign(**settings), RATE)
        yield page


def press_digits(page: Page, *digits: int) -> None:
    for digit in digits:
        page.keyboard.press(str(digit))


def rate(page: Page, *points: int) -> None:
    """Answer all scales by keys, send the answers, and wait for what comes next."""
    press_digits(page, *points)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def chosen(page: Page) -> list[int]:
    """The points chosen on the page, scale by scale; 0 where there is none."""
    points: list[int] = page.locator("fieldset.scale").evaluate_all(
        "(scales) => scales.map((scale) => Number(scale.querySelector('input:checked')?.value ?? 0))"
    )
    return points


def stored(name: str = "browser") -> list[tuple[int, ...]]:
    """The points that a rater has given, text by text."""
    ratings = Rating.objects.filter(worker__external_id=name).order_by("pk")
    return [tuple(value for _, value in sorted(scores_of(each).items(), reverse=True)) for each in ratings]


def assert_stored_once(page: Page, *points: int) -> None:
    """The answer to the first of two texts is stored, as one version, and the page has gone on to the second."""
    assert stored() == [points]
    assert [rating.versions.count() for rating in Rating.objects.all()] == [1]
    expect(page.locator("h1")).to_have_text("Rate the shortened text")
    expect(page.locator("header")).to_contain_text("Text 2 of 2")
    assert chosen(page) == [0, 0]
