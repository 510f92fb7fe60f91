"""Cookies that are gone or another's, and leases that ran out: an open page goes on, and what was typed stays."""

import re

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression, Draft
from crowd.models import Assignment, Campaign
from tests.support.browser import (
    SUBMIT,
    assert_submitted_once,
    choose,
    drafts,
    enter,
    eventually,
    saved,
    source_on,
    submit,
    write,
)
from tests.support.factories import EDIT, RATE, edit_next, enrol, lease_run_out, make_campaign, shortened

TAKEN = "Someone else has this text now, because your reservation ran out."

ENDED = "Your reservation has ended. You can still submit unless someone else has taken this text."


def lose_the_place() -> None:
    """The lease runs out, and somebody else takes every place there is."""
    lease_run_out(Assignment.objects.get())
    other = enrol(Campaign.objects.get(), EDIT)
    edit_next(other)
    while edit_next(other):
        pass


@pytest.mark.smoke
def test_cookies_are_cleared_in_mid_text(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text[:10])
    saved(desk, text[:10])
    desk.context.clear_cookies()
    desk.keyboard.type(text[10:])
    saved(desk, text)
    desk.context.clear_cookies()
    submit(desk)
    assert_submitted_once(desk, text)


def test_the_way_on_is_open_after_cookies_were_cleared(desk: Page) -> None:
    desk.context.clear_cookies()
    lose_the_place()
    write(desk, shortened(source_on(desk)))
    desk.keyboard.press(SUBMIT)
    with desk.expect_navigation():
        desk.get_by_role("button", name="Continue with the next text").click()
    expect(desk.locator("h1")).to_have_text("No texts for you right now")


def test_the_session_of_another_link_takes_its_place(desk: Page, live_server: LiveServer) -> None:
    """Somebody opens a rater's link in another tab of the same browser."""
    text, other = shortened(source_on(desk)), make_campaign(sources=2, editors_per_source=1)
    edit_next(enrol(other, EDIT))
    for number, work_round in enumerate([RATE, EDIT]):
        write(desk, text[:10])
        other_tab = desk.context.new_page()
        enter(other_tab, live_server.url, other, work_round, f"somebody{number}")
        desk.keyboard.type(text[10:])
        saved(desk, text)
        other_tab.close()
    submit(desk)
    assert_submitted_once(desk, text)


def test_a_lease_that_ran_out_is_no_matter_while_nobody_wants_the_place(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text[:10])
    lease_run_out(Assignment.objects.get())
    desk.keyboard.type(text[10:])
    saved(desk, text)
    submit(desk)
    assert_submitted_once(desk, text)


def test_who_stops_in_mid_text_finds_it_again(desk: Page) -> None:
    write(desk, "They agreed")
    choose(desk, "Stop for now")
    desk.get_by_role("button", name="Stop for now").click()
    expect(desk.locator("h1")).to_have_text("You have stopped")
    desk.get_by_role("button", name="Continue").click()
    expect(desk.locator("#draft")).to_have_value("They agreed")
    desk.keyboard.type(".")
    submit(desk)
    assert_submitted_once(desk, "They agreed.")


@pytest.mark.parametrize("told_by", ["the submission", "the lease"])
def test_a_place_that_somebody_else_has_taken(desk: Page, told_by: str) -> None:
    text = shortened(source_on(desk), 50)
    write(desk, text[:10])
    lose_the_place()
    desk.keyboard.type(text[10:])
    if told_by == "the submission":
        desk.keyboard.press(SUBMIT)
    else:
        desk.clock.fast_forward(120_000)
    expect(desk.get_by_role("alert")).to_contain_text(f"{TAKEN} You can still copy what you wrote.")
    expect(desk.locator("#draft")).to_have_value(text)
    expect(desk.locator("#draft")).not_to_be_editable()
    expect(desk.get_by_role("button", name="Submit and continue")).to_be_hidden()
    with desk.expect_navigation():
        desk.get_by_role("button", name="Continue with the next text").click()
    expect(desk.locator("h1")).to_have_text("No texts for you right now")
    assert drafts() == {text}
    assert text not in Compression.objects.values_list("text", flat=True)


def test_the_last_words_are_kept_although_a_save_is_on_its_way_when_the_place_is_lost(desk: Page) -> None:
    text, held = shortened(source_on(desk), 50), list[Route]()
    lose_the_place()

    def hold(route: Route) -> None:
        held.append(route)

    desk.route("**/drafts/**", hold)
    write(desk, text[:10])
    eventually(desk, lambda: len(held) == 1)
    desk.keyboard.type(text[10:])
    desk.keyboard.press(SUBMIT)
    expect(desk.get_by_role("alert")).to_contain_text(TAKEN)
    held[0].continue_()
    desk.unroute("**/drafts/**")
    eventually(desk, lambda: drafts() == {text})


def test_a_page_left_open_has_its_lease_renewed_and_does_not_speak_of_it(desk: Page) -> None:
    before = Assignment.objects.get().lease_ends_at
    with desk.expect_response(re.compile("/renew/")):
        desk.clock.run_for(121_000)
    after = Assignment.objects.get().lease_ends_at
    assert before
    assert after
    assert after > before
    expect(desk.locator("#lease")).to_be_hidden()


def test_a_participant_is_told_when_renewing_fails_and_time_runs_short(desk: Page) -> None:
    desk.context.set_offline(True)
    desk.clock.fast_forward(24 * 60_000)
    expect(desk.locator("#lease")).to_be_hidden()
    desk.clock.fast_forward(2 * 60_000)
    expect(desk.locator("#lease").get_by_role("alert")).to_have_text("Your reservation ends in 4 minutes.")
    desk.clock.fast_forward(5 * 60_000)
    expect(desk.locator("#lease").get_by_role("alert")).to_have_text(ENDED)
    desk.context.set_offline(False)
    desk.get_by_role("button", name="Keep this text").click()
    expect(desk.locator("#lease")).to_be_hidden()
    expect(desk.locator("#draft")).to_be_focused()
    assert not Draft.objects.exists()
