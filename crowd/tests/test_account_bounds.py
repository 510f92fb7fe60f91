"""What one account may begin and hold, and whose job comes next."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from common.clock import database_now
from common.errors import TooManyRequests
from common.job_attempts import LEASE
from common.jobs import job_enqueue, job_in_turn
from common.models import Job
from crowd.models import Campaign, Invitation, Role, SettingsVersion
from crowd.services.account_bounds import account_bounds, may_create_campaigns
from crowd.services.invitations import invitation_accept, invitation_create, invitation_of_token
from tests.support.api_client import Api
from tests.support.clock import Clock
from tests.support.factories import make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db
State = Job.State


def invited(role: str) -> User:
    campaign = make_campaign(owner=make_staff())
    token = invitation_create(campaign=campaign, role=role, days=7, user=None)
    account = User.objects.create_user("newcomer")
    invitation = invitation_of_token(token)
    assert invitation is not None
    invitation_accept(invitation=invitation, user=account)
    return account


def created(user: User, number: int = 1) -> list[int]:
    """The statuses of creating campaigns by the page and by a program."""
    page = staff_client(user).post("/campaigns/new/from-template/headline/", {"name": f"Page {number}"})
    program = Api(user).post("campaigns/", {"name": f"Program {number}"})
    return [page.status_code, program.status_code]


@pytest.mark.parametrize("role", [Role.EXPERT, Role.VIEWER, Role.MANAGER])
def test_an_account_that_an_invitation_made_creates_no_campaign(role: str, settings: Settings) -> None:
    account = invited(role)
    assert not may_create_campaigns(account)
    assert created(account) == [403, 403]
    assert not Campaign.objects.filter(staff=account, name__startswith="P").exists()
    assert "New campaign" not in readable(staff_client(account).get("/campaigns/"))
    settings.CAMPAIGN_CREATORS = ["newcomer"]
    assert created(account) == [302, 201]


def test_whoever_had_an_account_before_an_invitation_goes_on_creating(settings: Settings) -> None:
    account = make_staff()
    User.objects.filter(pk=account.pk).update(date_joined=database_now() - timedelta(days=2))
    campaign = make_campaign(owner=make_staff())
    invitation = invitation_of_token(invitation_create(campaign=campaign, role=Role.VIEWER, days=7, user=None))
    assert invitation is not None
    invitation_accept(invitation=invitation, user=User.objects.get(pk=account.pk))
    assert created(account) == [302, 201]
    settings.CAMPAIGN_CREATORS = ["somebody else"]
    assert created(account, 2) == [403, 403]
    assert created(make_staff(administrator=True), 3) == [302, 201]


def test_an_account_creates_so_many_campaigns_in_a_day(settings: Settings, clock: Clock) -> None:
    settings.CAMPAIGNS_PER_DAY = 3
    account = make_staff()
    assert [*created(account, 1), *created(account, 2)] == [302, 201, 302, 429]
    clock.advance(minutes=25 * 60)
    assert created(account, 3) == [302, 201]


def test_an_account_makes_so_many_invitations_in_a_day(settings: Settings) -> None:
    settings.INVITATIONS_PER_DAY = 2
    account = make_staff()
    campaigns = [make_campaign(owner=account) for _ in range(3)]
    for campaign in campaigns[:2]:
        invitation_create(campaign=campaign, role=Role.VIEWER, days=7, user=account)
    form = {"role": "viewer", "days": "7", "email": "a@example.org"}
    refused = staff_client(account).post(f"/campaigns/{campaigns[2].slug}/staff/invitations/", form, follow=True)
    assert "You have made 2 invitations within a day." in readable(refused)
    assert Invitation.objects.count() == 2


def test_an_account_uploads_so_much_in_a_day(settings: Settings) -> None:
    settings.UPLOADS_MB_PER_DAY = 1
    account = make_staff()
    api = Api(account)
    statuses = []
    for number in range(3):
        campaign = make_campaign(owner=account, slug=f"c{number}")
        file = SimpleUploadedFile("texts.csv", b"id,text\n" + b"#" * 400 * 1024)
        statuses.append(
            api.call("post", f"campaigns/{campaign.slug}/imports/", {"file": file}, is_form=True).status_code
        )
    assert statuses == [202, 202, 429]
    assert [bound.has for bound in account_bounds(account)][2] == 1


def test_versions_of_settings_count_as_what_an_account_stores(settings: Settings) -> None:
    settings.UPLOADS_MB_PER_DAY = 1
    account = make_staff()
    campaign = make_campaign(owner=account)
    api, place = Api(account), f"campaigns/{campaign.slug}/settings/"
    statuses = [
        api.call("patch", place, {"editor_guidelines": f"{number} " + "word " * 3_800}).status_code
        for number in range(60)
    ]
    assert (statuses[0], statuses[-1]) == (200, 429)
    assert SettingsVersion.objects.filter(campaign=campaign).count() == statuses.count(200) + 1


def jobs_of(owner: User, number: int, **columns: Any) -> list[int]:
    campaign = make_campaign(owner=owner)
    rows = [Job(campaign=campaign, kind="import_sources", requested_by=owner, **columns) for _ in range(number)]
    return [row.pk for row in Job.objects.bulk_create(rows)]


def test_an_account_has_so_many_unfinished_jobs(settings: Settings) -> None:
    settings.JOBS_PER_ACCOUNT = 3
    owner = make_staff()
    jobs_of(owner, 3)
    campaign = make_campaign(owner=owner)
    with pytest.raises(TooManyRequests, match="3 jobs that you have asked for"):
        job_enqueue(campaign_id=campaign.pk, kind="import_sources", parameters={}, user=owner)
    job_enqueue(campaign_id=campaign.pk, kind="import_sources", parameters={}, user=make_staff())


def test_those_who_ask_for_jobs_take_turns() -> None:
    greedy, modest = make_staff(), make_staff()
    many = jobs_of(greedy, 5)
    (first,) = jobs_of(modest, 1)
    order = []
    for announced in many:
        chosen = job_in_turn(announced) or 0
        order.append(chosen)
        Job.objects.filter(pk=chosen).update(state=State.DONE, finished_at=database_now())
        if chosen == first:
            (second,) = jobs_of(modest, 1)
            Job.objects.filter(pk=second).update(created_at=database_now())
    assert order[:4] == [many[0], first, many[1], second]


def test_a_message_runs_whatever_waits_if_its_own_job_was_taken_in_turn() -> None:
    (one,), (other,) = jobs_of(make_staff(), 1), jobs_of(make_staff(), 1)
    assert job_in_turn(other) == one
    Job.objects.filter(pk=one).update(state=State.RUNNING, lease_ends_at=database_now() + LEASE)
    assert job_in_turn(one) == other
    Job.objects.filter(pk=other).update(state=State.RUNNING, lease_ends_at=database_now() + LEASE)
    assert job_in_turn(one) is None


def test_who_has_a_job_running_waits_for_the_others() -> None:
    greedy, modest = make_staff(), make_staff()
    jobs_of(greedy, 1, state=State.RUNNING, lease_ends_at=database_now())
    many, (one,) = jobs_of(greedy, 2), jobs_of(modest, 1)
    assert job_in_turn(many[0]) == one
    lost = jobs_of(greedy, 1, state=State.RUNNING, lease_ends_at=database_now())[0]
    assert job_in_turn(lost) == lost


def test_an_account_sees_what_it_has_of_what_it_may_have(settings: Settings) -> None:
    settings.JOBS_PER_ACCOUNT = 40
    owner = make_staff()
    jobs_of(owner, 7)
    assert "7 of 40" in readable(staff_client(owner).get("/account/"))
    settings.JOBS_PER_ACCOUNT = 8
    near = f"{owner.username}: jobs waiting or running, 7 of 8"
    assert near in readable(staff_client(make_staff(administrator=True)).get("/account/"))
    assert near not in readable(staff_client(owner).get("/account/"))
