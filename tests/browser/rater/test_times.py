"""How long a rater looked at a text: all the time in which they had it before their eyes, and no other."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from crowd.models import Assignment
from ratings.models import Rating, RatingVersion
from tests.support.browser import open_task, press_digits, profile, rate, rating_campaign, show
from tests.support.factories import RATE

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page with two texts, at which time stands still; to the server it has been open for an hour."""
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install(time=NOON)
        page.clock.pause_at(NOON + timedelta(seconds=1))
        open_task(page, live_server.url, rating_campaign(ratings_per_page=2), RATE)
        Assignment.objects.filter(state="leased").update(leased_at=datetime.now(UTC) - timedelta(hours=1))
        yield page


def answer_after(page: Page, *steps: tuple[float, int]) -> None:
    """Give each point after some seconds."""
    for seconds, point in steps:
        page.clock.run_for(round(seconds * 1000))
        press_digits(page, point)


def seconds() -> list[float | None]:
    times = Rating.objects.order_by("pk").values_list("milliseconds", flat=True)
    return [None if time is None else time / 1000 for time in times]


@pytest.mark.smoke
def test_each_text_has_the_time_until_its_answers(rater: Page) -> None:
    answer_after(rater, (20, 3), (10, 2), (40, 1), (5.5, 3))
    rate(rater)
    assert seconds() == [30, 45.5]


def test_who_thinks_once_more_before_they_send(rater: Page) -> None:
    answer_after(rater, (20, 3), (10, 2), (40, 1), (5, 3))
    rater.clock.run_for(7000)
    rate(rater)
    assert seconds() == [30, 52]


def test_an_answer_that_is_changed_costs_its_text_time(rater: Page) -> None:
    answer_after(rater, (20, 3), (10, 2), (40, 1), (5, 3))
    rater.locator("fieldset input").first.focus()
    answer_after(rater, (8, 1))
    rate(rater)
    assert seconds() == [38, 45]


def test_who_goes_away_without_a_word_is_not_reading(rater: Page) -> None:
    answer_after(rater, (20, 3), (3600, 2), (10, 1), (5, 3))
    rate(rater)
    first, second = seconds()
    assert first is not None
    assert 20 < first <= 80
    assert second == 15


def test_time_out_of_sight_does_not_count(rater: Page) -> None:
    answer_after(rater, (20, 3))
    show(rater, hidden=True)
    rater.clock.run_for(50_000)
    show(rater, hidden=False)
    answer_after(rater, (10, 2), (15, 1), (5, 3))
    rate(rater)
    assert seconds() == [30, 20]


def test_what_was_read_before_the_page_went_out_of_sight_counts(rater: Page) -> None:
    """Somebody reads a text, looks a word up in another tab, comes back and answers."""
    rater.clock.run_for(25_000)
    show(rater, hidden=True)
    rater.clock.run_for(50_000)
    show(rater, hidden=False)
    answer_after(rater, (10, 2), (1, 3), (15, 1), (5, 3))
    rate(rater)
    assert seconds() == [36, 20]


def test_a_page_opened_out_of_sight_begins_when_it_is_seen(rater: Page) -> None:
    rater.add_init_script("Object.defineProperty(document, 'hidden', { value: true, configurable: true });")
    rater.reload()
    rater.clock.run_for(50_000)
    show(rater, hidden=False)
    answer_after(rater, (10, 2), (1, 3), (15, 1), (5, 3))
    rate(rater)
    assert seconds() == [11, 20]


def test_time_goes_on_after_a_reload(rater: Page) -> None:
    answer_after(rater, (20, 3))
    rater.reload()
    answer_after(rater, (10, 2), (15, 1), (5, 3))
    rate(rater)
    assert seconds() == [30, 20]


def test_no_time_is_longer_than_the_server_knows(rater: Page) -> None:
    Assignment.objects.filter(state="leased").update(leased_at=datetime.now(UTC) - timedelta(seconds=25))
    answer_after(rater, (20, 3), (10, 2), (15, 1), (5, 3))
    rate(rater)
    first, second = seconds()
    assert first is not None
    assert 25 <= first <= 30
    assert second == 20


def test_a_correction_does_not_change_the_time_of_the_first_answer(rater: Page) -> None:
    answer_after(rater, (20, 3), (10, 2), (40, 1), (5, 3))
    rate(rater)
    rater.get_by_role("link", name="Look over your answers").click()
    rater.get_by_role("link", name="Change").first.click()
    rater.locator("fieldset input").first.focus()
    answer_after(rater, (9, 1))
    rate(rater)
    assert seconds() == [30, 45]


def away_and_copying(page: Page) -> None:
    show(page, hidden=True)
    page.clock.run_for(60_000)
    show(page, hidden=False)
    page.locator(".original").first.select_text()
    page.keyboard.press("Control+c")
    page.evaluate("document.querySelector('fieldset.scale input').click()")


def test_a_page_tells_of_leaving_copying_and_scripts_once(rater: Page) -> None:
    away_and_copying(rater)
    answer_after(rater, (20, 3), (10, 2), (40, 1), (5, 3))
    rate(rater)
    told = {"v": 1, "away_n": 1, "away_ms": 60_000, "untrusted": 1, "webdriver": 1, "copies": 1}
    records = list(RatingVersion.objects.order_by("pk").values_list("page_record", flat=True))
    assert records == [told, None]


def test_a_page_tells_nothing_where_leaving_is_not_recorded(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        open_task(page, live_server.url, rating_campaign(record_leaving=False), RATE)
        away_and_copying(page)
        rate(page, 3, 2)
    assert RatingVersion.objects.get().page_record is None
