"""Rating on a phone: the texts and both scales on one screen, and nothing that moves under the thumb."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.default_texts import default_settings
from tests.support.browser import chosen, chromium, open_task, profile
from tests.support.factories import EDIT, RATE, enrol, import_texts, make_campaign, submit_text

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium() is None, reason="no Chromium was found"),
]

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


def test_a_scale_of_many_points_keeps_its_words_readable(phone: Page, live_server: LiveServer) -> None:
    points = [f"As I would say in words of my own, {number}" for number in range(1, 8)]
    scales = [{"key": "tone", "name": "Tone", "question": "Is the tone kept?", "points": points}]
    open_rating(phone, live_server.url, scales=scales)
    expect(phone.locator(".scale small")).to_have_count(0)
    (labels,) = phone.locator("fieldset.scale").evaluate_all(POINTS)
    assert len({round(each["left"]) for each in labels}) == 1
    assert all(each["width"] > 250 for each in labels)


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
            expect(page.locator("#answer")).to_contain_text("Please answer “Meaning”.")
            assert page.locator("#submit").bounding_box() == place
            expect(page.locator("#answer")).to_be_in_viewport(ratio=1)
