"""Every page that all workers or editors meet: without a fault that axe-core finds, and no wider than a phone."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.default_texts import default_texts
from crowd.models import Assignment, Campaign, Enrolment, JoinLink
from crowd.sessions import WORKER_COOKIE
from tests.support.browser import (
    SUBMIT,
    check,
    choose,
    mean_it,
    open_task,
    profile,
    saved,
    sign_in,
    source_on,
    submit,
    write,
)
from tests.support.factories import (
    EDIT,
    edit_next,
    enrol,
    import_texts,
    lease_run_out,
    link_of,
    make_campaign,
    rewriting_log,
)

TEXTS: dict[str, Any] = {**default_texts()}
LONG_WORD = "https://example.org/" + "a-very-long-address" * 5
TEXT = (
    "The committee, which met for three hours on Tuesday, finally agreed to repair bridge {} before winter: "
    + LONG_WORD
)


def campaign_with_texts(count: int = 3, **settings: Any) -> Campaign:
    campaign = make_campaign(**settings, **TEXTS)
    import_texts(campaign, [TEXT.format(number) for number in range(count)])
    return campaign


@pytest.fixture
def strange(browser: Browser) -> Iterator[Page]:
    """A page that meets refusals, which browsers write to their console."""
    with profile(browser) as context:
        yield context.new_page()


def join(page: Page, address: str, campaign: Campaign, name: str, work_round: str = EDIT) -> None:
    page.goto(f"{address}/join/{link_of(campaign, work_round).token}/?participant={name}")


def test_coming_in(page: Page, live_server: LiveServer) -> None:
    campaign = campaign_with_texts(count=1, editors_per_source=1)
    join(page, live_server.url, campaign, "ann")
    check(page, "join: somebody new")
    page.get_by_role("button", name="I agree").click()
    expect(page.locator("h1")).to_have_text("Guidelines")
    check(page, "guidelines")
    enrol(campaign, EDIT, "ann")
    join(page, live_server.url, campaign, "ann")
    check(page, "join: somebody who returns")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("h1")).to_have_text("Ready to start?")
    check(page, "work")
    page.goto(f"{live_server.url}/work/stop/")
    expect(page.locator("h1")).to_have_text("Stop for now?")
    page.get_by_text("I want to withdraw my work").click()
    check(page, "stopping")
    edit_next(enrol(campaign, EDIT, "zoe"))
    join(page, live_server.url, campaign, "cid")
    expect(page.locator("h1")).to_have_text("No texts for you right now")
    check(page, "join: no work")


def test_coming_from_a_platform(page: Page, live_server: LiveServer) -> None:
    campaign = campaign_with_texts(count=1, editors_per_source=1)
    link = JoinLink.objects.create(campaign=campaign, round=EDIT, platform_key="prolific")
    page.goto(f"{live_server.url}/join/{link.token}/")
    expect(page.locator("main")).to_contain_text("Please open the study from Prolific")
    check(page, "join: without an id")
    edit_next(enrol(campaign, EDIT))
    page.goto(f"{live_server.url}/join/{link.token}/?PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0f")
    expect(page.get_by_role("link", name="Return to Prolific")).to_be_visible()
    check(page, "join: no work, from a platform")


def test_refused(strange: Page, live_server: LiveServer) -> None:
    campaign = campaign_with_texts(state="closed")
    join(strange, live_server.url, campaign, "ann")
    expect(strange.locator("h1")).to_have_text("This is not possible right now")
    check(strange, "refused")
    strange.goto(f"{live_server.url}/join/nobody-has-this/")
    expect(strange.locator("h1")).to_have_text("We can’t find this page")
    check(strange, "404")
    strange.goto(f"{live_server.url}/work/")
    expect(strange.locator("h1")).to_have_text("We can’t tell who you are")
    check(strange, "session ended")


def send_form(page: Page, log: object) -> None:
    """Send the text as a browser without scripts would."""
    with page.expect_navigation():
        page.evaluate(
            """(log) => {
                document.getElementById("log").value = log;
                HTMLFormElement.prototype.submit.call(document.getElementById("editor"));
            }""",
            json.dumps(log),
        )


@pytest.mark.smoke
def test_the_editing_page(strange: Page, live_server: LiveServer) -> None:
    page = strange
    open_task(page, live_server.url, campaign_with_texts(editor_start="choice"))
    check(page, "editing")
    page.get_by_text("Add a comment").click()
    write(page, "They agreed to repair the bridge")
    saved(page, "They agreed to repair the bridge")
    check(page, "editing: a draft saved, the comment open")
    page.get_by_role("button", name="Show differences").click()
    check(page, "editing: differences")
    page.get_by_role("button", name="Guidelines").click()
    check(page, "editing: Guidelines")
    page.keyboard.press("Escape")
    page.locator("details.menu > summary").click()
    check(page, "editing: the menu")
    page.keyboard.press("Escape")
    for name in ("Report a problem", "Skip this text"):
        choose(page, name)
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page, f"editing: {name}")
        page.keyboard.press("Escape")
    Campaign.objects.update(keep_percent=1)
    page.keyboard.press(SUBMIT)
    mean_it(page)
    expect(page.get_by_role("alert")).to_contain_text("too long")
    check(page, "editing: refused, by the script")
    send_form(page, rewriting_log(source_on(page), "They agreed to repair the bridge"))
    expect(page.get_by_role("alert")).to_contain_text("too long")
    check(page, "editing: refused, without the script")


def test_without_network(strange: Page, live_server: LiveServer) -> None:
    page = strange
    page.clock.install()
    open_task(page, live_server.url, campaign_with_texts())
    write(page, "They agreed to repair the bridge")
    page.context.set_offline(True)
    page.keyboard.press(SUBMIT)
    expect(page.get_by_role("alert")).to_contain_text("You’re offline.")
    page.clock.fast_forward(26 * 60_000)
    expect(page.locator("#lease")).to_be_visible()
    check(page, "editing: offline, and the reservation runs out")


def test_versions_and_what_was_submitted(strange: Page, live_server: LiveServer) -> None:
    page = strange
    open_task(page, live_server.url, campaign_with_texts())
    other = page.context.new_page()
    other.goto(page.url)
    write(other, "They quarrelled.")
    write(page, "They agreed.")
    saved(page, "They agreed.", "They quarrelled.")
    page.reload()
    expect(page.get_by_role("button", name="Use this version")).to_be_visible()
    check(page, "editing: versions")
    submit(other)
    expect(page.get_by_role("alert")).to_contain_text("in another tab")
    check(page, "editing: submitted in another tab")
    page.reload()
    expect(page.locator("h1")).to_have_text("You have submitted this text")
    check(page, "submitted")


def test_a_text_that_is_lost(strange: Page, live_server: LiveServer) -> None:
    page, campaign = strange, campaign_with_texts(count=1, editors_per_source=1)
    open_task(page, live_server.url, campaign)
    source, address = source_on(page), page.url
    lease_run_out(Assignment.objects.get())
    edit_next(enrol(campaign, EDIT))
    write(page, "They agreed.")
    page.keyboard.press(SUBMIT)
    expect(page.get_by_role("alert")).to_contain_text("Submit it anyway?")
    check(page, "editing: a question")
    mean_it(page)
    expect(page.get_by_role("button", name="Continue with the next text")).to_be_visible()
    check(page, "lost, by the script")
    page.evaluate("document.getElementById('draft').value = 'They agreed.'")
    send_form(page, rewriting_log(source, "They agreed."))
    expect(page.locator("h1")).to_have_text("You can’t submit this text any more")
    check(page, "lost, without the script")
    page.goto(address)
    page.context.clear_cookies(name="csrftoken")
    send_form(page, [])
    expect(page.locator("h1")).to_have_text("This page was open too long")
    check(page, "the form is too old")
    page.goto(address)
    page.context.clear_cookies(name=WORKER_COOKIE)
    send_form(page, rewriting_log(source, "They agreed."))
    expect(page.locator("h1")).to_have_text("We can’t tell who you are")
    check(page, "session ended, with a text")


def test_the_end(page: Page, live_server: LiveServer) -> None:
    campaign = campaign_with_texts(editor_tasks=2)
    prolific = JoinLink.objects.create(campaign=campaign, round=EDIT, platform_key="prolific")
    for outcome, words in {
        "done": "0 texts done. Thank you!",
        "failed": "Thank you for trying",
        "stopped": "You have stopped",
        "withdrew": "You have withdrawn",
        "no_work": "No texts for you right now",
    }.items():
        sign_in(page.context, live_server.url, campaign, EDIT, outcome)
        Enrolment.objects.filter(worker__external_id=outcome).update(outcome=outcome)
        page.goto(f"{live_server.url}/work/done/")
        expect(page.locator("h1")).to_have_text(words)
        check(page, f"done: {outcome}")
    Enrolment.objects.update(link=prolific)
    page.reload()
    expect(page.get_by_role("link", name="Return to Prolific")).to_be_visible()
    check(page, "done: from a platform")
