"""Previews: staff walk through a round as participants do, and nothing is left of it."""

import re

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from compressions.models import Compression, Source
from crowd.models import Assignment, Campaign, CampaignState, JoinLink, Round
from dashboard.services.previews import LIFETIME, MOST_AT_ONCE, preview_create, previews_forget_old
from ratings.services.gold import gold_create
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    add_qualification,
    edit_all,
    fields_of,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    readable,
    staff_client,
    submission_of,
    worker_client,
)

pytestmark = pytest.mark.django_db
BANNER = "Preview: nothing you do here is kept."


@pytest.fixture
def owner() -> User:
    return make_staff()


def rows() -> dict[str, int]:
    """The number of rows of each table, but for the counts of what is limited.

    And but for the paths that are removed after a commit, which never comes in these tests.
    """
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model.__name__ not in {"RateCount", "Session", "ContentType", "UnnamedPath"}
    }


def begin(client: Client, campaign: Campaign, work_round: str) -> JoinLink:
    response = client.post(f"/campaigns/{campaign.slug}/preview/{work_round}/")
    assert response.status_code == 302
    link = JoinLink.objects.select_related("campaign").get(token=response["Location"].split("/")[-2])
    assert link.campaign.sandbox_of == campaign
    assert link.round == work_round
    return link


def enter(client: Client, link: JoinLink) -> str:
    consent = readable(client.get(link.get_absolute_url()))
    assert BANNER in consent
    client.post(link.get_absolute_url())
    return readable(client.post("/work/guidelines/", follow=True))


def edit_everything(client: Client, link: JoinLink) -> str:
    page = ""
    while task := Assignment.objects.filter(worker__campaign=link.campaign, state="leased").first():
        assert BANNER in readable(client.get(f"/work/edit/{task.pk}/"))
        page = readable(client.post(f"/work/edit/{task.pk}/", fields_of(submission_of(task.item.source)), follow=True))
    return page


def end(client: Client, link: JoinLink) -> None:
    assert client.post(f"/preview/{link.campaign.slug}/end/").status_code == 302


@pytest.mark.parametrize("state", CampaignState.values)
def test_an_editor_preview_goes_from_consent_to_code_and_leaves_nothing(owner: User, state: str) -> None:
    campaign = judged_campaign(owner=owner, sources=5, editors_per_source=3)
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    client, before = staff_client(owner), rows()

    link = begin(client, campaign, EDIT)
    enter(client, link)
    page = edit_everything(client, link)

    assert (
        Source.objects.filter(campaign=link.campaign).count()
        == Compression.objects.filter(source__campaign=link.campaign).count()
        == 3
    )
    assert link.code_done in page
    assert BANNER in page
    end(client, link)
    assert rows() == before
    assert client.get("/work/").status_code == 403


def test_a_rater_preview_has_the_test_the_questions_and_texts_of_the_campaign(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=4, gold_percent=50)
    edit_all(campaign, 1)
    add_qualification(campaign)
    gold_create(campaign=campaign, example=EXAMPLE)
    client, before = staff_client(owner), rows()

    link = begin(client, campaign, RATE)
    assert "ratings" not in enter(client, link)
    (question,) = link.campaign.qualification_items.all()
    answers = {f"meaning-{question.pk}": 3, f"grammar-{question.pk}": 3}
    assert BANNER in readable(client.post("/work/qualification/", answers, follow=True))
    client.post("/work/next/", follow=True)
    while task := Assignment.objects.filter(worker__campaign=link.campaign, state="leased").first():
        assert BANNER in readable(client.get(f"/work/rate/{task.pk}/"))
        client.post(f"/work/rate/{task.pk}/", {f"meaning-{task.pk}": 3, f"grammar-{task.pk}": 2})
    done = readable(client.get("/work/done/"))

    assert link.code_done in done
    written = set(Compression.objects.filter(source__campaign=campaign).values_list("text", flat=True))
    shown = [target.text for source in link.campaign.sources.all() for target in source.targets.all()]
    assert set(shown) <= written
    assert len(shown) == 3
    end(client, link)
    assert rows() == before


@pytest.mark.parametrize("work_round", Round.values)
@pytest.mark.parametrize("task", ["single", "pair"])
def test_an_empty_campaign_can_be_previewed_with_texts_marked_as_made_up(
    owner: User, work_round: str, task: str
) -> None:
    campaign = make_campaign(owner=owner, rating_task=task)
    client, before = staff_client(owner), rows()

    link = begin(client, campaign, work_round)
    page = enter(client, link)

    assert BANNER in page
    assert ("made up for this preview" in page) == (work_round != EDIT) or (work_round, task) == ("expert", "pair")
    end(client, link)
    assert rows() == before


def test_the_session_that_a_browser_had_before_a_preview_is_there_again_after_it(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=3)
    client = worker_client(campaign, EDIT, "ann")
    client.force_login(owner)
    held = client.get("/work/")["Location"]

    link = begin(client, campaign, EDIT)
    enter(client, link)
    assert client.get("/work/")["Location"] != held
    second = begin(client, campaign, EDIT)
    enter(client, second)
    end(client, second)

    assert client.get("/work/")["Location"] == held


def test_a_session_that_began_after_the_preview_is_left_alone(owner: User) -> None:
    campaign, client = make_campaign(owner=owner, sources=3), staff_client(owner)
    link = begin(client, campaign, EDIT)
    client.post(link_of(campaign, EDIT).get_absolute_url())
    client.post("/work/guidelines/")
    held = client.get("/work/")["Location"]

    end(client, link)

    assert client.get("/work/")["Location"] == held


def test_only_sandboxes_end_by_that_address(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=1)
    Client().post(f"/preview/{campaign.slug}/end/")
    assert Campaign.objects.filter(pk=campaign.pk).exists()


def test_a_page_of_the_campaign_itself_has_no_banner_whoever_was_there_first(owner: User) -> None:
    campaign, client = make_campaign(owner=owner, sources=3), staff_client(owner)
    link = begin(client, campaign, EDIT)
    enter(client, link)
    edit_everything(client, link)

    own = worker_client(campaign, EDIT)
    page = readable(own.get("/work/", follow=True))

    assert BANNER not in page
    assert re.search(r"<textarea", page)


def test_sandboxes_that_nobody_ended_are_deleted_after_some_hours(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=2)
    before = rows()
    old = preview_create(campaign=campaign, work_round=Round.EDIT)
    Campaign.objects.filter(pk=old.campaign_id).update(created_at=timezone.now() - LIFETIME)
    preview_create(campaign=campaign, work_round=Round.RATE)

    previews_forget_old()

    assert Campaign.objects.filter(sandbox_of=campaign).count() == 1
    Campaign.objects.filter(sandbox_of=campaign).update(created_at=timezone.now() - LIFETIME)
    previews_forget_old()
    assert rows() == before


def test_no_campaign_has_more_than_so_many_sandboxes(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=1)
    for _ in range(MOST_AT_ONCE + 2):
        preview_create(campaign=campaign, work_round=Round.EDIT)
    assert Campaign.objects.filter(sandbox_of=campaign).count() == MOST_AT_ONCE


def test_no_sandbox_is_found_among_the_campaigns_of_staff(owner: User) -> None:
    campaign, client = make_campaign(owner=owner, sources=1), staff_client(make_staff(administrator=True))
    link = preview_create(campaign=campaign, work_round=Round.EDIT)
    assert "-preview-" not in readable(client.get("/campaigns/"))
    assert client.get(f"/campaigns/{link.campaign.slug}/").status_code == 404


@pytest.mark.parametrize("consent", ["Dear {name}, do you agree?", "Dear {name},\r\ndo you agree?\n"])
@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_a_text_from_before_there_were_placeholders_can_be_previewed(
    owner: User, consent: str, work_round: Round
) -> None:
    campaign = make_campaign(owner=owner, sources=1)
    Campaign.objects.filter(pk=campaign.pk).update(consent=consent)
    client = staff_client(owner)

    link = begin(client, campaign, work_round)

    assert "Dear {name}," in readable(client.get(link.get_absolute_url()))


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ({"consent": ""}, "Consent text: This field cannot be blank."),
        ({"consent": "Takes {minutes}."}, ""),
    ],
)
def test_settings_that_a_preview_cannot_have_are_named_on_the_dashboard(
    owner: User, stored: dict[str, str], reason: str
) -> None:
    campaign = make_campaign(owner=owner, sources=1)
    Campaign.objects.filter(pk=campaign.pk).update(**stored)

    answer = staff_client(owner).post(f"/campaigns/{campaign.slug}/preview/edit/", follow=bool(reason))

    assert answer.status_code == (200 if reason else 302)
    assert reason in readable(answer)
    assert ("The preview can’t be made" in readable(answer)) == bool(reason)
    assert Campaign.objects.filter(sandbox_of=campaign).exists() == (not reason)
