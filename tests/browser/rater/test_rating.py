"""Answering on the rating page: digits for the scales, Enter to go on, and what is written stays writing."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Source
from crowd.models import Campaign, Remark
from ratings.models import Rating
from tests.support.browser import (
    assert_stored_once,
    choose,
    chosen,
    press_digits,
    rate,
    rater_at_work,
    stored,
    tab_to,
)

SEND = "Submit and continue"


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the first of two texts."""
    with rater_at_work(browser, live_server.url) as page:
        yield page


def point(page: Page, scale: str, words: str) -> None:
    """Choose a point by the mouse."""
    page.get_by_role("group", name=re.compile(scale)).get_by_label(words).check()


def focused_scale(page: Page) -> str:
    """The name of the scale that has the focus; nothing elsewhere."""
    name: str = page.evaluate("document.activeElement.closest('fieldset')?.querySelector('strong').innerText ?? ''")
    return name


@pytest.mark.smoke
def test_digits_answer_one_scale_after_the_other_and_enter_sends(rater: Page) -> None:
    press_digits(rater, 2)
    assert chosen(rater) == [2, 0]
    assert focused_scale(rater) == "Grammar"
    press_digits(rater, 3)
    assert chosen(rater) == [2, 3]
    expect(rater.get_by_role("button", name=SEND)).to_be_focused()
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    assert_stored_once(rater, 2, 3)


def test_a_digit_is_for_the_scale_with_the_focus(rater: Page) -> None:
    rater.locator("fieldset input").last.focus()
    press_digits(rater, 2)
    assert chosen(rater) == [0, 2]
    assert focused_scale(rater) == "Meaning"
    press_digits(rater, 1)
    assert chosen(rater) == [1, 2]


def test_what_was_answered_last_can_be_answered_anew(rater: Page) -> None:
    press_digits(rater, 2, 2)
    rater.locator("fieldset input:checked").last.focus()
    press_digits(rater, 3)
    assert chosen(rater) == [2, 3]
    rater.locator("fieldset input:checked").first.focus()
    press_digits(rater, 1)
    assert chosen(rater) == [1, 3]
    expect(rater.get_by_role("button", name=SEND)).to_be_focused()


def test_other_keys_are_no_answers(rater: Page) -> None:
    keys = ["0", "4", "5", "7", "8", "9", "Control+1", "Alt+1", "Shift+Digit1", "a"]
    for key in keys:
        rater.keyboard.press(key)
    assert (chosen(rater), focused_scale(rater)) == ([0, 0], "")
    rater.locator("fieldset input").last.focus()
    for key in keys:
        rater.keyboard.press(key)
    assert (chosen(rater), focused_scale(rater)) == ([0, 0], "Grammar")


def test_enter_goes_to_the_scale_that_is_open(rater: Page) -> None:
    sent: list[str] = []
    rater.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    rater.keyboard.press("Enter")
    assert focused_scale(rater) == "Meaning"
    rater.locator("fieldset input").last.focus()
    press_digits(rater, 2)
    rater.locator("fieldset input:checked").focus()
    rater.keyboard.press("Enter")
    assert focused_scale(rater) == "Meaning"
    assert (sent, chosen(rater)) == ([], [0, 2])


def test_what_is_not_complete_is_not_sent(rater: Page) -> None:
    sent: list[str] = []
    rater.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    point(rater, "Meaning", "Much meaning")
    rater.get_by_role("button", name=SEND).click()
    expect(rater.get_by_role("alert")).to_contain_text("Not submitted: Answer “Grammar”.")
    expect(rater).to_have_title(re.compile("^Error: Text 1 of 2"))
    assert focused_scale(rater) == "Grammar"
    assert sent == []
    point(rater, "Grammar", "Flawless language")
    with rater.expect_navigation():
        rater.get_by_role("button", name=SEND).click()
    assert_stored_once(rater, 2, 3)


@pytest.mark.parametrize("name", ["Guidelines", "More", "Show differences", "Add a comment", SEND])
def test_keys_on_a_button_are_no_answers(rater: Page, name: str) -> None:
    sent: list[str] = []
    rater.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    rater.get_by_text(name, exact=True).first.focus()
    press_digits(rater, 3, 2)
    assert chosen(rater) == [0, 0]
    rater.evaluate("document.activeElement.blur()")  # the focus is nowhere, so not in the form either
    press_digits(rater, 3)
    rater.keyboard.press("Enter")
    assert (chosen(rater), sent) == ([0, 0], [])
    rater.locator(".original").click()
    press_digits(rater, 3)
    assert chosen(rater) == [3, 0]


def test_digits_answer_while_the_list_of_a_scale_is_open(rater: Page) -> None:
    scales = [{**each, "nuggets": each["key"] == "grammar"} for each in Campaign.objects.get().scales]
    Campaign.objects.update(scales=scales)
    Source.objects.update(nuggets="It rained.\nIt was cold.")
    rater.reload()
    points = rater.get_by_role("listitem").filter(has_text="It was cold.")
    expect(points).to_be_hidden()
    rater.get_by_text("What it should say").focus()
    rater.keyboard.press("Enter")
    expect(points).to_be_visible()
    press_digits(rater, 2)
    assert chosen(rater) == [0, 2]
    rater.get_by_text("What it should say").click()
    expect(points).to_be_hidden()
    press_digits(rater, 3, 1)
    assert sorted(chosen(rater)) == [1, 3]


def test_shortcuts_can_be_turned_off_for_good_and_on_again(rater: Page) -> None:
    hint = rater.get_by_text("Press 1–3 to answer and Enter to submit.")
    expect(hint).to_be_visible()
    choose(rater, "Turn off keyboard shortcuts")
    expect(hint).to_be_hidden()
    for reload in (False, True):
        if reload:
            rater.reload()
            expect(hint).to_be_hidden()
        rater.locator("fieldset input").first.focus()
        press_digits(rater, 3)
        assert chosen(rater) == [0, 0]
    rater.keyboard.press("ArrowDown")  # as in any form
    assert chosen(rater) == [2, 0]
    choose(rater, "Turn on keyboard shortcuts")
    expect(hint).to_be_visible()
    rater.locator("fieldset input").last.focus()
    press_digits(rater, 3)
    assert chosen(rater) == [2, 3]


def test_what_is_missing_is_said_at_each_question(rater: Page) -> None:
    rater.get_by_role("button", name=SEND).click()
    for name in ("Meaning", "Grammar"):
        group = rater.get_by_role("group", name=re.compile(name))
        expect(group).to_have_accessible_description(f"Answer “{name}”.")
    rater.get_by_role("button", name=SEND).click()
    expect(rater.locator(".scale > .error")).to_have_count(2)
    point(rater, "Meaning", "Much meaning")
    expect(rater.locator(".scale > .error")).to_have_text(["Answer “Grammar”."])


def test_digits_and_enter_in_a_comment_are_writing(rater: Page) -> None:
    press_digits(rater, 3, 3)
    tab_to(rater, "Add a comment", "Shift+Tab")
    rater.keyboard.press("Enter")
    tab_to(rater, "Comment for the researchers")
    rater.keyboard.type("2 words")
    rater.keyboard.press("Enter")
    rater.keyboard.type("1 comma")
    expect(rater.get_by_label("Comment for the researchers")).to_have_value("2 words\n1 comma")
    assert (chosen(rater), stored()) == ([3, 3], [])
    rater.get_by_role("button", name=SEND).focus()
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    assert_stored_once(rater, 3, 3)
    assert Remark.objects.get().text.split() == ["2", "words", "1", "comma"]


def test_guidelines_open_and_close_by_keys_and_wait_for_no_answer(rater: Page) -> None:
    press_digits(rater, 2)
    rater.keyboard.press("Alt+g")
    expect(rater.get_by_role("dialog", name="Guidelines")).to_be_visible()
    press_digits(rater, 3)
    rater.keyboard.press("Escape")
    expect(rater.get_by_role("dialog")).to_have_count(0)
    assert chosen(rater) == [2, 0]
    assert focused_scale(rater) == "Grammar"


def test_arrows_move_in_a_scale_as_everywhere(rater: Page) -> None:
    rater.locator("fieldset input").first.focus()
    rater.keyboard.press("ArrowDown")
    assert chosen(rater) == [2, 0]
    rater.keyboard.press("Tab")
    rater.keyboard.press("Space")
    assert chosen(rater) == [2, 3]
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    assert_stored_once(rater, 2, 3)


def test_a_campaign_has_scales_of_its_own(browser: Browser, live_server: LiveServer) -> None:
    points = [f"Point {number}" for number in range(1, 8)]
    scales = [{"key": "tone", "name": "Tone", "question": "Is the tone kept?", "points": points}]
    with rater_at_work(browser, live_server.url, scales=scales) as page:
        press_digits(page, 8)
        assert chosen(page) == [0]
        rate(page, 7)
        rate(page, 1)
    assert [list(each.scores.values_list("scale", "value")) for each in Rating.objects.order_by("pk")] == [
        [("tone", 7)],
        [("tone", 1)],
    ]


def test_a_text_that_cannot_be_judged_is_given_back_with_a_reason(rater: Page) -> None:
    first = rater.url
    choose(rater, "I can’t rate this text")
    dialog = rater.get_by_role("dialog", name="Why can’t you rate this text?")
    dialog.get_by_role("button", name="Skip this text").click()
    expect(dialog.get_by_label("I don’t understand the text")).to_be_focused()
    assert not Remark.objects.exists()
    dialog.get_by_label("It is not in the language of the study").check()
    dialog.get_by_label("Details (optional)").fill("Latin, I think. 3")
    with rater.expect_navigation():
        dialog.get_by_role("button", name="Skip this text").click()
    expect(rater).not_to_have_url(first)
    expect(rater.locator("h1")).to_have_text("Rate the shortened text")
    remark = Remark.objects.get()
    assert (remark.kind, remark.reason, remark.text) == ("skip", "language", "Latin, I think. 3")
    assert not Rating.objects.exists()
    rater.goto(first)
    expect(rater.locator(".messages")).to_contain_text("You skipped this text.")
