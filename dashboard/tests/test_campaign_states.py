"""The life of a campaign: what participants and staff can do in each state."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compressions.models import Compression
from crowd.models import Assignment, AuditEntry, Campaign, CampaignState, Enrolment, Membership, Outcome, Role
from crowd.services.leases import STUDY_OVER
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    editor_at_work,
    fields_of,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    readable,
    staff_client,
    submission_of,
    worker_client,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return make_staff()


def put_into(owner: User, campaign: Campaign, state: str) -> Any:
    sent = {"state": state, "texts_held": "1"}  # as who was asked, and goes on
    response = staff_client(owner).post(f"/campaigns/{campaign.slug}/state/", sent, follow=True)
    campaign.refresh_from_db()
    return response


def submitted(client: Client, assignment: Assignment, **options: Any) -> Any:
    fields = fields_of(submission_of(assignment.item.source))
    return client.post(f"/work/edit/{assignment.pk}/", fields, **options)


@pytest.mark.parametrize("before", CampaignState.values)
@pytest.mark.parametrize("after", CampaignState.values)
def test_staff_go_from_each_state_to_each_other(owner: User, before: str, after: str) -> None:
    campaign = make_campaign(owner=owner, state=before)

    page = put_into(owner, campaign, after)

    assert campaign.state == after
    assert f"The campaign is {'a ' if after == 'draft' else ''}{after}." in readable(page)
    entries = list(AuditEntry.objects.filter(campaign=campaign, action="state changed"))
    assert [entry.detail for entry in entries] == ([] if before == after else [f"from {before} to {after}"])
    assert all(entry.username == owner.username for entry in entries)


def test_a_state_that_does_not_exist_is_refused(owner: User) -> None:
    campaign = make_campaign(owner=owner)
    assert "There is no such state." in readable(put_into(owner, campaign, "gone"))
    assert campaign.state == "open"


def test_a_viewer_cannot_change_the_state(owner: User) -> None:
    campaign, viewer = make_campaign(owner=owner), make_staff()
    Membership.objects.create(campaign=campaign, user=viewer, role=Role.VIEWER)

    assert put_into(viewer, campaign, "closed").status_code == 403
    assert campaign.state == "open"
    page = readable(staff_client(viewer).get(f"/campaigns/{campaign.slug}/"))
    assert "/state/" not in page
    assert "/delete/" not in page


def test_in_a_paused_campaign_what_is_held_can_be_sent_and_nothing_new_is_given(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client, assignment = editor_at_work(campaign)
    put_into(owner, campaign, "paused")

    assert client.get(f"/work/edit/{assignment.pk}/").status_code == 200
    assert client.post(f"/work/tasks/{assignment.pk}/renew/").status_code == 200
    response = submitted(client, assignment)

    assert response.status_code == 302
    assert Compression.objects.filter(assignment=assignment).exists()
    assert Assignment.objects.filter(state="leased").count() == 0
    assert client.get(link_of(campaign, EDIT).get_absolute_url()).status_code == 200  # of someone who is known
    assert Client().get(link_of(campaign, EDIT).get_absolute_url()).status_code == 409


@pytest.mark.parametrize("state", ["closed", "archived"])
def test_a_text_sent_after_the_end_is_not_taken_and_its_author_is_told_and_can_copy_it(owner: User, state: str) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client, assignment = editor_at_work(campaign)
    put_into(owner, campaign, state)

    page = submitted(client, assignment)
    by_script = submitted(client, assignment, headers={"accept": "application/json"})

    assert page.status_code == by_script.status_code == 409
    assert "This study has ended" in readable(page)
    assert submission_of(assignment.item.source).text in readable(page)
    assert ("Finish" in readable(page)) == (state == "closed")
    assert "no longer yours" not in readable(page)
    assert by_script.json() == {"error": str(STUDY_OVER), "code": "study_over"}
    assert not Compression.objects.exists()


def test_a_text_sent_again_after_the_end_is_still_acknowledged(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client, assignment = editor_at_work(campaign)
    submitted(client, assignment)
    put_into(owner, campaign, "closed")

    assert submitted(client, assignment).status_code == 302
    assert Compression.objects.count() == 1


@pytest.mark.parametrize("state", ["closed", "archived"])
def test_an_end_asks_first_while_texts_are_held_and_says_how_many(owner: User, state: str) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    editor_at_work(campaign)
    staff, address = staff_client(owner), f"/campaigns/{campaign.slug}/state/"

    asked = readable(staff.post(address, {"state": state}))
    assert "A participant has 1 text open right now" in " ".join(asked.split())
    campaign.refresh_from_db()
    assert campaign.state == "open"
    assert staff.post(address, {"state": state, "texts_held": "1"}).status_code == 302
    campaign.refresh_from_db()
    assert campaign.state == state
    assert staff.post(address, {"state": "open"}).status_code == 302
    assert staff.post(address, {"state": "paused"}).status_code == 302


def test_who_holds_a_text_when_the_campaign_closes_comes_to_their_code_and_in_no_circle(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client, first = editor_at_work(campaign)
    submitted(client, first)
    put_into(owner, campaign, "closed")

    page = readable(client.get("/work/", follow=True))
    assert "This study has ended" in page
    assert "1 text done. Thank you!" in " ".join(page.split())
    assert Enrolment.objects.get(round=EDIT).outcome == Outcome.WORKING
    page = readable(client.post("/work/finish/", follow=True))

    assert 'action="/work/finish/"' not in page
    assert link_of(campaign, EDIT).code_done in page


def test_who_submitted_nothing_before_the_end_gets_the_code_for_no_work(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client = worker_client(campaign, EDIT, "ann")
    put_into(owner, campaign, "closed")

    assert "It ended before you finished a text." in readable(client.get("/work/"))
    assert link_of(campaign, EDIT).code_no_work in readable(client.post("/work/finish/", follow=True))


def test_who_had_stopped_early_does_not_finish_by_the_end_of_the_study(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client, first = editor_at_work(campaign)
    submitted(client, first)
    client.post("/work/leave/")
    put_into(owner, campaign, "closed")

    client.post("/work/next/")

    assert Enrolment.objects.get(round=EDIT).outcome == Outcome.STOPPED_EARLY


def test_nobody_who_works_when_the_campaign_is_archived_is_promised_a_code(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client, _ = editor_at_work(campaign)
    put_into(owner, campaign, "archived")

    page = readable(client.get("/work/"))
    assert "This study has ended" in page
    assert 'action="/work/finish/"' not in page


def test_an_answer_cannot_be_corrected_after_the_end(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=1)
    edit_all(campaign, 1)
    client = worker_client(campaign, RATE, "rea")
    task = Assignment.objects.get(worker__external_id="rea", state="leased")
    points = {f"meaning-{task.pk}": "3", f"grammar-{task.pk}": "3"}
    client.post(f"/work/rate/{task.pk}/", points)
    put_into(owner, campaign, "closed")

    client.post(f"/work/rate/{task.pk}/", {**points, f"meaning-{task.pk}": "1", f"version-{task.pk}": "1"})

    assert task.rating.scores.get(scale="meaning").value == 3


def test_in_a_draft_only_a_test_link_lets_people_in(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=2, state="draft")
    link = open_link(campaign=campaign, work_round=EDIT, platform_key="sona")
    link.is_test = True
    link.save()

    assert Client().get(link_of(campaign, EDIT).get_absolute_url()).status_code == 409
    assert Client().get(f"{link.get_absolute_url()}?id=12345", follow=True).status_code == 200


def test_nothing_in_an_archived_campaign_changes_but_its_state(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=2)
    client, assignment = editor_at_work(campaign)
    put_into(owner, campaign, "archived")
    staff = staff_client(owner)

    refused = staff.post(f"/campaigns/{campaign.slug}/links/", {"round": EDIT, "platform_key": "sona"})

    assert refused.status_code == 409
    assert "This campaign is archived" in readable(refused)
    assert campaign.links.count() == 3
    assert staff.get(f"/campaigns/{campaign.slug}/links/").status_code == 200
    assert client.post(f"/work/tasks/{assignment.pk}/skip/", {"reason": "other"}).status_code == 409
    assert client.post("/work/leave/").status_code == 409
    assert Enrolment.objects.get().outcome == "working"
    put_into(owner, campaign, "open")
    assert submitted(client, assignment).status_code == 302
