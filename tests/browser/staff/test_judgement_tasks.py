"""Staff set up a judgement task, and erase a person’s data, by their pages."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Worker
from dashboard.simulation.crowd import crowd_simulate
from tests.flows.test_judgement_task_contract import campaign_with, examples_of, made_for
from tests.support.browser import check, staff_in
from tests.support.factories import silent


def step(page: Page, title: str) -> Locator:
    return page.locator(".steps-list li").filter(has=page.get_by_text(title, exact=True))


def as_it_is(_page: Page) -> None:
    """Leave the settings as they are, if there are any."""


@pytest.mark.parametrize(
    ("key", "choose", "chosen", "refused", "ready"),
    [
        (
            "spans",
            lambda page: page.get_by_label("Marks that are there at the beginning").select_option("file"),
            {"premark": "file"},
            "source, output are missing",
            "6 pieces of material to judge",
        ),
        (
            "quiz",
            lambda page: page.get_by_label("Minutes for a quiz").fill("9"),
            {"minutes": 9},
            "utterances must be a list of 1 to 2,000",
            "18 pieces of material to judge",
        ),
        (
            "absolute",
            lambda page: page.get_by_label("Show the two sentences").check(),
            {"shows_sentences": True},
            "reference, output are missing",
            "6 pieces of material to judge",
        ),
        (
            "extract",
            lambda page: page.get_by_label("Shortest summary").fill("1"),
            {"least_percent": 1},
            "utterances must be a list of 1 to 2,000",
            "3 pieces of material to judge",
        ),
        ("ranking", as_it_is, {}, "sentences, hypotheses are missing", "3 pieces of material to judge"),
        ("links", as_it_is, {}, "sentences is missing", "6 pieces of material to judge"),
        ("factoids", as_it_is, {}, "source, output, facts are missing", "4 pieces of material to judge"),
        ("scu", as_it_is, {}, "references is missing", "2 pieces of material to judge"),
        ("peer", as_it_is, {}, "output, units are missing", "4 pieces of material to judge"),
    ],
    ids=["spans", "quiz", "absolute", "extract", "ranking", "links", "factoids", "scu", "peer"],
)
def test_a_task_is_set_up_by_its_page(
    page: Page,
    live_server: LiveServer,
    key: str,
    choose: Callable[[Page], object],
    chosen: dict[str, Any],
    refused: str,
    ready: str,
) -> None:
    campaign = made_for(key)
    lines = [{"id": "no more than an id"}, *examples_of(key).MATERIAL]
    content = "\n".join(map(json.dumps, lines)).encode()
    staff_in(page.context, live_server.url, campaign.staff.get())
    page.goto(f"{live_server.url}/campaigns/{campaign.slug}/task/")
    expect(step(page, "Material")).to_contain_text("(open) There is no material yet.")

    if choose is not as_it_is:
        choose(page)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("The settings of the task are saved.")).to_be_visible()
    page.get_by_label("File").set_input_files({"name": "lines.jsonl", "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("row", name=f"1 {refused}")).to_be_visible()
    page.get_by_role("link", name="The judgement task and its material").click()
    if key == "quiz":
        expect(step(page, "Material")).to_contain_text("(open) The pieces of work are not made yet.")
        page.get_by_role("button", name="Make the pieces of work").click()
    expect(step(page, "Material")).to_contain_text(f"(done) {ready}")
    if key != "extract":  # which has no practice, and is analysed in the tasks that use what it yields
        expect(step(page, "Practice")).to_contain_text("(done) 1 piece of practice")
        page.get_by_role("button", name="Fix the analysis").click()
        expect(step(page, "Analysis")).to_contain_text("(done) The analysis was fixed on")
    check(page, "a task that is set up")

    campaign.refresh_from_db()
    assert campaign.task_settings.items() >= chosen.items()
    assert campaign.planned_analysis.get("task_settings", {}) == ({} if key == "extract" else campaign.task_settings)


def test_after_a_person_is_erased_the_report_is_computed_and_downloads(page: Page, live_server: LiveServer) -> None:
    campaign = campaign_with("spans")
    crowd_simulate(campaign=campaign, editors=0, raters=2, seed=7, progress=silent)
    worker = Worker.objects.filter(campaign=campaign).earliest("number")
    home = f"{live_server.url}/campaigns/{campaign.slug}/"
    staff_in(page.context, live_server.url, campaign.staff.get())

    page.goto(f"{home}people/{worker.number}/")
    page.get_by_role("link", name="Erase this participant’s data").click()
    page.get_by_label("they have been paid").check()
    page.get_by_role("button", name="Erase").click()
    expect(page.get_by_text("The participant’s data has been erased.")).to_be_visible()
    page.goto(f"{home}task/")
    page.get_by_role("link", name="What people answered").click()
    page.get_by_role("button", name="Compute the report").click()
    latex = page.get_by_role("link", name="LaTeX").get_attribute("href")
    file = page.request.get(f"{live_server.url}{latex}")

    worker.refresh_from_db()
    assert worker.erased_at is not None
    assert file.status == 200
    assert "alpha-net" in file.text()
