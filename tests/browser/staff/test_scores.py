"""Staff ask for scores and read them."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from common.models import Job
from corpus.models import Release
from scoring.models import ScoreRun
from scoring.services.runs import scores_compute
from scoring.tests.releases import released_with, varied
from tests.support.browser import check, staff_in
from tests.support.factories import make_staff, silent


@pytest.fixture
def release() -> Release:
    return released_with(varied(), owner=make_staff())


@pytest.fixture
def scores(page: Page, live_server: LiveServer, release: Release) -> Page:
    """The page of the scores, before anything is asked."""
    staff_in(page.context, live_server.url, release.campaign.staff.get())
    page.goto(f"{live_server.url}/campaigns/{release.campaign.slug}/releases/{release.version}/scores/")
    return page


def score(page: Page) -> None:
    page.get_by_role("button", name="Score", exact=True).click()


@pytest.mark.smoke
def test_pressing_score_ends_with_scores(scores: Page) -> None:
    check(scores, "nothing is asked")

    score(scores)

    expect(scores.get_by_role("heading", name="SKIP-2+Recall+MULT-PROB")).to_be_visible()
    check(scores, "scores")
    scores.get_by_role("link", name="Best and worst texts").click()
    scores.get_by_text("Worst", exact=True).first.click()
    check(scores, "the worst outputs")


def test_a_metric_is_chosen_by_the_list_and_by_the_table(scores: Page) -> None:
    score(scores)

    scores.get_by_label("Metric", exact=True).select_option("LR-2+F-1+MULT-ALL")
    scores.get_by_role("button", name="Show").click()
    expect(scores.get_by_role("heading", name="LR-2+F-1+MULT-ALL")).to_be_visible()
    scores.get_by_role("link", name="All metrics").click()
    scores.get_by_role("link", name="LR-1+Recall+MULT-MAX").click()
    expect(scores.get_by_role("heading", name="LR-1+Recall+MULT-MAX")).to_be_visible()


def test_other_settings_are_kept_and_their_runs_stand_beside_each_other(scores: Page) -> None:
    score(scores)
    scores.get_by_role("link", name="Method and settings").click()
    scores.get_by_text("Change settings").click()
    window = scores.get_by_label("Skip-bigram window (words)")
    window.fill("7")
    score(scores)

    scores.get_by_role("link", name="Method and settings").click()
    expect(scores.get_by_role("heading", name="All scores")).to_be_visible()
    expect(window).to_have_value("7")
    assert ScoreRun.objects.count() == 2
    check(scores, "two runs")


def test_the_page_waits_and_shows_the_scores_by_itself(scores: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    score(scores)
    expect(scores.get_by_text("0 of 1 part done")).to_be_visible()
    check(scores, "being computed")

    scores_compute(run=ScoreRun.objects.get(), progress=silent)

    expect(scores.get_by_role("heading", name="SKIP-2+Recall+MULT-PROB")).to_be_visible()


def test_a_failure_is_shown_with_the_settings_to_try_again(scores: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    score(scores)
    expect(scores.get_by_text("0 of 1 part done")).to_be_visible()

    Job.objects.update(state=Job.State.FAILED, message="No space left on device")

    expect(scores.get_by_text("No space left on device")).to_be_visible()
    check(scores, "failed")
    score(scores)
    expect(scores.get_by_text("Waiting to start")).to_be_visible()
    assert Job.objects.count() == 2
