"""Every page that a rater can meet: without a fault that axe-core finds, and no wider than a phone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.default_texts import default_texts
from crowd.models import Assignment, Campaign, Enrolment
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from ratings.services.qualification import qualification_items_replace
from tests.support.browser import (
    check,
    choose,
    enter,
    open_task,
    press_digits,
    profile,
    rate,
    rating_campaign,
)
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    enrol,
    import_texts,
    lease_run_out,
    make_campaign,
    rate_next,
    submit_text,
)

TEXTS: dict[str, Any] = {**default_texts()}
LONG_WORD = "https://example.org/" + "a-very-long-address" * 5
SOURCE = (
    "The committee, which met for three hours on Tuesday, finally agreed to repair bridge {} before winter: "
    + LONG_WORD
)
SCALES = scales_dump(
    scales_from_text("Meaning: Which one keeps more?\n\nGrammar: Which one reads better?", side_by_side=True)
)
QUESTION = replace(EXAMPLE, source=SOURCE.format(0), compression=f"They will repair it: {LONG_WORD}")
PRACTICE = replace(QUESTION, is_practice=True)


def written(count: int = 3, editors: int = 1, **settings: Any) -> Campaign:
    """A campaign with long words in its originals and in its shorter versions."""
    campaign = make_campaign(**{"rater_tasks": count, **TEXTS, **settings})
    import_texts(campaign, [SOURCE.format(number) for number in range(count)])
    for number in range(editors):
        editor = enrol(campaign, EDIT, f"editor {number}")
        for _ in range(count):
            submit_text(editor, f"{number + 1} of them agreed on it: {LONG_WORD}")
    return campaign


@pytest.fixture
def strange(browser: Browser) -> Iterator[Page]:
    """A page that meets refusals, which browsers write to their console."""
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        yield page


def answer(page: Page, point: int) -> None:
    """Choose the same point on every scale."""
    for box in page.locator(f"input[type=radio][value='{point}']").all():
        box.check()


def go(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.locator("main").get_by_text(name, exact=True).click()


def send_form(page: Page) -> None:
    """Send the answers as a browser without scripts would."""
    with page.expect_navigation():
        page.evaluate("HTMLFormElement.prototype.submit.call(document.getElementById('rating'))")


def try_the_test(page: Page, point: int, words: str, *, questions: int = 2) -> None:
    for number in range(1, questions + 1):
        answer(page, point)
        go(page, "Submit the test" if number == questions else "Continue")
    expect(page.locator("h1")).to_have_text(words)
    check(page, f"test: {words}")


@pytest.mark.smoke
def test_practice(page: Page, live_server: LiveServer) -> None:
    campaign = rating_campaign(texts=1, **TEXTS)
    qualification_items_replace(campaign=campaign, examples=[QUESTION, PRACTICE, PRACTICE])
    enter(page, live_server.url, campaign, RATE)
    check(page, "practice")
    page.get_by_text("Guidelines", exact=True).click()
    check(page, "practice: guidelines")
    go(page, "Check my answers")
    expect(page.get_by_role("alert")).to_contain_text("Answer “Meaning”.")
    expect(page.get_by_role("alert")).to_be_focused()
    check(page, "practice: answers missing")
    answer(page, 2)
    go(page, "Check my answers")
    expect(page.get_by_role("heading", name="Our ratings")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Our ratings")).to_be_focused()
    check(page, "practice: answered, as we do not")
    go(page, "Next example")
    answer(page, 3)
    go(page, "Check my answers")
    check(page, "practice: answered, as we do")
    go(page, "Start the test")
    expect(page.locator("h1")).to_have_text("Question 1 of 1")


def test_the_raters_test(page: Page, live_server: LiveServer) -> None:
    campaign = rating_campaign(texts=1, **TEXTS)
    qualification_items_replace(campaign=campaign, examples=[QUESTION, EXAMPLE])
    enter(page, live_server.url, campaign, RATE)
    check(page, "test")
    go(page, "Continue")
    expect(page.get_by_role("alert")).to_be_focused()
    check(page, "test: answers missing")
    try_the_test(page, 1, "Not passed yet")
    go(page, "Try again")
    try_the_test(page, 1, "No attempts left")
    page.context.clear_cookies()
    enter(page, live_server.url, campaign, RATE, "somebody")
    try_the_test(page, 3, "You passed the test")


def test_waiting_between_two_tries(page: Page, live_server: LiveServer) -> None:
    campaign = rating_campaign(texts=1, qualification_wait_minutes=5, **TEXTS)
    qualification_items_replace(campaign=campaign, examples=[QUESTION])
    enter(page, live_server.url, campaign, RATE)
    try_the_test(page, 1, "Not passed yet", questions=1)
    page.goto(f"{live_server.url}/work/")
    expect(page.locator("h1")).to_have_text("Please wait 5 minutes")
    check(page, "test: waiting")


@pytest.mark.parametrize("texts", [1, 3])
def test_the_rating_page(strange: Page, live_server: LiveServer, texts: int) -> None:
    page = strange
    open_task(page, live_server.url, written(ratings_per_page=texts), RATE)
    expect(page.locator(".judged")).to_have_count(texts)
    check(page, "rating")
    page.get_by_text("Add a comment").last.click()
    press_digits(page, 3)
    page.get_by_role("button", name="Show differences").last.click()
    expect(page.locator(".version del")).not_to_have_count(0)
    check(page, "rating: begun, the comment open, differences shown")
    for name in ("Guidelines", "I can’t rate this text"):
        if name != "Guidelines" and texts == 1:
            choose(page, name)
        else:
            page.get_by_role("button", name=name).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page, f"rating: {name}")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#answer")).to_contain_text("Not submitted:")
    check(page, "rating: answers missing, by the script")
    send_form(page)
    expect(page.get_by_role("alert")).to_contain_text("Not submitted:")
    check(page, "rating: answers missing, without the script")
    page.context.set_offline(True)
    answer(page, 2)
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#answer")).to_contain_text("You’re offline.")
    check(page, "rating: waiting for the network")


@pytest.mark.parametrize("texts", [1, 2])
def test_side_by_side(page: Page, live_server: LiveServer, texts: int) -> None:
    campaign = written(2, editors=2, rating_task="pair", scales=SCALES, ratings_per_page=texts)
    pair = replace(QUESTION, answers={"meaning": [1], "grammar": [2]}, other="They will repair it.")
    qualification_items_replace(campaign=campaign, examples=[pair, replace(pair, is_practice=True)])
    enter(page, live_server.url, campaign, RATE)
    check(page, "side by side: practice")
    answer(page, 2)
    go(page, "Check my answers")
    check(page, "side by side: practice answered")
    go(page, "Start the test")
    check(page, "side by side: test")
    answer(page, 1)
    page.get_by_role("group", name="Grammar").get_by_label("About the same").check()
    go(page, "Submit the test")
    check(page, "side by side: test passed")
    go(page, "Continue to the texts")
    expect(page.locator("h1")).to_have_text(re.compile("Compare the (two )?shortened texts"))
    check(page, "side by side")
    page.get_by_role("button", name="Show differences").first.click()
    check(page, "side by side: differences")
    rate(page, *[1, 2] * texts)
    page.goto(f"{live_server.url}/work/answers/")
    check(page, "side by side: answers")


def test_answers_and_their_corrections(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, written(2), RATE)
    page.goto(f"{live_server.url}/work/answers/")
    expect(page.locator("main")).to_contain_text("You have not rated any texts yet.")
    check(page, "answers: none")
    page.go_back()
    rate(page, 3, 2)
    check(page, "rating: the second text")
    rate(page, 1, 1)
    expect(page.locator("h1")).to_have_text(re.compile("Thank you!"))
    check(page, "done")
    go(page, "Look over your answers")
    check(page, "answers")
    with page.expect_navigation():
        page.get_by_role("link", name="Change").first.click()
    expect(page.locator("h1")).to_have_text("Change your rating")
    check(page, "correction")
    go(page, "Back without saving")
    go(page, "Back to the end of the study")
    Enrolment.objects.update(finished_at=None)
    page.goto(f"{live_server.url}/work/answers/")
    expect(page.locator("main")).to_contain_text("can’t be changed any more")
    check(page, "answers: final")


def test_a_text_that_is_lost(strange: Page, live_server: LiveServer) -> None:
    page, campaign = strange, written(1, raters_per_compression=1)
    open_task(page, live_server.url, campaign, RATE)
    address = page.url
    lease_run_out(Assignment.objects.get(state="leased"))
    assert rate_next(enrol(campaign, RATE))
    press_digits(page, 3, 2)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Continue with the next text")).to_be_visible()
    check(page, "lost, by the script")
    page.route("**/renew/", lambda route: route.abort())
    page.goto(address)
    answer(page, 3)
    send_form(page)
    expect(page.get_by_role("alert")).to_contain_text("Someone else has this text now")
    check(page, "lost, without the script")


def test_what_was_answered_in_another_tab(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, written(2), RATE)
    other = page.context.new_page()
    other.goto(page.url)
    rate(other, 3, 2)
    expect(page.get_by_role("alert")).to_contain_text("in another tab")
    check(page, "answered in another tab")
