"""Marking short answers: by keys at a desk, and by touch on a phone; and the report that staff read then."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Round
from protocols.models import Response
from protocols.quiz.marking import marking_hand_out
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report import KIND
from protocols.quiz.study import short_answers
from protocols.quiz.tests.test_marking import answered_study
from reports.services import report_complete, report_get_or_create
from tests.support.browser import check, enter, press, profile, staff_in
from tests.support.factories import silent

PHONE: Mapping[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK: Mapping[str, Any] = {"viewport": {"width": 1280, "height": 800}}


def mark_of(page: Page, answer: str, mark: str) -> Any:
    return page.get_by_role("group", name=answer, exact=True).get_by_label(mark, exact=True)


def test_two_mark_by_keys_and_by_touch_and_staff_read_the_report(browser: Browser, live_server: LiveServer) -> None:
    campaign = answered_study("A bridge", "A barn")
    marking_hand_out(campaign=campaign)

    with profile(browser, **DESK) as context:
        page = context.new_page()
        enter(page, live_server.url, campaign, Round.EXPERT, "marker 1")
        check(page, "answers to be marked")
        page.set_viewport_size(DESK["viewport"])
        for _question in range(3):
            for answer in ("A bridge", "A barn"):
                mark_of(page, answer, "0").focus()
                page.keyboard.press("Space")
            mark_of(page, "A bridge", "0").focus()
            for _step in range(3):
                page.keyboard.press("ArrowRight")
            expect(mark_of(page, "A bridge", "1½")).to_be_checked()
            press(page, "Submit and continue")
        expect(page.get_by_role("heading", name="All 3 texts done")).to_be_visible()

    with profile(browser, **PHONE) as context:
        page = context.new_page()
        enter(page, live_server.url, campaign, Round.EXPERT, "marker 2")
        mark_of(page, "A bridge", "2").tap()
        page.get_by_role("button", name="Submit and continue").tap()
        expect(page.locator("#answer")).to_contain_text("1 answer has no marks yet")
        for _question in range(3):
            mark_of(page, "A bridge", "2").tap()
            mark_of(page, "A barn", "½").tap()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            with page.expect_navigation():
                page.get_by_role("button", name="Submit and continue").tap()
        expect(page.get_by_role("heading", name="All 3 texts done")).to_be_visible()

    marks = {each.text: [mark for _who, mark in each.marks] for each in short_answers(campaign)}
    assert marks == {"A bridge": [1.5, 2], "A barn": [0, 0.5]}
    assert Response.objects.filter(assignment__round=Round.EXPERT).count() == 6

    asked = report_get_or_create(kind=KIND, on=campaign, parameters=QuizParameters(draws=100))
    report_complete(report=asked, progress=silent)
    with profile(browser, **DESK) as context:
        staff_in(context, live_server.url, campaign.memberships.get().user)
        page = context.new_page()
        page.goto(live_server.url + reverse("protocols:quiz:report", args=[campaign.slug]))
        assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 800
        page.get_by_role("link", name="Markers", exact=True).click()
        expect(page.get_by_role("row", name="answers with two marks")).to_contain_text("6")
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        check(page, "the report on a quiz")
