"""Staff read which metric is better than which: by pointing, by the keyboard, by the lists, and without a script."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from corpus.models import Release
from evaluation.tests.made_rows import levels, made_report, matrix, means
from evaluation.tests.releases import SYSTEMS, computed, scored_release
from tests.support.browser import PHONE, check, profile, staff_in
from tests.support.factories import make_staff

NAMES = [f"metric {number}" for number in range(12)]


@pytest.fixture
def release() -> Release:
    return scored_release(owner=make_staff())


def address(live_server: LiveServer, release: Release, name: str = "") -> str:
    return f"{live_server.url}/campaigns/{release.campaign.slug}/releases/{release.version}/evaluation/{name}"


def made(page: Page, live_server: LiveServer, release: Release) -> None:
    """Show a report on twelve metrics of which each is better than the next."""
    made_report(release, [*levels(NAMES), *means(SYSTEMS)], matrix(NAMES))
    staff_in(page.context, live_server.url, release.campaign.staff.get())
    page.goto(address(live_server, release, "dominance/"))


@pytest.mark.smoke
def test_a_report_is_requested_and_read(page: Page, live_server: LiveServer, release: Release) -> None:
    staff_in(page.context, live_server.url, release.campaign.staff.get())
    page.goto(address(live_server, release))
    page.get_by_label("Draws").fill("20")
    check(page, "before a report")

    page.get_by_role("button", name="Evaluate metrics").click()

    expect(page.get_by_role("link", name="All metrics, unit by unit")).to_be_visible()
    check(page, "report on metrics")
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.locator(".term summary").first.click()
    check(page, "all metrics, with what a name means")
    page.get_by_role("link", name="good", exact=True).first.click()
    expect(page.get_by_role("heading", name="good", exact=True)).to_be_visible()
    check(page, "a metric")
    page.get_by_role("link", name="Output 1").first.click()
    expect(page.locator("#output-1")).to_be_in_viewport()


def test_the_keyboard_moves_through_the_matrix(page: Page, live_server: LiveServer, release: Release) -> None:
    made(page, live_server, release)
    words = page.locator("#matrix-words")
    expect(words).to_contain_text("metric 0 is shown to be better than metric 1 on 17% of the pairs")

    page.get_by_label("Metric (row)").press("ArrowDown")
    for _step in range(3):
        page.get_by_label("Metric (column)").press("ArrowDown")

    expect(words).to_contain_text(
        "metric 1 is shown to be better than metric 4 on 50% of the pairs of systems, and to be worse on 0%."
    )
    column = page.locator(".crosshair").nth(1)
    expect(column).to_have_attribute("x", "4")


def test_pointing_at_a_square_says_what_it_is(page: Page, live_server: LiveServer, release: Release) -> None:
    made(page, live_server, release)
    drawing = page.locator("[data-matrix] svg")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box is not None

    page.mouse.move(box["x"] + box["width"] * 8.5 / 12, box["y"] + box["height"] * 2.5 / 12)

    expect(page.locator("#matrix-words")).to_contain_text("metric 2 is shown to be better than metric 8 on 100%")
    page.get_by_label("Metric (column)").select_option("metric 2")
    expect(page.locator("#matrix-words")).to_have_text("Choose two different metrics.")


def test_the_lists_work_without_scripts(browser: Browser, live_server: LiveServer, release: Release) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        made(page, live_server, release)
        page.get_by_label("Metric (row)").select_option("metric 3")
        page.get_by_label("Metric (column)").select_option("metric 6")
        page.get_by_role("button", name="Compare").click()
        expect(page.locator("#matrix-words")).to_contain_text("metric 3 is shown to be better than metric 6 on 50%")


def test_nothing_is_cut_off_on_a_phone(browser: Browser, live_server: LiveServer, release: Release) -> None:
    with profile(browser, viewport=PHONE) as context:
        page = context.new_page()
        computed(release)
        staff_in(page.context, live_server.url, release.campaign.staff.get())
        for name in ("", "metrics/", "metric/?metric=good"):
            page.goto(address(live_server, release, name))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            check(page, "on a phone")


def test_genres_are_told_apart_by_buttons(page: Page, live_server: LiveServer, release: Release) -> None:
    computed(release)
    staff_in(page.context, live_server.url, release.campaign.staff.get())
    page.goto(f"{address(live_server, release, 'metric/')}?metric=good")
    dots = page.locator(".outputs-drawn")
    expect(dots).to_have_count(2)
    expect(page.locator(".outputs-drawn.faded")).to_have_count(0)

    buttons = page.locator("[data-genre-button]")
    buttons.first.click()
    expect(dots.nth(1)).to_contain_class("faded")
    expect(dots.first).not_to_contain_class("faded")
    check(page, "one genre of outputs")
    buttons.nth(1).press("Enter")
    expect(page.locator(".outputs-drawn.faded")).to_have_count(0)
    buttons.first.click()
    expect(dots.first).to_contain_class("faded")
