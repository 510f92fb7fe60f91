"""The staff pages of links: addresses, codes, limits, warnings; and ids that can be none."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from crowd.models import AuditEntry, Campaign, Enrolment, JoinLink, Worker
from crowd.models.links import CODES
from crowd.platforms import PLATFORMS
from crowd.selectors.link_warnings import link_warnings
from crowd.services.claims import assignment_claim
from crowd.services.links import join_link_make_codes, join_link_update, round_pause_set
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db
ID = "5f1c0ffee5f1c0ffee5f1c0f"


def made(campaign: Campaign, platform: str = "prolific", **settings: Any) -> JoinLink:
    return open_link(campaign=campaign, work_round=EDIT, platform_key=platform, **settings)


def page_of(campaign: Campaign, path: str = "") -> str:
    reply = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/links/{path}")
    assert reply.status_code == 200
    return reply.content.decode()


# Addresses


def test_the_address_to_paste_has_the_parts_that_the_platform_replaces() -> None:
    campaign = make_campaign(owner=make_staff())
    for platform, ending in (
        ("prolific", "?PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}&amp;SESSION_ID={{%SESSION_ID%}}"),
        ("sona", "?survey_code=%SURVEY_CODE%"),
        ("connect", ""),
    ):
        link = made(campaign, platform)
        for path in ("", f"{link.pk}/"):
            assert f'value="http://testserver/join/{link.token}/{ending}"' in page_of(campaign, path)


@pytest.mark.parametrize(
    ("platform", "query"),
    [
        ("prolific", "PROLIFIC_PID={{%25PROLIFIC_PID%25}}"),
        ("prolific", "PROLIFIC_PID=zzz"),
        ("prolific", "PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0fa"),
        ("connect", "participantId={{participantId}}"),
        ("connect", "participantId=zzz"),
        ("sona", "survey_code=%25SURVEY_CODE%25"),
        ("sona", "survey_code=XXXX"),
        ("direct", "participant={{name}}"),
        ("direct", "participant=undefined"),
    ],
)
def test_what_is_no_id_is_refused_and_staff_are_told(platform: str, query: str) -> None:
    campaign = make_campaign(sources=1, owner=make_staff())
    link = made(campaign, platform)
    client = Client()
    reply = client.get(f"/join/{link.token}/?{query}")
    assert reply.status_code == 400
    assert "The link was set up wrongly" in reply.content.decode()
    client.post(f"/join/{link.token}/")
    link.refresh_from_db()
    assert (link.wrong_ids, Worker.objects.filter(external_id__gt="").count()) == (1, 0)
    assert "Once, someone came with an ID" in page_of(campaign)
    staff_client(campaign.staff.get()).post(f"/campaigns/{campaign.slug}/links/{link.pk}/wrong-ids/")
    assert "came with an ID" not in page_of(campaign)


@pytest.mark.parametrize(
    ("platform", "worker_id"), [("prolific", ID), ("sona", "4711"), ("connect", "A1B2C3D4E5F6A7B8")]
)
def test_ids_of_the_platform_come_in(platform: str, worker_id: str) -> None:
    link = made(make_campaign(sources=1), platform)
    client = Client()
    assert client.get(f"/join/{link.token}/?{link.platform.worker_parameter}={worker_id}").status_code == 302
    client.post(f"/join/{link.token}/")
    assert Worker.objects.get().external_id == worker_id


@given(st.sampled_from(sorted(PLATFORMS)), st.text(alphabet="{}%[]<>$", min_size=1), st.text(max_size=20))
def test_no_platform_has_ids_with_the_signs_of_a_placeholder(platform: str, signs: str, rest: str) -> None:
    assert not PLATFORMS[platform].is_possible_id(signs + rest)
    assert not PLATFORMS[platform].is_possible_id(rest + signs)


# Where people go back to


def test_sona_credits_who_has_finished_by_an_address_with_their_id(client: Client) -> None:
    campaign = make_campaign(sources=1, editor_tasks=1, owner=make_staff())
    link = made(campaign, "sona")
    address = "https://school.sona-systems.com/webstudy_credit.aspx?experiment_id=9&credit_token=a&survey_code=XXXX"
    reply = staff_client(campaign.staff.get()).post(
        f"/campaigns/{campaign.slug}/links/{link.pk}/", {"completion_address": address, "code_done": "DONE-1"}
    )
    assert reply.status_code == 302
    link.refresh_from_db()
    assert link.return_address("DONE-1", "4711").endswith("&survey_code=4711")
    assert link.return_address("DONE-1", "4&7").endswith("&survey_code=4%267")
    assert link.return_address("FAILED-1", "4711") == ""


@pytest.mark.parametrize(
    ("platform", "address"),
    [
        ("sona", "http://school.sona-systems.com/x"),
        ("sona", "https://sona-systems.com.evil.example/x"),
        ("sona", "https://evil.example/?.sona-systems.com"),
        ("sona", "https://me@school.sona-systems.com/"),
        ("sona", "https://school.sona-systems.com:8443/"),
        ("sona", "javascript:alert(1)//.sona-systems.com"),
        ("connect", "https://connect.cloudresearch.com.evil.example/"),
        ("prolific", "https://app.prolific.com/"),
        ("sona", "https://[::1"),
    ],
)
def test_people_are_sent_to_their_platform_only(platform: str, address: str) -> None:
    link = made(make_campaign(), platform)
    with pytest.raises(ValidationError):
        join_link_update(link=link, completion_address=address)


# Names, codes and limits


def test_a_link_is_set_up_on_its_page() -> None:
    campaign = make_campaign(owner=make_staff())
    link = made(campaign)
    client, page = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/links/{link.pk}/"
    codes = {name: f"C-{name}" for name in CODES}
    form = {"name": "Pilot, 20 people", "max_people": "20", "opens_at": "2026-05-01T08:00", "closes_at": "", **codes}
    assert client.post(page, form).status_code == 302
    link.refresh_from_db()
    assert (link.name, link.max_people, {name: getattr(link, name) for name in CODES}) == (
        "Pilot, 20 people",
        20,
        codes,
    )
    assert "Pilot, 20 people" in page_of(campaign)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.username) == ("link changed", campaign.staff.get().username)
    assert "code_done" in entry.detail


@pytest.mark.parametrize(
    "wrong",
    [
        {"code_done": "SAME", "code_partial": "SAME"},
        {"code_done": "a b"},
        {"code_done": "x" * 65},
        {"max_people": "0"},
        {"max_people": "-1"},
        {"opens_at": "2026-05-02T08:00", "closes_at": "2026-05-01T08:00"},
        {"name": "taken"},
        {"name": "x" * 81},
    ],
    ids=str,
)
def test_what_a_link_cannot_be_is_refused_in_words(wrong: dict[str, str]) -> None:
    campaign = make_campaign(owner=make_staff())
    made(campaign, name="taken")
    link = made(campaign)
    reply = staff_client(campaign.staff.get()).post(f"/campaigns/{campaign.slug}/links/{link.pk}/", wrong)
    assert reply.status_code == 422
    assert 'class="errors"' in reply.content.decode()
    assert "Constraint" not in reply.content.decode()
    assert JoinLink.objects.get(pk=link.pk).code_done == link.code_done


def test_missing_codes_are_said_and_made() -> None:
    campaign = make_campaign(owner=make_staff(), partial_after=1)
    link = made(campaign)
    assert not list(link_warnings(link))
    none: dict[str, Any] = dict.fromkeys(CODES, "")
    join_link_update(link=link, **none)
    assert [warning.split(":")[0] for warning in link_warnings(link)] == [
        "No completion code is set",
        "No code is set for participants who find no texts left",
        "No code is set for participants who skip most texts",
        "No partial code is set, though the campaign gives one to participants who stop early.",
    ]
    join_link_make_codes(link=link)
    assert not list(link_warnings(link))
    assert len({getattr(link, name) for name in CODES}) == len(CODES)


@pytest.mark.parametrize(
    ("partial", "unit", "warns"), [(None, "study", True), ("1.00", "study", False), (None, "text", False)]
)
def test_a_partial_code_without_an_amount_is_said(partial: str | None, unit: str, warns: bool) -> None:
    amount = partial and Decimal(partial)
    paid: dict[str, Any] = {"editor_pay": Decimal(3), "editor_pay_unit": unit, "editor_partial_pay": amount}
    link = made(make_campaign(partial_after=1, **paid))
    page = readable(staff_client(link.campaign.staff.get()).get(f"/campaigns/{link.campaign.slug}/links/{link.pk}/"))
    assert ("pays £1.00" in page) is (partial == "1.00")
    assert ("The partial code has no amount" in " ".join(link_warnings(link))) is warns


def test_a_rater_link_misses_a_code_for_the_test_and_sona_an_address() -> None:
    campaign = make_campaign()
    rating = open_link(campaign=campaign, work_round=RATE, platform_key="sona", code_failed="")
    assert [warning.split(" ")[1] for warning in link_warnings(rating)] == ["code", "completion"]


def test_links_without_a_code_hand_out_none(client: Client) -> None:
    campaign = make_campaign(sources=1, editor_tasks=1)
    link = made(campaign, code_done="")
    client.get(f"/join/{link.token}/?PROLIFIC_PID={ID}")
    client.post(f"/join/{link.token}/")
    client.post("/work/guidelines/")
    enrolment = link.enrolments.get()
    assert edit_next(enrolment) is not None
    client.post("/work/next/")
    page = client.get("/work/done/").content.decode()
    assert "completion code" not in page
    assert "app.prolific.com" not in page


# Pausing a round


def again(enrolment: Enrolment) -> Enrolment:
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def test_a_paused_round_gives_out_nothing_new_and_the_other_goes_on() -> None:
    campaign = make_campaign(sources=2, owner=make_staff())
    writing = enrol(campaign, EDIT)
    held = assignment_claim(enrolment=writing)
    client = staff_client(campaign.staff.get())
    for _ in range(2):
        client.post(f"/campaigns/{campaign.slug}/rounds/edit/pause/", {"paused": "1"})
    campaign.refresh_from_db()
    assert (campaign.edit_paused, campaign.rate_paused) == (True, False)
    assert Client().get(f"/join/{link_of(campaign, EDIT).token}/").status_code == 409
    assert Client().get(f"/join/{link_of(campaign, RATE).token}/").status_code == 200
    writing = again(writing)
    assert assignment_claim(enrolment=writing) == held
    assert edit_next(writing) is not None  # what is held can be submitted
    assert assignment_claim(enrolment=writing) is None
    assert AuditEntry.objects.filter(action="round paused").count() == 1
    round_pause_set(campaign=campaign, work_round=EDIT, is_paused=False)
    assert assignment_claim(enrolment=again(writing)) is not None


def test_there_is_no_fourth_round_to_pause() -> None:
    campaign = make_campaign(owner=make_staff())
    reply = staff_client(campaign.staff.get()).post(f"/campaigns/{campaign.slug}/rounds/state/pause/", {"paused": "1"})
    assert reply.status_code == 404


def test_the_page_of_links_takes_as_many_queries_for_many(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    campaign = make_campaign(owner=make_staff())
    for number in range(12):
        made(campaign, name=f"study {number}")
    client = staff_client(campaign.staff.get())
    with django_assert_max_num_queries(7):
        client.get(f"/campaigns/{campaign.slug}/links/")


def test_a_link_of_another_campaign_is_not_found() -> None:
    campaign, other = make_campaign(owner=make_staff()), make_campaign()
    client = staff_client(campaign.staff.get())
    foreign = link_of(other, EDIT)
    for path in ("", "codes/", "wrong-ids/", "state/", "keys/"):
        assert client.post(f"/campaigns/{campaign.slug}/links/{foreign.pk}/{path}").status_code == 404


def test_two_links_of_a_campaign_never_share_a_name() -> None:
    campaign = make_campaign()
    made(campaign, name="one")
    with pytest.raises(ValidationError), transaction.atomic():
        made(campaign, name="one")
    made(make_campaign(), name="one")


# Direct links to which a platform sends people


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0f&STUDY_ID=1&SESSION_ID=2", "Did you mean to make a Prolific link?"),
        ("survey_code=4711", "Did you mean to make a SONA link?"),
        ("participantId=A1B2C3D4E5F6A7B8", "Did you mean to make a CloudResearch Connect link?"),
        ("workerId=A1B2&assignmentId=C3&hitId=D4", "with a Mechanical Turk ID"),
        ("assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=D4", "with a Mechanical Turk ID"),
    ],
)
def test_a_direct_link_with_ids_of_a_platform_lets_people_in_and_tells_staff(query: str, words: str) -> None:
    campaign = make_campaign(sources=1, owner=make_staff())
    link = link_of(campaign, EDIT)
    client = Client()
    assert client.get(f"/join/{link.token}/?{query}").status_code == 302
    assert client.post(f"/join/{link.token}/").headers["Location"] == "/work/"
    assert Worker.objects.get().external_id == ""
    for path in ("", f"{link.pk}/"):
        page = page_of(campaign, path)
        assert "Once, someone opened this direct link with a" in page
        assert words in page
        assert "The IDs are not stored." in page
    stored = JoinLink.objects.filter(pk=link.pk).values_list().get()
    assert not any(isinstance(value, str) and value in query for value in stored if value and value != "direct")
    staff_client(campaign.staff.get()).post(f"/campaigns/{campaign.slug}/links/{link.pk}/wrong-ids/")
    assert "opened this direct link" not in page_of(campaign)


def test_each_person_counts_once_and_the_last_time_is_said(clock: Clock) -> None:
    campaign = make_campaign(sources=1, owner=make_staff())
    link = link_of(campaign, EDIT)
    address = f"/join/{link.token}/?PROLIFIC_PID={ID}"
    for _ in range(3):
        client = Client()
        for _again in range(2):
            client.get(address)
        client.post(f"/join/{link.token}/")
        client.get(address)
        clock.advance(minutes=1)
    link.refresh_from_db()
    assert (link.other_ids, link.other_id_platform) == (3, "Prolific")
    assert link.other_id_at == clock.now - timedelta(minutes=1)
    assert "3 times, someone opened this direct link with a Prolific ID" in page_of(campaign)


@pytest.mark.parametrize("query", ["participant=ann", "PROLIFIC_PID=", "source=mail", "assignmentId=1", "hitId=1"])
def test_other_parameters_of_a_direct_link_mean_nothing(query: str) -> None:
    link = link_of(make_campaign(sources=1), EDIT)
    Client().get(f"/join/{link.token}/?{query}")
    assert JoinLink.objects.get(pk=link.pk).other_ids == 0


def test_counting_other_ids_has_a_limit_that_refuses_nobody(settings: Any) -> None:
    settings.JOINS_PER_HOUR = 2
    link = link_of(make_campaign(sources=1), EDIT)
    for _ in range(5):
        assert Client().get(f"/join/{link.token}/?PROLIFIC_PID={ID}").status_code == 302
    link.refresh_from_db()
    assert link.other_ids == 2
    places = [Client().post(f"/join/{link.token}/").status_code for _ in range(3)]
    assert places == [302, 302, 429]


def test_a_link_of_a_platform_counts_no_ids_of_others() -> None:
    link = made(make_campaign(sources=1), "sona")
    Client().get(f"/join/{link.token}/?PROLIFIC_PID={ID}")
    assert JoinLink.objects.get(pk=link.pk).other_ids == 0
