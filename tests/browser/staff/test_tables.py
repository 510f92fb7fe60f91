"""Tables and plots on a phone: lists become blocks, matrices say that they scroll, and long words break."""

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from agreement.kind import KIND
from agreement.parameters import AgreementParameters
from common import jobs
from common.models import Job
from compressions.models import Target
from compressions.services.outputs import Output, outputs_add
from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters
from ratings.selectors import preview
from ratings.services.quality import quality_apply
from reports.services import report_complete, report_get_or_create
from tests.support.browser import PHONE, check, profile, staff_in
from tests.support.factories import RATE, edit_all, enrol, freeze, make_campaign, rate_each, silent

LONG_WORD = "Donaudampfschifffahrts" * 8  # 176 characters
OVERVIEW: tuple[str, ...] = (
    "",
    "participants/rate/",
    "quality/",
    "quality/preview/",
    "plan/",
    "releases/",
    "releases/1/",
    "sources/",
)
OVERVIEW += ("systems/",)
REPORT = "releases/1/agreement/"
IN_A_BOX = """() => [...document.querySelectorAll(".table")]
    .filter((box) => box.scrollHeight > box.clientHeight + 1).map((box) => box.ariaLabel)"""


@pytest.fixture
def campaign() -> Campaign:
    """A campaign with a release, its report, a rule and a system, and with a genre and a name of one long word."""
    campaign = make_campaign(
        sources=3,
        name=LONG_WORD,
        editors_per_source=2,
        raters_per_compression=4,
        editor_tasks=9,
        rater_tasks=9,
    )
    campaign.sources.update(genre=LONG_WORD[:100])
    edit_all(campaign, 2)
    for number in range(4):
        rate_each(enrol(campaign, RATE, f"rater-{number}"), partial(points, number))
    outputs_add(campaign=campaign, system=LONG_WORD[:60], outputs=[Output(1, "1", "The committee agreed.")])
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.25, min_items=1))
    result = report_get_or_create(
        kind=KIND, on=freeze(campaign), parameters=AgreementParameters(draws=20, replications=20)
    )
    report_complete(report=result, progress=silent)
    return campaign


def points(rater: int, target: Target) -> tuple[int, int]:
    return 1 + (target.pk + rater) % 3, 1 + target.pk % 3


@pytest.fixture
def staff(page: Page, live_server: LiveServer, campaign: Campaign) -> Page:
    staff_in(page.context, live_server.url, campaign.staff.get())
    page.goto(address(live_server, campaign, "participants/rate/"))
    return page


def address(live_server: LiveServer, campaign: Campaign, name: str) -> str:
    return f"{live_server.url}/campaigns/{campaign.slug}/{name}"


def test_no_page_of_staff_is_wider_than_a_phone_nor_scrolls_a_table_in_a_box(
    staff: Page, live_server: LiveServer, campaign: Campaign
) -> None:
    for name in (*OVERVIEW, REPORT, *(f"{REPORT}{tab}/" for tab in ("raters", "coefficients"))):
        staff.goto(address(live_server, campaign, name))
        check(staff, name or "dashboard")
        assert staff.evaluate(IN_A_BOX) == [], name


def test_on_a_phone_a_row_is_a_block_with_its_labels_and_still_a_row(staff: Page) -> None:
    table = staff.get_by_role("region", name="Participants").get_by_role("table")
    row = table.get_by_role("row").nth(1)
    submitted = row.get_by_role("cell").and_(staff.locator("[data-label='Submitted']"))
    expect(submitted).to_have_count(1)
    assert row.evaluate("(row) => getComputedStyle(row).display") == "grid"
    labels = submitted.evaluate("(cell) => getComputedStyle(cell, '::before').content")
    assert labels == '"Submitted\xa0"'
    assert table.get_by_role("columnheader").count() == row.locator("th, td").count() > 6

    staff.set_viewport_size({"width": 1280, "height": 780})

    expect(row).to_have_css("display", "table-row")
    expect(staff.locator(".stacked")).to_have_count(0)


def test_a_matrix_says_that_it_scrolls_only_where_it_does(
    staff: Page, live_server: LiveServer, campaign: Campaign
) -> None:
    staff.goto(address(live_server, campaign, "plan/"))
    plans = staff.get_by_role("region", name="Plans for meaning")
    said = "(box) => getComputedStyle(box, '::before').content"
    expect(plans).to_have_attribute("data-fits", "false")
    assert "Scroll sideways" in plans.evaluate(said)

    staff.set_viewport_size({"width": 1280, "height": 780})

    expect(plans).to_have_attribute("data-fits", "true")
    assert plans.evaluate(said) == "none"


@pytest.fixture
def without_scripts(browser: Browser, live_server: LiveServer, campaign: Campaign) -> Iterator[Page]:
    with profile(browser, java_script_enabled=False, viewport=PHONE) as context:
        staff_in(context, live_server.url, campaign.staff.get())
        yield context.new_page()


def test_without_scripts_a_table_says_that_it_scrolls(
    without_scripts: Page, live_server: LiveServer, campaign: Campaign
) -> None:
    without_scripts.goto(address(live_server, campaign, "participants/rate/"))

    box = without_scripts.get_by_role("region", name="Participants")
    assert "Scroll sideways" in box.evaluate("(box) => getComputedStyle(box, '::before').content")


def test_a_dot_says_who_it_is_and_axes_have_their_units(
    staff: Page, live_server: LiveServer, campaign: Campaign
) -> None:
    staff.goto(address(live_server, campaign, f"{REPORT}raters/"))

    plot = staff.locator("svg[aria-label*='raters by agreement']").first
    named = set(plot.locator("circle title").all_text_contents())
    numbers = {worker.public_name for worker in campaign.workers.filter(enrolments__round=RATE)}
    assert {each.split(":")[0].strip().removeprefix("Rater ") for each in named} <= numbers
    assert named
    expect(staff.get_by_text("Agreement with the mean of the others (% of ratings)").first).to_be_visible()
    expect(staff.get_by_text("Ratings given").first).to_be_visible()


def test_a_long_preview_is_watched_until_it_is_there(
    staff: Page, live_server: LiveServer, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "QUICK_RATINGS", 0)
    monkeypatch.setattr(jobs, "_announce", lambda _job_id: None)  # no worker is there yet
    staff.goto(address(live_server, campaign, "quality/preview/"))
    expect(staff.get_by_role("heading", name="Other shares")).to_have_count(0)

    staff.get_by_role("button", name="Compute", exact=True).click()

    expect(staff.get_by_text("Waiting to start")).to_be_visible()
    check(staff, "a preview is awaited")
    jobs.job_run(job_id=Job.objects.get().pk)
    staff.get_by_role("link", name="See the preview").click()
    expect(staff.get_by_role("heading", name="Other shares")).to_be_visible()
    expect(staff.get_by_text("There are no newer ratings or decisions.")).to_be_visible()
