"""Mails about a campaign: off by default, each event once, and no failure of a mail server breaks anything."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django.fixtures import Settings

from common.models import Job
from common.periodic import periodic_tasks
from compressions.services.imports import source_import
from crowd.models import Campaign, Membership, Notice, Role, Round
from crowd.models.notices import MAX_ATTEMPTS
from dashboard.services.notices import member_notify, notices_send
from dashboard.services.previews import preview_create
from ratings.models import RaterFlags
from ratings.selectors.attention import FLAG_RULE
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_all,
    edit_next,
    enrol,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_all,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    settings.SENDS_MAIL = True


@pytest.fixture
def owner() -> User:
    user = make_staff()
    user.email = "ann@example.org"
    user.save()
    return user


def asking(owner: User, campaign: Campaign) -> Campaign:
    assert member_notify(campaign=campaign, user=owner, wanted=True)
    return campaign


def test_nobody_gets_mails_who_has_not_asked_for_them(owner: User, mailoutbox: list[EmailMessage]) -> None:
    judged_campaign(owner=owner)
    notices_send()
    assert mailoutbox == []
    assert not Notice.objects.exists()


def test_a_complete_round_is_told_once_and_again_when_its_total_has_grown(
    owner: User, mailoutbox: list[EmailMessage], settings: Settings
) -> None:
    settings.PUBLIC_ORIGIN = "https://precis.example.org"
    campaign = make_campaign(owner=owner, name="Letters", sources=1, editors_per_source=1, raters_per_compression=1)
    asking(owner, campaign)
    notices_send()
    assert mailoutbox == []

    edit_all(campaign, 1)
    notices_send()
    notices_send()
    (mail,) = mailoutbox
    assert mail.bcc == ["ann@example.org"]
    assert mail.subject == "Précis: a round is complete"
    assert mail.body.startswith("Letters\n")
    assert "The editor round is complete: all 1 tasks are done." in mail.body
    assert f"https://precis.example.org/campaigns/{campaign.slug}/" in mail.body

    rate_all(enrol(campaign, RATE))
    notices_send()
    assert "The rater round is complete" in mailoutbox[1].body

    row = json.dumps({"id": "2", "genre": "News", "text": SENTENCE.format(number=2)})
    source_import(campaign=campaign, file_name="b.jsonl", content=row.encode(), strict=True, seed=1)
    notices_send()
    assert len(mailoutbox) == 2
    assert edit_next(enrol(campaign, EDIT)) is not None
    notices_send()
    assert len(mailoutbox) == 3


def test_without_a_public_name_a_mail_has_no_link(owner: User, mailoutbox: list[EmailMessage]) -> None:
    campaign = asking(owner, make_campaign(owner=owner, sources=1, editors_per_source=1))
    edit_all(campaign, 1)
    notices_send()
    assert "http" not in mailoutbox[0].body


@pytest.mark.parametrize(("flagged", "raters", "is_told"), [(4, 5, False), (5, 25, True), (5, 26, False)])
def test_many_flags_are_told(
    owner: User, mailoutbox: list[EmailMessage], flagged: int, raters: int, is_told: bool
) -> None:
    campaign = asking(owner, make_campaign(owner=owner, sources=1))
    edit_all(campaign, 1)
    workers = [enrol(campaign, RATE).worker_id for _ in range(raters)]
    flags = {worker: [["fast", "Very."]] for worker in workers[:flagged]}
    RaterFlags.objects.create(
        campaign=campaign, last_rating=0, last_version=0, excluded=[], rule=FLAG_RULE, flags=flags
    )
    for _ in range(2):
        notices_send()
    assert [f"{flagged} of {raters} raters are flagged" in mail.body for mail in mailoutbox] == [True] * is_told


def test_failed_jobs_are_told_if_they_are_news(owner: User, mailoutbox: list[EmailMessage]) -> None:
    campaign = asking(owner, make_campaign(owner=owner))
    for hours in (1, 25):
        at = timezone.now() - timedelta(hours=hours)
        Job.objects.create(campaign=campaign, kind="freeze_release", state="failed", finished_at=at, message="Secret")
    for _ in range(2):
        notices_send()
    (mail,) = mailoutbox
    assert "A job failed: Freezing a release." in mail.body
    assert "Secret" not in mail.body


def test_sandboxes_and_archived_campaigns_send_nothing(owner: User, mailoutbox: list[EmailMessage]) -> None:
    campaign = asking(owner, judged_campaign(owner=owner))
    sandbox = preview_create(campaign=campaign, work_round=Round.EDIT).campaign
    Membership.objects.create(campaign=sandbox, user=owner, role=Role.OWNER, is_notified=True)
    Campaign.objects.filter(pk=campaign.pk).update(state="archived")
    Job.objects.create(campaign=sandbox, kind="score", state="failed", finished_at=timezone.now())
    notices_send()
    assert mailoutbox == []


def test_a_mail_server_that_fails_is_tried_some_times_and_breaks_nothing(
    owner: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    campaign = asking(owner, judged_campaign(owner=owner))

    def refuse(_self: EmailMessage) -> int:
        tried.append(1)
        raise OSError("ann@example.org is unknown here")

    tried: list[int] = []
    monkeypatch.setattr(EmailMessage, "send", refuse)
    for _ in range(MAX_ATTEMPTS + 3):
        notices_send()

    notice = Notice.objects.get(campaign=campaign, key__startswith="edit")
    assert (notice.attempts, notice.sent_at) == (MAX_ATTEMPTS, None)
    assert len(tried) == MAX_ATTEMPTS * Notice.objects.count()
    assert "example.org" not in caplog.text


def test_without_a_mail_server_nothing_is_even_looked_for(
    owner: User, settings: Settings, django_assert_num_queries: Any
) -> None:
    asking(owner, judged_campaign(owner=owner))
    settings.SENDS_MAIL = False
    with django_assert_num_queries(0):
        notices_send()


def test_the_timer_sends_mails() -> None:
    assert notices_send in {task for _, task in periodic_tasks()}


def test_staff_switch_their_own_mails_on_and_off(owner: User, settings: Settings) -> None:
    campaign, viewer = make_campaign(owner=owner), make_staff()
    Membership.objects.create(campaign=campaign, user=viewer, role=Role.VIEWER)
    client, address = staff_client(owner), f"/campaigns/{campaign.slug}/mails/"

    def wants(user: User) -> bool:
        return Membership.objects.get(campaign=campaign, user=user).is_notified

    assert "Send me emails" in readable(client.get(f"/campaigns/{campaign.slug}/"))
    client.post(address, {"wanted": "1"})
    assert (wants(owner), wants(viewer)) == (True, False)
    assert "Stop sending me emails" in readable(client.get(f"/campaigns/{campaign.slug}/"))
    client.post(address, {"wanted": "0"})
    assert not wants(owner)
    settings.SENDS_MAIL = False
    page = readable(staff_client(viewer).get(f"/campaigns/{campaign.slug}/"))
    assert "Your account has no email address." in page
    assert "No mail server is set up here" in page
    assert "Send me emails" not in page
    refused = readable(staff_client(viewer).post(address, {"wanted": "1"}, follow=True))
    assert "have an email address" in refused
    assert not wants(viewer)
