"""The menu leads everywhere; the dashboard says what is missing, what comes next, and what needs a person."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.urls import resolve
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from common.steps import Step
from compressions.services.imports import source_import
from crowd.access import Access
from crowd.default_texts import default_texts
from crowd.models import Assignment, Campaign, Enrolment, PaidVisit, Worker
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.selectors.progress import round_progress
from crowd.services.exclusions import worker_exclude
from dashboard.pace import Pace, Remaining, duration_words, pace_of, remaining_of, remaining_words
from tests.support.addresses import TABLE, address_of, pages
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    edit_next,
    enrol,
    freeze,
    import_texts,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    rate_all,
    readable,
    staff_client,
)
from tests.support.world import World

pytestmark = pytest.mark.django_db
OF_CAMPAIGN = {Access.CAMPAIGN_STAFF, Access.CAMPAIGN_MANAGER, Access.CAMPAIGN_OWNER}


@pytest.fixture
def owner() -> User:
    return make_staff()


def dashboard(owner: User, campaign: Campaign) -> str:
    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/"))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def staff_pages_without_further_ids(world: World) -> set[str]:
    """All addresses of staff that a GET shows and that name nothing but the campaign."""
    named_only_by_campaign = {
        name
        for name, pattern in pages()
        if set(pattern.pattern.converters) == {"slug"} and TABLE[name].access in OF_CAMPAIGN
    }
    found = {address_of(name, world) for name in named_only_by_campaign if TABLE[name].get[3] == 200}
    return {address for address in found if f"/{world.study.slug}/" not in address}  # that has a dashboard of its own


def test_the_menu_of_each_page_leads_to_every_page_of_staff() -> None:
    world = World()
    client = staff_client(world.owner)
    page = client.get(f"/campaigns/{world.campaign.slug}/staff/").content.decode()
    links = {unescape(href).partition("?")[0].partition("#")[0] for href in re.findall(r'href="([^"]+)"', page)}

    assert staff_pages_without_further_ids(world) - links == set()
    for address in links & staff_pages_without_further_ids(world):
        assert resolve(address)
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("with_test", [True, False])
def test_the_dashboard_never_sends_staff_to_a_shell(owner: User, with_test: bool) -> None:
    campaign = judged_campaign(owner=owner)
    if with_test:
        add_qualification(campaign)
    assert "manage.py" not in dashboard(owner, campaign)
    assert ("Raters start without a test" in dashboard(owner, campaign)) is not with_test


def put(campaign: Campaign, **settings: object) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(**settings)
    campaign.refresh_from_db()
    return campaign


def step_of_page(owner: User, campaign: Campaign) -> Step | None:
    """The step that the page of a campaign shows as the next."""
    found: Step | None = staff_client(owner).get(f"/campaigns/{campaign.slug}/").context["next_step"]
    return found


def title_of_next(owner: User, campaign: Campaign) -> str:
    step = step_of_page(owner, campaign)
    return str(step.title) if step else ""


def test_the_next_step_of_a_draft_is_the_first_that_is_not_ready(owner: User) -> None:
    campaign = make_campaign(owner=owner, state="draft", consent=default_texts()["consent"], gold_percent=10)

    def title() -> str:
        return title_of_next(owner, campaign)

    assert title() == "Texts"
    import_texts(campaign, ["One old man who lives by the sea went to the market in the morning and bought a fish."])
    assert title() == "Consent"
    put(campaign, consent="We are the university.")
    assert title() == "Test"
    add_qualification(campaign)
    assert title() == "Gold questions"
    put(campaign, gold_percent=0)
    assert title() == "Try it, then open it"
    campaign.links.update(platform_key="prolific")
    assert title() == "Pay"
    put(campaign, editor_pay=2, editor_minutes=10, rater_pay=2, rater_minutes=10)
    assert "Raters are not told what they are paid if they don’t pass" in str(step_of_page(owner, campaign))
    put(campaign, failed_pay=1)
    assert title() == "Try it, then open it"
    assert "£2.00 per study, 10 minutes" in dashboard(owner, campaign)
    campaign.links.update(is_active=False)
    assert title() == "Link"


def test_guidelines_about_other_scales_are_to_be_written_and_those_of_nobody_are_not(owner: User) -> None:
    scales = "Ease: How easy is it?\n2 easy\n1 hard"
    campaign = make_campaign(owner=owner, state="draft", sources=1, **default_texts())
    put(campaign, consent="Ours.", scales=scales_dump(scales_from_text(scales)))
    assert title_of_next(owner, campaign) == "Rater guidelines"

    campaign.links.exclude(round=EDIT).update(is_active=False)

    steps = staff_client(owner).get(f"/campaigns/{campaign.slug}/").context["steps"]
    assert [str(step.title) for step in steps if not step.is_ready] == ["Try it, then open it"]
    assert {"Rater guidelines", "Gold questions", "Test"} & {str(step.title) for step in steps} == set()


def test_a_draft_shows_no_figures_and_a_viewer_no_buttons(owner: User) -> None:
    campaign = make_campaign(owner=owner, state="draft")
    looker = make_staff("looker")
    campaign.memberships.create(user=looker, role="viewer")

    for account, sees_buttons in ((owner, True), (looker, False)):
        page = readable(staff_client(account).get(f"/campaigns/{campaign.slug}/"))
        main = page.partition("<main")[2]
        assert "% done" not in main
        assert ("Import texts" in main) is sees_buttons
        assert (f"/campaigns/{campaign.slug}/state/" in main) is sees_buttons


def test_the_next_step_of_an_open_campaign_is_what_stops_the_work_or_its_end(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=1, editors_per_source=1, raters_per_compression=1)
    assert title_of_next(owner, campaign) == ""
    put(campaign, state="paused")
    assert title_of_next(owner, campaign) == "Open it again"
    put(campaign, state="open")
    campaign.links.update(is_active=False)
    assert title_of_next(owner, campaign) == "Link"
    campaign.links.update(is_active=True)
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))
    assert title_of_next(owner, campaign) == "Close it"


def test_after_the_end_people_are_paid_the_filter_applied_and_a_release_frozen_and_measured(owner: User) -> None:
    campaign = judged_campaign(owner=owner, editors_per_source=9)
    text = dashboard(owner, campaign)
    assert "missing" in text
    assert "Pause first to let participants finish." in text

    put(campaign, state="closed")
    text = dashboard(owner, campaign)
    assert title_of_next(owner, campaign) == "Worker filter"
    for gone in ("missing", "Pause first", "not marked as paid"):
        assert gone not in text
    Enrolment.objects.update(outcome="done")
    put(campaign, editor_pay=2)
    assert "1 finished visit is not marked as paid." in dashboard(owner, campaign)
    PaidVisit.objects.create(
        worker=Worker.objects.get(external_id="editor-1"), link=link_of(campaign, EDIT), paid_at=timezone.now()
    )
    assert "All finished visits are marked as paid." in dashboard(owner, campaign)
    freeze(campaign)
    assert title_of_next(owner, campaign) == "Agreement"

    put(campaign, state="archived")
    assert "This campaign is archived and read-only." in dashboard(owner, campaign)
    assert step_of_page(owner, campaign) is None


def test_the_money_so_far_is_that_of_those_who_finished_and_of_nobody_simulated(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=4, editors_per_source=2, editor_tasks=4)
    edit_all(campaign, 1)
    assert "Money" not in dashboard(owner, campaign)
    put(campaign, editor_pay="1.50", currency="EUR")
    assert "€0.00 of about €1.50 when all is done" in dashboard(owner, campaign)
    Enrolment.objects.update(outcome="done")
    assert "€1.50 of about €3.00 when all is done Editor round €1.50, 1 visit finished" in dashboard(owner, campaign)
    put(campaign, editor_pay_unit="text")
    assert "€6.00 of about €12.00 when all is done" in dashboard(owner, campaign)
    Worker.objects.update(is_simulated=True)
    assert "€0.00 of about €6.00 when all is done" in dashboard(owner, campaign)


def test_a_closed_campaign_without_texts_is_not_sent_to_import_some(owner: User) -> None:
    assert title_of_next(owner, make_campaign(owner=owner, state="closed")) == ""


def test_a_draft_is_called_a_draft(owner: User) -> None:
    assert "Draft. Only test links" in dashboard(owner, make_campaign(owner=owner, state="draft"))


def spread(campaign: Campaign, work_round: str, minutes: float) -> None:
    """Let the work of a round have come in evenly over so many minutes, the last of it just now."""
    done = list(Assignment.objects.filter(worker__campaign=campaign, round=work_round, state="submitted"))
    for place, assignment in enumerate(done):
        ago = timedelta(minutes=minutes * (len(done) - 1 - place) / (len(done) - 1))
        assignment.submitted_at = timezone.now() - ago
        assignment.save()


def test_people_and_hours_come_from_the_pace_and_from_those_who_finished(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=10, editors_per_source=8, editor_tasks=30, state="open")
    edit_all(campaign, 3)
    Enrolment.objects.update(outcome="done")
    spread(campaign, EDIT, 58)  # 29 intervals of two minutes: 30 an hour

    text = dashboard(owner, campaign)

    # 80 wanted, 30 done by three people
    assert "50 compressions missing. It takes about 5 people and 2 hours at this pace. Without a break" in text


def test_without_data_the_settings_are_named_and_no_time_is_told(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=10, editors_per_source=3, editor_tasks=7)
    text = dashboard(owner, campaign)
    assert "30 compressions missing. It takes about 5 people. That is with 7 compressions per participant" in text
    assert "Nothing was submitted in the last 24 hours." in text
    assert "at this pace" not in text


def test_too_few_submissions_are_no_pace() -> None:
    campaign = make_campaign(sources=10, editors_per_source=3)
    worker = enrol(campaign, EDIT)
    for _ in range(4):
        edit_next(worker)
    spread(campaign, EDIT, 60)
    assert pace_of(campaign, EDIT) == Pace()
    edit_next(worker)
    spread(campaign, EDIT, 60)
    assert pace_of(campaign, EDIT).per_hour == pytest.approx(4, rel=0.01)
    spread(campaign, EDIT, 2)
    assert pace_of(campaign, EDIT) == Pace()
    Assignment.objects.filter(state="submitted").update(submitted_at=timezone.now() - timedelta(hours=25))
    assert pace_of(campaign, EDIT) == Pace(is_quiet=True)


def test_the_work_of_tests_is_no_pace() -> None:
    campaign = make_campaign(sources=10, editors_per_source=3)
    edit_all(campaign, 1)
    spread(campaign, EDIT, 60)
    Worker.objects.update(is_test=True)
    assert pace_of(campaign, EDIT) == Pace(is_quiet=True)
    assert remaining_of(campaign, EDIT, round_progress(campaign, EDIT)).missing == 30


def test_a_text_takes_as_many_people_as_it_has_open_places() -> None:
    campaign = make_campaign(sources=1, editors_per_source=3)
    assert remaining_of(campaign, EDIT, round_progress(campaign, EDIT)).people == 3
    edit_all(campaign, 1)
    assert remaining_of(campaign, EDIT, round_progress(campaign, EDIT)).people == 2


def test_the_rater_round_is_not_said_to_be_done_while_texts_are_written(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=2, editors_per_source=2, raters_per_compression=1)
    edit_next(enrol(campaign, EDIT))
    rate_all(enrol(campaign, RATE))
    text = dashboard(owner, campaign)
    assert "All done so far" in text
    assert "More compressions to rate come as editors write them." in text
    assert "100% done" not in text


def test_later_imports_and_exclusions_are_said_beside_the_total(owner: User) -> None:
    campaign = judged_campaign(owner=owner, sources=2)
    assert "added on" not in dashboard(owner, campaign)
    rows = (
        '{"id": "x", "genre": "News", "text": "' + "A man who had a dog went out to walk with it every day. " * 2 + '"}'
    )
    client = staff_client(owner)
    source_import(campaign=campaign, file_name="more.jsonl", content=rows.encode(), strict=True, seed=1)
    worker_exclude(worker=Worker.objects.get(external_id="rater-1"), work_round=RATE, note="Careless", user=owner)
    text = dashboard(owner, campaign)
    assert f"1 text was added on {timezone.now():%-d %B %Y}." in text
    assert "2 ratings by 1 excluded participant do not count" in text
    assert client.get(f"/campaigns/{campaign.slug}/").status_code == 200


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0.2, "1 minute"), (89, "89 minutes"), (90, "2 hours"), (60 * 47, "47 hours"), (60 * 48, "2 days")],
)
def test_a_duration_is_a_round_number(minutes: float, words: str) -> None:
    assert duration_words(minutes) == words


@given(st.integers(1, 10**6), st.none() | st.integers(1, 10**5), st.none() | st.floats(0, 1e7), st.booleans())
def test_no_sentence_tells_what_is_not_known(
    missing: int, people: int | None, minutes: float | None, is_quiet: bool
) -> None:
    remaining = Remaining(missing, 0, people, 20 if people else None, False, minutes, is_quiet)
    words = remaining_words(remaining, "rate")
    assert words.startswith(f"{missing:,} rating")
    assert ("people" in words or "person" in words) == (people is not None)
    assert ("at this pace" in words) == (minutes is not None)
    assert "None" not in words
