"""Several versions of one text: tabs side by side, comments, and where a text began."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression, Start
from compressions.selectors import writing
from crowd.models import Remark
from measures.keystrokes.edit_log import parse_log, replay
from tests.support.browser import (
    SUBMIT,
    assert_submitted_once,
    choose,
    drafts,
    eventually,
    mean_it,
    open_task,
    profile,
    saved,
    source_on,
    submit,
    write,
)
from tests.support.factories import make_campaign, shortened

IN_OTHER_TAB = "You’ve already finished this text in another tab. What’s in the box was not submitted."


@pytest.fixture
def other_tab(desk: Page) -> Page:
    """The same task once more."""
    tab = desk.context.new_page()
    tab.clock.install()
    tab.goto(desk.url)
    expect(desk.locator("#elsewhere")).to_be_visible()
    expect(tab.locator("#elsewhere")).to_be_visible()
    return tab


def assert_offers(page: Page, text: str, *others: str) -> None:
    """One version is in the box, the others can be taken."""
    expect(page.locator("#draft")).to_have_value(text)
    expect(page.locator("#versions-list p:not(.hint)")).to_have_text(list(others))


@pytest.mark.smoke
def test_two_tabs_keep_a_version_each(desk: Page, other_tab: Page) -> None:
    write(desk, "They agreed.")
    write(other_tab, "They quarrelled.")
    saved(desk, "They agreed.", "They quarrelled.")
    desk.reload()
    assert_offers(desk, "They agreed.", "They quarrelled.")
    desk.get_by_role("button", name="Use this version").click()
    assert_offers(desk, "They quarrelled.", "They agreed.")
    expect(desk.locator("#draft")).to_be_focused()
    desk.keyboard.type(" At first.")
    saved(desk, "They agreed.", "They quarrelled. At first.")
    desk.reload()
    assert_offers(desk, "They quarrelled. At first.", "They agreed.")
    expect(other_tab.locator("#draft")).to_have_value("They quarrelled.")
    submit(desk)
    assert_submitted_once(desk, "They quarrelled. At first.")


def test_versions_are_offered_in_another_browser_too(
    desk: Page, other_tab: Page, browser: Browser, live_server: LiveServer
) -> None:
    write(desk, "They agreed.")
    saved(desk, "They agreed.")
    write(other_tab, "They quarrelled.")
    saved(other_tab, "They agreed.", "They quarrelled.")
    with profile(browser) as context:
        context.add_cookies(desk.context.cookies())  # type: ignore[arg-type]
        elsewhere = context.new_page()
        elsewhere.goto(desk.url)
        assert_offers(elsewhere, "They quarrelled.", "They agreed.")


def test_versions_that_are_too_much_for_the_page_are_fetched_when_asked_for(
    desk: Page, other_tab: Page, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(desk, "They agreed.")
    saved(desk, "They agreed.")
    write(other_tab, "They quarrelled.")
    saved(other_tab, "They agreed.", "They quarrelled.")
    monkeypatch.setattr(writing, "MAX_IN_PAGE", 1)
    with profile(browser) as context:
        context.add_cookies(desk.context.cookies())  # type: ignore[arg-type]
        elsewhere = context.new_page()
        elsewhere.goto(desk.url)
        assert_offers(elsewhere, "They quarrelled.")
        elsewhere.get_by_role("button", name="Show older versions").click()
        assert_offers(elsewhere, "They quarrelled.", "They agreed.")
        expect(elsewhere.get_by_role("button", name="Show older versions")).to_be_hidden()
        elsewhere.get_by_role("button", name="Use this version").click()
        assert_offers(elsewhere, "They agreed.", "They quarrelled.")


def test_a_text_submitted_in_one_tab_leaves_that_of_the_other_alone(desk: Page, other_tab: Page) -> None:
    text = shortened(source_on(desk))
    write(other_tab, "They quarrelled.")
    saved(other_tab, "They quarrelled.")
    write(desk, text)
    submit(desk)
    expect(other_tab.get_by_role("alert")).to_contain_text(IN_OTHER_TAB)
    expect(other_tab.locator("#draft")).to_have_value("They quarrelled.")
    expect(other_tab.locator("#draft")).not_to_be_editable()
    other_tab.keyboard.press(SUBMIT)
    assert "They quarrelled." in drafts()
    with other_tab.expect_navigation():
        other_tab.get_by_role("button", name="Continue with the next text").click()
    assert_submitted_once(other_tab, text)


def test_both_tabs_submit_at_once(desk: Page, other_tab: Page) -> None:
    held: list[Route] = []
    texts = [shortened(source_on(desk)), "They quarrelled."]

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    for page in (desk, other_tab):
        page.route("**/work/edit/*/", hold)
    for page, text in zip((desk, other_tab), texts, strict=True):
        write(page, text)
        expect(page.locator("#answer")).to_have_text("Saved.")
        page.keyboard.press(SUBMIT)
        mean_it(page)
    eventually(desk, lambda: len(held) == 2)
    first = desk.url
    for route in held:
        route.continue_()
    for page in (desk, other_tab):
        expect(page).not_to_have_url(first)
    text = Compression.objects.get().text
    for page in (desk, other_tab):
        assert_submitted_once(page, text)
    assert drafts() == set(texts)
    told = "".join(page.locator("main").inner_text() for page in (desk, other_tab))
    assert "You had already submitted this text. Your first version counts." in told


def test_a_text_skipped_in_one_tab_was_not_submitted(desk: Page, other_tab: Page) -> None:
    write(other_tab, "They quarrelled.")
    choose(desk, "Skip this text")
    desk.get_by_label("I don’t understand the text").check()
    with desk.expect_navigation():
        desk.locator("#skip-form").get_by_role("button", name="Skip this text").click()
    expect(other_tab.get_by_role("alert")).to_be_visible()
    expect(other_tab.locator("#draft")).to_have_value("They quarrelled.")
    expect(other_tab.get_by_role("alert")).to_contain_text(re.compile("skip", re.IGNORECASE))
    expect(other_tab.get_by_role("alert")).to_contain_text("not submitted")


def test_after_back_the_next_text_begins_afresh(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text)
    submit(desk)
    desk.go_back()
    expect(desk.locator("h1")).to_have_text("You have submitted this text")
    desk.go_forward()
    assert_submitted_once(desk, text)
    expect(desk.locator("#versions")).to_be_hidden()


def test_a_comment_survives_a_reload_and_is_stored(desk: Page) -> None:
    text = shortened(source_on(desk))
    desk.get_by_text("Add a comment").click()
    desk.locator("#comment").press_sequentially("Which bridge is meant?")
    desk.reload()
    expect(desk.locator("#comment")).to_have_value("Which bridge is meant?")
    write(desk, text)
    desk.reload()
    expect(desk.locator("#comment")).to_have_value("Which bridge is meant?")
    submit(desk)
    assert_submitted_once(desk, text)
    assert Remark.objects.get().text == "Which bridge is meant?"
    assert Remark.objects.get().kind == Remark.Kind.COMMENT


def test_a_comment_that_was_typed_can_be_seen_after_a_reload(desk: Page) -> None:
    desk.get_by_text("Add a comment").click()
    desk.locator("#comment").press_sequentially("Which bridge is meant?")
    desk.reload()
    expect(desk.locator("#comment")).to_be_visible()


def test_a_comment_that_was_changed_is_no_second_version(desk: Page) -> None:
    desk.get_by_text("Add a comment").click()
    desk.locator("#comment").press_sequentially("Which bridge?")
    desk.reload()
    desk.locator("#comment").fill("What committee?")
    saved(desk, source_on(desk))
    desk.reload()
    expect(desk.locator("#comment")).to_have_value("What committee?")
    expect(desk.locator("#versions")).to_be_hidden()


def test_a_comment_in_one_tab_outlives_a_text_in_another(desk: Page, other_tab: Page) -> None:
    desk.get_by_text("Add a comment").click()
    desk.locator("#comment").press_sequentially("Which bridge is meant?")
    saved(desk, source_on(desk))
    write(other_tab, "They quarrelled.")
    eventually(other_tab, lambda: "They quarrelled." in drafts())
    desk.reload()
    fields = [desk.locator(field).input_value() for field in ("#draft", "#comment")]
    everything = "\n".join([desk.locator("#editor").inner_text(), *fields])
    assert "Which bridge is meant?" in everything
    assert "They quarrelled." in everything


@pytest.fixture
def free_desk(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """An editor's page in a campaign that lets one begin with an empty box."""
    with profile(browser) as context:
        page = context.new_page()
        open_task(page, live_server.url, make_campaign(sources=2, editor_tasks=2, editor_start="choice"))
        yield page


def assert_began(page: Page, start: str, text: str) -> None:
    submit(page)
    assert_submitted_once(page, text)
    stored = Compression.objects.get()
    assert stored.started_from == start
    beginning = "" if start == Start.EMPTY else stored.source.text
    assert replay(beginning, parse_log(stored.edit_log)) == text


def test_an_editor_may_begin_with_an_empty_box(free_desk: Page) -> None:
    choose(free_desk, "Start from an empty box")
    expect(free_desk.locator("#draft")).to_have_value("")
    expect(free_desk.locator("#draft")).to_be_focused()
    free_desk.keyboard.type("They agreed.")
    saved(free_desk, "They agreed.")
    free_desk.reload()
    expect(free_desk.locator("#draft")).to_have_value("They agreed.")
    assert_began(free_desk, Start.EMPTY, "They agreed.")


def test_an_empty_box_can_be_filled_with_the_original_again(free_desk: Page) -> None:
    choose(free_desk, "Start from an empty box")
    choose(free_desk, "Start again from the original")
    expect(free_desk.locator("#draft")).to_have_value(source_on(free_desk))
    write(free_desk, "They agreed.")
    assert_began(free_desk, Start.SOURCE, "They agreed.")


def test_who_empties_the_box_in_mid_text_began_with_the_original_and_may_undo(free_desk: Page) -> None:
    write(free_desk, "They agreed.")
    choose(free_desk, "Start from an empty box")
    expect(free_desk.locator("#draft")).to_have_value("")
    free_desk.keyboard.press("ControlOrMeta+Z")
    expect(free_desk.locator("#draft")).to_have_value("They agreed.")
    choose(free_desk, "Start again from the original")
    expect(free_desk.locator("#draft")).to_have_value(source_on(free_desk))
    free_desk.keyboard.press("ControlOrMeta+Z")
    expect(free_desk.locator("#draft")).to_have_value("They agreed.")
    assert_began(free_desk, Start.SOURCE, "They agreed.")


def test_without_the_choice_there_is_no_empty_box(desk: Page) -> None:
    expect(desk.locator("[data-start]")).to_have_text("Start again from the original")


def test_a_campaign_may_begin_all_texts_with_an_empty_box(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser) as context:
        page = context.new_page()
        open_task(page, live_server.url, make_campaign(sources=2, editor_tasks=1, editor_start="empty"))
        expect(page.locator("#draft")).to_have_value("")
        expect(page.locator("[data-start]")).to_have_count(1)  # the empty box, and not the original
        page.keyboard.type("They agreed.")
        saved(page, "They agreed.")
        page.reload()
        expect(page.locator("#draft")).to_have_value("They agreed.")
        submit(page)
        assert Compression.objects.get().started_from == Start.EMPTY
