"""The dashboard leads everywhere, and says what is missing and what comes next."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.urls import resolve
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from compressions.services.imports import source_import
from crowd.access import Access
from crowd.models import Assignment, Campaign, Enrolment, Worker
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


def test_every_page_of_staff_is_reached_from_the_dashboard() -> None:
    world = World()
    client = staff_client(world.owner)
    page = client.get(f"/campaigns/{world.campaign.slug}/").content.decode()
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
    assert ("Raters take no test" in dashboard(owner, campaign)) is not with_test


def test_the_next_step_follows_the_campaign(owner: User) -> None:
    campaign = make_campaign(owner=owner, state="draft", editors_per_source=1, raters_per_compression=1)
    assert "Import texts . There are no texts" in dashboard(owner, campaign)
    import_texts(campaign, ["One old man who lives by the sea went to the market in the morning and bought a fish."])
    assert "Try it, then open it" in dashboard(owner, campaign)
    campaign.links.update(is_active=False)
    assert "Make a link" in dashboard(owner, campaign)
    campaign.links.update(is_active=True)
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    campaign.refresh_from_db()
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))
    assert "Apply the quality rule . See" in dashboard(owner, campaign)
    freeze(campaign)
    assert "Compute agreement . See" in dashboard(owner, campaign)


def test_after_the_end_staff_are_told_to_pay_and_freeze_and_not_what_is_missing(owner: User) -> None:
    campaign = judged_campaign(owner=owner, editors_per_source=9)
    text = dashboard(owner, campaign)
    assert "missing" in text
    assert "Pause first to let participants finish." in text

    Campaign.objects.update(state="closed")
    text = dashboard(owner, campaign)
    assert "Pay participants if you haven’t yet: lists for the platform" in text
    assert "Apply the quality rule . See" in text
    assert "State Closed ." in text
    for gone in ("missing", "Pause first", "Import texts"):
        assert gone not in text

    Campaign.objects.update(state="archived")
    assert "This campaign is archived and read-only." in dashboard(owner, campaign)


def test_a_closed_campaign_without_texts_is_not_sent_to_import_some(owner: User) -> None:
    assert "Import texts" not in dashboard(owner, make_campaign(owner=owner, state="closed"))


def test_a_draft_is_called_a_draft(owner: User) -> None:
    assert "State Draft ." in dashboard(owner, make_campaign(owner=owner, state="draft"))


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
    assert "50 compressions missing. It takes about 5 people and 2 hours at this pace." in text


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
