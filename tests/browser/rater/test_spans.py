"""Marking errors in a text: by keys, by mouse, on a phone, with pre-marks and questions, and from right to left."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Assignment, Campaign
from protocols.models import PracticeAnswer, Response
from protocols.services.material import material_import
from tests.support.browser import check, open_task, profile, tab_to
from tests.support.factories import RATE, make_campaign

SOURCE = "It rained all day in Bonn, and the old bridge was closed."
OUTPUT = "It rain all day in Bonn \U0001f327\ufe0f and and a bridge was close."
TEXT = {"id": "1", "source": SOURCE, "output": OUTPUT}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def campaign_of(*lines: dict[str, Any], settings: dict[str, Any] | None = None, **more: Any) -> Campaign:
    campaign = make_campaign(**{"rating_task": "spans", "rater_tasks": 2, "task_settings": settings or {}, **more})
    content = "\n".join(json.dumps(each) for each in lines or [TEXT]).encode()
    assert material_import(campaign=campaign, file_name="spans.jsonl", content=content).problems == []
    return campaign


@pytest.fixture
def desk(browser: Browser) -> Iterator[Page]:
    with profile(browser, viewport={"width": 1280, "height": 800}) as context:
        yield context.new_page()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with profile(browser, **PHONE) as context:
        yield context.new_page()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def word(page: Page, words: str, side: str = "output") -> Any:
    return page.locator(f"#text-{side} > span").filter(has_text=words).first


def drag(page: Page, first: str, last: str, side: str = "output") -> None:
    """Drag the mouse from the beginning of a word to the end of another."""
    for way, words in (("down", first), ("up", last)):
        box = word(page, words, side).bounding_box()
        assert box
        page.mouse.move(box["x"] + (1 if way == "down" else box["width"] - 1), box["y"] + box["height"] / 2, steps=4)
        getattr(page.mouse, way)()


def send(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Submit and continue").click()


def marked(response: Response | None = None) -> list[tuple[str, str]]:
    """What was marked in the output, and how bad it is."""
    answer = (response or Response.objects.get()).answer
    return [(OUTPUT[each["start"] : each["end"]], each["severity"]) for each in answer["marks"]]


@pytest.mark.smoke
def test_a_visit_by_keys(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, campaign_of(), RATE)
    tab_to(page, OUTPUT[:10])
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator("#span-live")).to_have_text("rain")
    press(page, "Enter")
    expect(page.locator("#span-live")).to_have_text("“rain”. Say how bad it is. M: minor, A: major")
    press(page, "a")
    press(page, *["ArrowRight"] * 4, "Shift+ArrowRight", "Shift+ArrowRight", "Enter", "m")
    expect(page.locator("#marks li")).to_have_count(2)
    press(page, "]", "[", "[")  # the end goes to the next word's first letter and back into the word
    press(page, "End", "ArrowLeft", "Enter", "m", "Delete")
    expect(page.locator("#marks li")).to_have_count(2)
    press(page, "Control+z")
    expect(page.locator("#marks li")).to_have_count(3)
    press(page, "Control+y")
    expect(page.locator("#marks li")).to_have_count(2)
    check(page, "two marks")
    page.set_viewport_size({"width": 1280, "height": 800})
    tab_to(page, "All errors are marked")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="How good is the whole text?")).to_be_focused()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "no score yet")
    check(page, "the score is asked for")
    page.set_viewport_size({"width": 1280, "height": 800})
    press(page, "Tab", "End", *["ArrowLeft"] * 30)
    expect(page.get_by_role("spinbutton")).to_have_value("70")
    tab_to(page, "Submit and continue")
    with page.expect_navigation():
        press(page, "Enter")
    assert marked() == [("rain", "major"), ("Bonn \U0001f327\ufe0f an", "minor")]
    response = Response.objects.get()
    assert response.answer["score"] == 70
    acts = [act for _at, act, _mark in response.answer["actions"]]
    assert acts.count("add") == 3
    assert acts[-2:] == ["done", "score"] or "score" in acts
    assert response.assignment.state == Assignment.State.SUBMITTED


@pytest.mark.smoke
def test_a_visit_by_touch_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    page = phone
    open_task(page, live_server.url, campaign_of(), RATE)
    word(page, "rain").tap()
    expect(page.locator("#span-live")).to_have_text("Now tap or click the last word of it.")
    word(page, "all").tap()
    page.get_by_role("radio", name="major").tap()
    handle = page.get_by_role("button", name="Move the end of the mark")
    box = handle.bounding_box()
    assert box
    assert box["width"] >= 44
    assert box["height"] >= 44
    handle.tap()
    word(page, "rain").tap()
    expect(page.locator("#chosen-title")).to_have_text("“rain”")
    page.get_by_role("button", name="Done with this mark").tap()
    word(page, "close").tap()
    word(page, "close").tap()
    page.get_by_role("radio", name="minor").tap()
    page.get_by_role("button", name="Something is missing").tap()
    page.get_by_role("radio", name="minor").tap()
    page.get_by_role("textbox", name="Note").fill("the old bridge")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="All errors are marked").tap()
    page.get_by_role("spinbutton").fill("70")
    send(page)
    answer = Response.objects.get().answer
    assert [each["severity"] for each in answer["marks"]] == ["major", "minor", "minor"]
    assert [each["note"] for each in answer["marks"] if each["missing"]] == ["the old bridge"]
    assert [OUTPUT[each["start"] : each["end"]] for each in answer["marks"][:2]] == ["rain", "close"]


def test_a_handle_is_dragged_to_a_word(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, campaign_of(), RATE)
    drag(page, "rain", "all")
    expect(page.locator("#chosen-title")).to_have_text("“rain all”")
    box, to = (
        page.get_by_role("button", name="Move the end of the mark").bounding_box(),
        word(page, "Bonn").bounding_box(),
    )
    assert box
    assert to
    page.mouse.move(box["x"] + 22, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(to["x"] + 5, to["y"] + to["height"] / 2 + 30, steps=5)
    page.mouse.up()
    expect(page.locator("#chosen-title")).to_have_text("“rain all day in Bonn”")


def test_what_is_missing_from_an_answer_is_said_before_it_is_sent(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, campaign_of(), RATE)
    button, problem = page.get_by_role("button", name="Submit and continue"), page.locator("#span-problem")
    button.click()
    expect(problem).to_have_text("Mark the errors, or say that there are none.")
    expect(page.get_by_label("There are no errors")).to_be_focused()
    word(page, "day").click()
    word(page, "day").click()
    button.click()
    expect(problem).to_contain_text("Say how bad it is.")
    expect(page.locator("#chosen-title")).to_be_focused()
    page.get_by_role("button", name="Remove this mark").click()
    page.get_by_label("There are no errors").check()
    button.click()
    expect(problem).to_have_text("Give the whole text a score.")
    page.get_by_role("spinbutton").fill("20")
    button.click()
    expect(page.locator("#answer")).to_contain_text("The score is 20, but you marked no major error")
    assert not Response.objects.exists()
    send(page)
    answer = Response.objects.get().answer
    assert (answer["no_errors"], answer["score"], answer["marks"]) == (True, 20, [])


def test_nothing_is_lost_when_the_page_is_opened_again(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, campaign_of(), RATE)
    for words in ("rain", "Bonn"):
        word(page, words).click()
        word(page, words).click()
        page.get_by_role("radio", name="minor").check()
    page.get_by_role("button", name="All errors are marked").click()
    page.reload()
    expect(page.locator("#marks li")).to_have_count(2)
    expect(page.get_by_role("heading", name="How good is the whole text?")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="All errors are marked")).to_be_visible()
    for _time in range(2):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator("#marks li")).to_have_count(1)
    page.context.set_offline(True)
    page.get_by_role("button", name="All errors are marked").click()
    page.get_by_role("spinbutton").fill("60")
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#answer")).to_contain_text("You’re offline.")
    with page.expect_navigation():
        page.context.set_offline(False)
    assert marked() == [("rain", "minor")]


def test_an_answer_is_corrected(desk: Page, live_server: LiveServer) -> None:
    page = desk
    open_task(page, live_server.url, campaign_of(TEXT, TEXT | {"id": "2"}), RATE)
    for _text in range(2):
        word(page, "rain").click()
        word(page, "rain").click()
        page.get_by_role("radio", name="minor").check()
        page.get_by_role("button", name="All errors are marked").click()
        page.get_by_role("spinbutton").fill("60")
        send(page)
    page.goto(f"{live_server.url}/work/task/answers/")
    page.get_by_role("link", name="Change your answer").first.click()
    expect(page.get_by_role("spinbutton")).to_have_value("60")
    page.locator("#marks .span-row").click()
    expect(page.locator("#chosen-title")).to_be_focused()
    page.get_by_role("radio", name="major").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Save this answer").click()
    changed = Response.objects.get(version=2)
    assert marked(changed) == [("rain", "major")]
    assert [act for _at, act, _mark in changed.answer["actions"]] == ["add", "severity", "done", "score", "severity"]


def begun(page: Page, address: str, campaign: Campaign, *, with_marks: bool = True) -> None:
    """Open a task of somebody who begins with marks, or of somebody who begins without."""
    for number in range(20):
        page.context.clear_cookies()
        open_task(page, address, campaign, RATE, f"somebody {number}")
        page.wait_for_load_state("load")
        if (page.locator("#marks li").count() > 0) == with_marks:
            return
    raise AssertionError("nobody is in that half")


def test_edits_have_both_sides_and_questions_and_what_was_marked_before_is_decided(
    desk: Page, live_server: LiveServer
) -> None:
    page = desk
    lines = {"id": "1", "source": "The old bridge was closed today.", "output": "The bridge was shut."}
    settings = {"preset": "salsa", "premark": "alignment"}
    begun(page, live_server.url, campaign_of(lines, settings=settings, raters_per_compression=40))
    before = page.locator("#marks li").count()
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#span-problem")).to_contain_text(f"{before} marks wait for your decision.")
    check(page, "marks that were there before")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Keep this mark").click()
    expect(page.locator("#chosen-lacks")).to_have_text("Answer the questions about it.")
    for number in range(before, 0, -1):
        page.locator("#marks").get_by_role("button", name=re.compile("Remove mark")).first.click()
        expect(page.locator("#marks del")).to_have_count(before - number + 1)
    page.locator("#text-output").focus()
    press(page, "End", "ArrowLeft", "Enter", "2")  # a substitution, whose other half is in the source
    expect(page.locator("#chosen-lacks")).to_have_text("Now mark the words of the other text that belong to it.")
    page.locator("#text-source").focus()
    press(page, "End", "ArrowLeft", "ArrowLeft", "Enter")
    expect(page.locator("#chosen-title")).to_have_text("“closed” → “shut”")
    page.get_by_role("radio", name="The same", exact=True).check()
    page.get_by_role("radio", name="Harms").check()
    page.get_by_role("radio", name="a little").check()
    page.get_by_role("group", name="Does it make an error of grammar?").get_by_label("No").check()
    page.get_by_role("button", name="Marks that belong together").click()
    page.get_by_label("Kind of error").select_option("structure")
    page.locator("#chosen").get_by_role("checkbox").check()
    for answer in ("Voice", "Helps", "a lot"):
        page.locator("#chosen").get_by_role("radio", name=answer, exact=True).check()
    page.locator("#chosen").get_by_role("group", name="error of grammar").get_by_label("No").check()
    check(page, "a mark of other marks")
    send(page)
    answer = Response.objects.get().answer
    assert answer["premarked"] is True
    own = {each["kind"]: each for each in answer["marks"] if each["fate"] is None}
    assert own["substitution"]["pairs"] == [["source", 19, 25], ["output", 15, 19]]
    assert own["substitution"]["answers"] == {
        "substitution_info_change": {"val": "same", "same": {"val": "bad", "bad": 1}},
        "grammar_error": False,
    }
    assert own["structure"]["parts"] == [own["substitution"]["id"]]
    assert sum(each["fate"] == "deleted" for each in answer["marks"]) == before


def test_texts_from_right_to_left(desk: Page, live_server: LiveServer) -> None:
    page = desk
    line = {"id": "1", "source": "هطل المطر طوال اليوم في بون", "output": "هطل مطر كل يوم في بون"}
    open_task(page, live_server.url, campaign_of(line, language="ar", page_language="ar"), RATE)
    page.locator("#text-output").focus()
    press(page, "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "Enter", "m")
    left, right = page.locator(".span-handle:visible").evaluate_all(
        "(handles) => handles.map((each) => each.getBoundingClientRect().x).toReversed()"
    )
    assert left < right
    check(page, "marks from right to left")
    assert "مطر كل" in page.locator("#marks").inner_text()
    sent = json.loads(page.locator("[name=answer]").input_value())
    assert [(each["start"], each["end"]) for each in sent["marks"]] == [(4, 10)]


def test_practice_shows_the_expected_marks_beside_ones_own(page: Page, live_server: LiveServer) -> None:
    mark = {"id": "e1", "side": "output", "start": 3, "end": 7, "severity": "major"}
    practice = TEXT | {"id": "p", "expected": {"marks": [mark], "score": 40}}
    open_task(page, live_server.url, campaign_of(TEXT, practice), RATE)
    page.get_by_role("button", name="Check my answer").click()
    expect(page.locator("#span-problem")).to_have_text("Mark the errors, or say that there are none.")
    page.get_by_label("There are no errors").check()
    page.get_by_role("button", name="All errors are marked").click()
    page.get_by_role("spinbutton").fill("90")
    with page.expect_navigation():
        page.get_by_role("button", name="Check my answer").click()
    own, expected = (
        page.get_by_role("region", name="Your marks"),
        page.get_by_role("region", name="The marks we expected"),
    )
    expect(own).to_contain_text("There are no errors")
    expect(own).to_contain_text("Score: 90")
    expect(expected.locator("ol")).to_contain_text("“rain” major")
    expect(expected.locator("u")).to_have_text("rain")
    expect(expected).to_contain_text("Score: 40")
    check(page, "practice answered")
    assert PracticeAnswer.objects.get().answer["score"] == 90
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Mark the errors")).to_be_visible()
