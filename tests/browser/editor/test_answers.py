"""The answer beside the button: what it says, how often it is announced, and what can be done about it."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from compressions.models import Compression
from crowd.models import Campaign
from measures.keystrokes.edit_log import Kind, parse_log
from tests.support.browser import (
    SUBMIT,
    assert_submitted_once,
    choose,
    saved,
    source_on,
    submit,
    write,
)
from tests.support.factories import shortened

# Whatever screen readers are told: alerts that come, and texts that a status changes to.
LISTEN = """() => {
    window.said = [];
    new MutationObserver((records) => {
        for (const { addedNodes, target } of records) {
            const region = target.closest?.("[role=status], [aria-live]");
            for (const node of addedNodes) {
                if (node.getAttribute?.("role") === "alert" || region) window.said.push(node.textContent);
            }
        }
    }).observe(document.body, { childList: true, subtree: true });
}"""
TOO_LONG = re.compile(r"^Not submitted: \d+ characters too long\.$")
QUESTION = "This is very short. Submit it anyway?"


def said(page: Page, words: re.Pattern[str] | str) -> int:
    heard: list[str] = page.evaluate("said")
    return sum(bool(re.search(words, each)) for each in heard)


@pytest.mark.smoke
def test_a_refusal_is_announced_each_time(desk: Page) -> None:
    desk.evaluate(LISTEN)
    for count in (1, 2, 3):
        desk.keyboard.press(SUBMIT)
        assert said(desk, TOO_LONG) == count
    expect(desk).to_have_title(re.compile(r"^Error: Text 1 of 2"))
    desk.keyboard.type("!")
    expect(desk).to_have_title(re.compile(r"^Text 1 of 2"))
    expect(desk.get_by_role("alert")).to_have_count(0)
    saved(desk, desk.locator("#draft").input_value())


def test_trouble_with_saving_is_announced_once_and_passes(desk: Page) -> None:
    desk.evaluate(LISTEN)
    desk.context.set_offline(True)
    write(desk, "They agreed to repair")
    desk.clock.run_for(30_000)
    expect(desk.get_by_role("alert")).to_have_text("You’re offline. Your text is safe in this browser.")
    assert said(desk, "You’re offline") == 1
    desk.context.set_offline(False)
    saved(desk, "They agreed to repair")
    expect(desk.get_by_role("alert")).to_have_count(0)


def test_the_servers_reason_stays_while_the_text_is_changed(desk: Page) -> None:
    write(desk, shortened(source_on(desk)))
    Campaign.objects.update(keep_percent=1)
    desk.keyboard.press(SUBMIT)
    expect(desk.get_by_role("alert")).to_have_text(TOO_LONG)
    write(desk, "They agreed to repair the bridge.")
    saved_by_then = desk.locator("#answer").inner_text()
    assert TOO_LONG.match(saved_by_then)
    Campaign.objects.update(keep_percent=75)
    submit(desk)
    assert_submitted_once(desk, "They agreed to repair the bridge.")


def test_a_refused_form_says_so_in_its_title_and_takes_the_reader_to_the_reason(desk: Page) -> None:
    with desk.expect_navigation():
        desk.evaluate("HTMLFormElement.prototype.submit.call(document.getElementById('editor'))")
    expect(desk).to_have_title(re.compile(r"^Error: Text 1 of 2"))
    expect(desk.locator("#answer")).to_be_focused()
    expect(desk.get_by_role("alert")).to_have_text(re.compile(r"Not submitted:\s+\d+ characters too long\."))
    write(desk, "They agreed to repair the bridge.")
    submit(desk)
    assert_submitted_once(desk, "They agreed to repair the bridge.")


def test_a_question_is_answered_by_going_on_or_by_sending_the_text(desk: Page) -> None:
    sent: list[str] = []
    desk.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    write(desk, "They agreed.")
    for goes_on_by in ("the button", "typing"):
        desk.keyboard.press(SUBMIT)
        expect(desk.get_by_role("alert")).to_have_text(QUESTION)
        expect(desk.locator("#answer")).to_be_focused()
        if goes_on_by == "typing":
            write(desk, "They agreed.")
        else:
            desk.get_by_role("button", name="Keep working").click()
        expect(desk.get_by_role("alert")).to_have_count(0)
        expect(desk.locator("#draft")).to_be_focused()
    assert sent == []
    desk.keyboard.press(SUBMIT)
    with desk.expect_navigation():
        desk.get_by_role("button", name="Submit anyway").click()
    assert_submitted_once(desk, "They agreed.")


def test_asked_to_submit_again_the_page_repeats_its_question_and_keeps_the_focus_there(desk: Page) -> None:
    write(desk, "They agreed.")
    desk.evaluate(LISTEN)
    for count in (1, 2, 3):
        desk.keyboard.press(SUBMIT)
        assert said(desk, re.escape(QUESTION)) == count
        desk.evaluate("new Promise((resolve) => setTimeout(resolve))")
        expect(desk.locator("#answer")).to_be_focused()
    desk.get_by_role("button", name="Keep working").click()
    expect(desk.locator("#draft")).to_be_focused()
    desk.keyboard.press(SUBMIT)
    desk.get_by_role("button", name="Submit and continue").click()
    expect(desk.locator("#answer")).to_be_focused()
    with desk.expect_navigation():
        desk.get_by_role("button", name="Submit anyway").click()
    assert_submitted_once(desk, "They agreed.")


UNDO = "Undo: put my text back"


def test_start_again_can_be_undone_after_a_reload(desk: Page) -> None:
    write(desk, "They agreed to repair the bridge")
    choose(desk, "Start again")
    expect(desk.locator("#draft")).to_have_value(source_on(desk))
    desk.reload()
    expect(desk.locator("#draft")).to_have_value(source_on(desk))
    desk.keyboard.type("!")  # a slip does not take the text away
    desk.get_by_role("button", name=UNDO).click()
    expect(desk.locator("#draft")).to_have_value("They agreed to repair the bridge")
    expect(desk.get_by_role("button", name=UNDO)).to_be_hidden()
    desk.keyboard.type(".")
    saved(desk, "They agreed to repair the bridge.")
    desk.reload()
    expect(desk.locator("#draft")).to_have_value("They agreed to repair the bridge.")
    expect(desk.get_by_role("button", name=UNDO)).to_be_hidden()
    submit(desk)
    assert_submitted_once(desk, "They agreed to repair the bridge.")
    stored = Compression.objects.get()
    undone = [index for index, edit in enumerate(parse_log(stored.edit_log)) if edit.kind == Kind.UNDO]
    assert len(undone) == 1
    assert undone[0] not in [operation for _, _, operation in stored.flags]


def test_a_record_that_was_refused_is_given_up_and_the_text_is_not(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text)
    desk.route("**/work/edit/*/", lambda route: route.fulfill(status=422, json=REFUSED), times=1)
    desk.keyboard.press(SUBMIT)
    expect(desk.get_by_role("alert")).to_contain_text("Something went wrong while recording your edits.")
    choose(desk, "Start again")
    expect(desk.locator("#draft")).to_have_value(source_on(desk))
    desk.reload()
    desk.get_by_role("button", name=UNDO).click()
    expect(desk.locator("#draft")).to_have_value(text)
    submit(desk)
    assert_submitted_once(desk, text)
    assert len(Compression.objects.get().edit_log) < 5


REFUSED = json.loads('{"error": "Something went wrong while recording your edits.", "code": ""}')
