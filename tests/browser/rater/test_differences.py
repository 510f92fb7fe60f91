"""The marks of what was changed: off until they are asked for, right, and on record only when they were looked at."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Rating, RatingVersion
from tests.support.browser import BRIDGE, open_task, press_digits, profile, rate, rater_at_work, tab_to
from tests.support.factories import EDIT, RATE, enrol, import_texts, make_campaign, submit_text

MARKS = "del, ins"


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the first of two texts."""
    with rater_at_work(browser, live_server.url) as page:
        yield page


def toggle(page: Page, number: int = 0) -> Locator:
    return page.get_by_role("button", name="Show differences").nth(number)


def shown() -> list[bool]:
    return list(Rating.objects.order_by("pk").values_list("difference_shown", flat=True))


def without_space(text: str) -> str:
    return "".join(text.split())


def text_without(page: Page, kind: str) -> str:
    """The marked text without the marks of a kind; space between words may differ."""
    text: str = page.locator(".version").evaluate(
        """(version, kind) => {
            const copy = version.cloneNode(true);
            for (const mark of copy.querySelectorAll(kind)) mark.remove();
            return copy.textContent;
        }""",
        kind,
    )
    return without_space(text)


@pytest.mark.smoke
def test_nobody_sees_marks_who_did_not_ask_for_them(rater: Page) -> None:
    expect(toggle(rater)).to_have_attribute("aria-pressed", "false")
    expect(rater.locator(MARKS)).to_have_count(0)
    rate(rater, 3, 2)
    rate(rater, 3, 2)
    assert shown() == [False, False]


def test_marks_lead_from_the_original_to_the_shorter_version(rater: Page) -> None:
    original, version = (rater.locator(part).inner_text() for part in (".original", ".version"))
    toggle(rater).click()
    expect(toggle(rater)).to_have_attribute("aria-pressed", "true")
    expect(rater.locator(".version del")).not_to_have_count(0)
    expect(rater.locator(".version ins")).not_to_have_count(0)
    assert text_without(rater, "ins") == without_space(original)
    assert text_without(rater, "del") == without_space(version)
    expect(rater.locator(".original")).to_have_text(original)


def test_marks_are_off_again_on_the_next_page_and_on_record_for_this_one(rater: Page) -> None:
    toggle(rater).click()
    rate(rater, 3, 2)
    expect(toggle(rater)).to_have_attribute("aria-pressed", "false")
    expect(rater.locator(MARKS)).to_have_count(0)
    rate(rater, 3, 2)
    assert shown() == [True, False]
    assert list(RatingVersion.objects.order_by("pk").values_list("difference_shown", flat=True)) == [True, False]


def test_marks_that_were_looked_at_stay_on_record_when_they_are_gone(rater: Page) -> None:
    toggle(rater).click()
    toggle(rater).click()
    rater.reload()
    expect(toggle(rater)).to_have_attribute("aria-pressed", "false")
    expect(rater.locator(MARKS)).to_have_count(0)
    rate(rater, 3, 2)
    assert shown() == [True]


def test_marks_are_switched_by_keys(rater: Page) -> None:
    tab_to(rater, "Show differences")
    rater.keyboard.press("Enter")
    expect(rater.locator(".version del")).not_to_have_count(0)
    rater.keyboard.press("Space")
    expect(rater.locator(MARKS)).to_have_count(0)
    tab_to(rater, "3")  # keys on the button are no answers
    press_digits(rater, 3, 2)
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    assert shown() == [True]


def test_marks_looked_at_for_a_correction_go_on_record(rater: Page) -> None:
    rate(rater, 3, 2)
    rater.go_back()
    toggle(rater).click()
    rater.locator("fieldset input").first.focus()
    rate(rater, 1)
    assert shown() == [True]
    assert list(RatingVersion.objects.order_by("pk").values_list("difference_shown", flat=True)) == [False, True]


STRANGE = [
    "Bridge 1, which “they” looked at – it’s <b>going</b> & to be mended 😀 e\u0301te\u0301.",
    "mended is going to be Bridge the snow.",
    "A text with not one word in common?",
]


@pytest.mark.parametrize("text", STRANGE)
def test_without_the_marks_the_text_is_exactly_what_it_was(
    browser: Browser, live_server: LiveServer, text: str
) -> None:
    campaign = make_campaign(rater_tasks=1)
    import_texts(campaign, [BRIDGE.format(1)])
    kept = submit_text(enrol(campaign, EDIT), text).target.text
    with profile(browser) as context:
        page = context.new_page()
        open_task(page, live_server.url, campaign, RATE)
        assert page.locator(".version").text_content() == kept
        for _ in range(3):
            toggle(page).click()
            expect(page.locator(".version del")).not_to_have_count(0)
            assert text_without(page, "del") == without_space(kept)
            toggle(page).click()
            expect(page.locator(MARKS)).to_have_count(0)
            assert page.locator(".version").text_content() == kept


def test_each_text_of_a_page_has_marks_of_its_own(browser: Browser, live_server: LiveServer) -> None:
    with rater_at_work(browser, live_server.url, texts=3, ratings_per_page=3) as page:
        toggle(page, 1).click()
        marked = [page.locator(".judged").nth(number).locator(MARKS).count() > 0 for number in range(3)]
        assert marked == [False, True, False]
        rate(page, 3, 2, 3, 2, 3, 2)
        assert shown() == [False, True, False]
