"""The log of edits, written down by a real browser: every kind of change, and always the way to the text."""

import random
from collections.abc import Iterable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from measures.keystrokes.edit_log import Kind, replay
from tests.support.browser import choose, open_task, page_record, profile, saved, submitted_log, write
from tests.support.factories import make_campaign

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


RECORD = """async ([start, events]) => {
    const { Recorder } = await import("/static/js/lib/recorder.js");
    const listeners = {};
    const box = { value: start, addEventListener: (kind, listener) => { listeners[kind] = listener; } };
    const recorder = new Recorder(box, () => {}, start);
    recorder.start({ beginning: start, log: [], sinceMs: 0 });
    for (const [value, [from, to], inputType, isTrusted] of events) {
        [box.selectionStart, box.selectionEnd] = [from, to];
        listeners.beforeinput({});
        box.value = value;
        listeners.input({ inputType, isTrusted });
    }
    return recorder.log.map(([position, removed, inserted, kind]) => [position, removed, inserted, kind]);
}"""
Event = tuple[str, tuple[int, int], str, bool]


def recorded(page: Page, *events: Event) -> list[tuple[int, str, str, str]]:
    """What a recorder makes of events that this browser has no means to bring about as a phone does: the text after
    each, what was selected before it, its type, and whether it is the browser's own.
    """
    return [tuple(each) for each in page.evaluate(RECORD, [START, events])]


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


def test_what_browsers_and_phones_put_right(desk: Page) -> None:
    log = recorded(
        desk,
        ("They consented to it.", (17, 17), "insertReplacementText", True),
        ("We consented to it.", (17, 17), "insertText", True),
        ("I consented to it.", (0, 2), "insertText", True),
    )
    assert log == [
        (5, "agre", "consent", Kind.AUTOCORRECT),
        (0, "They", "We", Kind.AUTOCORRECT),
        (0, "We", "I", Kind.TYPING),
    ]


@pytest.mark.parametrize("input_type", ["insertText", "insertReplacementText", "insertFromPaste", "historyUndo", ""])
def test_what_a_script_puts_in_is_no_typing(desk: Page, input_type: str) -> None:
    assert recorded(desk, ("They did.", (17, 17), input_type, False)) == [(5, "agreed to it", "did", Kind.SCRIPTED)]


def test_the_page_counts_keys_and_what_scripts_do(desk: Page) -> None:
    begin(desk)
    desk.keyboard.type("Yes!")
    desk.keyboard.press("Backspace")
    desk.keyboard.press("ArrowLeft")
    desk.keyboard.press("Control+c")
    desk.evaluate(
        """() => {
            const box = document.getElementById("draft");
            box.value = "They did.";
            box.dispatchEvent(new InputEvent("input", { inputType: "insertText", bubbles: true }));
            box.dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true }));
        }"""
    )
    assert submitted_log(desk)[-1].kind is Kind.SCRIPTED
    assert Compression.objects.get().page_record == {
        **{"v": 1, "keys": 5, "soft": 0, "untrusted": 1, "webdriver": 1, "touch": 0, "away_n": 0, "away_ms": 0}
    }


def test_counts_outlast_a_reload_and_are_unknown_elsewhere(desk: Page, browser: Browser) -> None:
    write(desk, "They")
    saved(desk, "They")
    desk.reload()
    desk.keyboard.type(" agreed")
    saved(desk, "They agreed")
    with profile(browser) as context:
        context.add_cookies(desk.context.cookies())  # type: ignore[arg-type]
        elsewhere = context.new_page()
        elsewhere.goto(desk.url)
        expect(elsewhere.locator("#draft")).to_have_value("They agreed")
        elsewhere.keyboard.type(" to it")
        saved(elsewhere, "They agreed to it")
    desk.keyboard.type(".")
    submitted_log(desk)
    assert page_record()["keys"] == len("They agreed.")


def test_a_text_continued_in_another_browser_has_no_counts(desk: Page, browser: Browser) -> None:
    write(desk, "They")
    saved(desk, "They")
    with profile(browser) as context:
        context.add_cookies(desk.context.cookies())  # type: ignore[arg-type]
        elsewhere = context.new_page()
        elsewhere.goto(desk.url)
        expect(elsewhere.locator("#draft")).to_have_value("They")
        elsewhere.keyboard.type(" agreed.")
        submitted_log(elsewhere)
    assert Compression.objects.get().page_record is None


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
        page.keyboard.press("Enter")
        expect(page.locator("#draft")).to_have_value("The people agree\n")
        log = submitted_log(page)
        assert {edit.kind for edit in log} == {Kind.COMPOSITION, Kind.TYPING}
        assert page_record()["touch"] == 1
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
