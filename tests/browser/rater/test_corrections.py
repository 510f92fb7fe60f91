"""Answers that are changed: on the way back, from the page of all answers, and not after the end."""

import re
from collections.abc import Iterator

import pytest
from django.db.models import F
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Enrolment, Remark
from crowd.models.people import REVIEW_TIME
from ratings.models import RatingVersion
from tests.support.browser import choose, chosen, press_digits, rate, rater_at_work, stored

FIRST_COUNTS = "You had already rated this text. Your earlier rating counts."
FINAL = "Your answers can’t be changed any more."
DEAF = "window.BroadcastChannel = class { postMessage() {} close() {} };"


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the first of two texts."""
    with rater_at_work(browser, live_server.url) as page:
        yield page


def versions() -> list[dict[str, int]]:
    return list(RatingVersion.objects.order_by("pk").values_list("scores", flat=True))


def time_passes() -> None:
    """The time to look the answers over is up."""
    Enrolment.objects.update(finished_at=F("finished_at") - REVIEW_TIME)


@pytest.mark.smoke
def test_the_way_back_leads_to_the_answer_which_can_be_changed(rater: Page) -> None:
    first = rater.url
    rate(rater, 3, 2)
    rater.go_back()
    expect(rater).to_have_url(first)
    expect(rater.locator("h1")).to_have_text("Change your rating")
    assert chosen(rater) == [3, 2]
    expect(rater.get_by_role("button", name="I can’t rate this text")).to_have_count(0)
    rater.locator("fieldset input").first.focus()
    press_digits(rater, 1)
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    expect(rater.locator("h1")).to_have_text("Your answers")
    expect(rater.get_by_role("region", name="Text 1")).to_contain_text("1 · Little or none")
    assert stored() == [(1, 2)]
    assert versions() == [{"meaning": 3, "grammar": 2}, {"meaning": 1, "grammar": 2}]


def test_who_looks_their_answers_over_in_mid_work_is_led_on_to_the_open_text(rater: Page) -> None:
    rate(rater, 3, 2)
    second = rater.url
    with rater.expect_navigation():
        choose(rater, "Your answers so far")
    expect(rater.locator("main")).to_contain_text("You have rated 1 of 2 texts.")
    expect(rater.get_by_role("button", name="Finish")).to_have_count(0)
    expect(rater.get_by_role("button", name="Continue rating")).to_be_visible()
    with rater.expect_navigation():
        rater.get_by_role("button", name="Continue rating").click()
    expect(rater).to_have_url(second)


def test_an_answer_saved_as_it_was_is_no_new_version(rater: Page) -> None:
    rate(rater, 3, 2)
    rater.go_back()
    with rater.expect_navigation():
        rater.get_by_role("button", name="Save this rating").click()
    expect(rater.locator("h1")).to_have_text("Your answers")
    assert len(versions()) == 1


def test_an_answer_is_changed_again_and_again(rater: Page) -> None:
    rate(rater, 3, 2)
    choose(rater, "Your answers so far")
    for number, points in enumerate([1, 2, 3], start=2):
        rater.get_by_role("link", name="Change").click()
        rater.locator("fieldset input").first.focus()
        press_digits(rater, points)
        with rater.expect_navigation():
            rater.keyboard.press("Enter")
        expect(rater.locator("h1")).to_have_text("Your answers")
        assert (stored(), len(versions())) == ([(points, 2)], number)


def test_a_correction_that_was_given_up_is_forgotten(rater: Page) -> None:
    rate(rater, 3, 2)
    rater.go_back()
    rater.locator("fieldset input").first.focus()
    press_digits(rater, 1)
    with rater.expect_navigation():
        rater.get_by_role("link", name="Back without saving").click()
    expect(rater.get_by_role("region", name="Text 1")).to_contain_text("3 · Most important meaning")
    with rater.expect_navigation():
        rater.get_by_role("link", name="Change").click()
    assert chosen(rater) == [3, 2]
    assert (stored(), len(versions())) == ([(3, 2)], 1)


def test_a_correction_is_there_again_after_a_reload(rater: Page) -> None:
    rate(rater, 3, 2)
    rater.go_back()
    rater.locator("fieldset input").first.focus()
    press_digits(rater, 1)
    rater.reload()
    assert chosen(rater) == [1, 2]
    with rater.expect_navigation():
        rater.get_by_role("button", name="Save this rating").click()
    assert (stored(), len(versions())) == ([(1, 2)], 2)


def test_a_correction_meets_a_lost_reply(rater: Page) -> None:
    def reply_lost(route: Route) -> None:
        route.fetch()
        route.abort("connectionrefused")

    rate(rater, 3, 2)
    rater.go_back()
    rater.locator("fieldset input").first.focus()
    press_digits(rater, 1)
    rater.route("**/work/rate/*/", reply_lost, times=1)
    # Else the page might try again, on a busy machine, before anybody has looked at what it says.
    rater.clock.pause_at(rater.evaluate("Date.now()") + 1000)
    rater.keyboard.press("Enter")
    expect(rater.locator("#answer")).to_contain_text("We can’t reach the server.")
    with rater.expect_navigation():
        rater.clock.fast_forward(3000)
    expect(rater.locator("h1")).to_have_text("Your answers")
    expect(rater.locator(".messages")).to_have_count(0)
    assert (stored(), len(versions())) == ([(1, 2)], 2)


def test_a_comment_can_be_written_anew_with_a_correction(rater: Page) -> None:
    rater.get_by_text("Add a comment").click()
    rater.get_by_label("Comment for the researchers").fill("Which bridge?")
    rater.locator("fieldset input").first.focus()
    rate(rater, 3, 2)
    rater.go_back()
    expect(rater.get_by_label("Comment for the researchers")).to_have_value("Which bridge?")
    rater.get_by_label("Comment for the researchers").fill("The other bridge.")
    with rater.expect_navigation():
        rater.get_by_role("button", name="Save this rating").click()
    assert list(Remark.objects.values_list("text", flat=True)) == ["The other bridge."]


def test_after_the_end_the_way_back_leads_to_no_change(rater: Page) -> None:
    first = rater.url
    rate(rater, 3, 2)
    rate(rater, 2, 2)
    expect(rater.locator("h1")).to_have_text(re.compile("Thank you!"))
    rater.get_by_role("link", name="Look over your answers").click()
    expect(rater.get_by_role("link", name="Change")).to_have_count(2)
    time_passes()
    rater.reload()
    expect(rater.locator("main")).to_contain_text("can’t be changed any more")
    expect(rater.get_by_role("link", name="Change")).to_have_count(0)
    rater.goto(first)
    expect(rater.locator(".messages")).to_contain_text(FINAL)
    expect(rater.locator("h1")).to_have_text(re.compile("Thank you!"))
    assert stored() == [(3, 2), (2, 2)]


def test_a_correction_that_was_open_at_the_end_changes_nothing(rater: Page) -> None:
    first = rater.url
    rate(rater, 3, 2)
    rate(rater, 2, 2)
    expect(rater.locator("h1")).to_have_text(re.compile("Thank you!"))
    late = rater.context.new_page()
    late.goto(first)
    late.get_by_text("Add a comment").click()
    late.get_by_label("Comment for the researchers").fill("Too late.")
    time_passes()
    late.locator("fieldset input").first.focus()
    rate(late, 1)
    expect(late.locator(".messages")).to_contain_text(FINAL)
    assert (stored(), len(versions())) == ([(3, 2), (2, 2)], 2)
    assert not Remark.objects.exists()


def test_of_two_corrections_the_later_one_knows_the_first(rater: Page) -> None:
    """A correction made on an older version would undo the newer one without showing it."""
    address = rater.url
    rate(rater, 3, 2)
    tabs = [rater.context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.add_init_script(DEAF)
        tab.goto(address)
        tab.locator("fieldset input").first.focus()
    for tab, points in zip(tabs, (1, 2), strict=True):
        press_digits(tab, points)
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
    expect(tabs[1].locator(".messages")).to_contain_text(FIRST_COUNTS)
    assert (stored(), len(versions())) == ([(1, 2)], 2)
