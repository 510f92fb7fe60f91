"""Rating on a phone: the texts and both scales on one screen, and nothing that moves under the thumb."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.default_texts import default_settings
from tests.support.browser import chosen, open_task, profile
from tests.support.factories import EDIT, RATE, enrol, import_texts, make_campaign, submit_text

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SOURCE = (
    "In 1969 the county paid its own museum about 12,000 for a small bronze figure that a farmer had found while he "
    "was ploughing a wet field beside the river, and the curators put it at once in the largest room of the house."
)
SHORTER = (
    "In 1969 the county paid its museum 12,000 for a bronze figure that a farmer had found while ploughing a field, "
    "and the curators put it in the largest room."
)
POINTS = """(scales) => scales.map((scale) =>
    [...scale.querySelectorAll("label")].map((label) => label.getBoundingClientRect().toJSON()))"""

SEEN = """(words) => words.filter((each) => each.getBoundingClientRect().width > 1)
    .map((each) => each.innerText.trim())"""


def open_rating(page: Page, address: str, language: str = "en", **settings: Any) -> None:
    campaign = make_campaign(**{**default_settings(language), "page_language": language, **settings})
    import_texts(campaign, [SOURCE])
    submit_text(enrol(campaign, EDIT), SHORTER)
    open_task(page, address, campaign, RATE)
    page.wait_for_load_state("load")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with profile(browser, **PHONE) as context:
        yield context.new_page()


@pytest.mark.smoke
@pytest.mark.parametrize("language", ["en", "de", "ar", "es", "fr", "zh-hans"])
def test_a_text_and_its_scales_fit_on_one_screen(phone: Page, live_server: LiveServer, language: str) -> None:
    open_rating(phone, live_server.url, language)
    assert phone.evaluate("scrollY") == 0
    top_of_bar = phone.locator(".dock").evaluate("(dock) => dock.getBoundingClientRect().top")
    for points in phone.locator("fieldset.scale").evaluate_all(POINTS):
        assert len({round(each["top"]) for each in points}) == 1, "the points of a scale stand in one row"
        assert all(each["height"] >= 44 for each in points)
        assert all(each["bottom"] <= top_of_bar for each in points)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.innerText)"
    assert phone.locator(".scale label, .scale .words").evaluate_all(cut) == []
    phone.locator(".scale label").nth(1).tap()
    assert chosen(phone) == [2, 0]


@pytest.mark.parametrize("number", [5, 6, 7])
def test_a_scale_of_many_points_has_its_numbers_in_one_row_and_the_words_of_the_answer_beneath(
    phone: Page, live_server: LiveServer, number: int
) -> None:
    words = [f"As I would say it in words of my own, {point}" for point in range(1, number + 1)]
    scales = [{"key": "tone", "name": "Tone", "question": "Is the tone kept?", "points": words}]
    open_rating(phone, live_server.url, scales=scales)
    expect(phone.locator(".scale small")).to_have_count(0)
    (fields,) = phone.locator("fieldset.scale").evaluate_all(POINTS.replace('"label"', '"input"'))
    assert len({round(each["top"]) for each in fields}) == 1
    assert all(each["height"] >= 44 and each["width"] >= 24 for each in fields)
    assert all(one["right"] < other["left"] for one, other in itertools.pairwise(fields))
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ends = [words[-1], words[0]]
    assert phone.locator(".scale .words").evaluate_all(SEEN) == ends
    for point in (number - 1, 2):
        radio = phone.get_by_role("radio", name=f"{point} {words[point - 1]}", exact=True)
        radio.tap()
        expect(radio).to_be_checked()
        assert phone.locator(".scale .words").evaluate_all(SEEN) == [ends[0], words[point - 1], ends[1]]
    phone.keyboard.press("ArrowDown")  # to the end, whose words stand already
    expect(phone.get_by_role("radio", name=f"1 {words[0]}", exact=True)).to_be_checked()
    assert phone.locator(".scale .words").evaluate_all(SEEN) == ends


@pytest.mark.parametrize(
    "viewport", [{"width": 360, "height": 740}, {"width": 360, "height": 420}, {"width": 1280, "height": 800}]
)
def test_the_button_stands_still_when_an_answer_is_missing(
    browser: Browser, live_server: LiveServer, viewport: dict[str, int]
) -> None:
    with profile(browser, viewport=viewport) as context:
        page = context.new_page()
        open_rating(page, live_server.url)
        for scrolled in (0, 10_000):
            page.evaluate("(top) => scrollTo(0, top)", scrolled)
            page.evaluate(TWO_FRAMES)  # the browser has laid out what the scripts measured
            place = page.locator("#submit").bounding_box()
            assert place
            page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
            expect(page.locator("#answer")).to_contain_text("Answer “Meaning”.")
            assert page.locator("#submit").bounding_box() == place
            expect(page.locator("#answer")).to_be_in_viewport(ratio=1)
