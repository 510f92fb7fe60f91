"""The times in the log of edits: never back, and on through everything that may come between."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page

from measures.keystrokes.edit_log import Kind
from tests.support.browser import chromium, drafts, eventually, profile, saved, show, submitted_log, write

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium() is None, reason="no Chromium was found"),
]


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
    assert [edit.kind for edit in log[3:6]] == [Kind.TYPING, Kind.RETURN, Kind.TYPING]
    assert log[4].at_ms - log[3].at_ms >= 60_000


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
