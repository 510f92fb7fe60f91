"""Staff set up a campaign: the short name follows the name, and texts are shown as participants will read them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Campaign
from crowd.settings_tabs import TABS
from tests.support.browser import check, profile, staff_in
from tests.support.factories import EDIT, enrol, make_campaign, make_staff
from tests.support.settings import settings_change, settings_page


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(sources=2, keep_percent=70, editor_guidelines="Cut {percent}%.", owner=make_staff("dora"))


def go(page: Page, live_server: LiveServer, campaign: Campaign, address: str) -> None:
    staff_in(page.context, live_server.url, campaign.staff.get())
    page.goto(f"{live_server.url}{address}")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Café Très «Bon»!", "cafe-tres-bon"),
        ("  Two   words_3 -- ", "two-words_3"),
        ("Ελλάδα", ""),
        ("Straße İstanbul ﬁne", "strae-istanbul-fine"),
        ("x" * 60, "x" * 50),
    ],
)
def test_the_proposed_short_name_is_the_one_that_the_server_makes(
    page: Page, live_server: LiveServer, campaign: Campaign, name: str, slug: str
) -> None:
    go(page, live_server, campaign, "/campaigns/new/")
    page.locator("#id_name").fill(name)
    expect(page.locator("#id_slug")).to_have_value(slug)
    page.locator("#id_slug").fill("")
    page.get_by_role("button", name="Create the campaign").click()
    page.wait_for_url(re.compile(f"/campaigns/{slug or 'campaign-[0-9]+'}/$"))


def test_a_short_name_that_was_edited_stays(page: Page, live_server: LiveServer, campaign: Campaign) -> None:
    go(page, live_server, campaign, "/campaigns/new/")
    name, slug = page.locator("#id_name"), page.locator("#id_slug")
    name.fill("Letters")
    slug.fill("mail")
    name.fill("Letters of 1900")
    expect(slug).to_have_value("mail")
    slug.fill("")
    name.fill("Letters of 1901")
    expect(slug).to_have_value("letters-of-1901")
    slug.fill("new")
    page.get_by_role("button", name="Create the campaign").click()
    expect(page.get_by_role("alert")).to_be_visible()
    name.fill("Other letters")
    expect(slug).to_have_value("new")
    check(page, "a form that was refused")


def test_the_preview_follows_what_is_typed(page: Page, live_server: LiveServer, campaign: Campaign) -> None:
    go(page, live_server, campaign, settings_page(campaign, "editor_guidelines"))
    box, panel = page.locator("#id_editor_guidelines"), page.locator("[data-preview-of=editor_guidelines]")
    expect(panel).to_have_text("Cut 30%.")
    box.fill("Cut **{percent}%**.\n\n<img src=x onerror=alert(1)>")
    expect(panel.locator("strong")).to_have_text("30%")
    expect(panel).to_contain_text("<img src=x onerror=alert(1)>")
    box.fill("Cut {nonsense}.")
    expect(panel).to_contain_text("There is no placeholder {nonsense}.")
    check(page, "a fault in the preview")
    box.fill("x" * 20_001)
    expect(panel).to_contain_text("Use 20,000 or fewer")
    assert Campaign.objects.get(pk=campaign.pk).editor_guidelines == "Cut {percent}%."


@pytest.fixture
def unreliable(browser: Browser) -> Iterator[Page]:
    """A page whose requests may be refused or fail."""
    with profile(browser) as context:
        yield context.new_page()


def test_a_preview_says_when_it_is_not_up_to_date(
    unreliable: Page, live_server: LiveServer, campaign: Campaign
) -> None:
    page = unreliable
    go(page, live_server, campaign, settings_page(campaign, "consent"))
    page.route("**/settings/preview/", lambda route: route.abort())
    page.locator("#id_consent").fill("Do you?")
    expect(page.get_by_text("The preview is not up to date")).to_be_visible()
    page.unroute("**/settings/preview/")
    page.locator("#id_consent").fill("Do you agree to {texts}?")
    expect(page.locator("[data-preview-of=consent]")).to_contain_text("Do you agree to 10?")
    expect(page.get_by_text("The preview is not up to date")).to_be_hidden()


def test_the_costs_follow_what_is_typed(unreliable: Page, live_server: LiveServer, campaign: Campaign) -> None:
    page = unreliable
    go(page, live_server, campaign, settings_page(campaign, "editor_pay"))
    of_editors = page.locator("#costs-editor_pay")
    expect(of_editors).to_be_empty()
    page.get_by_label("Pay of an editor", exact=True).fill("2")
    expect(of_editors).to_contain_text("The whole round: 10 compressions by at least 5 participants for £10.00.")
    page.get_by_label("Minutes an editor needs").fill("20")
    page.get_by_label("Minimum pay per hour").fill("9")
    expect(of_editors.locator(".wrong")).to_contain_text("Pay £3.00 per study to reach it.")
    page.get_by_label("Pay of an editor", exact=True).fill("3")
    expect(of_editors).to_contain_text("£9.00 per hour")
    expect(of_editors.locator(".wrong")).to_have_count(0)
    page.get_by_label("Pay of a rater", exact=True).fill("3")
    page.get_by_label("Budget for more texts").fill("3000")
    expect(page.locator("#costs-currency")).to_contain_text("more texts with 5 compressions and 3 ratings each.")
    check(page, "costs")
    page.route("**/settings/pay/", lambda route: route.abort())
    page.get_by_label("Pay of a rater", exact=True).fill("4")
    expect(page.locator("#costs-rater_pay")).to_be_empty()
    page.unroute("**/settings/pay/")
    page.get_by_label("Pay of a rater", exact=True).fill("5")
    expect(page.locator("#costs-rater_pay")).to_contain_text("The whole round")
    assert Campaign.objects.get(pk=campaign.pk).editor_pay is None


@pytest.mark.smoke
def test_every_tab_can_be_reached_and_used(unreliable: Page, live_server: LiveServer, campaign: Campaign) -> None:
    page = unreliable
    enrol(campaign, EDIT)
    settings_change(campaign, keep_percent=60)
    go(page, live_server, campaign, f"/campaigns/{campaign.slug}/settings/")
    for tab in TABS:
        page.get_by_role("navigation", name="Settings").get_by_role("link", name=str(tab.title), exact=True).click()
        expect(page.locator(".tabs [aria-current=page]")).to_have_text(str(tab.title))
        check(page, str(tab.title))
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Version 2")).to_be_visible()
    check(page, "history")
    page.get_by_role("link", name="Shortening").click()
    page.get_by_label("Maximum length").fill("65")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Confirm the change")).to_be_visible()
    check(page, "a change to confirm")
    page.get_by_role("button", name="Save the change").click()
    expect(page.get_by_text("have been saved")).to_be_visible()
    assert Campaign.objects.get(pk=campaign.pk).keep_percent == 65
    check(page, "saved")
