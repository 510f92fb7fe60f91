"""A phone with its keyboard open, and a magnified page: text, counter and answer can all be seen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from crowd.models import Campaign
from tests.support.browser import (
    SUBMIT,
    choose,
    eventually,
    open_task,
    profile,
    saved,
    source_on,
    write,
)
from tests.support.factories import import_texts, make_campaign, shortened

KEYBOARD_OPEN = {"width": 360, "height": 420}
ON_ITS_SIDE = {"width": 740, "height": 360}
DESK = {"width": 1280, "height": 800}
SENTENCE = (
    "In 1969 the county paid its own museum some 12,000 for a tiny bronze figure that a farmer had found while he was "
    "ploughing a wet field beside the river, and the curators, who were delighted, put it at once in the largest room "
    "of the old house, where it stands now."
)
LONG = " ".join(f"In the year {1800 + year} the committee met and agreed to repair the bridge." for year in range(30))

IS_IN_FRONT = """(element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && element.contains(middle);
}"""

# Where the line of the caret is: a copy of the box, with a mark where the caret is.
CARET = """() => {
    const box = document.getElementById("draft");
    const [copy, mark] = [document.createElement("div"), document.createElement("span")];
    const { font, lineHeight, padding, borderWidth } = getComputedStyle(box);
    Object.assign(copy.style, { font, lineHeight, padding, borderWidth, borderStyle: "solid", position: "fixed",
        visibility: "hidden", whiteSpace: "pre-wrap", overflowWrap: "break-word", boxSizing: "border-box",
        width: `${box.clientWidth + 2 * parseFloat(borderWidth)}px`, top: 0 });
    copy.append(box.value.slice(0, box.selectionStart), mark, box.value.slice(box.selectionStart));
    mark.textContent = "\\u200b";
    document.body.append(copy);
    const { top, bottom } = mark.getBoundingClientRect();
    copy.remove();
    const offset = box.getBoundingClientRect().top - box.scrollTop;
    const { top: from, bottom: to } = box.getBoundingClientRect();
    const inFront = document.querySelector(".answers[data-place=above]") ?? document.querySelector(".dock");
    return [top + offset, bottom + offset, from, to, inFront.getBoundingClientRect().top];
}"""

# The lines of the original that can be read: whole, and with nothing in front of them.
LINES_SEEN = """() => {
    const original = document.getElementById("source");
    const range = document.createRange();
    range.selectNodeContents(original);
    const lines = new Map([...range.getClientRects()].map((rect) => [Math.round(rect.top), rect]));
    const isSeen = ({ left, top, bottom }) => [top + 2, bottom - 2].every((y) =>
        y >= 0 && y <= innerHeight && original.contains(document.elementFromPoint(left + 3, y)));
    return [...lines.values()].filter(isSeen).length;
}"""

# Whether a word of the original stands within its strip.
IS_READABLE = """(word) => {
    const original = document.getElementById("source");
    const texts = document.createTreeWalker(original, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf(word);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + word.length);
        const [{ top, bottom }, strip] = [range.getBoundingClientRect(), original.getBoundingClientRect()];
        return top >= strip.top - 1 && bottom <= strip.bottom + 1;
    }
    return false;
}"""

# A keyboard that covers the page instead of making it smaller, as on an iPhone.
COVER = """
    const covered = new EventTarget();
    Object.assign(covered, { offsetTop: 0, height: innerHeight, scale: 1 });
    Object.defineProperty(window, "visualViewport", { value: covered });
    window.openKeyboard = (height, offsetTop) => {
        Object.assign(covered, { height: innerHeight - height, offsetTop });
        covered.dispatchEvent(new Event("resize"));
    };
"""
PLACE_OF_BUTTON = """() => {
    const { left, top, width, height } = document.querySelector(".dock .main:not([hidden])").getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
}"""


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A phone on the first of two texts, with so little height as its keyboard leaves."""
    with profile(browser, viewport=KEYBOARD_OPEN, has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        open_task(page, live_server.url, make_campaign(sources=2, editor_tasks=2, editors_per_source=1))
        expect(page.locator("#draft")).to_be_editable()
        yield page


def long_campaign() -> Campaign:
    campaign = make_campaign()
    import_texts(campaign, [LONG])
    return campaign


def in_front(page: Page, *selectors: str) -> None:
    for selector in selectors:
        assert page.locator(selector).evaluate(IS_IN_FRONT), f"{selector} cannot be seen"


def scroll_top(page: Page) -> float:
    return float(page.evaluate("scrollY"))


@pytest.mark.smoke
def test_the_page_opens_at_the_original_with_counter_and_button_in_view(phone: Page) -> None:
    assert scroll_top(phone) == 0
    expect(phone.locator("#source")).to_be_in_viewport()
    assert phone.locator("#source").evaluate("(each) => each.getBoundingClientRect().top") < 250
    expect(phone.locator("#draft")).not_to_be_focused()  # its keyboard would cover the original
    in_front(phone, "#counter", ".length", "#submit")
    expect(phone.locator(".keys")).to_be_hidden()


def test_a_refusal_is_seen_where_the_button_was_pressed(phone: Page) -> None:
    phone.locator("#submit").tap()
    expect(phone.get_by_role("alert")).to_contain_text("characters too long.")
    in_front(phone, "#answer", "#submit")


def test_a_text_submitted_without_network_says_so_beside_the_button_and_goes_later(phone: Page) -> None:
    text = shortened(source_on(phone))
    phone.locator("#draft").tap()
    phone.locator("#draft").fill(text)
    saved(phone, text)
    phone.context.set_offline(True)
    phone.locator("#submit").tap()
    expect(phone.get_by_role("alert")).to_contain_text("You’re offline. Your text is safe and will be submitted")
    expect(phone.locator("#submit")).to_have_text("Sending …")
    expect(phone.locator("#submit")).to_be_disabled()
    in_front(phone, "#answer", "#submit")
    with phone.expect_navigation():
        phone.context.set_offline(False)
    assert Compression.objects.get().text == text
    expect(phone.locator("header")).to_contain_text("Text 1 saved")


@pytest.mark.smoke
@pytest.mark.parametrize("viewport", [KEYBOARD_OPEN, ON_ITS_SIDE])
def test_the_original_stays_in_sight_while_its_text_is_written(
    browser: Browser, live_server: LiveServer, viewport: dict[str, int]
) -> None:
    with profile(browser, viewport=viewport, has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        campaign = make_campaign()
        import_texts(campaign, [SENTENCE])
        assert len(SENTENCE) == 264
        open_task(page, live_server.url, campaign)
        expect(page.locator("#draft")).to_be_editable()
        page.locator("#draft").tap()
        for key in ("Control+End", "Control+Home", "Control+End"):
            page.keyboard.press(key)
            page.keyboard.type("xy ")
            eventually(page, lambda: page.evaluate(LINES_SEEN) >= 4)
            eventually(page, lambda: caret_is_seen(page))
            in_front(page, "#counter", ".length", "#submit")


@pytest.mark.parametrize("viewport", [KEYBOARD_OPEN, ON_ITS_SIDE, DESK])
def test_the_original_follows_the_caret(browser: Browser, live_server: LiveServer, viewport: dict[str, int]) -> None:
    with profile(browser, viewport=viewport) as context:
        page = context.new_page()
        page.emulate_media(reduced_motion="reduce")
        campaign = make_campaign()
        import_texts(campaign, [" ".join(f"Member{n} of house{n} met guest{n} and sold road{n}." for n in range(60))])
        open_task(page, live_server.url, campaign)
        box = page.locator("#draft")
        box.press("Control+End")
        page.keyboard.type("!")
        eventually(page, lambda: page.evaluate(IS_READABLE, "road59"))
        page.locator("#source").evaluate("(each) => each.scrollTo(0, 0)")
        page.keyboard.type("!")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert page.evaluate(IS_READABLE, "Member0")  # whoever looks elsewhere meanwhile may
        box.evaluate("(box) => box.setSelectionRange(0, box.value.indexOf('met guest30'))")
        page.keyboard.press("Backspace")
        eventually(page, lambda: page.evaluate(IS_READABLE, "house30") and page.evaluate(IS_READABLE, "road30"))
        page.keyboard.press("Control+End")
        eventually(page, lambda: page.evaluate(IS_READABLE, "road59"))
        box.fill("")
        page.keyboard.type("Nobody knew of house3")
        eventually(page, lambda: page.evaluate(IS_READABLE, "house3 "))


@pytest.mark.parametrize("viewport", [KEYBOARD_OPEN, ON_ITS_SIDE, DESK])
def test_the_box_grows_and_has_no_scroll_bar_of_its_own(
    browser: Browser, live_server: LiveServer, viewport: dict[str, int]
) -> None:
    with profile(browser, viewport=viewport) as context:
        page = context.new_page()
        open_task(page, live_server.url, long_campaign())
        page.locator("#draft").press("Control+End")
        page.keyboard.type(" " + 20 * "on and on ")
        assert page.locator("#draft").evaluate("(box) => box.scrollHeight - box.clientHeight") == 0
        eventually(page, lambda: caret_is_seen(page))
        bar, over = (page.locator(each).bounding_box() for each in (".length", "#length-over"))
        assert bar is not None
        assert over is not None
        assert 0 < over["height"] <= bar["height"]


def test_a_keyboard_that_covers_the_page_covers_neither_original_nor_button(
    browser: Browser, live_server: LiveServer
) -> None:
    with profile(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        page.add_init_script(COVER)
        open_task(page, live_server.url, long_campaign())
        page.locator("#draft").tap()
        page.keyboard.press("Control+End")
        for above in (0, 120):
            page.evaluate("(above) => window.openKeyboard(320, above)", above)
            page.keyboard.type("xy ")
            seen = (above, above + 420)
            eventually(page, lambda seen=seen: is_between(page, "#source", *seen))  # type: ignore[misc]
            assert is_between(page, "#submit", *seen)
            assert is_between(page, "#counter", *seen)
            eventually(page, lambda: caret_is_seen(page))
        page.evaluate("window.openKeyboard(0, 0)")
        page.evaluate("scrollTo(0, 0)")
        eventually(page, lambda: is_between(page, "#submit", 600, 740))


def is_between(page: Page, selector: str, top: float, bottom: float) -> bool:
    box = page.locator(selector).bounding_box()
    return bool(box and box["y"] >= top - 1 and box["y"] + box["height"] <= bottom + 1)


@pytest.mark.parametrize("viewport", [KEYBOARD_OPEN, {"width": 360, "height": 740}, ON_ITS_SIDE, DESK])
def test_the_button_stands_still_whatever_the_page_has_to_say(
    browser: Browser, live_server: LiveServer, viewport: dict[str, int]
) -> None:
    with profile(browser, viewport=viewport) as context:
        page = context.new_page()
        campaign = make_campaign()
        import_texts(campaign, [SENTENCE])
        open_task(page, live_server.url, campaign)
        page.locator("#draft").press("Control+End")
        for scrolled in (0, 10_000):
            page.evaluate("(top) => scrollTo(0, top)", scrolled)
            place = page.evaluate(PLACE_OF_BUTTON)
            press_where_it_is(page)
            expect(page.get_by_role("alert")).to_contain_text("characters too long.")
            assert page.evaluate(PLACE_OF_BUTTON) == place, page.locator(".dock").inner_html()
            page.keyboard.type("!")
            expect(page.get_by_role("alert")).to_have_count(0)
        write(page, "They agreed.")
        saved(page, "They agreed.")
        for scrolled in (0, 10_000):
            page.evaluate("(top) => scrollTo(0, top)", scrolled)
            place = page.evaluate(PLACE_OF_BUTTON)
            press_where_it_is(page)
            expect(page.get_by_role("alert")).to_have_text("This is very short. Submit it anyway?")
            assert page.evaluate(PLACE_OF_BUTTON) == place
            in_front(page, "#answer")
            page.get_by_role("button", name="Keep working").click()
        page.context.set_offline(True)
        page.keyboard.type("!")
        place = page.evaluate(PLACE_OF_BUTTON)
        expect(page.get_by_role("alert")).to_contain_text("You’re offline.")
        assert page.evaluate(PLACE_OF_BUTTON) == place


def press_where_it_is(page: Page) -> None:
    """As a finger does: Playwright itself would scroll before it clicks."""
    left, top, width, height = page.evaluate(PLACE_OF_BUTTON)
    page.mouse.click(left + width / 2, top + height / 2)


def test_a_refusal_says_how_much_is_too_much_once(phone: Page) -> None:
    expect(phone.locator("#counter")).to_be_visible()
    phone.locator("#submit").tap()
    expect(phone.get_by_role("alert")).to_contain_text("characters too long.")
    expect(phone.locator("#counter")).to_be_hidden()
    assert phone.locator(".dock").inner_text().count("too long") == 1
    phone.keyboard.press(SUBMIT)
    assert phone.locator(".dock").inner_text().count("too long") == 1
    phone.locator("#draft").press("Control+End")
    phone.keyboard.type("!")
    expect(phone.locator("#counter-words")).to_be_visible()
    expect(phone.get_by_role("alert")).to_have_count(0)


def test_what_can_be_touched_is_large_enough(phone: Page) -> None:
    phone.locator("details.menu > summary").tap()
    sizes = phone.locator("button:visible, a:visible:not(.skip), summary:visible").evaluate_all(
        "(all) => all.map((each) => [each.innerText, each.offsetHeight]).filter(([, height]) => height < 44)"
    )
    assert sizes == []


def test_a_dialog_closes_beside_it_and_keeps_what_was_typed(phone: Page) -> None:
    choose(phone, "Report a problem")
    phone.locator("#problem-text").fill("The third word.")
    phone.locator("#problem").evaluate("(dialog) => dialog.scrollTo(0, dialog.scrollHeight)")
    in_front(phone, "#problem .dialog-head button")
    phone.touchscreen.tap(180, 4)
    expect(phone.get_by_role("dialog")).to_have_count(0)
    choose(phone, "Report a problem")
    expect(phone.locator("#problem-text")).to_have_value("The third word.")


@pytest.mark.parametrize("viewport", [KEYBOARD_OPEN, {"width": 640, "height": 400}])
def test_a_long_text_can_be_written_at_its_beginning_and_at_its_end(
    browser: Browser, live_server: LiveServer, viewport: dict[str, int]
) -> None:
    with profile(browser, viewport=viewport) as context:
        page = context.new_page()
        open_task(page, live_server.url, long_campaign())
        assert len(source_on(page)) > 1900
        for key in ("Control+End", "Control+Home", "Control+End"):
            page.locator("#draft").press(key)
            page.keyboard.type("xy")
            eventually(page, lambda: caret_is_seen(page))
        saved(page, page.locator("#draft").input_value())
        page.locator("#source").scroll_into_view_if_needed()
        expect(page.locator("#source")).to_be_in_viewport()


def caret_is_seen(page: Page) -> bool:
    top, bottom, box_top, box_bottom, dock_top = page.evaluate(CARET)
    return bool(max(0, box_top) <= top + 1 and bottom - 1 <= min(box_bottom, dock_top))


@pytest.mark.parametrize("zoom", [2, 4])
def test_a_magnified_page_scrolls_one_way_and_leaves_room_for_the_texts(
    browser: Browser, live_server: LiveServer, zoom: int
) -> None:
    with profile(browser, viewport={"width": 1280 // zoom, "height": 800 // zoom}) as context:
        page = context.new_page()
        open_task(page, live_server.url, make_campaign(sources=1))
        expect(page.locator("#draft")).to_be_editable()
        assert scroll_top(page) == 0
        page.locator("#submit").click()
        expect(page.get_by_role("alert")).to_be_visible()
        in_front(page, "#answer")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        page.evaluate("scrollTo(0, 0)")
        covered = page.locator(".dock").evaluate(
            "(dock) => Math.max(0, innerHeight - dock.getBoundingClientRect().top)"
        )
        assert covered <= 800 / zoom / 3
