"""The log of edits, written down by a real browser: every kind of change, and always the way to the text."""

import random
from collections.abc import Iterable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from measures.keystrokes.edit_log import Kind, replay
from tests.support.browser import choose, chromium, open_task, profile, saved, submitted_log, write
from tests.support.factories import make_campaign

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium() is None, reason="no Chromium was found"),
]

START = "They agreed to it."


def begin(page: Page) -> None:
    """A short text, the caret at its end."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#draft").fill(START)
    page.locator("#draft").press("End")


def changes(page: Page, *, to: str) -> list[tuple[int, str, str, Kind]]:
    """Submit; what happened after `begin`."""
    expect(page.locator("#draft")).to_have_value(to)
    return [(edit.position, edit.removed, edit.inserted, edit.kind) for edit in submitted_log(page)[1:]]


def dispatch(page: Page, setting: tuple[str, int, int], input_type: str) -> None:
    """An edit as keyboards of phones and browsers' own menus make it."""
    page.evaluate(
        """([setting, inputType]) => {
            const box = document.getElementById("draft");
            box.dispatchEvent(new InputEvent("beforeinput", { inputType, bubbles: true }));
            const [text, start, end] = setting;
            box.setRangeText(text, start, end, "end");
            box.dispatchEvent(new InputEvent("input", { inputType, bubbles: true }));
        }""",
        [setting, input_type],
    )


@pytest.mark.smoke
def test_typing(desk: Page) -> None:
    begin(desk)
    desk.keyboard.type("Yé")
    desk.keyboard.press("Enter")
    desk.keyboard.type("x")
    assert changes(desk, to=f"{START}Yé\nx") == [
        (18, "", "Y", Kind.TYPING),
        (19, "", "é", Kind.TYPING),
        (20, "", "\n", Kind.TYPING),
        (21, "", "x", Kind.TYPING),
    ]


def test_typing_over_a_selection(desk: Page) -> None:
    begin(desk)
    desk.keyboard.press("Control+Shift+ArrowLeft")
    desk.keyboard.press("Control+Shift+ArrowLeft")
    desk.keyboard.type("us.")
    assert changes(desk, to="They agreed to us.") == [
        (15, "it.", "u", Kind.TYPING),
        (16, "", "s", Kind.TYPING),
        (17, "", ".", Kind.TYPING),
    ]


def test_deletion(desk: Page) -> None:
    begin(desk)
    desk.keyboard.press("Backspace")
    desk.keyboard.press("Control+Backspace")
    desk.keyboard.press("Home")
    desk.keyboard.press("Delete")
    desk.keyboard.press("Control+Delete")
    desk.keyboard.press("Shift+End")
    desk.keyboard.press("Backspace")
    desk.keyboard.type("Yes")
    log = changes(desk, to="Yes")
    assert [kind for *_, kind in log] == [Kind.DELETION] * 5 + [Kind.TYPING] * 3
    assert [removed for _, removed, *_ in log[:3]] == [".", "it", "T"]


def test_cut_and_paste(desk: Page) -> None:
    begin(desk)
    desk.keyboard.press("Control+Shift+ArrowLeft")
    desk.keyboard.press("Control+Shift+ArrowLeft")
    desk.keyboard.press("Control+x")
    desk.keyboard.press("Home")
    desk.keyboard.press("Control+v")
    assert changes(desk, to="it.They agreed to ") == [(15, "it.", "", Kind.CUT), (0, "", "it.", Kind.PASTE)]


def test_paste_over_everything(desk: Page) -> None:
    begin(desk)
    desk.evaluate("navigator.clipboard.writeText('Yes,\\r\\nthey did 👍🏽.')")
    desk.keyboard.press("Control+a")
    desk.keyboard.press("Control+v")
    assert changes(desk, to="Yes,\nthey did 👍🏽.") == [(0, START[:-1], "Yes,\nthey did 👍🏽", Kind.PASTE)]


def test_undo_and_redo(desk: Page) -> None:
    begin(desk)
    desk.keyboard.type("X")
    desk.keyboard.press("Control+z")
    desk.keyboard.press("Control+Shift+z")
    assert changes(desk, to=f"{START}X") == [
        (18, "", "X", Kind.TYPING),
        (18, "X", "", Kind.UNDO),
        (18, "", "X", Kind.REDO),
    ]


def test_text_dragged_to_another_place(desk: Page) -> None:
    begin(desk)
    box = desk.locator("#draft").bounding_box()
    assert box
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    desk.locator("#draft").dblclick(position={"x": 30, "y": 22})
    assert desk.evaluate("getSelection().toString()").strip() == "They"
    desk.mouse.move(box["x"] + 30, box["y"] + 22)
    desk.mouse.down()
    desk.mouse.move(box["x"] + 40, box["y"] + 60, steps=5)
    desk.mouse.move(box["x"] + 60, box["y"] + 118, steps=10)
    desk.mouse.up()
    expect(desk.locator("#draft")).not_to_have_value(f"{START}\n\n\n")
    log = submitted_log(desk)
    assert {edit.kind for edit in log[4:]} == {Kind.DROP}
    assert [(edit.removed.strip(), edit.inserted.strip()) for edit in log[4:]] == [("They", ""), ("", "They")]


def test_what_the_browser_puts_right(desk: Page) -> None:
    begin(desk)
    dispatch(desk, ("consented", 5, 11), "insertReplacementText")
    dispatch(desk, ("We", 0, 4), "insertText")
    assert changes(desk, to="We consented to it.") == [
        (5, "agre", "consent", Kind.AUTOCORRECT),
        (0, "They", "We", Kind.AUTOCORRECT),
    ]


def compose(page: Page, steps: Iterable[str], committed: str) -> None:
    """What an input method does: it shows something until it is told what is meant."""
    keyboard = page.context.new_cdp_session(page)
    for text in steps:
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    keyboard.send("Input.insertText", {"text": committed})


def test_composition(desk: Page) -> None:
    begin(desk)
    compose(desk, ["に", "にほ", "にほん"], "日本")
    assert changes(desk, to=f"{START}日本") == [
        (18, "", "に", Kind.COMPOSITION),
        (19, "", "ほ", Kind.COMPOSITION),
        (20, "", "ん", Kind.COMPOSITION),
        (18, "にほん", "日本", Kind.COMPOSITION),
    ]


def test_characters_that_are_more_than_one(desk: Page) -> None:
    """Halves of a pair are never torn apart, and positions count code points."""
    begin(desk)
    for text in ("😀", "😁", "e", "\u0301", "👨\u200d👩"):
        desk.keyboard.insert_text(text)
    desk.keyboard.press("Home")
    desk.keyboard.insert_text("😁")
    desk.keyboard.press("ArrowLeft")
    desk.keyboard.insert_text("😀")
    desk.keyboard.press("Delete")
    desk.keyboard.insert_text("𝄞")
    assert changes(desk, to=f"😀𝄞{START}😀😁e\u0301👨\u200d👩") == [
        (18, "", "😀", Kind.TYPING),
        (19, "", "😁", Kind.TYPING),
        (20, "", "e", Kind.TYPING),
        (21, "", "\u0301", Kind.TYPING),
        (22, "", "👨\u200d👩", Kind.TYPING),
        (0, "", "😁", Kind.TYPING),
        (0, "", "😀", Kind.TYPING),
        (1, "😁", "", Kind.DELETION),
        (1, "", "𝄞", Kind.TYPING),
    ]


def test_a_phone(browser: Browser, live_server: LiveServer) -> None:
    """There every word is composed, and put right when it is done."""
    with profile(browser, has_touch=True, is_mobile=True, device_scale_factor=2) as context:
        page = context.new_page()
        open_task(page, live_server.url, make_campaign(sources=1, editor_tasks=1))
        page.locator("#draft").tap()
        page.keyboard.press("Control+a")
        compose(page, ["T", "Th", "The"], "The")
        page.keyboard.insert_text(" ")
        compose(page, ["p", "po", "poe", "poep"], "people")
        page.keyboard.insert_text(" ")
        compose(page, ["agreed", "agree"], "agree")
        dispatch(page, ("We", 0, 10), "insertText")
        page.keyboard.press("Enter")
        expect(page.locator("#draft")).to_have_value("We\n agree")
        log = submitted_log(page)
        assert {edit.kind for edit in log} == {Kind.COMPOSITION, Kind.TYPING, Kind.AUTOCORRECT}
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360


def test_what_the_page_does_to_the_box(desk: Page) -> None:
    begin(desk)
    choose(desk, "Start again from the original")
    desk.keyboard.press("Control+z")
    assert [kind for *_, kind in changes(desk, to=START)] == [Kind.OTHER, Kind.UNDO]


KEYS = {
    "Backspace": 12,
    "Delete": 6,
    "Enter": 2,
    "ArrowLeft": 10,
    "ArrowRight": 6,
    "Home": 2,
    "End": 2,
    "Shift+ArrowLeft": 8,
    "Shift+ArrowRight": 8,
    "Control+Shift+ArrowLeft": 5,
    "Control+Backspace": 3,
    "Control+c": 5,
    "Control+x": 5,
    "Control+v": 10,
    "Control+z": 12,
    "Control+Shift+z": 8,
    "Control+a": 1,
}
LETTERS = ["a", "b", " ", "é", "\u0301", "😀", "😁", "\u200d", "漢"]


@pytest.mark.parametrize("seed", range(3), indirect=True)
def test_whatever_is_done_the_log_leads_to_the_text(desk: Page, seed: int) -> None:
    rng = random.Random(seed)
    begin(desk)
    for _ in range(150):
        if rng.random() < 0.45:
            desk.keyboard.insert_text(rng.choice(LETTERS))
        else:
            desk.keyboard.press(rng.choices(list(KEYS), list(KEYS.values()))[0])
    text = desk.locator("#draft").input_value()
    saved(desk, text)
    write(desk, "They agreed.")
    log = submitted_log(desk)
    before = replay(Compression.objects.get().source.text, log[: -len("They agreed.")])
    assert before == text
    assert {Kind.TYPING, Kind.DELETION, Kind.PASTE, Kind.UNDO} <= {edit.kind for edit in log}
