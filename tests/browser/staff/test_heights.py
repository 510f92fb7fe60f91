"""No page of staff is longer, or has more to press, than somebody takes in who did not ask for it."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from benchmarks.grown_campaign import fill
from corpus.models import Release
from crowd.models import Campaign, Role
from dashboard.navigation import menu_of
from dashboard.simulation.crowd import crowd_simulate
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.parameters import OperationsParameters
from evaluation.tests.made_rows import levels, made_report, matrix, means
from evaluation.tests.releases import scored_release
from measures.quality_control.worker_filter import FilterParameters
from protocols.comparison.parameters import ComparisonParameters
from protocols.task import study_tasks
from ratings.services.quality import quality_apply
from reports.kinds import report_kinds
from reports.models import Basis
from reports.parameters import ReportParameters
from reports.services import report_complete, report_get_or_create
from tests.flows.test_judgement_task_contract import campaign_with
from tests.support.browser import staff_in
from tests.support.factories import freeze, make_campaign, make_staff, silent

DESK, PHONE = (1280, 900), (360, 800)
MOST_SCREENS = {DESK: 3, PHONE: 8}
MOST_CONTROLS = 150
MEASURED = """() => [
    document.documentElement.scrollHeight,
    [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
        .filter((each) => each.checkVisibility()).length,
]"""
TABS = "nav.tabs[aria-label^='Parts of the '] a"
# What is longer yet: lists of questions, the pages of a release and of a text, and comparisons of four systems. It only
# shrinks.
KNOWN = (
    r"/examples/ at",
    r"/releases/\d+/(overview/)? at",
    r"/sources/[^/]+/ at",
    r"/comparison/(scales/)? at",
)


def pages_of_campaign(campaign: Campaign, release: Release) -> Iterator[str]:
    """The pages that the dashboard leads to, and one of each kind that lists lead to."""
    home = f"/campaigns/{campaign.slug}/"
    yield home
    for group in menu_of(campaign, Role.OWNER, home, home).groups:
        yield from (link.address for link in group.links if link.address.endswith("/"))
    yield f"/campaigns/{campaign.slug}/sources/{campaign.sources.earliest('pk').source_id}/"
    yield f"/campaigns/{campaign.slug}/releases/{release.version}/"
    yield f"/campaigns/{campaign.slug}/releases/{release.version}/overview/"
    yield f"/campaigns/{campaign.slug}/releases/{release.version}/operations/texts/"


def with_report(kind: str, on: Basis, parameters: ReportParameters) -> None:
    report = report_get_or_create(kind=report_kinds()[kind], on=on, parameters=parameters)
    report_complete(report=report, progress=silent)


def measured(page: Page, address: str) -> Iterator[str]:
    """Yield what is too much on a page."""
    reply = page.goto(address)
    assert reply is not None
    assert reply.status == 200, address
    for width, height in (DESK, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        found, controls = page.evaluate(MEASURED)
        path = urlsplit(address).path
        if found > MOST_SCREENS[width, height] * height:
            yield f"{path} at {width}: {found / height:.1f} screens"
        if controls > MOST_CONTROLS:
            yield f"{path} at {width}: {controls} controls"


def with_tabs(page: Page, address: str) -> Iterator[str]:
    """Measure a report and all of its tabs."""
    yield from measured(page, address)
    links = [link.evaluate("(link) => link.href") for link in page.locator(TABS).all()]
    assert links, address
    for link in links[1:]:
        yield from measured(page, link)


def test_no_page_is_longer_than_three_screens_on_a_desk_or_eight_on_a_phone(
    page: Page, live_server: LiveServer
) -> None:
    owner = make_staff()
    campaign = make_campaign(
        owner=owner, editors_per_source=5, raters_per_compression=4, editor_tasks=9, rater_tasks=40
    )
    fill(campaign_id=campaign.pk, sources=60)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.2, min_items=1))
    release = freeze(campaign)
    with_report(AGREEMENT.key, release, AgreementParameters(draws=100, replications=100))
    with_report(OPERATIONS.key, release, OperationsParameters(draws=100))
    scored = scored_release(owner=owner)
    made_report(scored, [*levels([f"metric {n}" for n in range(80)]), *means("ABCD")], matrix(["metric 0", "metric 1"]))
    with_report("comparison", scored, ComparisonParameters(draws=100))
    staff_in(page.context, live_server.url, owner)

    found = [each for path in pages_of_campaign(campaign, release) for each in measured(page, live_server.url + path)]
    for on, kinds in ((release, ("agreement", "operations")), (scored, ("evaluation", "scores", "comparison"))):
        place = f"{live_server.url}/campaigns/{on.campaign.slug}/releases/{on.version}"
        found += [each for kind in kinds for each in with_tabs(page, f"{place}/{kind}/")]

    assert [each for each in found if not any(re.search(known, each) for known in KNOWN)] == []


def test_so_are_the_reports_of_judgement_tasks(page: Page, live_server: LiveServer) -> None:
    found: list[str] = []
    for key in study_tasks():
        kind = report_kinds().get(key)
        if kind is None:  # its answers are the material of another task
            continue
        campaign = campaign_with(key)
        crowd_simulate(campaign=campaign, editors=0, raters=3, seed=7, progress=silent, as_tests=True)
        on = Campaign.objects.get(pk=campaign.pk)
        with_report(key, on, kind.parameters.of({"whose": "test participants"}))
        staff_in(page.context, live_server.url, campaign.memberships.get().user)
        found += with_tabs(page, f"{live_server.url}/campaigns/{on.slug}/{kind.place or key}/")
    assert not found, "\n".join(found)
