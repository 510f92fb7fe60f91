"""Staff do the same to the rows that they chose in a list: flags, participants, texts."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compressions.models import Compression, Source
from crowd.models import Campaign, Exclusion, PaidVisit, Worker
from tests.support.factories import judged_campaign, make_staff, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def campaign(owner: User) -> Campaign:
    return judged_campaign(owner=owner, sources=3)


@pytest.fixture
def client(owner: User, campaign: Campaign) -> Client:
    return staff_client(owner)


def numbers(campaign: Campaign, work_round: str) -> list[int]:
    people = Worker.objects.filter(campaign=campaign, enrolments__round=work_round)
    return list(people.order_by("number").values_list("number", flat=True))


def test_the_flags_of_those_chosen_are_looked_at_and_to_be_looked_at_again(campaign: Campaign, client: Client) -> None:
    Compression.objects.update(is_flagged=True, flags=[["stops in the middle", "", None]], flag_kinds=" short ")
    first, second, _third = Compression.objects.order_by("pk").values_list("pk", flat=True)
    other = Compression.objects.filter(source__campaign=judged_campaign()).first()
    assert other is not None
    address = f"/campaigns/{campaign.slug}/flagged/looked-at/?kind=short"

    reply = client.post(address, {"chosen": [first, second, other.pk, "x"], "seen": "1"}, follow=True)

    assert "The flags of 2 compressions are marked as looked at." in readable(reply)
    assert reply.request["QUERY_STRING"] == "kind=short"
    assert set(Compression.objects.exclude(flags_seen_at=None).values_list("pk", flat=True)) == {first, second}
    client.post(address, {"chosen": [first], "seen": "0"})
    assert list(Compression.objects.exclude(flags_seen_at=None).values_list("pk", flat=True)) == [second]


def test_people_chosen_are_excluded_for_a_reason_which_is_not_lost(campaign: Campaign, client: Client) -> None:
    address, chosen = f"/campaigns/{campaign.slug}/participants/rate/exclude/", numbers(campaign, "rate")

    refused = client.post(address, {"chosen": chosen[:2], "note": " "})
    nobody = client.post(address, {"note": "Careless."})

    assert (refused.status_code, nobody.status_code) == (422, 422)
    assert readable(refused).count(" checked") - readable(nobody).count(" checked") == 2
    assert "Choose at least one participant." in readable(nobody)
    assert 'value="Careless."' in readable(nobody)
    assert not Exclusion.objects.exists()
    done = client.post(address, {"chosen": [*chosen[:2], *numbers(campaign, "edit")], "note": "Careless."}, follow=True)
    assert "2 participants are excluded." in readable(done)
    assert set(Exclusion.objects.values_list("worker__number", "round")) == {(each, "rate") for each in chosen[:2]}


def test_people_chosen_are_marked_as_paid_and_no_longer(campaign: Campaign, client: Client) -> None:
    address, chosen = f"/campaigns/{campaign.slug}/participants/rate/paid/", numbers(campaign, "rate")

    client.post(address, {"chosen": chosen[:2], "link": "all", "paid": "1"})

    assert set(PaidVisit.objects.values_list("worker__number", flat=True)) == set(chosen[:2])
    reply = client.post(f"{address}?sort=number", {"chosen": chosen[:1], "link": "all", "paid": "0"})
    assert reply.headers["Location"] == f"/campaigns/{campaign.slug}/participants/rate/?sort=number"
    assert PaidVisit.objects.get().worker.number == chosen[1]


def test_texts_chosen_are_retired_together(campaign: Campaign, client: Client) -> None:
    address, chosen = f"/campaigns/{campaign.slug}/sources-retired/", list(Source.objects.values_list("pk", flat=True))

    refused = client.post(address, {"chosen": chosen[:2], "note": "Broken."})

    assert refused.status_code == 422
    assert 'value="Broken."' in readable(refused)
    reply = client.post(address, {"chosen": chosen[:2], "note": "Broken.", "work": "leave"}, follow=True)
    assert "2 texts are retired." in readable(reply)
    assert set(Source.objects.exclude(retired_at=None).values_list("pk", "work_is_kept")) == {
        (each, False) for each in chosen[:2]
    }


def test_an_archived_campaign_and_a_viewer_choose_nothing(campaign: Campaign, client: Client) -> None:
    viewer = make_staff("looker")
    campaign.memberships.create(user=viewer, role="viewer")
    Compression.objects.update(is_flagged=True, flags=[["stops in the middle", "", None]], flag_kinds=" short ")
    for path in ("flagged/", "participants/rate/", "sources/"):
        address = f"/campaigns/{campaign.slug}/{path}"
        assert b'name="chosen"' in client.get(address).content
        assert b'name="chosen"' not in staff_client(viewer).get(address).content
    Campaign.objects.update(state="archived")
    for path in ("flagged/", "participants/rate/", "sources/"):
        assert b'name="chosen"' not in client.get(f"/campaigns/{campaign.slug}/{path}").content
