"""Cookies that are gone or another's, and leases that ran out, while a rating page is open."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Assignment, Campaign
from ratings.models import Rating
from tests.support.browser import (
    assert_stored_once,
    choose,
    chosen,
    enter,
    open_task,
    press_digits,
    profile,
    rate,
    rater_at_work,
    sign_in,
    stored,
)
from tests.support.factories import EDIT, RATE, edit_next, enrol, lease_run_out, make_campaign, rate_next

TAKEN = "Someone else has this text now, because your reservation ran out."
HOUR = 3_600_000


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the first of two texts."""
    with rater_at_work(browser, live_server.url) as page:
        yield page


@pytest.fixture
def lonely(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the only text that is written yet; one rater is wanted for each."""
    campaign = make_campaign(sources=2, editors_per_source=1, raters_per_compression=1, rater_tasks=2)
    edit_next(enrol(campaign, EDIT, "editor"))
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        open_task(page, live_server.url, campaign, RATE)
        yield page


def own_task() -> Assignment:
    return Assignment.objects.get(worker__external_id="browser", state="leased")


def lose_the_text() -> None:
    """The lease runs out, somebody else judges the text, and another text is written."""
    lease_run_out(own_task())
    campaign = Campaign.objects.get()
    assert rate_next(enrol(campaign, RATE, "somebody"), 1, 1)
    edit_next(enrol(campaign, EDIT, "editor"))


@pytest.mark.smoke
def test_cookies_are_cleared_before_an_answer_is_sent(rater: Page) -> None:
    press_digits(rater, 3)
    rater.context.clear_cookies()
    rate(rater, 2)
    assert_stored_once(rater, 3, 2)
    rate(rater, 1, 1)
    assert stored() == [(3, 2), (1, 1)]


@pytest.mark.parametrize("cookie", ["csrftoken", "precis_worker"])
def test_one_cookie_is_gone(rater: Page, cookie: str) -> None:
    assert cookie in {each.get("name") for each in rater.context.cookies()}
    rater.context.clear_cookies(name=cookie)
    rate(rater, 3, 2)
    assert_stored_once(rater, 3, 2)


def test_a_text_is_given_back_after_cookies_were_cleared(rater: Page) -> None:
    first = rater.url
    rater.context.clear_cookies()
    choose(rater, "I can’t rate this text")
    rater.get_by_label("It is broken or incomplete").check()
    with rater.expect_navigation():
        rater.get_by_role("dialog").get_by_role("button", name="Skip this text").click()
    expect(rater).not_to_have_url(first)
    expect(rater.locator("h1")).to_have_text("Rate the shortened text")


def test_somebody_else_has_signed_in_by_this_browser(rater: Page, live_server: LiveServer) -> None:
    sign_in(rater.context, live_server.url, Campaign.objects.get(), RATE, "somebody")
    rate(rater, 3, 2)
    assert_stored_once(rater, 3, 2)
    assert stored("somebody") == []


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_the_session_of_another_link_takes_its_place(rater: Page, live_server: LiveServer, work_round: str) -> None:
    """Somebody opens another campaign's link in another tab of the same browser."""
    other = make_campaign(sources=2, editors_per_source=1)
    edit_next(enrol(other, EDIT))
    other_tab = rater.context.new_page()
    enter(other_tab, live_server.url, other, work_round, "browser")
    rate(rater, 3, 2)
    assert_stored_once(rater, 3, 2)


def test_a_lease_that_ran_out_is_no_matter_while_nobody_wants_the_place(rater: Page) -> None:
    press_digits(rater, 3)
    lease_run_out(own_task())
    rate(rater, 2)
    assert_stored_once(rater, 3, 2)


@pytest.mark.parametrize("told_by", ["the submission", "the lease", "the laptop"])
def test_a_text_that_somebody_else_has_taken(lonely: Page, told_by: str) -> None:
    first, text = lonely.url, lonely.locator(".version").inner_text()
    press_digits(lonely, 3, 2)
    lose_the_text()
    if told_by == "the submission":
        lonely.keyboard.press("Enter")
    else:
        lonely.clock.fast_forward(8 * HOUR if told_by == "the laptop" else 120_000)
    expect(lonely.get_by_role("alert")).to_contain_text(TAKEN)
    expect(lonely.get_by_role("button", name="Submit and continue")).to_be_hidden()
    expect(lonely.get_by_role("radio").first).to_be_disabled()
    expect(lonely.locator("#lease")).to_be_empty()
    assert (stored(), stored("somebody")) == ([], [(1, 1)])
    expect(lonely.locator("#answer")).to_be_focused()
    with lonely.expect_navigation():
        lonely.keyboard.press("Enter")
    expect(lonely).not_to_have_url(first)
    expect(lonely.locator(".version")).not_to_have_text(text)
    rate(lonely, 2, 2)
    assert stored() == [(2, 2)]
    assert Rating.objects.count() == 2


def test_nothing_is_answered_any_more_when_the_text_is_gone(lonely: Page) -> None:
    lose_the_text()
    lonely.clock.fast_forward(120_000)
    expect(lonely.get_by_role("alert")).to_contain_text(TAKEN)
    press_digits(lonely, 3, 2)
    assert chosen(lonely) == [0, 0]
    expect(lonely.locator("#answer")).to_be_focused()


def test_who_opens_a_page_whose_text_is_gone(lonely: Page) -> None:
    """As when a browser opens its tabs of yesterday."""
    address = lonely.url
    lose_the_text()
    lonely.goto(address)
    expect(lonely.get_by_role("alert")).to_contain_text(TAKEN)
    with lonely.expect_navigation():
        lonely.get_by_role("button", name="Continue with the next text").click()
    rate(lonely, 2, 2)
    assert stored() == [(2, 2)]


def test_a_laptop_that_slept_while_nobody_wanted_the_text(rater: Page) -> None:
    press_digits(rater, 3)
    lease_run_out(own_task())
    with rater.expect_response(re.compile("/renew/")):
        rater.clock.fast_forward(8 * HOUR)
    expect(rater.locator("#lease")).to_be_empty()
    rate(rater, 2)
    assert_stored_once(rater, 3, 2)


def test_a_page_left_open_has_its_lease_renewed_and_says_how_long_it_lasts(rater: Page) -> None:
    expect(rater.locator("#lease")).to_be_empty()
    before = own_task().lease_ends_at
    with rater.expect_response(re.compile("/renew/")):
        rater.clock.run_for(121_000)
    after = own_task().lease_ends_at
    assert before
    assert after
    assert after > before


def test_somebody_who_comes_late_is_warned(rater: Page) -> None:
    rater.context.set_offline(True)
    rater.clock.fast_forward(26 * 60_000)
    expect(rater.locator("#lease").get_by_role("alert")).to_have_text("Your reservation ends in 4 minutes.")
    rater.context.set_offline(False)
    rate(rater, 3, 2)
    assert_stored_once(rater, 3, 2)


def test_who_stops_finds_their_answers_again(rater: Page) -> None:
    press_digits(rater, 3)
    with rater.expect_navigation():
        choose(rater, "Stop for now")
        rater.get_by_role("button", name="Stop for now").click()
    expect(rater.locator("h1")).to_have_text("You have stopped")
    with rater.expect_navigation():
        rater.get_by_role("button", name="Continue").click()
    assert chosen(rater) == [3, 0]
    rate(rater, 2)
    assert_stored_once(rater, 3, 2)
