"""Editors and raters in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from crowd.models import Campaign, Enrolment
from measures.keystrokes.edit_log import parse_log, replay
from measures.text.length_rule import allowed_length
from ratings.example_check import ExampleText
from ratings.services.qualification import qualification_items_replace
from tests.support.browser import SUBMIT, choose, enter, rate, source_on, stored, submit, write
from tests.support.factories import EDIT, RATE, edit_next, enrol, link_of, make_campaign, shortened

EXAMPLE = ExampleText(
    source="The old bridge will be closed all winter.",
    compression="The old bridge is closed.",
    answers={"meaning": [2], "grammar": [3]},
    why="A detail is lost.",
)


@pytest.mark.both_databases
@pytest.mark.smoke
def test_an_editor_walks_from_the_link_to_the_code(page: Page, live_server: LiveServer) -> None:
    campaign = make_campaign(sources=3, editor_tasks=2)
    enter(page, live_server.url, campaign, EDIT)
    for _ in range(2):
        write(page, shortened(source_on(page)))
        expect(page.locator("#counter-words")).to_have_text(re.compile("Short enough"))
        submit(page)
    expect(page.locator("main")).to_contain_text(link_of(campaign, EDIT).code_done)
    for compression in Compression.objects.select_related("source"):
        log = parse_log(compression.edit_log)
        assert replay(compression.source.text, log) == compression.text
        assert len(log) > 10  # every key is an operation
    assert Compression.objects.count() == 2


def test_the_counter_follows_the_rule_as_one_types(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server.url, make_campaign(sources=1), EDIT)
    source = source_on(page)
    allowed = allowed_length(source)
    counter = page.locator("#counter-words")
    expect(counter).to_have_text(f"{len(source) - allowed} characters too long")
    write(page, "x" * (allowed + 1))
    expect(counter).to_have_text("1 character too long")
    page.keyboard.press("Backspace")
    expect(counter).to_have_text("Short enough: right at the limit")
    page.keyboard.press("Backspace")
    expect(counter).to_have_text("Short enough: 1 character to spare")
    page.keyboard.press("End")
    page.keyboard.type("\u00a0  e\u0301\u200b😀")
    expect(counter).to_have_text("2 characters too long")


def bar_on(page: Page) -> tuple[float, float, float]:
    """How long the text is beside the original, in percent: up to the limit, beyond it, and where the limit is."""
    width = [float(page.locator(f"#length-{part}").get_attribute("width") or "") for part in ("fill", "over")]
    return width[0], width[1], float(page.locator("#length-limit").get_attribute("x") or "")


def test_the_bar_shows_the_length_and_the_limit(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server.url, make_campaign(sources=1), EDIT)
    source = source_on(page)
    fill, over, limit = bar_on(page)
    assert fill == limit == pytest.approx(75, abs=1)
    assert fill + over == pytest.approx(100, abs=0.2)
    write(page, "x" * (len(source) * 2))
    assert bar_on(page) == (fill, over, limit)
    write(page, "x" * (len(source) // 2))
    assert [*bar_on(page)] == pytest.approx([50, 0, limit], abs=1)
    expect(page.locator("#counter")).to_have_class("is-accepted")


REFUSED = {
    "": "Write some text.",
    "1234 5678": "Write some text.",
    "The comm": "Your text ends in the middle of a word.",
    "x" * 200: r"\d+ characters too long",
    "The ﷺ " * 12: "Write out special characters",
}


def test_a_text_that_the_rule_refuses_is_not_sent(page: Page, live_server: LiveServer) -> None:
    page.clock.install(time=0)
    enter(page, live_server.url, make_campaign(sources=1, editor_tasks=1), EDIT)
    page.clock.pause_at(60_000)  # drafts are saved later
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    for text, reason in REFUSED.items():
        page.locator("#draft").fill(text)
        page.clock.run_for(20)  # the counter comes with the next frame
        expect(page.locator("#counter-words")).to_have_text(re.compile(reason))
        page.get_by_role("button", name="Submit and continue").click()
        expect(page.locator("#answer")).to_have_text(re.compile(f"Not submitted: {reason}"))
        expect(page.locator("#draft")).to_be_focused()
        expect(page.locator("#draft")).to_have_value(text)
    assert sent == []
    write(page, "They agreed.")
    submit(page)
    assert Compression.objects.get().text == "They agreed."


def test_why_a_text_was_not_sent_stays_to_be_read(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server.url, make_campaign(sources=1), EDIT)
    with page.expect_response(re.compile("/drafts/")):
        write(page, "1234 5678")
        page.keyboard.press(SUBMIT)
    expect(page.locator("#answer")).to_have_text("Not submitted: Write some text.")


def test_what_the_server_refuses_stays_with_its_reason(page: Page, live_server: LiveServer) -> None:
    campaign = make_campaign(sources=1, editor_tasks=1)
    enter(page, live_server.url, campaign, EDIT)
    text = shortened(source_on(page))
    write(page, text)
    Campaign.objects.update(keep_percent=50)  # what the page does not know yet
    address = page.url
    page.keyboard.press(SUBMIT)
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"^Not submitted: \d+ characters too long\.$"))
    expect(page.locator("#answer")).to_be_focused()
    expect(page).to_have_title(re.compile("^Error: Text 1 of 1"))
    expect(page.locator("#draft")).to_have_value(text)
    expect(page.locator("#draft")).to_have_attribute("aria-invalid", "true")
    assert page.url == address
    write(page, "They agreed.")
    submit(page)
    assert Compression.objects.get().text == "They agreed."


def test_a_reload_keeps_the_draft_and_goes_on_with_its_log(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server.url, make_campaign(sources=1, editor_tasks=1), EDIT)
    text = shortened(source_on(page))
    write(page, text[:-1])
    page.reload()
    expect(page.locator("#draft")).to_have_value(text[:-1])
    page.keyboard.type(text[-1])
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and continue").click()
    assert Compression.objects.get().text == text


def test_a_double_click_submits_once_and_back_shows_what_was_submitted(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server.url, make_campaign(sources=2, editor_tasks=2), EDIT)
    text = shortened(source_on(page))
    write(page, text)
    first = page.url
    page.get_by_role("button", name="Submit and continue").dblclick()
    expect(page).not_to_have_url(first)
    second = page.url
    page.go_back()
    expect(page).to_have_url(first)
    expect(page.get_by_role("heading", level=1)).to_have_text("You have submitted this text")
    expect(page.locator("main")).to_contain_text(text)
    page.get_by_role("link", name="Continue").click()
    expect(page).to_have_url(second)
    assert Compression.objects.get().text == text


def test_start_again_restores_the_original_and_can_be_undone(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server.url, make_campaign(sources=1), EDIT)
    write(page, "Short now")
    choose(page, "Start again")
    expect(page.locator("#draft")).to_have_value(source_on(page))
    page.keyboard.press("ControlOrMeta+Z")
    expect(page.locator("#draft")).to_have_value("Short now")


@pytest.mark.both_databases
@pytest.mark.smoke
def test_a_rater_passes_the_test_and_judges_by_keys(page: Page, live_server: LiveServer) -> None:
    campaign = make_campaign(sources=2, editors_per_source=1, rater_tasks=2)
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE])
    editor = enrol(campaign, EDIT)
    while edit_next(editor):
        pass
    enter(page, live_server.url, campaign, RATE)
    page.get_by_role("group", name=re.compile("Meaning")).get_by_label("Much meaning").check()
    page.get_by_role("group", name=re.compile("Grammar")).get_by_label("Flawless language").check()
    page.locator("main").get_by_role("button").first.click()
    expect(page.locator("main")).to_contain_text(EXAMPLE.why)
    page.locator("main").get_by_role("button").first.click()
    for _ in range(2):
        page.locator("#rating").wait_for()
        page.wait_for_load_state("load")
        rate(page, 3, 2)
    expect(page.locator("main")).to_contain_text(link_of(campaign, RATE).code_done)
    assert stored() == [(3, 2), (3, 2)]
    assert Enrolment.objects.get(round=RATE).qualified_at is not None


def test_the_browser_replays_what_it_recorded(page: Page, live_server: LiveServer) -> None:
    """Whatever one text becomes: the operation between them leads from the first to the second, here and there."""
    texts = [
        "",
        "a",
        "aa",
        "aba",
        "\U0001f600",
        "\U0001f601",
        "a\U0001f600",
        "\U0001f600\U0001f601\U0001f600",
        "e\u0301",
        "\u00e9",
    ]
    page.goto(f"{live_server.url}/login/")
    pairs = [(before, after) for before in texts for after in texts if before != after]
    logs = page.evaluate(
        """async (pairs) => {
            const { operationBetween, replay } = await import("/static/js/lib/edit-log.js");
            return pairs.map(([before, after]) => {
                const log = [operationBetween(before, after, "typing", 1)];
                return [log, replay(before, log)];
            });
        }""",
        pairs,
    )
    for (before, after), (log, replayed) in zip(pairs, logs, strict=True):
        assert replayed == after
        assert replay(before, parse_log(log)) == after


# Notes what a script asks of the layout: the browser must lay out the page at once to answer it.
NOTE_QUESTIONS = """() => {
    window.asked = [];
    const getters = [[VisualViewport, "height"], [VisualViewport, "offsetTop"], [VisualViewport, "scale"],
        [Element, "clientHeight"], [Element, "scrollHeight"], [HTMLElement, "offsetHeight"]];
    for (const [{ prototype }, name] of getters) {
        const { get } = Object.getOwnPropertyDescriptor(prototype, name);
        Object.defineProperty(prototype, name, { get() { window.asked.push(name); return get.call(this); } });
    }
    const { getBoundingClientRect } = Element.prototype;
    Element.prototype.getBoundingClientRect = function () {
        window.asked.push("getBoundingClientRect");
        return getBoundingClientRect.call(this);
    };
}"""


@pytest.mark.parametrize("shows_differences", [False, True])
def test_a_letter_does_not_wait_for_questions_about_the_layout(
    page: Page, live_server: LiveServer, shows_differences: bool
) -> None:
    enter(page, live_server.url, make_campaign(sources=1), EDIT)
    if shows_differences:
        page.get_by_role("button", name="Show differences").click()
    page.locator("#draft").press("Control+Home")
    page.keyboard.type("a")
    expect(page.locator("#answer")).to_have_text("Saved.")
    page.evaluate(NOTE_QUESTIONS)
    page.keyboard.type("bcd")
    if shows_differences:
        expect(page.locator("#marks ins")).to_have_text(re.compile("abcd"))
    page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")
    assert page.evaluate("asked") == []
