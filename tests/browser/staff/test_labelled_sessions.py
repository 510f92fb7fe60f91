"""Staff make labelled sessions; one of their people copies a text and writes another."""

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import LabelledText, TextFeatures
from tests.support.browser import check, staff_in, write
from tests.support.labelled import campaign_to_label

OWN = "On Tuesday evening the committee agreed to repair the bridge before the first snow."


def test_a_copy_and_a_text_of_ones_own(page: Page, live_server: LiveServer) -> None:
    campaign = campaign_to_label(sources=2)
    staff_in(page.context, live_server.url, campaign.staff.get())
    page.goto(f"{live_server.url}/campaigns/{campaign.slug}/test-people/")
    page.get_by_role("link", name="labelled sessions").click()
    expect(page.get_by_text("is not known yet")).to_be_visible()
    page.get_by_role("button", name="Make a link for labelled sessions").click()
    expect(page.get_by_text("2 texts can now be written and copied.")).to_be_visible()
    check(page, "labelled sessions")
    address = page.get_by_label("Address to hand out").input_value()

    page.goto(address.replace("NAME", "ann"))
    expect(page.get_by_text("Trial by the researchers")).to_be_visible()
    page.get_by_role("button", name="I agree – start").click()
    page.locator("main button.main").click()
    asked = []
    for _number in range(2):
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_be_visible()
        is_copy = heading.inner_text() == "Copy this text"
        check(page, "copying" if is_copy else "writing")
        write(page, page.locator("#to-copy").inner_text() if is_copy else OWN)
        asked.append("copy" if is_copy else "own")
        page.get_by_role("button", name="Submit and continue").click()
        expect(heading).not_to_have_text("Copy this text" if is_copy else "Write it yourself")

    assert sorted(asked) == ["copy", "own"]
    assert list(LabelledText.objects.order_by("pk").values_list("label", flat=True)) == asked
    assert all(values["typed"] > 0.9 for values in TextFeatures.objects.values_list("values", flat=True))
