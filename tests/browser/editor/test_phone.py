"""A phone with its keyboard open, and a magnified page: text, counter and answer can all be seen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from crowd.models import Campaign
from tests.support.browser import choose, chromium, eventually, open_task, profile, saved, source_on
from tests.support.factories import import_texts, make_campaign, shortened

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium() is None, reason="no Chromium was found"),
]

KEYBOARD_OPEN = {"width": 360, "height": 420}
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
    return [top + offset, bottom + offset, from, to, document.querySelector(".dock").getBoundingClientRect().top];
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
    assert phone.locator("#answer").evaluate("(each) => each.getBoundingClientRect().bottom") <= phone.locator(
        "#submit"
    ).evaluate("(each) => each.getBoundingClientRect().top")


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
