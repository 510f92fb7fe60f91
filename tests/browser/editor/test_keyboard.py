"""Without a mouse: every way by keys alone, a focus that can be seen, and words for those who listen."""

import random
import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from crowd.models import Remark
from tests.support.browser import SUBMIT, choose, focused, open_task, press, source_on, submit, tab_to, write
from tests.support.factories import EDIT, link_of, make_campaign, shortened


@pytest.mark.smoke
def test_the_whole_way_by_keys_alone(page: Page, live_server: LiveServer) -> None:
    campaign = make_campaign(sources=4, editor_tasks=2)
    page.goto(f"{live_server.url}/join/{link_of(campaign, EDIT).token}/?participant=keys")
    press(page, "I agree")
    press(page, "I have read", "Space")

    page.keyboard.press("Alt+g")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#draft")).to_be_focused()

    tab_to(page, "More", "Shift+Tab")
    page.keyboard.press("Space")
    tab_to(page, "Report a problem")
    page.keyboard.press("Space")
    tab_to(page, "It is broken")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "It is not in the language of the study"
    tab_to(page, "Details (optional)")
    page.keyboard.type("It is Latin.")
    tab_to(page, "Report and keep writing")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_have_text("Thanks, we’ll look at it.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert focused(page).startswith("More")
    assert Remark.objects.get().reason == Remark.Reason.LANGUAGE
    assert Remark.objects.get().text == "It is Latin."

    page.keyboard.press("Enter")
    tab_to(page, "Skip this text")
    page.keyboard.press("Enter")
    tab_to(page, "I don’t understand")
    page.keyboard.press("Space")
    assert focused(page) == "I don’t understand the text"
    tab_to(page, "Skip this text")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert Remark.objects.get(kind=Remark.Kind.SKIP).reason == Remark.Reason.UNCLEAR

    page.keyboard.press("Control+a")
    page.keyboard.type(shortened(source_on(page)))
    submit(page)
    page.keyboard.press("Control+a")
    page.keyboard.type(shortened(source_on(page)))
    press(page, "Submit and continue")
    expect(page.locator("main")).to_contain_text(link_of(campaign, EDIT).code_done)
    assert Compression.objects.count() == 2


def test_the_order_of_the_focus(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, make_campaign(sources=1, editor_start="choice"))
    expect(page.locator("#draft")).to_be_focused()
    order = [
        "Skip to the content",
        "Guidelines",
        "More",
        "Show differences",
        "Your version",
        "Submit and continue",
        "Add a comment",
    ]
    before = order.index("Your version")
    for name in reversed(order[:before]):
        page.keyboard.press("Shift+Tab")
        assert focused(page).startswith(name)
    for name in order[1:]:
        page.keyboard.press("Tab")
        assert focused(page).startswith(name)


def test_the_way_past_the_header(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, make_campaign(sources=1))
    tab_to(page, "Skip to the content", "Shift+Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page) == "Show differences"


@pytest.mark.parametrize("width", [360, 1280])
def test_guidelines_open_at_their_beginning(page: Page, live_server: LiveServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 500})
    open_task(page, live_server.url, make_campaign(sources=1, editor_guidelines="Make it shorter.\n\n" * 40))
    page.locator("#draft").focus()
    page.keyboard.press("Alt+g")
    expect(page.get_by_role("heading", name="Guidelines", exact=True)).to_be_in_viewport()
    page.keyboard.press("Alt+g")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#draft")).to_be_focused()


def test_shortcuts_wait_while_a_dialog_is_open(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, make_campaign(sources=1))
    write(page, shortened(source_on(page)))
    choose(page, "Report a problem")
    page.keyboard.press("Alt+g")
    page.keyboard.press(SUBMIT)
    expect(page.get_by_role("dialog")).to_have_count(1)
    expect(page.get_by_role("dialog", name="What is wrong with this text?")).to_be_visible()
    assert not Compression.objects.exists()


def test_the_difference_follows_the_typing(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, make_campaign(sources=1))
    source = source_on(page)
    tab_to(page, "Show differences", "Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#compare")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#source")).to_have_text(source)
    expect(page.locator("del, ins")).to_have_count(0)

    tab_to(page, "Your version")
    page.keyboard.press("Control+End")
    for _ in range(3):
        page.keyboard.press("Control+Backspace")
    page.keyboard.type("frost comes")
    expect(page.locator("#source del")).to_have_text(" winter falls.")
    expect(page.locator("#marks ins")).to_have_text(" frost comes")
    page.keyboard.press("Backspace")
    expect(page.locator("#marks ins")).to_have_text(" frost come")
    expect(page.locator("#source")).to_have_text(source)
    expect(page.locator("#source ins, #marks del")).to_have_count(0)

    page.reload()  # it stays as it was wanted
    expect(page.locator("#compare")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#marks ins")).to_have_text(" frost come")
    tab_to(page, "Show differences", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#source")).to_have_text(source)
    expect(page.locator("del, ins")).to_have_count(0)


# How high the text is, and how high its copy behind it, on which new words are marked.
HEIGHTS = """() => ["draft", "marks"].map((id) => {
    const box = document.getElementById(id);
    box.style.minHeight = "0";
    box.style.alignSelf = "start";
    const height = box.scrollHeight;
    box.removeAttribute("style");
    return height;
})"""


@pytest.mark.parametrize("width", [360, 1280])
def test_marks_lie_behind_the_words_that_they_mark(page: Page, live_server: LiveServer, width: int, seed: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    open_task(page, live_server.url, make_campaign(sources=1))
    page.get_by_role("button", name="Show differences").click()
    rng = random.Random(11 + seed)
    for _ in range(20):
        text = drawn_text(rng, 60).rstrip() + rng.choice(["", "x" * 90])
        page.locator("#draft").fill(text)
        expect(page.locator("#marks")).to_have_text(text, use_inner_text=False)
        assert page.locator("#marks").text_content() == text
        drawn, copied = page.evaluate(HEIGHTS)
        assert drawn == copied, text
    where = """(id) => {
        const { left, top, width } = document.getElementById(id).getBoundingClientRect();
        return [left, top, width];
    }"""
    assert page.evaluate(where, "draft") == page.evaluate(where, "marks")


PIECES = [
    "the",
    "old",
    "bridge",
    "don’t",
    "e\u0301t\u00e9",
    "3.5",
    "well-known",
    ",",
    ".",
    "“",
    "(",
    "😀",
    "漢字",
    "ภาษาไทยสองคำ",
    "-",
]


def drawn_text(rng: random.Random, most: int) -> str:
    pieces = [rng.choice(PIECES) + rng.choice(["", " ", " ", "  ", "\n"]) for _ in range(rng.randint(0, most))]
    return rng.choice(["", "", " "]) + "".join(pieces)


def test_the_marks_are_right_for_any_two_texts(page: Page, live_server: LiveServer, seed: int) -> None:
    rng = random.Random(7 + seed)
    texts = [drawn_text(rng, 40) for _ in range(50)]
    pairs = [(text, drawn_text(rng, 40)) for text in texts] + [
        (text, " ".join(word for word in text.split() if rng.random() < 0.7)) for text in texts
    ]
    page.goto(f"{live_server.url}/login/")
    found = page.evaluate(
        """async (pairs) => {
            const { wordDiff, wordsOf } = await import("/static/js/lib/word-diff.js");
            const trimmed = (text) => text.replace(/\\s/gu, "");
            const side = (parts, kind) =>
                trimmed(parts.filter((part) => part.kind !== kind).map((part) => part.text).join(""));
            const own = (parts) => parts.filter(({ kind }) => kind !== "gone").map((part) => part.own).join("");
            return pairs.map(([before, after]) => {
                const parts = wordDiff(wordsOf(before), wordsOf(after));
                const same = wordDiff(wordsOf(before), wordsOf(before));
                return {
                    whole: wordsOf(before).join("") === before,
                    before: [side(parts, "new"), trimmed(before)],
                    after: [side(parts, "gone"), trimmed(after)],
                    own: own(parts) === after,
                    marks: same.filter((part) => part.kind !== "same").length,
                    neighbours: parts.some((part, index) => part.kind === parts[index + 1]?.kind),
                };
            });
        }""",
        pairs,
    )
    for (before, after), result in zip(pairs, found, strict=True):
        assert result["before"][0] == result["before"][1], (before, after)
        assert result["after"][0] == result["after"][1], (before, after)
        assert (result["whole"], result["own"]) == (True, True), (before, after)
        assert (result["marks"], result["neighbours"]) == (0, False), before


def test_words_are_said_when_the_hands_rest(page: Page, live_server: LiveServer) -> None:
    page.clock.install(time=0)
    open_task(page, live_server.url, make_campaign(sources=1))
    page.clock.pause_at(60_000)
    live = page.locator("#counter-live")
    expect(live).to_have_attribute("aria-live", "polite")
    expect(live).to_have_text(re.compile("too long$"))
    page.locator("#draft").fill("They agreed.")
    page.clock.run_for(700)
    page.keyboard.type("!")
    page.clock.run_for(700)
    expect(live).to_have_text(re.compile("too long$"))
    page.clock.run_for(700)
    expect(live).to_have_text(page.locator("#counter-words").inner_text().strip())
    assert "to spare" in live.inner_text()


def in_the_tree(page: Page, words: str) -> int:
    """How often those who do not see the page meet these words on it, apart from descriptions."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    texts = [node for node in tree if node.get("role", {}).get("value") == "StaticText" and not node["ignored"]]
    return sum(words in node.get("name", {}).get("value", "") for node in texts)


def test_the_counter_is_met_once(page: Page, live_server: LiveServer) -> None:
    page.clock.install(time=0)
    open_task(page, live_server.url, make_campaign(sources=1))
    page.clock.run_for(2000)
    assert in_the_tree(page, "characters too long") == 1
    page.locator("#draft").fill("They agreed.")
    page.clock.run_for(2000)
    assert in_the_tree(page, "characters too long") == 0
    assert in_the_tree(page, "to spare") == 1


def test_the_box_says_what_the_task_is_and_what_is_to_be_shortened(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, make_campaign(sources=1))
    source = source_on(page)
    rule = page.locator(".rule").inner_text().strip()
    for pressed in (False, True):
        described = page.locator("#draft")
        expect(described).to_have_accessible_description(re.compile(re.escape(rule)))
        expect(described).to_have_accessible_description(re.compile(re.escape(source)))
        expect(described).to_have_accessible_description(re.compile("characters? too long"))
        if not pressed:
            page.get_by_role("button", name="Show differences").click()


def test_escape_means_to_go_on_working(page: Page, live_server: LiveServer) -> None:
    open_task(page, live_server.url, make_campaign(sources=1))
    write(page, "They agreed.")
    for focus in (None, "Submit anyway", "Submit and continue"):
        page.keyboard.press(SUBMIT)
        expect(page.get_by_role("alert")).to_contain_text("Submit it anyway?")
        if focus:
            page.get_by_role("button", name=focus).focus()
        page.keyboard.press("Escape")
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.locator("#draft")).to_be_focused()
    page.keyboard.press(SUBMIT)
    page.locator("details.menu > summary").click()
    page.keyboard.press("Escape")  # closes the menu and nothing else
    expect(page.get_by_role("alert")).to_contain_text("Submit it anyway?")
    page.keyboard.press("Alt+g")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("Submit it anyway?")
    assert not Compression.objects.exists()
