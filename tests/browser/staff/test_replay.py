"""Staff watch a compression being written."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from compressions.services.submission import Submission, compression_submit
from crowd.services.claims import assignment_claim
from tests.support.browser import check, staff_in
from tests.support.factories import EDIT, enrol, make_campaign, make_staff


@pytest.mark.smoke
def test_a_compression_is_played_stepped_and_moved_through(page: Page, live_server: LiveServer) -> None:
    owner = make_staff()
    campaign = make_campaign(sources=1, owner=owner)
    editor = enrol(campaign, EDIT)
    task = assignment_claim(enrolment=editor)
    assert task is not None
    source = task.item.source
    # A hundred and fifty keys, the last of which are taken back: more than one milestone of the player.
    typed = "They agreed to repair it. " * 6
    log: list[list[int | str]] = [[0, source.text, "", "cut", 1000]]
    log += [[at, "", letter, "typing", 1200 + 10 * at] for at, letter in enumerate(typed[:150])]
    log += [[24, typed[24:150], "", "deletion", 4000]]
    submission = Submission(typed[:24], log)
    done = compression_submit(enrolment=editor, assignment_id=task.pk, source=source, submission=submission)
    staff_in(page.context, live_server.url, owner)
    page.goto(f"{live_server.url}/campaigns/{campaign.slug}/compressions/{done.pk}/")
    text, line = page.locator("#text"), page.locator("#line")
    expect(page.locator("#now")).to_contain_text("Edit 152 of 152: deletion, 4.0 s")
    expect(text.locator("del")).to_have_text(typed[24:150].strip())
    page.get_by_role("button", name="First", exact=True).click()
    expect(text).to_have_text(source.text)
    for _ in range(3):
        page.get_by_role("button", name="Forward", exact=True).click()
    expect(text).to_have_text("Th")
    expect(text.locator("ins")).to_have_text("h")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(text).to_have_text("T")
    line.fill("131")
    assert text.text_content() == typed[:130]
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#now")).to_contain_text("Edit 152 of 152")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


CONTRAST = """() => {
    const luminance = (colour) => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = luminance(getComputedStyle(document.querySelector(".band")).backgroundColor);
    const painted = [...document.querySelectorAll(".band > rect:not([fill]), .band pattern > *")];
    return painted.map((each) => {
        const [low, high] = [ground, luminance(getComputedStyle(each).fill)].sort((a, b) => a - b);
        return [each.getAttribute("class"), (high + 0.05) / (low + 0.05)];
    });
}"""


def test_the_band_shows_each_way_in_a_colour_that_is_seen(page: Page, live_server: LiveServer) -> None:
    owner = make_staff()
    campaign = make_campaign(sources=1, owner=owner)
    editor = enrol(campaign, EDIT)
    task = assignment_claim(enrolment=editor)
    assert task is not None
    source = task.item.source
    kinds = ["typing", "typing", "composition", "autocorrect", "paste", "deletion", "undo", "scripted", "merged"]
    log: list[list[int | str]] = [
        [0, source.text, "", "cut", 1000],
        [0, "", "", "leave", 1500],
        [0, "", "", "return", 4000],
    ]
    log += [[0, "", f"{kind} ", kind, 7000 + 900 * at] for at, kind in enumerate(kinds)]
    log[3][2] = "t"
    text = "".join(str(each[2]) for each in reversed(log[3:]))
    submission = Submission(text, log)
    done = compression_submit(enrolment=editor, assignment_id=task.pk, source=source, submission=submission)
    staff_in(page.context, live_server.url, owner)
    page.goto(f"{live_server.url}/campaigns/{campaign.slug}/compressions/{done.pk}/")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrasts = page.evaluate(CONTRAST)
        assert len(contrasts) >= len(kinds)
        assert [each for each in contrasts if each[1] < 3] == []
    legend = page.locator(".ways li").all_text_contents()
    assert len(legend) == len(set(legend)) == 10
    expect(page.locator(".band title").first).to_have_text("Deleted or cut.")
    check(page, "a replay")
