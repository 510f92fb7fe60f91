"""The times in the log of edits: never back, and on through everything that may come between."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from measures.keystrokes.edit_log import NO_CHANGES, Kind
from tests.support.browser import (
    drafts,
    eventually,
    open_task,
    page_record,
    profile,
    saved,
    show,
    submitted_log,
    write,
)
from tests.support.factories import make_campaign


def test_time_goes_on_after_a_reload(desk: Page) -> None:
    write(desk, "They")
    saved(desk, "They")
    desk.clock.fast_forward(60_000)
    desk.keyboard.type(" agreed")
    desk.reload()
    desk.clock.fast_forward(600_000)
    desk.keyboard.type(".")
    log = submitted_log(desk)
    assert [edit.kind for edit in log].count(Kind.RETURN) == 1
    (opened,) = [edit.at_ms for edit in log if edit.kind is Kind.RETURN]
    assert 60_000 <= opened < 80_000
    assert [edit.inserted for edit in log if edit.at_ms > 600_000] == ["."]
    assert [edit.at_ms for edit in log] == sorted(edit.at_ms for edit in log)


def test_who_looks_elsewhere_is_saved_and_comes_back(desk: Page) -> None:
    write(desk, "They")
    show(desk, hidden=True)
    eventually(desk, lambda: drafts() == {"They"})
    desk.clock.fast_forward(60_000)
    show(desk, hidden=False)
    desk.keyboard.type(" agreed.")
    log = submitted_log(desk)
    assert [edit.kind for edit in log[3:7]] == [Kind.TYPING, Kind.LEAVE, Kind.RETURN, Kind.TYPING]
    assert log[5].at_ms - log[4].at_ms >= 60_000
    record = page_record()
    assert (record["away_n"], record["away_ms"] // 1000) == (1, 60)


def test_the_log_has_fifty_times_away_and_the_page_counts_them_all(desk: Page) -> None:
    write(desk, "They")
    for _ in range(60):
        show(desk, hidden=True)
        show(desk, hidden=True)
        show(desk, hidden=False)
    desk.keyboard.type(" agreed.")
    kinds = [edit.kind for edit in submitted_log(desk)]
    assert (kinds.count(Kind.LEAVE), kinds.count(Kind.RETURN)) == (50, 50)
    assert page_record()["away_n"] == 60


def test_a_campaign_may_want_nothing_recorded_of_leaving(browser: Browser, live_server: LiveServer) -> None:
    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        open_task(page, live_server.url, make_campaign(sources=1, editor_tasks=1, record_leaving=False))
        write(page, "They")
        show(page, hidden=True)
        page.clock.fast_forward(60_000)
        show(page, hidden=False)
        page.keyboard.type(" agreed")
        saved(page, "They agreed")
        page.reload()
        page.keyboard.type(".")
        log = submitted_log(page)
    assert [edit.kind for edit in log if edit.kind in NO_CHANGES] == [Kind.RETURN]
    record = page_record()
    assert {name for name in record if name.startswith("away")} == set()
    assert record["keys"] == len("They agreed.")


def test_a_clock_that_is_months_ahead(desk: Page, browser: Browser) -> None:
    write(desk, "They")
    saved(desk, "They")
    with profile(browser) as context:
        context.add_cookies(desk.context.cookies())  # type: ignore[arg-type]
        elsewhere = context.new_page()
        elsewhere.clock.install(time=datetime.now(UTC) + timedelta(days=60))
        elsewhere.goto(desk.url)
        elsewhere.keyboard.type(" agreed.")
        saved(elsewhere, "They agreed.")
        submitted_log(elsewhere)
