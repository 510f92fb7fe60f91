"""The texts of a release are read and searched from a disk by keyboard, and on a page of staff."""

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from corpus.models import Release
from tests.support.browser import check, close, staff_in
from tests.support.factories import freeze, judged_campaign, make_staff
from tests.support.stored import release_folder


def test_a_release_is_searched_from_a_disk_and_read_on_its_page(browser: Browser, live_server: LiveServer) -> None:
    owner = make_staff()
    release = freeze(judged_campaign(sources=3, editors=2, owner=owner))
    context, errors = browser.new_context(), list[str]()
    page = context.new_page()
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    walk(page, release, live_server.url, owner)
    close(context)
    # axe-core asks for the style sheet of a page on a disk once more, which the page's policy refuses.
    assert [error for error in errors if not error.startswith("Connecting to 'file:")] == []


def walk(page: Page, release: Release, address: str, owner: User) -> None:
    page.context.set_offline(True)
    page.goto((release_folder(release) / "browse/index.html").as_uri())
    page.get_by_label("Search in texts").press_sequentially("NUMBER 2")
    expect(page.get_by_role("status")).to_have_text("1 of 3 sources found.")
    expect(page.locator("#results mark")).to_have_text("number 2")
    check(page, "what was found")
    page.locator("#results a").press("Enter")
    expect(page.locator("article:target")).to_contain_text("old wooden bridge number 2")
    expect(page.locator("article:target del").first).to_be_visible()
    page.locator("article:target summary").first.press("Enter")
    check(page, "the texts")

    page.context.set_offline(False)
    staff_in(page.context, address, owner)
    page.goto(f"{address}/campaigns/{release.campaign.slug}/releases/1/")
    page.get_by_role("link", name="Read the texts").press("Enter")
    expect(page.get_by_role("article")).to_have_count(3)
    check(page, "the page of staff")
