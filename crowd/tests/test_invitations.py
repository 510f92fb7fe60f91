"""Invitations to the staff of a campaign: they work once, for some days, and tell nothing to others."""

import hashlib
import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.db import IntegrityError
from django.test import Client
from pytest_django.fixtures import Settings

from crowd.models import AuditEntry, Campaign, Invitation, Role
from crowd.services.invitations import invitation_create
from crowd.services.members import member_set
from tests.support.clock import Clock
from tests.support.factories import make_campaign, make_staff, readable, staff_client
from tests.support.mails import mails_sent

pytestmark = pytest.mark.django_db
PASSWORD = "staple of another kind"
NEWCOMER = {"username": "newcomer", "email": "", "password1": PASSWORD, "password2": PASSWORD}
NO_TOKEN = "A" * 32


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(owner=make_staff("ann"), slug="news", name="News of the day")


def owner_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get(username="ann"))


def invited(campaign: Campaign, role: str = Role.VIEWER, days: int = 7, by: str = "ann") -> str:
    """The address of a new invitation."""
    token = invitation_create(campaign=campaign, role=role, days=days, user=campaign.staff.get(username=by))
    return f"/invitations/{token}/"


def made_on_page(client: Client, **changes: str) -> Any:
    form = {"role": "viewer", "days": "7", "email": ""} | changes
    return client.post("/campaigns/news/staff/invitations/", form, follow=True)


def link_on(page: Any) -> str:
    found = re.search(r'value="http://testserver(/invitations/[^"]+)"', readable(page))
    return found[1] if found else ""


def role_of(campaign: Campaign, name: str) -> str:
    return campaign.memberships.get(user__username=name).role


def test_the_link_is_shown_once_to_the_browser_that_made_it(campaign: Campaign) -> None:
    client = owner_of(campaign)
    link = link_on(made_on_page(client))
    assert Client().get(link).status_code == 200
    assert link_on(client.get("/campaigns/news/staff/")) == ""
    assert link_on(owner_of(campaign).get("/campaigns/news/staff/")) == ""


def test_the_link_is_stored_nowhere(campaign: Campaign) -> None:
    token = link_on(made_on_page(owner_of(campaign))).split("/")[2]
    assert len(token) == 32
    stored = "".join(
        repr(row) for model in apps.get_models() for row in model._default_manager.values_list() if model._meta.managed
    )
    assert token not in stored
    assert hashlib.sha256(token.encode()).hexdigest() in stored


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"days": "0"}, "days"),
        ({"days": "31"}, "days"),
        ({"role": "king"}, "role"),
        ({"role": ""}, "role"),
        ({"email": "nobody"}, "email"),
    ],
)
def test_an_invitation_that_cannot_be_is_refused_beside_its_field(
    campaign: Campaign, changes: dict[str, str], field: str
) -> None:
    page = made_on_page(owner_of(campaign), **changes)
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [field]
    assert not Invitation.objects.exists()


def test_the_table_refuses_invitations_that_cannot_be(campaign: Campaign) -> None:
    invited(campaign)
    made = Invitation.objects.get()
    with pytest.raises(IntegrityError):
        Invitation.objects.filter(pk=made.pk).update(accepted_at=made.created_at, revoked_at=made.created_at)


# Accepting


def test_a_newcomer_makes_an_account_and_is_a_member(campaign: Campaign) -> None:
    client = Client()
    answer = client.post(invited(campaign), NEWCOMER | {"email": "new@example.org"}, follow=True)
    assert answer.redirect_chain == [("/campaigns/news/", 302)]
    assert "You are now viewer of News of the day." in readable(answer)
    assert role_of(campaign, "newcomer") == "viewer"
    user = User.objects.get(username="newcomer")
    assert (user.check_password(PASSWORD), user.email, user.is_superuser) == (True, "new@example.org", False)


@pytest.mark.parametrize(
    "changes",
    [
        {"password1": "short", "password2": "short"},
        {"password1": "password123", "password2": "password123"},
        {"password2": "another of a kind"},
        {"username": "ANN"},
        {"username": ""},
        {"username": "a b"},
        {"email": "nobody"},
    ],
)
def test_an_account_that_cannot_be_is_refused_and_the_invitation_still_works(
    campaign: Campaign, changes: dict[str, str]
) -> None:
    address = invited(campaign)
    page = Client().post(address, NEWCOMER | changes)
    assert page.status_code == 422
    assert page.context["form"].errors
    assert PASSWORD not in readable(page)
    assert not User.objects.exclude(username="ann").exists()
    assert Client().post(address, NEWCOMER).status_code == 302


def test_someone_signed_in_accepts_with_their_account(campaign: Campaign) -> None:
    client, address = staff_client(make_staff("ben")), invited(campaign, Role.MANAGER)
    assert "Accept as ben" in readable(client.get(address))
    assert client.post(address).headers["Location"] == "/campaigns/news/"
    assert role_of(campaign, "ben") == "manager"
    assert AuditEntry.objects.filter(campaign=campaign, action="invitation accepted", username="ben").exists()


def test_who_has_an_account_logs_in_and_comes_back(campaign: Campaign) -> None:
    make_staff("ben")
    client, address = Client(), invited(campaign)
    login = re.search(r'href="(/login/\?next=[^"]+)"', readable(client.get(address)))
    assert login
    answer = client.post(login[1], {"username": "ben", "password": "correct horse battery", "next": address})
    assert answer.headers["Location"] == address
    assert client.post(address).status_code == 302
    assert role_of(campaign, "ben") == "viewer"


@pytest.mark.parametrize("before", Role.values)
@pytest.mark.parametrize("invited_as", Role.values)
def test_accepting_never_lowers_a_role(campaign: Campaign, before: str, invited_as: str) -> None:
    order = ["expert", "viewer", "manager", "owner"]
    ben = make_staff("ben")
    member_set(campaign=campaign, member=ben, role=before, user=None)
    staff_client(ben).post(invited(campaign, invited_as))
    assert role_of(campaign, "ben") == max(before, invited_as, key=order.index)


# It works once, and ends


def test_an_invitation_works_once(campaign: Campaign) -> None:
    address = invited(campaign)
    assert Client().post(address, NEWCOMER).status_code == 302
    assert Client().get(address).status_code == 404
    assert Client().post(address, NEWCOMER | {"username": "another"}).status_code == 404
    assert staff_client(make_staff("ben")).post(address).status_code == 404
    assert campaign.memberships.count() == 2


def test_a_second_click_goes_where_the_first_one_went(campaign: Campaign) -> None:
    client, address = staff_client(make_staff("ben")), invited(campaign)
    answers = [client.post(address), client.post(address), client.get(address)]
    assert [answer.headers["Location"] for answer in answers] == ["/campaigns/news/"] * 3
    assert AuditEntry.objects.filter(action="invitation accepted").count() == 1


def test_a_second_click_on_a_new_account_is_no_error_and_logs_nobody_in(campaign: Campaign) -> None:
    address, second = invited(campaign), Client()
    Client().post(address, NEWCOMER)
    assert second.post(address, NEWCOMER).headers["Location"] == "/campaigns/"
    assert "sessionid" not in second.cookies


def test_who_was_removed_cannot_come_back_by_the_same_invitation(campaign: Campaign) -> None:
    ben = make_staff("ben")
    client, address = staff_client(ben), invited(campaign)
    client.post(address)
    campaign.memberships.get(user=ben).delete()
    assert (client.get(address).status_code, client.post(address).status_code) == (404, 404)
    assert not campaign.memberships.filter(user=ben).exists()


def test_an_invitation_ends(campaign: Campaign, clock: Clock) -> None:
    address = invited(campaign, days=2)
    clock.advance(minutes=2 * 24 * 60 - 1)
    assert Client().get(address).status_code == 200
    clock.advance(minutes=2)
    assert (Client().get(address).status_code, Client().post(address, NEWCOMER).status_code) == (404, 404)
    assert not User.objects.filter(username="newcomer").exists()


def test_a_revoked_invitation_no_longer_works_and_is_not_listed(campaign: Campaign) -> None:
    client, address = owner_of(campaign), invited(campaign)
    assert "Open invitations" in readable(client.get("/campaigns/news/staff/"))
    for _ in range(2):
        client.post(f"/campaigns/news/staff/invitations/{Invitation.objects.get().pk}/revoke/")
    assert Client().get(address).status_code == 404
    assert "Open invitations" not in readable(client.get("/campaigns/news/staff/"))
    assert AuditEntry.objects.filter(action="invitation revoked").count() == 1


def test_an_accepted_invitation_stays_accepted_when_it_is_revoked(campaign: Campaign) -> None:
    Client().post(invited(campaign), NEWCOMER)
    owner_of(campaign).post(f"/campaigns/news/staff/invitations/{Invitation.objects.get().pk}/revoke/")
    assert role_of(campaign, "newcomer") == "viewer"
    assert Invitation.objects.get().revoked_at is None


@pytest.mark.parametrize("to", ["manager", "viewer", "expert", ""])
def test_invitations_of_an_owner_who_is_lowered_or_removed_end(campaign: Campaign, to: str) -> None:
    ben = make_staff("ben")
    member_set(campaign=campaign, member=ben, role=Role.OWNER, user=None)
    client, address = staff_client(ben), invited(campaign, Role.OWNER, by="ben")
    of_ann = invited(campaign)
    member = campaign.memberships.get(user=ben)

    path, form = ("", {"role": to}) if to else ("remove/", {})
    owner_of(campaign).post(f"/campaigns/news/staff/{member.pk}/{path}", form)

    assert (client.get(address).status_code, client.post(address).status_code) == (404, 404)
    assert Client().post(address, NEWCOMER).status_code == 404
    assert campaign.memberships.filter(user=ben, role=Role.OWNER).count() == 0
    revoked = AuditEntry.objects.filter(campaign=campaign, action="invitation revoked")
    assert list(revoked.values_list("username", "detail")) == [("ann", "owner")]
    assert Client().get(of_ann).status_code == 200


def test_invitations_of_a_member_who_is_raised_stay(campaign: Campaign) -> None:
    ben = make_staff("ben")
    member_set(campaign=campaign, member=ben, role=Role.MANAGER, user=None)
    address = invited(campaign, by="ben")
    member_set(campaign=campaign, member=ben, role=Role.OWNER, user=None)
    assert Client().get(address).status_code == 200


def test_nobody_joins_the_staff_of_an_archived_campaign(campaign: Campaign) -> None:
    address, ben = invited(campaign), staff_client(make_staff("ben"))
    Campaign.objects.filter(pk=campaign.pk).update(state="archived")
    answers = [ben.get(address), ben.post(address), Client().get(address), Client().post(address, NEWCOMER)]
    assert [answer.status_code for answer in answers] == [409] * 4
    assert all("This campaign is archived, so nobody can join its staff" in readable(answer) for answer in answers)
    assert campaign.memberships.count() == 1
    assert not User.objects.filter(username="newcomer").exists()
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    assert ben.post(address).status_code == 302


# Who is not invited


def plain(response: Any) -> str:
    return re.sub(r'name="csrfmiddlewaretoken"\s+value="\w+"', "", readable(response))


def test_who_is_not_invited_learns_nothing(campaign: Campaign, clock: Clock) -> None:
    """What never was, what was used, revoked and what has ended look alike."""
    used, revoked, ended = invited(campaign), invited(campaign, days=9), invited(campaign, days=1)
    Client().post(used, NEWCOMER)
    longest = Invitation.objects.latest("ends_at")
    owner_of(campaign).post(f"/campaigns/news/staff/invitations/{longest.pk}/revoke/")
    clock.advance(minutes=2 * 24 * 60)
    answers = [Client().get(address) for address in (f"/invitations/{NO_TOKEN}/", used, revoked, ended)]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert len({plain(answer) for answer in answers}) == 1
    assert "News" not in plain(answers[0])


def test_guessing_is_limited_and_does_not_stop_who_is_invited_elsewhere(campaign: Campaign, clock: Clock) -> None:
    clock.to_next_hour()
    guesses = [Client().get(f"/invitations/{NO_TOKEN}{number}/").status_code for number in range(90)]
    assert guesses[:60] == [404] * 60
    assert set(guesses[70:]) == {429}
    assert Client().get(invited(campaign)).status_code == 200


# Mail


def test_the_link_is_mailed_where_mails_are_sent(campaign: Campaign, settings: Settings) -> None:
    settings.SENDS_MAIL = True
    link = link_on(made_on_page(owner_of(campaign), email="ben@example.org"))
    (message,) = mails_sent()
    assert (message.to, message.subject) == (["ben@example.org"], "Invitation to a campaign on Précis")
    assert f"http://testserver{link}" in message.body


def test_without_a_server_for_mails_none_is_sent(campaign: Campaign) -> None:
    page = made_on_page(owner_of(campaign), email="ben@example.org")
    assert link_on(page)
    assert mails_sent() == []
    assert mail.outbox == []
    assert "ben@example.org" in readable(page)


def test_a_mailed_link_leads_home_whatever_host_was_asked_for(campaign: Campaign, settings: Settings) -> None:
    settings.SENDS_MAIL, settings.PUBLIC, settings.PUBLIC_ORIGIN = True, True, "https://precis.example.org"
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["precis.example.org", ".example.org"], False
    client = owner_of(campaign)
    client.defaults["HTTP_HOST"] = "evil.example.org:1337"
    made_on_page(client, email="ben@example.org")
    (message,) = mails_sent()
    assert "https://precis.example.org/invitations/" in message.body
    assert "evil" not in message.body
    assert "1337" not in message.body
