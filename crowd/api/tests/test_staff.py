"""The staff of a campaign by the API."""

import pytest

from crowd.models import Membership, Role
from crowd.services.members import member_set
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db


def test_members_are_listed_get_another_role_and_are_removed() -> None:
    owner, other = make_staff("ann"), make_staff("b@n.x+y-z_1")
    campaign = make_campaign(owner=owner)
    member_set(campaign=campaign, member=other, role=Role.VIEWER, user=owner)
    api, address = Api(owner), f"campaigns/{campaign.slug}/staff/"

    assert api.get(address).json()["results"] == [
        {"username": "ann", "role": "owner"},
        {"username": "b@n.x+y-z_1", "role": "viewer"},
    ]
    assert Api(other).get(address).status_code == 200
    changed = api.call("put", f"{address}b@n.x+y-z_1/", {"role": "manager"})
    assert changed.json() == {"username": "b@n.x+y-z_1", "role": "manager"}
    assert Api(other).call("put", f"{address}ann/", {"role": "viewer"}).status_code == 403
    assert api.call("delete", f"{address}b@n.x+y-z_1/").status_code == 204
    assert api.call("delete", f"{address}b@n.x+y-z_1/").status_code == 404
    assert Api(other).get(address).status_code == 404


def test_a_campaign_keeps_an_owner() -> None:
    owner = make_staff("ann")
    campaign = make_campaign(owner=owner)
    api, address = Api(owner), f"campaigns/{campaign.slug}/staff/ann/"

    refused = [api.call("put", address, {"role": "viewer"}), api.call("delete", address)]

    assert [each.status_code for each in refused] == [409, 409]
    assert "A campaign needs an owner." in refused[0].json()["detail"]
    assert Membership.objects.get(campaign=campaign).role == Role.OWNER
    assert api.call("put", address, {"role": "king"}).json()["errors"][0]["field"] == "role"


def test_an_invitation_makes_the_first_who_follows_it_a_member() -> None:
    owner, invited = make_staff("ann"), make_staff("ben")
    campaign = make_campaign(owner=owner)
    api = Api(owner)
    made = api.post(f"campaigns/{campaign.slug}/invitations/", {"role": "viewer"}, Idempotency_Key="one")
    again = api.post(f"campaigns/{campaign.slug}/invitations/", {"role": "viewer"}, Idempotency_Key="one")
    path = made.json()["address"].removeprefix("http://testserver")

    assert (made.status_code, again.json()) == (201, {"address": None})
    staff_client(invited).post(path)
    assert Membership.objects.get(campaign=campaign, user=invited).role == Role.VIEWER
    assert api.post(f"campaigns/{campaign.slug}/invitations/", {"role": "viewer", "days": 31}).status_code == 400
