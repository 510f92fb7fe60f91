"""Whoever has read guidelines that have changed since reads them again before the next text."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.models import Compression
from crowd.models import Assignment, Campaign, Enrolment
from ratings.models import QualificationAttempt, Rating
from tests.support.addresses import points_for
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    link_of,
    make_campaign,
    readable,
    submission_of,
    worker_client,
)
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db
CHANGED = "The guidelines have changed since you read them."
READ_AGAIN = "/work/guidelines/"


def editor_task(campaign: Campaign) -> tuple[Client, Assignment, str]:
    client, assignment = editor_at_work(campaign)
    (address,) = {client.get("/work/").headers["Location"]}
    return client, assignment, address


def shown_settings(page: Any) -> str:
    found = re.search(r'name="settings"\s+value="(\d+)"', page.content.decode())
    assert found
    return found[1]


def test_an_editor_submits_what_is_being_written_then_reads_and_goes_on() -> None:
    campaign = make_campaign(sources=3)
    client, assignment, address = editor_task(campaign)
    settings_change(campaign, editor_guidelines="Shorten, and keep the names.")

    answer = client.post(address, fields_of(submission_of(assignment.item.source)))

    assert answer.headers["Location"] == client.get("/work/").headers["Location"] == READ_AGAIN
    page = client.get(READ_AGAIN)
    assert CHANGED in readable(page)
    assert "keep the names" in readable(page)
    assert client.post(READ_AGAIN, {"settings": shown_settings(page)}).headers["Location"] != READ_AGAIN
    assert CHANGED not in readable(client.get(READ_AGAIN))
    assert Compression.objects.get().guidelines_version == campaign.settings_versions.get(number=1)
    enrolment = Enrolment.objects.get()
    assert (enrolment.guidelines_version, enrolment.settings_version) == tuple(
        campaign.settings_versions.get(number=number) for number in (2, 1)
    )


@pytest.mark.parametrize("name", ["editor_guidelines", "sentence_examples", "paragraph_examples"])
def test_what_only_editors_read_is_no_news_to_raters(name: str) -> None:
    campaign = make_campaign(sources=3)
    edit_all(campaign, 1)
    clients = [worker_client(campaign, EDIT, "ann"), worker_client(campaign, RATE, "bob")]
    settings_change(campaign, **{name: "Other."})
    assert [client.post("/work/next/").headers["Location"] == READ_AGAIN for client in clients] == [True, False]


def test_what_raters_read_is_no_news_to_editors() -> None:
    campaign = make_campaign(sources=3)
    edit_all(campaign, 1)
    clients = [worker_client(campaign, EDIT, "ann"), worker_client(campaign, RATE, "bob")]
    settings_change(campaign, rater_guidelines="Other.")
    assert [client.post("/work/next/").headers["Location"] == READ_AGAIN for client in clients] == [False, True]


@pytest.mark.parametrize("setting", [{"keep_percent": 70}, {"consent": "Other."}, {"lease_minutes": 9}])
def test_other_settings_are_no_reason_to_read_again(setting: dict[str, object]) -> None:
    campaign = make_campaign(sources=3)
    client = worker_client(campaign, EDIT, "ann")
    settings_change(campaign, **setting)
    assert client.post("/work/next/").headers["Location"] != READ_AGAIN


def test_nobody_reads_again_who_has_no_text_left() -> None:
    campaign = make_campaign(sources=1)
    client, assignment, address = editor_task(campaign)
    settings_change(campaign, editor_guidelines="Other.")
    answer = client.post(address, fields_of(submission_of(assignment.item.source)))
    assert answer.headers["Location"] == client.get("/work/").headers["Location"] == "/work/done/"


def test_what_changes_while_it_is_being_read_is_shown_again() -> None:
    campaign = make_campaign(sources=1)
    client = Client()
    address = f"/join/{link_of(campaign, EDIT).token}/"
    shown = shown_settings(client.get(f"{address}?participant=ann", follow=True))
    settings_change(campaign, consent="Do you agree to more?")

    again = client.post(address, {"settings": shown}, follow=True)

    assert "has changed since you opened it" in readable(again)
    assert "agree to more" in readable(again)
    assert not Enrolment.objects.exists()
    assert client.post(address, {"settings": shown_settings(again)}).headers["Location"] == "/work/"
    shown = shown_settings(client.get(READ_AGAIN))
    settings_change(campaign, editor_guidelines="Other.")
    assert client.post(READ_AGAIN, {"settings": shown}).headers["Location"] == READ_AGAIN
    assert Enrolment.objects.get().guidelines_read_at is None


def test_answers_to_the_test_are_not_lost_when_the_guidelines_change() -> None:
    campaign = make_campaign(sources=1)
    (item,) = add_qualification(campaign)
    edit_next(enrol(campaign, EDIT))
    client = worker_client(campaign, RATE, "bob")
    settings_change(campaign, rater_guidelines="Other.")
    assert client.get("/work/qualification/").headers["Location"] == READ_AGAIN
    client.post("/work/qualification/", {"number": "1", **points_for(item.pk)})
    assert QualificationAttempt.objects.count() == 1
    assert client.post("/work/next/").headers["Location"] == READ_AGAIN
    assert not Rating.objects.exists()


def test_a_change_of_guidelines_costs_those_nothing_who_have_read_them() -> None:
    def queries(*, changed: bool) -> int:
        campaign = make_campaign(sources=3)
        if changed:
            settings_change(campaign, editor_guidelines="Other.")
        client = worker_client(campaign, EDIT)
        with CaptureQueriesContext(connection) as made:
            client.post("/work/next/")
        return len(made)

    assert queries(changed=True) == queries(changed=False)
