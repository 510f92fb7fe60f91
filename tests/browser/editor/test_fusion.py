"""One sentence of two in a browser: the buttons that put these in, by keys and by touch, and what the log says."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from compressions.tests.test_fusions import COPY, FUSES, A, B
from tests.support.browser import SUBMIT, check, mean_it, open_task, profile, tab_to
from tests.support.factories import import_texts, make_campaign


def campaign_of_pairs() -> Any:
    campaign = make_campaign(**FUSES)
    import_texts(campaign, [f"{A} {B}"])
    return campaign


def stored() -> list[list[Any]]:
    """The changes of the log that was stored, without their times."""
    log: list[list[Any]] = Compression.objects.get().edit_log
    return [[*row[:4], *row[5:]] for row in log if row[1] or row[2]]


def test_by_keys(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, campaign_of_pairs())
    box = page.get_by_role("textbox", name="Your version")
    expect(box).to_have_value("")
    check(page, "an empty box under two sentences")
    tab_to(page, "Use both", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(box).to_have_value(f"{A} {B}")
    expect(page.locator("#counter-words")).to_have_text("23 characters too long")
    page.keyboard.press("ControlOrMeta+z")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Backspace")
    tab_to(page, "Use the first sentence", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(box).to_have_value(A)
    page.keyboard.press(SUBMIT)
    expect(page.get_by_text(COPY)).to_be_visible()
    page.get_by_role("button", name="Keep working").press("Enter")
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.type("and shuts .")
    page.keyboard.press(SUBMIT)
    expect(page.get_by_text("words of only one of the two sentences")).to_be_visible()
    mean_it(page)
    page.wait_for_url(lambda url: "/work/edit/" not in url)
    taken = [row for row in stored() if row[3] == "source"]
    assert [row[4] for row in taken] == [[0, 0, 49], [1, 0, 39], [0, 0, 49]]
    assert Compression.objects.get().text == f"{A[:-1]}and shuts ."


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with profile(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True) as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield context.new_page()


def test_by_touch_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    open_task(phone, live_server.url, campaign_of_pairs())
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= 360
    box = phone.locator("#draft")
    for name in ("Use the first sentence", "Use the second", "Use both"):
        place = phone.get_by_role("button", name=name, exact=True).bounding_box()
        assert place is not None
        assert place["height"] >= 44
        assert place["x"] + place["width"] <= 360
    phone.get_by_role("button", name="Use the second").tap()
    expect(box).to_have_value(B)
    box.evaluate("box => box.setSelectionRange(0, 7)")
    phone.keyboard.type("The plant will")
    box.evaluate("box => box.setSelectionRange(box.value.length, box.value.length)")
    phone.evaluate("navigator.clipboard.writeText('opened in 1990')")
    phone.keyboard.press("ControlOrMeta+v")
    expect(box).to_have_value(f"The plant will{B[7:]}opened in 1990")
    phone.keyboard.type(" .")
    phone.get_by_role("button", name="Submit and continue").tap()
    phone.wait_for_url(lambda url: "/work/edit/" not in url)
    taken = [row for row in stored() if row[3] == "source"]
    assert [(row[2], row[4]) for row in taken] == [(B, [1, 0, 39]), ("opened in 1990", [0, 10, 24])]
