"""Editors and raters in a real browser."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from crowd.models import Campaign, Enrolment
from measures.edits import parse_log, replay
from measures.length import allowed_length
from measures.tests.vectors import FILE, length_vectors
from ratings.models import Rating
from ratings.services.qualification import Example, qualification_items_replace
from tests.browser import chromium, running_chromium
from tests.factories import EDIT, RATE, edit_next, enrol, link_of, make_campaign, shortened

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium() is None, reason="no Chromium was found"),
]

EXAMPLE = Example(
    "The old bridge will be closed all winter.", "The old bridge is closed.", [2], [3], "A detail is lost."
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as running:
        # Playwright keeps an event loop in this thread, which Django takes for asynchronous code.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        yield running
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a fresh profile; an error in its scripts fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 780})
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert [error for error in errors if "422" not in error] == []


def enter(page: Page, live_server: LiveServer, campaign: Campaign, work_round: str) -> None:
    page.goto(f"{live_server.url}/join/{link_of(campaign, work_round).token}/?participant=browser")
    assert "participant" not in page.url
    page.get_by_role("button", name=re.compile("agree")).click()
    with page.expect_navigation():  # until the page's scripts are there
        page.get_by_role("button", name=re.compile("read")).click()


def write(page: Page, text: str) -> None:
    """Replace the whole draft by typing."""
    page.locator("#draft").press("ControlOrMeta+A")
    page.keyboard.type(text)


def source_on(page: Page) -> str:
    return page.locator("#source").text_content() or ""


def test_an_editor_walks_from_the_link_to_the_code(page: Page, live_server: LiveServer) -> None:
    campaign = make_campaign(sources=3, editor_tasks=2)
    enter(page, live_server, campaign, EDIT)
    for _ in range(2):
        write(page, shortened(source_on(page)))
        expect(page.locator("#counter-words")).to_have_text(re.compile("to spare|exactly"))
        with page.expect_navigation():
            page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("main")).to_contain_text(link_of(campaign, EDIT).code_done)
    for compression in Compression.objects.select_related("source"):
        log = parse_log(compression.edit_log)
        assert replay(compression.source.text, log) == compression.text
        assert len(log) > 10  # every key is an operation
    assert Compression.objects.count() == 2


def test_the_counter_follows_the_rule_as_one_types(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server, make_campaign(sources=1), EDIT)
    source = source_on(page)
    allowed = allowed_length(source)
    counter = page.locator("#counter-words")
    expect(counter).to_have_text(f"remove {len(source) - allowed} more characters")
    write(page, "x" * (allowed + 1))
    expect(counter).to_have_text("remove 1 more character")
    page.keyboard.press("Backspace")
    expect(counter).to_have_text("exactly short enough")
    page.keyboard.press("Backspace")
    expect(counter).to_have_text("1 to spare")
    page.keyboard.press("End")
    page.keyboard.type("\u00a0  e\u0301\u200b😀")
    expect(counter).to_have_text("remove 2 more characters")


def test_a_text_that_is_too_long_is_not_sent(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server, make_campaign(sources=1), EDIT)
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.locator("#saved")).to_have_text(re.compile("Not sent yet: remove"))
    expect(page.locator("#draft")).to_be_focused()
    assert not Compression.objects.exists()


def test_a_reload_keeps_the_draft_and_goes_on_with_its_log(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server, make_campaign(sources=1, editor_tasks=1), EDIT)
    text = shortened(source_on(page))
    write(page, text[:-1])
    page.reload()
    expect(page.locator("#draft")).to_have_value(text[:-1])
    page.keyboard.type(text[-1])
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and go on").click()
    assert Compression.objects.get().text == text


def test_what_the_server_refuses_comes_back_with_its_text(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server, make_campaign(sources=1, editor_tasks=1), EDIT)
    write(page, "1234 5678")
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_role("alert")).to_contain_text("no letters")
    expect(page.locator("#draft")).to_have_value("1234 5678")
    page.keyboard.type(" words")
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and go on").click()
    assert Compression.objects.get().text == "1234 5678 words"


def test_a_double_click_submits_once_and_back_does_not_submit_again(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server, make_campaign(sources=2, editor_tasks=2), EDIT)
    write(page, shortened(source_on(page)))
    first = page.url
    page.get_by_role("button", name="Submit and go on").dblclick()
    expect(page).not_to_have_url(first)
    page.go_back()
    page.wait_for_load_state()
    assert page.url != first or "Submit" not in page.content()
    assert Compression.objects.count() == 1


def test_start_again_restores_the_original_and_can_be_undone(page: Page, live_server: LiveServer) -> None:
    enter(page, live_server, make_campaign(sources=1), EDIT)
    write(page, "Short now")
    page.get_by_role("button", name="Start again").click()
    expect(page.locator("#draft")).to_have_value(source_on(page))
    page.keyboard.press("ControlOrMeta+Z")
    expect(page.locator("#draft")).to_have_value("Short now")


def test_a_rater_passes_the_test_and_judges_by_keys(page: Page, live_server: LiveServer) -> None:
    campaign = make_campaign(sources=2, editors_per_source=1, rater_tasks=2)
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE])
    editor = enrol(campaign, EDIT)
    while edit_next(editor):
        pass
    enter(page, live_server, campaign, RATE)
    page.get_by_role("group", name=re.compile("Meaning")).get_by_label("Much meaning").check()
    page.get_by_role("group", name=re.compile("Grammar")).get_by_label("Flawless language").check()
    page.locator("main").get_by_role("button").first.click()
    expect(page.locator("main")).to_contain_text(EXAMPLE.why)
    page.locator("main").get_by_role("button").first.click()
    for _ in range(2):
        page.locator("#rating").wait_for()
        page.wait_for_load_state("load")
        page.locator("#rating input").first.focus()
        page.keyboard.press("3")
        page.keyboard.press("2")
        with page.expect_navigation():
            page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(link_of(campaign, RATE).code_done)
    assert list(Rating.objects.values_list("meaning", "grammar")) == [(3, 2), (3, 2)]
    assert Enrolment.objects.get(round=RATE).qualified_at is not None


def test_the_browser_counts_as_the_server_does(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/login/")
    counted = page.evaluate(
        """async (vectors) => {
            const { length } = await import("/static/js/lib/length.js");
            return JSON.parse(vectors).map(([, text]) => length(text));
        }""",
        FILE.read_text(encoding="ascii"),
    )
    vectors = length_vectors()
    wrong = [(name, count, got) for (name, _, count), got in zip(vectors, counted, strict=True) if got != count]
    assert wrong == []
    assert len(vectors) >= 300


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
