"""Whatever becomes of the network, the server and the page: nothing that was typed is lost, nothing is stored twice."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Compression
from crowd.models import Assignment, BrowserRequest, Remark
from crowd.services.browsers import browser_request_decide
from tests.support.browser import (
    SUBMIT,
    assert_submitted_once,
    drafts,
    eventually,
    profile,
    saved,
    source_on,
    submit,
    write,
)
from tests.support.factories import EDIT, link_of, shortened

DRAFTS = "**/drafts/**"
TASK = "**/work/edit/*/"
WAITING = "You’re offline. Your text is safe and will be submitted when you’re back online."
OFFLINE = "You’re offline. Your text is safe in this browser."
UNREACHABLE = "We can’t reach the server. Your text is safe in this browser."
UNKEPT = "You’re offline, and your work isn’t saved yet. Please keep this page open."


def abort(route: Route) -> None:
    route.abort("connectionrefused")


@pytest.mark.both_databases
@pytest.mark.smoke
def test_what_is_typed_is_on_the_server_at_once(desk: Page) -> None:
    write(desk, "They agreed to repair")
    saved(desk, "They agreed to repair")


def test_who_does_not_rest_is_saved_all_the_same(desk: Page) -> None:
    write(desk, "T")
    for letter in "hey agreed":
        desk.clock.run_for(1000)
        desk.keyboard.type(letter)
    # The page's clock stands still now: what it has sent by itself may still be on its way.
    eventually(desk, lambda: any(draft.startswith("They") for draft in drafts()))


def test_the_network_is_away_for_a_minute(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text[:10])
    desk.context.set_offline(True)
    desk.keyboard.type(text[10:])
    desk.clock.run_for(60_000)
    expect(desk.locator("#answer")).to_have_text(OFFLINE)
    desk.context.set_offline(False)
    saved(desk, text)
    submit(desk)
    assert_submitted_once(desk, text)


def test_the_page_is_loaded_again_after_a_time_without_network(desk: Page) -> None:
    address, text = desk.url, shortened(source_on(desk))
    desk.context.set_offline(True)
    write(desk, text)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        desk.reload()
    desk.context.set_offline(False)
    desk.goto(address)
    expect(desk.locator("#draft")).to_have_value(text)
    saved(desk, text)
    submit(desk)
    assert_submitted_once(desk, text)


def test_a_text_submitted_without_network_goes_by_itself_when_it_is_back(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text)
    desk.context.set_offline(True)
    desk.keyboard.press(SUBMIT)
    expect(desk.locator("#answer")).to_have_text(WAITING)
    desk.clock.run_for(60_000)
    expect(desk.locator("#draft")).to_have_value(text)
    assert not Compression.objects.exists()
    with desk.expect_navigation():
        desk.context.set_offline(False)
    assert_submitted_once(desk, text)


def test_a_comment_written_while_a_text_waits_for_the_network_goes_with_it(desk: Page) -> None:
    text = shortened(source_on(desk))
    write(desk, text)
    desk.get_by_text("Add a comment").click()
    desk.context.set_offline(True)
    desk.keyboard.press(SUBMIT)
    expect(desk.locator("#answer")).to_have_text(WAITING)
    desk.locator("#comment").press_sequentially("Which bridge?")
    with desk.expect_navigation():
        desk.context.set_offline(False)
    assert_submitted_once(desk, text)
    assert list(Remark.objects.values_list("text", flat=True)) == ["Which bridge?"]


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503])
def test_the_server_starts_anew_while_somebody_types(desk: Page, status: int) -> None:
    text = shortened(source_on(desk))
    write(desk, text[:10])
    desk.route(DRAFTS, lambda route: route.fulfill(status=status, body="<h1>Away</h1>") if status else abort(route))
    desk.keyboard.type(text[10:-1])
    expect(desk.locator("#answer")).to_have_text(UNREACHABLE)
    desk.clock.run_for(20_000)
    desk.keyboard.type(text[-1])
    desk.unroute(DRAFTS)
    desk.clock.run_for(15_000)
    saved(desk, text)
    submit(desk)
    assert_submitted_once(desk, text)


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503])
def test_the_server_starts_anew_while_a_text_is_submitted(desk: Page, status: int) -> None:
    text, tries = shortened(source_on(desk)), list[str]()

    def away(route: Route) -> None:
        tries.append(route.request.method)
        if status:
            route.fulfill(status=status, body="<h1>Away</h1>")
        else:
            abort(route)

    desk.route(TASK, away)
    write(desk, text)
    desk.keyboard.press(SUBMIT)
    expect(desk.locator("#answer")).to_contain_text("Your text is safe and will be submitted")
    desk.clock.fast_forward(3000)
    eventually(desk, lambda: len(tries) == 2)
    expect(desk.locator("#draft")).to_have_value(text)
    desk.unroute(TASK)
    with desk.expect_navigation():
        desk.clock.fast_forward(3000)
    assert_submitted_once(desk, text)


def test_the_answer_to_a_submission_is_lost(desk: Page) -> None:
    text, taken = shortened(source_on(desk)), list[int]()

    def answer_lost(route: Route) -> None:
        taken.append(route.fetch().status)
        abort(route)

    desk.route(TASK, answer_lost, times=1)
    write(desk, text)
    desk.keyboard.press(SUBMIT)
    expect(desk.locator("#answer")).to_contain_text("will be submitted as soon as we can")
    assert taken == [200]
    assert Compression.objects.count() == 1
    with desk.expect_navigation():
        desk.clock.fast_forward(3000)
    assert_submitted_once(desk, text)


@pytest.mark.parametrize("address", [DRAFTS, TASK])
def test_a_request_that_is_never_answered(desk: Page, address: str) -> None:
    """As when somebody walks out of reach of a network: nothing fails, and nothing comes."""
    text, held = shortened(source_on(desk)), list[Route]()

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    desk.route(address, hold_the_first)
    write(desk, text[:-1])
    desk.clock.run_for(1500)
    desk.keyboard.type(text[-1])
    if address == TASK:
        desk.keyboard.press(SUBMIT)
    eventually(desk, lambda: len(held) == 1)
    desk.clock.run_for(60_000)
    eventually(desk, lambda: len(held) > 1)
    desk.clock.run_for(5_000)
    if address == DRAFTS:
        saved(desk, text)
        submit(desk)
    expect(desk.locator("header")).to_contain_text("Text 2 of 2")
    assert_submitted_once(desk, text)


def test_an_answer_that_is_not_ours_is_no_answer(desk: Page) -> None:
    """What networks with a page of their own answer to everything."""
    text = shortened(source_on(desk))
    desk.route("**/work/edit/**", lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Hi</h1>"))
    write(desk, text)
    with desk.expect_response(DRAFTS):
        desk.clock.run_for(1500)
    expect(desk.locator("#answer")).not_to_have_text("Saving …")
    expect(desk.locator("#answer")).not_to_have_text("Saved.")
    desk.keyboard.press(SUBMIT)
    desk.clock.run_for(3000)
    desk.unroute("**/work/edit/**")
    with desk.expect_navigation():
        desk.clock.run_for(3000)
    assert_submitted_once(desk, text)


def test_keys_held_down_submit_once(desk: Page) -> None:
    text, sent = shortened(source_on(desk)), list[str]()
    desk.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    write(desk, text)
    desk.keyboard.down("Control")
    with desk.expect_navigation():
        for _ in range(10):
            desk.keyboard.down("Enter")
    desk.keyboard.up("Control")
    assert_submitted_once(desk, text)
    assert len(sent) == 1


def test_a_page_closed_right_after_typing(desk: Page) -> None:
    address, text = desk.url, shortened(source_on(desk))
    write(desk, text)
    desk.close(run_before_unload=False)
    desk = desk.context.new_page()
    desk.goto(address)
    expect(desk.locator("#draft")).to_have_value(text)
    submit(desk)
    assert_submitted_once(desk, text)


def test_a_text_goes_on_in_another_browser_that_staff_let_in(
    desk: Page, browser: Browser, live_server: LiveServer
) -> None:
    link = link_of(Assignment.objects.get().item.campaign, EDIT)
    text = shortened(source_on(desk))
    write(desk, text)
    desk.close(run_before_unload=False)
    with profile(browser) as context:
        elsewhere = context.new_page()
        address = f"{live_server.url}/join/{link.token}/?participant=browser"
        elsewhere.goto(address)
        eventually(elsewhere, lambda: drafts() == {text})
        elsewhere.get_by_role("button", name="I agree").click()
        asked = elsewhere.locator("#code").text_content()
        browser_request_decide(request=BrowserRequest.objects.get(code=asked), allowed=True, user=None)
        elsewhere.goto(address)
        with elsewhere.expect_navigation():
            elsewhere.get_by_role("button", name="Continue").click()
        expect(elsewhere.locator("#draft")).to_have_value(text)
        submit(elsewhere)
        assert_submitted_once(elsewhere, text)


def test_the_browser_keeps_the_last_words_of_a_long_record_when_the_page_goes_away(desk: Page) -> None:
    """Browsers send at most 64 KiB for a page that has gone: the server may not have had them."""
    pasted = "They agreed. " * 1500
    desk.locator("#draft").fill(pasted)
    saved(desk, pasted)
    desk.locator("#draft").fill("")
    saved(desk, "")
    desk.keyboard.type("They agreed")
    address, context = desk.url, desk.context
    desk.close(run_before_unload=False)
    again = context.new_page()
    again.goto(address)
    expect(again.locator("#draft")).to_have_value("They agreed")


NO_STORE = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "forbidden": """Object.defineProperty(window, "localStorage", {
        get() { throw new DOMException("forbidden", "SecurityError"); }
    });""",
}


@pytest.mark.parametrize("script", NO_STORE.values(), ids=NO_STORE)
def test_a_browser_that_keeps_nothing(desk: Page, script: str) -> None:
    desk.add_init_script(script)
    desk.reload()
    text = shortened(source_on(desk))
    write(desk, text[:10])
    saved(desk, text[:10])
    desk.context.set_offline(True)
    desk.keyboard.type(text[10:])
    desk.clock.run_for(5_000)
    expect(desk.locator("#answer")).to_have_text(UNKEPT)
    desk.context.set_offline(False)
    saved(desk, text)
    desk.reload()
    expect(desk.locator("#draft")).to_have_value(text)
    submit(desk)
    assert_submitted_once(desk, text)
