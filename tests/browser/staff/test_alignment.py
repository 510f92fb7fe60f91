"""Staff correct an alignment without a mouse, on a phone and on a desk."""

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import AlignmentCorrection, Target
from tests.support.browser import check, staff_in
from tests.support.factories import EDIT, enrol, import_texts, make_campaign, make_staff, submit_text

SOURCE = "Today he bought a very old automobile in the town where his mother had lived for years."


def classes(words: Locator) -> list[set[str]]:
    return [set((each.get_attribute("class") or "").split()) - {"is-marked"} for each in words.all()]


@pytest.mark.smoke
def test_words_are_separated_joined_and_saved_by_keyboard(page: Page, live_server: LiveServer) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, editors_per_source=1)
    import_texts(campaign, [SOURCE])
    submit_text(enrol(campaign, EDIT), "He bought a car today.")
    target = Target.objects.get()
    staff_in(page.context, live_server.url, owner)
    page.goto(f"{live_server.url}/campaigns/{campaign.slug}/alignments/{target.pk}/")
    check(page, "the alignment")
    above, below = (page.locator(f"[data-side={side}] .word") for side in ("source", "text"))
    box = page.locator("textarea")

    below.nth(0).press("Enter")
    expect(page.locator("#state")).to_contain_text("Separated")
    expect(page.locator("#summary")).to_be_hidden()
    expect(page.get_by_text("You have unsaved changes")).to_be_visible()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#summary")).to_be_visible()
    expect(page.get_by_text("You have unsaved changes")).to_be_hidden()
    above.nth(6).press("Enter")
    below.nth(3).press(" ")
    expect(page.locator("#state")).to_contain_text("“\u2068car\u2069” is joined to “\u2068automobile\u2069”")
    expect(below.nth(3)).to_contain_class("paraphrased")
    shown = classes(below)
    pairs = box.input_value()
    check(page, "while it is corrected")
    with page.expect_navigation():
        page.get_by_role("button", name="Save").press("Enter")

    assert (AlignmentCorrection.objects.get().places or [])[3] == 6
    assert box.input_value() == pairs
    assert classes(below) == shown
    assert page.locator(".join").count() >= 2


def test_arabic_words_run_from_right_to_left_in_a_campaign_of_another_language(
    page: Page, live_server: LiveServer
) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, editors_per_source=1, language="en")
    import_texts(campaign, ["اشترى الرجل سيارة BMW قديمة جدا في المدينة التي عاشت فيها أمه سنوات طويلة مع جده."])
    submit_text(enrol(campaign, EDIT), "اشترى سيارة قديمة.")
    staff_in(page.context, live_server.url, owner)
    page.goto(f"{live_server.url}/campaigns/{campaign.slug}/alignments/{Target.objects.get().pk}/")
    below = page.locator("[data-side=text] .word")
    lefts = below.evaluate_all("words => words.map(word => word.getBoundingClientRect().left)")
    assert lefts == sorted(lefts, reverse=True)
    below.nth(0).press("ArrowLeft")
    expect(below.nth(1)).to_be_focused()
    check(page, "words from right to left")
