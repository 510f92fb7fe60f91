"""What WCAG asks and axe-core does not see, on every kind of page of participants, in German with English texts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.default_texts import default_texts
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from ratings.services.qualification import qualification_items_replace
from tests.support.browser import focused, open_task, profile, rating_campaign, write
from tests.support.factories import EDIT, EXAMPLE, RATE, link_of, make_campaign

IN_GERMAN: dict[str, Any] = {"language": "en", "page_language": "de", **default_texts("de")}
PAIRS = scales_dump(scales_from_text("Meaning: Which keeps more?\n\nGrammar: Which reads better?", side_by_side=True))
MAGNIFIED = (320, 256)  # 1280 × 1024 at 400%
PHONE, KEYBOARD_OPEN, DESK = (360, 780), (360, 420), (1280, 800)
IN_ENGLISH = {"session ended", "accessibility"}  # pages that know of no campaign
SAME_PAGE = {"differences", "menu", "problem", "guidelines in a dialog"}  # further states of the page before

# WCAG 1.4.12, for whoever reads better so.
SPACED = """(isWanted) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`p { margin-bottom: 2em !important }
        * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }`);
    document.adoptedStyleSheets = isWanted ? [sheet] : [];
}"""

# What cannot be read: beyond the edge of the window or of a box that does not show it.
CUT_OFF = """() => {
    const top = document.querySelector("dialog[open]") ?? document.body;
    const named = (each) => `${each.tagName} ${each.id} ${each.innerText?.trim().slice(0, 40)}`;
    const unread = ".visually-hidden, .skip, .steps";
    const seen = [...top.querySelectorAll("*")].filter((each) => each instanceof HTMLElement
        && each.checkVisibility({ visibilityProperty: true }) && !each.closest(unread));
    const wide = seen.filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        return left < -1 || right > innerWidth + 1;
    });
    const holdsAll = "button, .button, summary, label, legend, textarea, input";
    const scrolling = seen.filter((each) => {
        const { display, overflowX } = getComputedStyle(each);
        const isBox = each.matches(holdsAll) ? display !== "inline" : overflowX !== "visible";
        return isBox && each.scrollWidth > each.clientWidth + 1;
    });
    const cut = seen.filter((each) => ["hidden", "clip"].includes(getComputedStyle(each).overflowY)
        && each.scrollHeight > each.clientHeight + 1);
    const page = document.scrollingElement.scrollWidth > innerWidth ? ["the page is wider than its window"] : [];
    return [...page, ...new Set([...wide, ...scrolling, ...cut].map(named))];
}"""

# The focus is on something of which nothing is seen: all of it lies behind something else.
IS_BEHIND = """() => {
    const element = document.activeElement;
    const parts = [element, ...(element.labels ?? [])];
    const boxes = parts.flatMap((each) => [...each.getClientRects()]);
    const shares = [0.02, 0.25, 0.5, 0.75, 0.98];
    const isSeen = (x, y) => {
        const met = document.elementFromPoint(x, y);
        return met !== null && parts.some((each) => each.contains(met));
    };
    return !boxes.some(({ left, top, width, height }) => shares.some((right) => shares.some((down) =>
        isSeen(left + right * width, top + down * height))));
}"""

# WCAG 1.4.11: the edge or the ground of each control, and the ring of the focus, against what is behind, 3:1.
PALE = """() => {
    const channel = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => numbers(colour).slice(0, 3).map((value) => channel(value / 255))
        .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one, other) => {
        const [darker, lighter] = [light(one), light(other)].sort((a, b) => a - b);
        return (lighter + 0.05) / (darker + 0.05);
    };
    const isSolid = (colour) => (numbers(colour)[3] ?? 1) === 1;
    const ground = (each) => {
        for (let at = each; at; at = at.parentElement) {
            const { backgroundColor } = getComputedStyle(at);
            if (isSolid(backgroundColor)) return backgroundColor;
        }
        return "rgb(255, 255, 255)";
    };
    const drawnByTheBrowser = "[type=hidden], [type=radio], [type=checkbox]";
    const all = document.querySelectorAll(`button, .button, textarea, select, input:not(${drawnByTheBrowser})`);
    const controls = [...all].filter((each) => each.checkVisibility() && !each.disabled && !each.closest(".menu ul"));
    const pale = controls.filter((each) => {
        const { borderTopColor, borderTopWidth } = getComputedStyle(each);
        const behind = ground(each.parentElement);
        const hasEdge = parseFloat(borderTopWidth) > 0 && contrast(borderTopColor, behind) >= 3;
        return !hasEdge && contrast(ground(each), behind) < 3;
    }).map((each) => `the edge of ${each.innerText || each.id}`);
    const ring = document.createElement("button");
    (document.querySelector("dialog[open]") ?? document.body).append(ring);
    ring.focus({ focusVisible: true });
    const { outlineColor } = getComputedStyle(ring);
    ring.remove();
    const grounds = [document.body, ...document.querySelectorAll(".sheet, .dock, dialog")].map(ground);
    const drowned = grounds.filter((each) => contrast(outlineColor, each) < 3);
    return [...pale, ...drowned.map((each) => `the focus on ${each}`)];
}"""

# WCAG 3.1.1 and 3.1.2: the page and the texts on it say their languages.
OF_ANOTHER_LANGUAGE = """(language) => [
    ...(document.documentElement.lang === language ? [] : [`the page is in ${document.documentElement.lang}`]),
    ...[...document.querySelectorAll(".reading")].filter((each) => each.lang !== "en").map((each) => each.innerText),
]"""

# In colours that readers force on pages: what is pressed looks so, and letters that only keep a place are not seen.
LOST_IN_FORCED_COLOURS = """() => {
    const ground = (each) => getComputedStyle(each).backgroundColor;
    const pressed = [...document.querySelectorAll("[aria-pressed=true]")];
    const steps = [...document.querySelectorAll(".steps")];
    return [
        ...pressed.filter((each) => ground(each) === ground(document.body)),
        ...steps.filter((each) => each.checkVisibility()),
    ].map((each) => each.innerText);
}"""

# WCAG 2.5.3: who says the words that they see must name the control. A sign such as ✕ has no words.
NAMED_OTHERWISE = """() => {
    const words = (text) => text.replace(/[^\\p{L}\\p{N}]+/gu, " ").trim().toLowerCase();
    return [...document.querySelectorAll(":is(a, button):is([aria-label], [aria-labelledby])")].filter((each) => {
        const ids = each.getAttribute("aria-labelledby")?.split(" ");
        const name = ids ? ids.map((id) => document.getElementById(id).innerText).join(" ") : each.ariaLabel;
        return !words(name).includes(words(each.innerText));
    }).map((each) => each.innerText);
}"""


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    with profile(browser) as context:
        yield context.new_page()


def pages(page: Page, address: str) -> Iterator[str]:
    """Go to every kind of page that participants meet, and say its name."""
    yield from _pages_of_an_editor(page, address)
    yield from _pages_of_a_rater(page, address)
    page.context.clear_cookies()
    page.goto(f"{address}/work/")
    yield "session ended"
    page.goto(f"{address}/accessibility/")
    yield "accessibility"


def _pages_of_an_editor(page: Page, address: str) -> Iterator[str]:
    campaign = make_campaign(sources=1, editor_start="choice", **IN_GERMAN)
    page.goto(f"{address}/join/{link_of(campaign, EDIT).token}/?participant=ann")
    yield "consent"
    _press(page, "form .main")
    yield "guidelines"
    _press(page, "form .main")
    expect(page.locator("#draft")).to_be_editable()
    yield "editing"
    page.locator("#compare").click()
    write(page, "They agreed to repair it.")
    expect(page.locator("del")).not_to_have_count(0)
    yield "differences"
    page.locator("details.menu > summary").click()
    yield "menu"
    page.locator("details.menu").evaluate("(menu) => void (menu.open = true)")
    page.locator("[data-opens=problem]").click()
    yield "problem"
    page.keyboard.press("Escape")
    page.locator("[data-opens=guidelines]").click()
    yield "guidelines in a dialog"
    page.keyboard.press("Escape")
    page.locator("#draft").fill("")
    page.locator("#submit").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "refused"
    page.goto(f"{address}/work/stop/")
    yield "stopping"
    _press(page, "form[action$='/leave/'] button")
    yield "stopped"


def _pages_of_a_rater(page: Page, address: str) -> Iterator[str]:
    campaign = _rated()
    page.goto(f"{address}/join/{link_of(campaign, RATE).token}/?participant=bea")
    _press(page, "form .main")
    _press(page, "form .main")
    yield "practice"
    _press(page, "form .main")
    yield "practice, refused"
    _answer(page)
    _press(page, "form .main")
    yield "practice, answered"
    _press(page, ".actions .main")
    yield "test"
    _answer(page)
    _press(page, "form .main")
    yield "test passed"
    _press(page, "main .main")
    yield "rating"
    page.locator("#submit").click()
    expect(page.locator("#answer a")).to_have_count(2)
    yield "rating, refused"
    for _ in range(2):
        _answer(page)
        _press(page, "#submit")
    yield "done"
    _press(page, "a[href='/work/answers/']")
    yield "answers"
    _press(page, "section.example a")
    yield "correction"
    pairs = rating_campaign(texts=1, editors=2, rater_tasks=1, rating_task="pair", scales=PAIRS, **IN_GERMAN)
    open_task(page, address, pairs, RATE, "cid")
    page.locator("button.differences").click()
    yield "side by side"


def _rated() -> Campaign:
    campaign = rating_campaign(texts=2, **IN_GERMAN)
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE, replace(EXAMPLE, is_practice=True)])
    return campaign


def _press(page: Page, selector: str) -> None:
    with page.expect_navigation():
        page.locator(selector).first.click()


def _answer(page: Page) -> None:
    for box in page.locator("input[type=radio][value='3']").all():
        box.check()


def faults_of(page: Page, name: str) -> Iterator[tuple[str, list[str]]]:
    """What is wrong with a page as it is, by what was tried."""
    for width, height in (MAGNIFIED, PHONE, DESK):
        page.set_viewport_size({"width": width, "height": height})
        yield f"{width} pixels", page.evaluate(CUT_OFF)
        page.evaluate(SPACED, True)
        yield f"{width} pixels, spaced", page.evaluate(CUT_OFF)
        page.evaluate(SPACED, False)
    yield "names", page.evaluate(NAMED_OTHERWISE)
    yield "language", page.evaluate(OF_ANOTHER_LANGUAGE, "en" if name in IN_ENGLISH else "de")
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        yield f"contrast, {colours}", page.evaluate(PALE)
    page.emulate_media(forced_colors="active")
    yield "forced colours", page.evaluate(LOST_IN_FORCED_COLOURS)
    page.emulate_media(color_scheme="light", forced_colors="none")


def test_every_page_bends_and_stands_out_and_says_what_it_is(reader: Page, live_server: LiveServer) -> None:
    found: dict[tuple[str, str], list[str]] = {}
    titles: dict[str, str] = {}
    for name in pages(reader, live_server.url):
        found |= {(name, tried): faults for tried, faults in faults_of(reader, name) if faults}
        if name not in SAME_PAGE:
            titles[name] = reader.title().removesuffix("· Précis").strip()
    assert found == {}
    assert len(set(titles.values())) == len(titles) > 15
    assert all(titles.values())
    assert [name for name, title in titles.items() if title.startswith("Fehler:")] == [
        name for name in titles if "refused" in name
    ]


@pytest.mark.parametrize(
    ("size", "colours"), [(MAGNIFIED, "none"), (KEYBOARD_OPEN, "none"), (DESK, "active")], ids=["320", "360", "1280"]
)
def test_the_focus_is_seen_wherever_it_goes(
    reader: Page, live_server: LiveServer, size: tuple[int, int], colours: Any
) -> None:
    reader.set_viewport_size({"width": size[0], "height": size[1]})
    reader.emulate_media(forced_colors=colours)
    for name in pages(reader, live_server.url):
        met: list[str] = []
        while len(met) < 60:
            reader.keyboard.press("Tab")
            words = focused(reader)
            if reader.evaluate("document.activeElement === document.body") or words in met[:1]:
                break
            assert not reader.evaluate(IS_BEHIND), f"{name}: {words} has the focus and is behind something"
            met.append(words)
        assert met, name
