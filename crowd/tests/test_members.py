"""Who of the staff may do what: roles, the last owner, and what viewers are shown."""

import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from common.errors import Refused
from crowd.models import AuditEntry, Campaign, Membership, Role
from crowd.services.members import LAST_OWNER, ROLES_FROM_LEAST, member_raise, member_remove, member_set
from tests.support.factories import make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db


def roles_of(campaign: Campaign) -> dict[str, str]:
    return dict(campaign.memberships.values_list("user__username", "role"))


def campaign_with(*others: str) -> Campaign:
    """A campaign of ann's, with others in the roles that they are called by."""
    campaign = make_campaign(owner=make_staff("ann"), slug="news")
    for role in others:
        member_set(campaign=campaign, member=make_staff(f"the {role}"), role=role, user=None)
    return campaign


def signed_in(campaign: Campaign, name: str) -> Client:
    return staff_client(campaign.staff.get(username=name))


def member_of(campaign: Campaign, name: str) -> Membership:
    return campaign.memberships.get(user__username=name)


def test_an_owner_changes_roles_and_removes_members_on_the_page() -> None:
    campaign = campaign_with("viewer", "manager")
    owner = signed_in(campaign, "ann")
    viewer, manager = member_of(campaign, "the viewer"), member_of(campaign, "the manager")

    owner.post(f"/campaigns/news/staff/{viewer.pk}/", {"role": "manager"})
    for _ in range(2):
        owner.post(f"/campaigns/news/staff/{manager.pk}/remove/")

    assert roles_of(campaign) == {"ann": "owner", "the viewer": "manager"}
    logged = AuditEntry.objects.filter(campaign=campaign, username="ann").order_by("pk")
    assert list(logged.values_list("action", "subject", "detail"))[1:] == [
        ("role given", "the viewer", "viewer → manager"),
        ("member removed", "the manager", ""),
    ]


def test_a_role_that_there_is_not_is_refused() -> None:
    campaign = campaign_with("viewer")
    viewer = member_of(campaign, "the viewer")
    answer = signed_in(campaign, "ann").post(f"/campaigns/news/staff/{viewer.pk}/", {"role": "king"}, follow=True)
    assert "Choose one of the roles." in readable(answer)
    assert roles_of(campaign)["the viewer"] == "viewer"


@pytest.mark.parametrize("act", [("", {"role": "viewer"}), ("remove/", {})])
def test_the_last_owner_stays(act: tuple[str, dict[str, str]]) -> None:
    campaign = campaign_with("manager")
    path, form = act
    address = f"/campaigns/news/staff/{member_of(campaign, 'ann').pk}/{path}"
    page = signed_in(campaign, "ann").post(address, form, follow=True)
    assert str(LAST_OWNER) in readable(page)
    assert roles_of(campaign)["ann"] == "owner"


def test_an_owner_who_cannot_log_in_is_no_owner_to_lean_on() -> None:
    campaign = campaign_with("owner")
    gone = campaign.staff.get(username="the owner")
    gone.is_active = False
    gone.save()
    with pytest.raises(Refused, match="needs an owner"):
        member_remove(campaign=campaign, member=campaign.staff.get(username="ann"), user=None)
    member_remove(campaign=campaign, member=gone, user=None)
    assert roles_of(campaign) == {"ann": "owner"}


def test_who_removes_themselves_is_taken_to_their_campaigns() -> None:
    campaign = campaign_with("owner")
    ann = member_of(campaign, "ann")
    answer = staff_client(ann.user).post(f"/campaigns/news/staff/{ann.pk}/remove/", follow=True)
    assert answer.redirect_chain[-1][0] == "/campaigns/"
    assert staff_client(ann.user).get("/campaigns/news/staff/").status_code == 404


def test_a_member_of_another_campaign_is_not_found() -> None:
    campaign = campaign_with()
    other = make_campaign(owner=make_staff("ben")).memberships.get()
    assert signed_in(campaign, "ann").post(f"/campaigns/news/staff/{other.pk}/", {"role": "viewer"}).status_code == 404
    signed_in(campaign, "ann").post(f"/campaigns/news/staff/{other.pk}/remove/")
    assert Membership.objects.filter(pk=other.pk, role="owner").exists()


PAGES = ["", "settings/", "links/", "imports/", "systems/", "quality/", "releases/freeze/", "staff/", "examples/new/"]


@pytest.mark.parametrize("page", PAGES)
def test_viewers_are_told_and_all_forms_are_hidden_from_them(page: str) -> None:
    campaign = campaign_with("viewer", "manager")
    seen = {role: readable(signed_in(campaign, role).get(f"/campaigns/news/{page}")) for role in roles_of(campaign)}
    assert re.search(r'<body\s+class="viewer"\s*>', seen["the viewer"])
    assert "View only" in seen["the viewer"]
    for role in ("ann", "the manager"):
        assert 'class="viewer"' not in seen[role]
        assert "View only" not in seen[role]


def test_only_owners_are_offered_what_only_they_may_do() -> None:
    campaign = campaign_with("viewer", "manager")
    offered = {
        role: "Make the invitation" in readable(signed_in(campaign, role).get("/campaigns/news/staff/"))
        for role in roles_of(campaign)
    }
    assert offered == {"ann": True, "the viewer": False, "the manager": False}


def test_a_viewers_links_lead_to_pages_that_they_may_see() -> None:
    campaign = campaign_with("viewer")
    viewer = signed_in(campaign, "the viewer")
    links = set(re.findall(r'<a\s+href="(/campaigns/news/[^"]*)"', readable(viewer.get("/campaigns/news/"))))
    assert len(links) > 8
    assert {link: viewer.get(link).status_code for link in links} == dict.fromkeys(links, 200)


@pytest.mark.parametrize("role", Role.values)
def test_the_command_gives_any_role(role: str) -> None:
    campaign = campaign_with()
    make_staff("ben")
    call_command("add_staff", "news", "ben", f"--role={role}")
    assert roles_of(campaign)["ben"] == role


def test_the_command_leaves_the_last_owner() -> None:
    campaign = campaign_with()
    with pytest.raises(CommandError, match="needs an owner"):
        call_command("add_staff", "news", "ann", "--role=viewer")
    assert roles_of(campaign) == {"ann": "owner"}


class RolesUnderAnyChanges(TestCase):
    """Whatever is asked for in whatever order, a campaign keeps an owner, and an invitation takes nothing away."""

    @given(
        st.lists(
            st.tuples(st.sampled_from(["set", "raise", "remove"]), st.integers(0, 2), st.sampled_from(Role.values)),
            max_size=12,
        )
    )
    def test_there_is_always_an_owner(self, acts: list[tuple[str, int, str]]) -> None:
        people = [make_staff() for _ in range(3)]
        campaign = make_campaign(owner=people[0])
        for act, who, role in acts:
            before = campaign.memberships.filter(user=people[who]).first()
            try:
                if act == "set":
                    member_set(campaign=campaign, member=people[who], role=role, user=None)
                elif act == "remove":
                    member_remove(campaign=campaign, member=people[who], user=None)
                else:
                    after = member_raise(campaign=campaign, member=people[who], role=role, user=None)
                    least = ROLES_FROM_LEAST.index(Role(before.role)) if before else 0
                    assert ROLES_FROM_LEAST.index(Role(after.role)) >= least
            except Refused:
                pass
            assert campaign.memberships.filter(role=Role.OWNER).exists()
