"""Whatever becomes of the network, the server and the page: no answer of a rater is lost, none is stored twice."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Remark
from ratings.models import Rating
from tests.support.browser import (
    assert_stored_once,
    choose,
    chosen,
    eventually,
    press_digits,
    rate,
    rater_at_work,
    stored,
)

TASK = "**/work/rate/*/"
UNKEPT = "You’re offline, and your work isn’t saved yet. Please keep this page open."
OFFLINE = "You’re offline. Your answers are safe and will be submitted when you’re back online."
AWAY = "We can’t reach the server. Your answers are safe and will be submitted as soon as we can."
TOO_MANY = "Please wait a moment. Your answers are safe and will be submitted shortly."
SAID = {429: TOO_MANY}


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page on the first of two texts."""
    with rater_at_work(browser, live_server.url) as page:
        yield page


def abort(route: Route) -> None:
    route.abort("connectionrefused")


def send(page: Page, *points: int) -> None:
    """Answer and send, without waiting for what comes of it."""
    press_digits(page, *points)
    page.keyboard.press("Enter")


def kept(page: Page) -> list[str]:
    """What this browser keeps of answers."""
    names: list[str] = page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('precis:answers:'))")
    return names


@pytest.mark.both_databases
@pytest.mark.smoke
def test_an_answer_without_network_goes_by_itself_when_it_is_back(rater: Page) -> None:
    rater.context.set_offline(True)
    send(rater, 3, 2)
    expect(rater.get_by_role("alert")).to_have_text(OFFLINE)
    rater.clock.run_for(60_000)
    assert (chosen(rater), stored()) == ([3, 2], [])
    with rater.expect_navigation():
        rater.context.set_offline(False)
    assert_stored_once(rater, 3, 2)


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503])
def test_the_server_starts_anew_while_an_answer_is_sent(rater: Page, status: int) -> None:
    tries: list[str] = []

    def away(route: Route) -> None:
        tries.append(route.request.method)
        if status:
            route.fulfill(status=status, body="<h1>Away</h1>")
        else:
            abort(route)

    rater.route(TASK, away)
    send(rater, 3, 2)
    expect(rater.locator("#answer")).to_have_text(SAID.get(status, AWAY))
    rater.clock.fast_forward(3000)
    eventually(rater, lambda: len(tries) == 2)
    assert (chosen(rater), stored()) == ([3, 2], [])
    rater.unroute(TASK)
    with rater.expect_navigation():
        rater.clock.fast_forward(3000)
    assert_stored_once(rater, 3, 2)


def test_a_server_that_stays_away_is_said_and_the_answer_can_be_sent_again(rater: Page) -> None:
    tries: list[str] = []

    def away(route: Route) -> None:
        tries.append(route.request.method)
        route.fulfill(status=500, body="<h1>Away</h1>")

    rater.route(TASK, away)
    send(rater, 3, 2)
    for number in range(1, 10):
        eventually(rater, lambda wanted=number: len(tries) == wanted)  # type: ignore[misc]
        rater.clock.run_for(3000)
    expect(rater.get_by_role("alert")).to_contain_text("Something went wrong. Your answers are safe.")
    assert (chosen(rater), stored()) == ([3, 2], [])
    rater.unroute(TASK)
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    assert_stored_once(rater, 3, 2)


def test_the_reply_is_lost(rater: Page) -> None:
    taken: list[int] = []

    def reply_lost(route: Route) -> None:
        taken.append(route.fetch().status)
        abort(route)

    rater.route(TASK, reply_lost, times=1)
    send(rater, 3, 2)
    expect(rater.locator("#answer")).to_have_text(AWAY)
    assert (taken, stored()) == ([200], [(3, 2)])
    with rater.expect_navigation():
        rater.clock.fast_forward(3000)
    assert_stored_once(rater, 3, 2)


def test_an_answer_changed_after_its_reply_was_lost_is_no_second_answer(rater: Page) -> None:
    def reply_lost(route: Route) -> None:
        route.fetch()
        abort(route)

    rater.route(TASK, reply_lost, times=1)
    send(rater, 3, 2)
    expect(rater.locator("#answer")).to_have_text(AWAY)
    rater.locator("fieldset input").first.focus()
    press_digits(rater, 1)
    with rater.expect_navigation():
        rater.clock.fast_forward(3000)
    expect(rater.locator(".messages")).to_contain_text("You had already rated this text.")
    assert_stored_once(rater, 3, 2)


def test_an_answer_that_never_comes(rater: Page) -> None:
    """As when somebody walks out of reach of a network: nothing fails, and nothing comes."""
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    rater.route(TASK, hold_the_first)
    send(rater, 3, 2)
    eventually(rater, lambda: len(held) == 1)
    rater.clock.run_for(21_000)
    with rater.expect_navigation():
        rater.clock.run_for(3000)
    assert_stored_once(rater, 3, 2)


def test_an_answer_that_is_not_ours_is_no_answer(rater: Page) -> None:
    """What networks with a page of their own answer to everything."""
    rater.route(TASK, lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Sign in here</h1>"))
    send(rater, 3, 2)
    expect(rater.locator("#answer")).to_have_text(AWAY)
    assert (chosen(rater), stored()) == ([3, 2], [])
    rater.unroute(TASK)
    with rater.expect_navigation():
        rater.clock.fast_forward(3000)
    assert_stored_once(rater, 3, 2)


def test_the_page_is_loaded_again_without_network(rater: Page) -> None:
    address = rater.url
    rater.get_by_text("Add a comment").click()
    rater.get_by_label("Comment for the researchers").fill("Which bridge?")
    rater.locator("fieldset input").first.focus()
    rater.context.set_offline(True)
    press_digits(rater, 3, 2)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        rater.reload()
    rater.context.set_offline(False)
    rater.goto(address)
    assert chosen(rater) == [3, 2]
    expect(rater.get_by_label("Comment for the researchers")).to_have_value("Which bridge?")
    with rater.expect_navigation():
        rater.keyboard.press("Enter")
    assert_stored_once(rater, 3, 2)
    assert Remark.objects.get().text == "Which bridge?"


def test_a_page_closed_in_the_midst_of_a_text(rater: Page) -> None:
    address = rater.url
    press_digits(rater, 2)
    rater.close(run_before_unload=False)
    again = rater.context.new_page()
    again.goto(address)
    assert chosen(again) == [2, 0]
    rate(again, 3)
    assert_stored_once(again, 2, 3)


def test_a_page_closed_while_its_answer_waits_for_the_network(rater: Page) -> None:
    address = rater.url
    # A page made to be offline is online again while the browser closes it, and would send: refuse, and stop the clock.
    rater.route(TASK, abort)
    send(rater, 3, 2)
    expect(rater.locator("#answer")).to_have_text(AWAY)
    rater.wait_for_timeout(1000)  # the browser itself writes down a moment later what a page keeps
    rater.clock.pause_at(rater.evaluate("Date.now() / 1000") + 0.1)
    rater.close(run_before_unload=False)
    again = rater.context.new_page()
    again.goto(address)
    assert (chosen(again), stored()) == ([3, 2], [])
    with again.expect_navigation():
        again.keyboard.press("Enter")
    assert_stored_once(again, 3, 2)


def test_only_answers_that_were_not_sent_are_kept(rater: Page) -> None:
    press_digits(rater, 3)
    assert len(kept(rater)) == 1
    rate(rater, 2)
    assert_stored_once(rater, 3, 2)
    assert kept(rater) == []


@pytest.mark.parametrize("garbage", ["no JSON", '{"fields": 7}', "null", "[]"])
def test_what_the_browser_keeps_is_no_answer_at_all(rater: Page, garbage: str) -> None:
    press_digits(rater, 3)
    name = kept(rater)[0]
    rater.add_init_script(f"if (location.pathname !== 'blank') localStorage.setItem({name!r}, {garbage!r});")
    rater.reload()
    assert chosen(rater) == [0, 0]
    rate(rater, 3, 2)
    assert_stored_once(rater, 3, 2)


NO_STORE = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "forbidden": """Object.defineProperty(window, "localStorage", {
        get() { throw new DOMException("forbidden", "SecurityError"); }
    });""",
}


@pytest.mark.parametrize("script", NO_STORE.values(), ids=NO_STORE)
def test_a_browser_that_keeps_nothing(rater: Page, script: str) -> None:
    rater.add_init_script(script)
    rater.reload()
    rater.context.set_offline(True)
    send(rater, 3, 2)
    expect(rater.locator("#answer")).to_have_text(UNKEPT)
    with rater.expect_navigation():
        rater.context.set_offline(False)
    assert_stored_once(rater, 3, 2)


def test_giving_a_text_back_without_network(rater: Page) -> None:
    choose(rater, "I can’t rate this text")
    dialog = rater.get_by_role("dialog", name="Why can’t you rate this text?")
    dialog.get_by_label("It is broken or incomplete").check()
    rater.context.set_offline(True)
    dialog.get_by_role("button", name="Skip this text").click()
    expect(dialog.get_by_role("status")).to_have_text("We can’t reach the server. Please try again in a moment.")
    expect(dialog.get_by_label("It is broken or incomplete")).to_be_checked()
    rater.context.set_offline(False)
    with rater.expect_navigation():
        dialog.get_by_role("button", name="Skip this text").click()
    assert list(Remark.objects.values_list("reason", flat=True)) == ["broken"]
    assert not Rating.objects.exists()
