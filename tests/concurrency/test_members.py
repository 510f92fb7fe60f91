"""Owners who remove each other, and an invitation that is accepted many times, at the same moment."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from common.errors import Refused
from crowd.models import Campaign, Invitation, Membership, Role
from crowd.services.invitations import InvitationGone, invitation_accept, invitation_create
from crowd.services.members import member_remove, member_set
from tests.support.factories import make_campaign, make_staff
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


def remove(campaign: Campaign, member: User, user: User) -> bool:
    try:
        member_remove(campaign=campaign, member=member, user=user)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("_time", range(5))
def test_of_two_owners_who_remove_each_other_one_stays(_time: int) -> None:
    ann, ben = make_staff(), make_staff()
    campaign = make_campaign(owner=ann)
    member_set(campaign=campaign, member=ben, role=Role.OWNER, user=ann)
    removed = together([partial(remove, campaign, ben, ann), partial(remove, campaign, ann, ben)])
    assert sorted(removed) == [False, True]
    assert Membership.objects.filter(campaign=campaign, role=Role.OWNER).count() == 1


def accept(invitation: Invitation, user: User) -> bool:
    try:
        invitation_accept(invitation=invitation, user=user)
    except InvitationGone:
        return False
    return True


def test_of_several_who_accept_an_invitation_at_once_one_becomes_a_member() -> None:
    campaign = make_campaign()
    invitation_create(campaign=campaign, role=Role.VIEWER, days=1, user=None)
    invitation = Invitation.objects.get()
    accepted = together([partial(accept, invitation, make_staff()) for _ in range(6)])
    assert sorted(accepted) == [False] * 5 + [True]
    assert Membership.objects.filter(campaign=campaign, role=Role.VIEWER).count() == 1


def test_a_new_account_that_is_sent_twice_at_once_is_made_once_and_both_go_on() -> None:
    campaign = make_campaign()
    token = invitation_create(campaign=campaign, role=Role.VIEWER, days=1, user=None)
    form = {"username": "newcomer", "password1": "staple of another kind", "password2": "staple of another kind"}

    def send() -> int:
        return Client().post(f"/invitations/{token}/", form).status_code

    assert together([send] * 4) == [302] * 4
    assert User.objects.filter(username="newcomer").count() == 1
    assert Membership.objects.filter(campaign=campaign, role=Role.VIEWER).count() == 1
