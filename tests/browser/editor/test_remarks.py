"""Reporting a problem and skipping a text: what is filled in stays until it has been taken in."""

import pytest
from playwright.sync_api import Page, Route, expect

from crowd.models import Assignment, Remark
from tests.support.browser import assert_submitted_once, choose, eventually, submit, write

PROBLEM = "**/problem/"
NO_CONNECTION = "We can’t reach the server. Please try again in a moment."


def fill_in_problem(page: Page) -> None:
    choose(page, "Report a problem")
    page.get_by_label("It is offensive").check()
    page.locator("#problem-text").fill("The third word.")


def report(page: Page) -> None:
    page.get_by_role("button", name="Report and keep writing").click()


def assert_reported(page: Page) -> None:
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#answer")).to_have_text("Thanks, we’ll look at it.")
    remark = Remark.objects.get()
    assert (remark.kind, remark.reason, remark.text) == ("problem", "offensive", "The third word.")


def skip(page: Page) -> None:
    choose(page, "Skip this text")
    page.get_by_label("I don’t understand the text").check()
    page.locator("#skip-form").get_by_role("button", name="Skip this text").click()


@pytest.mark.smoke
def test_a_problem_is_reported_in_mid_text(desk: Page) -> None:
    write(desk, "They agreed")
    fill_in_problem(desk)
    report(desk)
    assert_reported(desk)
    expect(desk.locator("#draft")).to_have_value("They agreed")
    write(desk, "They agreed.")
    submit(desk)
    assert_submitted_once(desk, "They agreed.")


def test_a_text_is_skipped(desk: Page) -> None:
    first, source = desk.url, desk.locator("#source").inner_text()
    write(desk, "They agreed")
    skip(desk)
    expect(desk).not_to_have_url(first)
    expect(desk.locator("#source")).not_to_have_text(source)
    assert Remark.objects.get().reason == Remark.Reason.UNCLEAR
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["leased", "skipped"]
    desk.goto(first)
    expect(desk.locator(".messages")).to_contain_text("You skipped this text.")


def test_without_a_reason_nothing_is_sent(desk: Page) -> None:
    choose(desk, "Skip this text")
    desk.locator("#skip-form").get_by_role("button", name="Skip this text").click()
    expect(desk.get_by_label("I don’t understand the text")).to_be_focused()
    expect(desk.get_by_role("dialog")).to_be_visible()
    assert not Remark.objects.exists()


def test_without_network_what_is_filled_in_stays(desk: Page) -> None:
    fill_in_problem(desk)
    desk.context.set_offline(True)
    report(desk)
    expect(desk.locator("#problem").get_by_role("status")).to_have_text(NO_CONNECTION)
    expect(desk.locator("#problem-text")).to_have_value("The third word.")
    desk.context.set_offline(False)
    report(desk)
    assert_reported(desk)


def test_a_server_that_never_answers_is_told_from_one_that_refuses(desk: Page) -> None:
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    desk.route(PROBLEM, hold_the_first)
    fill_in_problem(desk)
    report(desk)
    eventually(desk, lambda: len(held) == 1)
    desk.clock.run_for(60_000)
    expect(desk.locator("#problem").get_by_role("status")).to_have_text(NO_CONNECTION)
    report(desk)
    assert_reported(desk)


def test_the_answer_to_a_report_is_lost(desk: Page) -> None:
    def answer_lost(route: Route) -> None:
        route.fetch()
        route.abort("connectionrefused")

    desk.route(PROBLEM, answer_lost, times=1)
    fill_in_problem(desk)
    report(desk)
    expect(desk.locator("#problem").get_by_role("status")).to_have_text(NO_CONNECTION)
    report(desk)
    assert_reported(desk)


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_in_trouble(desk: Page, status: int) -> None:
    desk.route(PROBLEM, lambda route: route.fulfill(status=status, body="<h1>Away</h1>"), times=1)
    fill_in_problem(desk)
    report(desk)
    expect(desk.locator("#problem").get_by_role("status")).to_have_text("This could not be sent. Please try again.")
    report(desk)
    assert_reported(desk)


def test_a_problem_is_reported_after_cookies_were_cleared(desk: Page) -> None:
    desk.context.clear_cookies()
    fill_in_problem(desk)
    report(desk)
    assert_reported(desk)


def test_a_text_is_skipped_after_cookies_were_cleared(desk: Page) -> None:
    first = desk.url
    desk.context.clear_cookies()
    skip(desk)
    expect(desk).not_to_have_url(first)
    assert Remark.objects.get().reason == Remark.Reason.UNCLEAR
