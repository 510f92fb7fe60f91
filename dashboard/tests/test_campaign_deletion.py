"""Deletion: nothing is left but the audit log, and others lose nothing."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from common.errors import TooManyRequests
from common.jobs import job_run
from common.models import Job
from common.stores import store
from compressions.models import Decoy, Source
from compressions.services.paragraphs import paragraphs_divide
from compressions.services.retirement import source_correct
from corpus.models import ErasureToComplete, Release
from crowd.models import Assignment, AuditEntry, Campaign, Membership, PastVisit, Remark, Role, Round
from crowd.services.account_bounds import account_bounds
from crowd.services.accounts import account_create_invited
from crowd.services.exclusions import worker_exclude
from crowd.services.invitations import invitation_create, invitation_of_token
from dashboard.services import deletion
from dashboard.services.deletion import campaign_delete
from dashboard.services.previews import preview_create
from ratings.services.experts import expert_sample_draw
from ratings.services.kept import result_request
from systems.models import SystemRun
from systems.services.runs import RunRequest, system_run
from tests.support.api_client import Api
from tests.support.factories import (
    EDIT,
    enrol,
    import_paragraphs,
    judged_campaign,
    make_campaign,
    make_staff,
    readable,
    silent,
    staff_client,
)
from tests.support.stored import stored_paths
from tests.support.world import World

pytestmark = pytest.mark.django_db


def everything(campaign: Campaign | None = None) -> dict[str, list[tuple[Any, ...]]]:
    kept = {"AuditEntry", "Session", "RateCount", "ErasureToComplete"}
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values_list())
        for model in apps.get_models()
        if model.__name__ not in kept
    }


def files() -> set[Path]:
    return set(stored_paths())


def fill(campaign: Campaign) -> None:
    """Add what the world does not have."""
    import_paragraphs(campaign, ["p1", "p2"])
    paragraphs_divide(campaign=campaign, count=1, seed=1)
    expert_sample_draw(campaign=campaign, size=1, seed=1, experts=1)
    enrolment = enrol(campaign, EDIT, "excluded")
    worker_exclude(worker=enrolment.worker, work_round=EDIT, note="Why not?", user=None)
    assignment = Assignment.objects.filter(worker__campaign=campaign, round=EDIT).earliest("pk")
    Remark.objects.create(assignment=assignment, kind="comment", text="Hello", created_at=campaign.created_at)
    link = campaign.links.earliest("pk")
    times = {"began_at": campaign.created_at, "ended_at": campaign.created_at}
    PastVisit.objects.create(enrolment=enrolment, link=link, outcome="done", **times)
    wrong = Source.objects.filter(campaign=campaign, sentences=1).earliest("pk")
    for number in range(2):  # a correction of a correction, too
        text = f"{wrong.text} Now it is right for time {number}."
        wrong = source_correct(source=wrong, text=text, note="A slip.", work_is_kept=False, user=None)
    Decoy.objects.create(system="Model", source=wrong, text="It is right.")
    result_request(campaign=campaign, kind="preview_quality", parameters={}, user=None)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_of_a_campaign_but_the_audit_log() -> None:
    before, files_before = everything(), files()
    owner = make_staff()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(deletion, "SLICE", 3)
        world = World()
        fill(world.campaign)
        slugs = [world.campaign.slug, world.other.slug, world.study.slug]
        for slug in slugs:
            preview_create(campaign=Campaign.objects.get(slug=slug), work_round=Round.EXPERT)
            campaign_delete(campaign=Campaign.objects.get(slug=slug), user=owner)

    User.objects.all().delete()
    assert everything() == before
    assert files() == files_before
    entries = AuditEntry.objects.filter(action="campaign deleted")
    assert [entry.campaign_slug for entry in entries] == slugs
    assert all(entry.campaign is None and entry.username == owner.username for entry in entries)
    assert ErasureToComplete.objects.count() == 3


def test_another_campaign_loses_nothing(django_capture_on_commit_callbacks: Any) -> None:
    judged_campaign()
    before = everything()
    owner = make_staff()
    with django_capture_on_commit_callbacks(execute=True):
        campaign_delete(campaign=judged_campaign(owner=owner), user=owner)
    owner.delete()
    after = everything()
    assert {name: rows for name, rows in after.items() if name != "auth.User"} == {
        name: rows for name, rows in before.items() if name != "auth.User"
    }


@pytest.fixture
def owner() -> User:
    return make_staff()


def page_of(client: Client, campaign: Campaign) -> str:
    page = readable(client.get(f"/campaigns/{campaign.slug}/delete/"))
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_an_owner_is_shown_what_goes_and_types_the_name(owner: User, django_capture_on_commit_callbacks: Any) -> None:
    world = World()
    world.campaign.staff.add(owner)
    client, address = staff_client(owner), f"/campaigns/{world.campaign.slug}/delete/"

    page = page_of(client, world.campaign)
    wrong = client.post(address, {"name": world.other.slug})
    assert Job.objects.filter(kind="delete_campaign").count() == 0
    Job.objects.update(state="done")
    with django_capture_on_commit_callbacks(execute=True):
        client.post(address, {"name": f" {world.campaign.slug} "})

    assert "Texts 4 Compressions" in page
    assert world.release.name in page
    assert "Participants (CSV)" in page
    assert wrong.status_code == 422
    assert f"Type the campaign’s short name, {world.campaign.slug}." in readable(wrong)
    assert not Campaign.objects.filter(pk=world.campaign.pk).exists()
    assert not Release.objects.filter(campaign_id=world.campaign.pk).exists()
    assert f"/campaigns/{world.campaign.slug}/" not in readable(client.get("/campaigns/"))
    actions = (
        AuditEntry.objects.filter(campaign_slug=world.campaign.slug).order_by("pk").values_list("action", flat=True)
    )
    assert list(actions)[-2:] == ["deletion requested", "campaign deleted"]


@pytest.mark.parametrize("role", [Role.MANAGER, Role.VIEWER])
def test_nobody_but_an_owner_deletes(role: str) -> None:
    campaign, member = make_campaign(), make_staff()
    Membership.objects.create(campaign=campaign, user=member, role=role)
    client = staff_client(member)

    for response in (
        client.get(f"/campaigns/{campaign.slug}/delete/"),
        client.post(f"/campaigns/{campaign.slug}/delete/", {"name": campaign.slug}),
    ):
        assert response.status_code == 403
    assert not Job.objects.exists()


def test_a_campaign_with_a_job_at_work_is_not_deleted(owner: User) -> None:
    campaign = make_campaign(owner=owner)
    Job.objects.create(campaign=campaign, kind="import_sources")

    refused = staff_client(owner).post(f"/campaigns/{campaign.slug}/delete/", {"name": campaign.slug})

    assert refused.status_code == 422
    assert "A job of this campaign is waiting or running." in readable(refused)
    campaign.refresh_from_db()
    assert campaign.state == "open"


def test_a_deletion_that_is_asked_for_twice_is_one(owner: User) -> None:
    campaign, client = make_campaign(owner=owner, name="Doomed"), staff_client(owner)
    for _ in range(2):
        client.post(f"/campaigns/{campaign.slug}/delete/", {"name": campaign.slug})

    (job,) = Job.objects.filter(kind="delete_campaign")
    assert "being deleted" in readable(client.get("/campaigns/?state=archived"))
    refused = client.post(f"/campaigns/{campaign.slug}/state/", {"state": "open"}, follow=True)
    assert "This campaign is being deleted" in readable(refused)
    job_run(job_id=job.pk)
    job_run(job_id=job.pk)
    assert not Campaign.objects.filter(pk=campaign.pk).exists()


def test_a_deletion_that_failed_can_be_finished(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, client = judged_campaign(owner=owner), staff_client(owner)
    with monkeypatch.context() as patched:
        patched.setattr(deletion, "_last_rows_delete", lambda *_: 1 / 0)
        client.post(f"/campaigns/{campaign.slug}/delete/", {"name": campaign.slug})
        job_run(job_id=Job.objects.get(kind="delete_campaign").pk)
    page = readable(client.get(f"/campaigns/{campaign.slug}/"))
    assert "Parts of it may already be missing" in page
    assert "Finish deleting it" in page

    client.post(f"/campaigns/{campaign.slug}/delete/", {"name": campaign.slug})
    job_run(job_id=Job.objects.filter(kind="delete_campaign").latest("pk").pk)

    assert not Campaign.objects.filter(pk=campaign.pk).exists()


def begun(user: User) -> list[int]:
    """The statuses of creating a campaign by the page and by a program."""
    page = staff_client(user).post("/campaigns/new/from-template/headline/", {"name": "Page"})
    return [page.status_code, Api(user).post("campaigns/", {"name": "Program"}).status_code]


def test_deleting_a_campaign_gives_an_account_nothing_back(owner: User, settings: Settings) -> None:
    settings.INVITATIONS_PER_DAY, settings.CAMPAIGNS_PER_DAY = 1, 2
    for campaign in (make_campaign(owner=owner), make_campaign(owner=owner)):
        with suppress(TooManyRequests):
            invitation_create(campaign=campaign, role=Role.VIEWER, days=7, user=owner)
        campaign_delete(campaign=campaign, user=owner)
    assert begun(owner) == [429, 429]
    assert [(bound.has, bound.most) for bound in account_bounds(owner)][::3] == [(2, 2), (1, 1)]
    page = readable(staff_client(make_staff(administrator=True)).get("/account/"))
    assert f"{owner.username}: invitations within a day, 1 of 1" in page


def test_an_invited_account_creates_none_after_the_campaign_that_invited_it_is_gone(owner: User) -> None:
    campaign = make_campaign(owner=owner)
    invitation = invitation_of_token(invitation_create(campaign=campaign, role=Role.EXPERT, days=7, user=owner))
    assert invitation is not None
    account = account_create_invited(invitation=invitation, username="newcomer", password="x")
    campaign_delete(campaign=campaign, user=owner)
    assert begun(account) == [403, 403]


def test_runs_of_systems_go_with_their_campaign(django_capture_on_commit_callbacks: Any) -> None:
    campaign = make_campaign(sources=1)
    gone = system_run(request=RunRequest(campaign, "first", "First", 1), progress=silent)
    other = system_run(request=RunRequest(make_campaign(sources=1), "first", "First", 1), progress=silent)
    with django_capture_on_commit_callbacks(execute=True):
        campaign_delete(campaign=campaign, user=None)
    assert list(SystemRun.objects.all()) == [other]
    assert Path(store("systems").path(other.folder)).is_dir()
    assert not Path(store("systems").path(gone.folder)).exists()
