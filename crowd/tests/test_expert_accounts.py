"""Experts with an account: what they see, and that nobody else can come as one of them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Role, Round, Worker
from crowd.services.members import member_remove, member_set
from tests.support.factories import make_campaign, make_staff, open_link, readable, staff_client

pytestmark = pytest.mark.django_db
PAGES = ["", "staff/", "audit/", "settings/", "links/", "people/1/", "releases/"]


@pytest.fixture
def campaign() -> Campaign:
    """A campaign with texts that experts may rate: here sources stand for them."""
    campaign = make_campaign(owner=make_staff("ann"), slug="news", sources=3)
    campaign.items.update(round=Round.EXPERT)
    return campaign


def expert_of(campaign: Campaign, name: str = "eve") -> User:
    user = make_staff(name)
    member_set(campaign=campaign, member=user, role=Role.EXPERT, user=campaign.staff.get(username="ann"))
    return user


def rates(client: Client) -> Any:
    """Press the button, agree, and go on."""
    consent = client.post("/campaigns/news/rate-as-expert/")
    return client.post(consent.headers["Location"])


def link_of_accounts(campaign: Campaign) -> JoinLink:
    return JoinLink.objects.get(campaign=campaign, platform_key="account")


def test_an_expert_sees_the_button_and_nothing_else_of_the_campaign(campaign: Campaign) -> None:
    client = staff_client(expert_of(campaign))
    page = readable(client.get("/campaigns/"))
    assert "Rate as an expert" in page
    assert "/campaigns/news/rate-as-expert/" in page
    assert not re.search(r'href="/campaigns/news/', page)
    assert {client.get(f"/campaigns/news/{path}").status_code for path in PAGES} == {404}


def test_staff_who_are_no_experts_have_no_button(campaign: Campaign) -> None:
    expert_of(campaign)
    client = staff_client(campaign.staff.get(username="ann"))
    assert "Rate as an expert" not in readable(client.get("/campaigns/"))
    assert client.post("/campaigns/news/rate-as-expert/").status_code == 404


def test_an_expert_agrees_and_rates(campaign: Campaign) -> None:
    client = staff_client(expert_of(campaign))
    arrived = client.post("/campaigns/news/rate-as-expert/", follow=True)
    assert campaign.consent in readable(arrived)
    assert not Worker.objects.filter(platform_key="account").exists()
    assert rates(client).headers["Location"] == "/work/"
    worker = Worker.objects.get(platform_key="account")
    assert worker.external_id == f"account-{User.objects.get(username='eve').pk}"
    assert worker.enrolments.get().round == Round.EXPERT


def test_an_expert_goes_on_as_the_same_person_in_any_browser(campaign: Campaign) -> None:
    eve = expert_of(campaign)
    first, second = staff_client(eve), staff_client(eve)
    rates(first)
    arrived = second.post("/campaigns/news/rate-as-expert/", follow=True)
    assert campaign.consent in readable(arrived)
    assert 'name="settings"' not in readable(arrived)  # nothing to agree to a second time
    rates(second)
    for client in (first, second, first):
        assert client.get("/work/").status_code == 302
    assert Worker.objects.filter(platform_key="account").count() == 1


def test_two_experts_are_two_people(campaign: Campaign) -> None:
    for name in ("eve", "bob"):
        rates(staff_client(expert_of(campaign, name)))
    assert Worker.objects.filter(platform_key="account").count() == 2


@pytest.mark.parametrize("parameter", ["", "participant", "account", "worker_id", "id", "PROLIFIC_PID"])
def test_no_address_makes_anybody_an_expert(campaign: Campaign, parameter: str) -> None:
    eve = expert_of(campaign)
    rates(staff_client(eve))
    before = Enrolment.objects.count()
    stranger, address = Client(), link_of_accounts(campaign).get_absolute_url()
    stranger.get(f"{address}?{parameter}=account-{eve.pk}")
    answer = stranger.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/campaigns/")
    assert stranger.post(address).status_code == 409
    assert stranger.get("/work/").status_code == 403
    assert Enrolment.objects.count() == before


def test_the_id_of_an_expert_by_another_link_is_another_person(campaign: Campaign) -> None:
    eve = expert_of(campaign)
    rates(staff_client(eve))
    direct = JoinLink.objects.get(campaign=campaign, round=Round.EXPERT, platform_key="direct")
    stranger = Client()
    stranger.get(f"{direct.get_absolute_url()}?participant=account-{eve.pk}")
    stranger.post(direct.get_absolute_url())
    assert Enrolment.objects.filter(round=Round.EXPERT).values("worker").distinct().count() == 2


def test_a_cookie_of_another_link_brings_nobody_in(campaign: Campaign) -> None:
    """The cookie of an arrival is signed for its link: that of another link with this id is nothing here."""
    eve = expert_of(campaign)
    direct = open_link(campaign=campaign, work_round=Round.EXPERT, platform_key="direct", name="another")
    stranger, link = Client(), link_of_accounts(campaign)
    stranger.get(f"{direct.get_absolute_url()}?participant=account-{eve.pk}")
    stranger.cookies["precis_arrival"]["path"] = link.get_absolute_url()
    assert stranger.post(link.get_absolute_url()).status_code == 409
    assert not Worker.objects.filter(platform_key="account").exists()


def test_who_is_no_longer_an_expert_stops_at_once_and_may_be_let_in_again(campaign: Campaign) -> None:
    eve = expert_of(campaign)
    client = staff_client(eve)
    rates(client)
    assert client.get("/work/").status_code == 302
    member_remove(campaign=campaign, member=eve, user=None)
    assert client.get("/work/").status_code == 403
    assert client.post("/campaigns/news/rate-as-expert/").status_code == 404
    member_set(campaign=campaign, member=eve, role=Role.EXPERT, user=None)
    rates(client)
    assert client.get("/work/").status_code == 302
    assert Worker.objects.filter(platform_key="account").count() == 1


def test_work_of_experts_goes_on_from_one_browser_to_the_next(campaign: Campaign) -> None:
    eve = expert_of(campaign)
    for client in (staff_client(eve), staff_client(eve)):
        rates(client)
        client.post("/work/guidelines/")
        client.post("/work/next/")
    assert Assignment.objects.filter(round=Round.EXPERT, state=Assignment.State.LEASED).count() == 1


def test_the_link_comes_with_the_first_expert_and_is_not_handed_out(campaign: Campaign) -> None:
    assert not JoinLink.objects.filter(platform_key="account").exists()
    for name in ("eve", "bob"):
        expert_of(campaign, name)
    link = link_of_accounts(campaign)
    owner = staff_client(campaign.staff.get(username="ann"))
    for page in ("", "links/"):
        assert link.token not in readable(owner.get(f"/campaigns/news/{page}"))
    refused = owner.post("/campaigns/news/links/", {"round": "expert", "platform_key": "account"})
    assert refused.status_code == 422


def test_the_table_refuses_links_of_accounts_that_cannot_be(campaign: Campaign) -> None:
    expert_of(campaign)
    for work_round in (Round.EXPERT, Round.RATE):
        with pytest.raises(IntegrityError), transaction.atomic():
            JoinLink.objects.create(campaign=campaign, platform_key="account", round=work_round)
