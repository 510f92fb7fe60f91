"""The audit log: what is recorded, that nothing of it can be changed, and how it is read."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from common.clock import database_now
from corpus.services.erasure import worker_erase
from crowd.models import AuditEntry, Campaign, Enrolment, Exclusion, Worker
from crowd.services.audit import audit_record
from crowd.services.browsers import browser_request_create
from crowd.services.entry import enrolment_withdraw
from crowd.services.links import join_link_set_active
from tests.support.factories import (
    EDIT,
    RATE,
    RELEASE_FORM,
    SENTENCE,
    enrol,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    readable,
    staff_client,
)
from tests.support.settings import settings_change
from tests.support.signing import SIGNING_KEY, key_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return judged_campaign(owner=make_staff("ann"), slug="news", name="News", texts_go_on_erasure=True)


def entries(campaign: Campaign) -> list[tuple[str, str, str, str]]:
    """The log without its beginning, the oldest first."""
    found = AuditEntry.objects.filter(campaign=campaign).order_by("pk")
    return list(found.values_list("username", "action", "subject", "detail"))


def done_since(campaign: Campaign, act: Callable[[], object]) -> list[tuple[str, str, str, str]]:
    before = len(entries(campaign))
    act()
    return entries(campaign)[before:]


def ann(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get(username="ann"))


def posted(campaign: Campaign, path: str, form: dict[str, Any] | None = None) -> list[tuple[str, str, str, str]]:
    """What is logged after a form was sent twice."""

    def act() -> None:
        for _ in range(2):
            assert ann(campaign).post(f"/campaigns/news/{path}", form or {}).status_code in {302, 422}

    return done_since(campaign, act)


# What is recorded


def test_a_participants_own_withdrawal_is_theirs_and_no_commands(campaign: Campaign) -> None:
    enrolment = enrol(campaign, EDIT, "new")
    number = enrolment.worker.public_name

    (entry,) = done_since(campaign, lambda: enrolment_withdraw(enrolment=enrolment))

    assert entry == ("", "participant withdrew", f"participant {number}", "Editor round")
    page = " ".join(readable(ann(campaign).get("/campaigns/news/audit/?action=participant+withdrew")).split())
    assert '<td> the participant </td> <th scope="row">Participant withdrew</th>' in page
    assert "<td> command </td>" not in page


def test_a_campaign_begins_with_an_entry() -> None:
    campaign = make_campaign(owner=make_staff("ann"), name="News")
    assert entries(campaign) == [("ann", "campaign created", "News", "")]


def test_a_change_of_settings_says_which_ones_and_which_version_began(campaign: Campaign) -> None:
    user = campaign.staff.get()
    number = campaign.settings_versions.latest("number").number
    changed = done_since(campaign, lambda: settings_change(campaign, user=user, keep_percent=60, name="Other news"))
    again = done_since(campaign, lambda: settings_change(campaign, user=user, keep_percent=60))
    assert changed == [("ann", "settings changed", f"version {number + 1}", "keep_percent, name")]
    assert again == []


def test_links_made_opened_closed_and_their_keys_are_recorded(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(editor_pay=3, editor_minutes=15)  # else it is made closed
    made = posted(campaign, "links/", {"round": "edit", "platform_key": "prolific"})[:1]
    link = campaign.links.filter(platform_key="prolific").earliest("pk")
    title = link.title
    assert made == [("ann", "link made", title, "")]
    assert posted(campaign, f"links/{link.pk}/state/", {"active": "0"}) == [("ann", "link closed", title, "")]
    assert posted(campaign, f"links/{link.pk}/state/", {"active": "1"}) == [("ann", "link opened", title, "")]
    keys = json.dumps(key_set(SIGNING_KEY))
    assert posted(campaign, f"links/{link.pk}/keys/", {"keys": keys})[0] == ("ann", "link takes signed ids", title, "")
    assert posted(campaign, f"links/{link.pk}/keys/", {"keys": ""})[0] == ("ann", "link takes unsigned ids", title, "")


def test_decisions_about_people_are_recorded_once_and_without_their_reasons(campaign: Campaign) -> None:
    number = campaign.workers.filter(enrolments__round=RATE).earliest("pk").number
    path, subject = f"people/{number}", f"participant {number}"
    why = {"note": "Known to be ill."}
    steps = [
        ("include", {"included": "1", **why}, "participant kept"),
        ("include", {"included": "0"}, "participant no longer kept"),
        ("exclude", {"excluded": "1", **why}, "participant excluded"),
        ("exclude", {"excluded": "0"}, "participant readmitted"),
    ]
    for kind, form, action in steps:
        assert posted(campaign, f"{path}/{kind}/rate/", form) == [("ann", action, subject, "Rater round")]
    assert not AuditEntry.objects.filter(detail__contains="ill").exists()


@pytest.mark.parametrize(
    ("kept", "detail"), [("keep", "its work stays in releases"), ("leave", "its work is left out of releases")]
)
def test_a_retired_text_is_recorded_without_the_reason(campaign: Campaign, kept: str, detail: str) -> None:
    source = campaign.sources.earliest("pk")
    form = {"note": "It tells where Ada lives.", "work": kept}
    logged = posted(campaign, f"sources/{source.source_id}/retire/", form)
    assert logged == [("ann", "text retired", f"text {source.source_id}", detail)]


def test_quality_rules_applied_and_withdrawn_are_recorded(
    campaign: Campaign, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        applied = done_since(campaign, lambda: ann(campaign).post("/campaigns/news/quality/apply/", {}))
    run = campaign.quality_runs.get()
    applied = entries(campaign)[-1:]
    assert applied == [("ann", "quality rule applied", f"run {run.pk}", "raters excluded: 0; editors excluded: 0")]
    withdrawn = posted(campaign, f"quality/{run.pk}/withdraw/")
    assert withdrawn == [("ann", "quality rule withdrawn", f"run {run.pk}", "raters excluded: 0; editors excluded: 0")]


def test_releases_frozen_by_staff_and_by_a_command_are_recorded(campaign: Campaign) -> None:
    ann(campaign).post("/campaigns/news/releases/freeze/", RELEASE_FORM)
    call_command("freeze_release", "news")
    frozen = [entry[:3] for entry in entries(campaign) if entry[1] == "release frozen"]
    names = [release.name for release in campaign.releases.order_by("version")]
    assert frozen == [(who, "release frozen", name) for who, name in zip(("ann", ""), names, strict=True)]


def test_imports_are_recorded_with_their_outcome(campaign: Campaign, tmp_path: Any) -> None:
    row = {"id": "new", "genre": "News", "text": SENTENCE.format(number=77)}
    file = tmp_path / "more.jsonl"
    file.write_text(json.dumps(row))
    imported = done_since(campaign, lambda: call_command("import_sources", "news", file))
    assert imported == [("", "texts imported", "more.jsonl", "1 text added, 0 known before, 0 rows refused.")]
    outputs = tmp_path / "outputs.jsonl"
    outputs.write_text(json.dumps({"id": "new", "text": "Short."}))
    done = done_since(campaign, lambda: call_command("import_outputs", "Echo", outputs))
    assert done == [("", "outputs imported", "outputs.jsonl", "1 output added, 0 known before, 0 refused.")]
    ratings = tmp_path / "ratings.jsonl"
    ratings.write_text(json.dumps({"id": "new", "system": "Echo", "rater": "a model", "meaning": 2.5}))
    done = done_since(campaign, lambda: call_command("import_ratings", ratings))
    assert done == [("", "ratings imported", "ratings.jsonl", "1 rating added, 0 known before, 0 refused.")]


def test_an_import_on_the_page_names_who_sent_the_file(
    campaign: Campaign, django_capture_on_commit_callbacks: Any
) -> None:
    file = io.BytesIO(json.dumps({"id": "new", "genre": "News", "text": SENTENCE.format(number=77)}).encode())
    file.name = "more.jsonl"
    with django_capture_on_commit_callbacks(execute=True):
        ann(campaign).post("/campaigns/news/imports/", {"file": file})
    assert entries(campaign)[-1][:3] == ("ann", "texts imported", "more.jsonl")


def test_an_erasure_is_recorded_and_nothing_of_the_person(campaign: Campaign) -> None:
    worker = Worker.objects.filter(campaign=campaign, compressions__isnull=False).earliest("pk")
    name = worker.external_id
    Exclusion.objects.create(worker=worker, round=EDIT, note="Met in Paris.", created_at=database_now())
    logged = posted(campaign, f"people/{worker.number}/erase/", {"is_settled": "on"})
    assert [entry[:3] for entry in logged] == [("ann", "participant erased", f"participant {worker.number}")]
    assert name
    assert not AuditEntry.objects.filter(subject__contains=name).exists()
    assert not AuditEntry.objects.filter(detail__contains="Paris").exists()


def test_an_erasure_by_command_is_recorded(campaign: Campaign) -> None:
    worker = Worker.objects.filter(campaign=campaign).earliest("pk")
    logged = done_since(campaign, lambda: worker_erase(worker=worker))
    assert [entry[:2] for entry in logged] == [("", "participant erased")]


@pytest.mark.parametrize(("allowed", "action"), [("1", "other browser allowed"), ("0", "other browser refused")])
def test_browsers_let_in_or_refused_are_recorded_once(campaign: Campaign, allowed: str, action: str) -> None:
    enrolment = Enrolment.objects.filter(worker__campaign=campaign, round=RATE).earliest("pk")
    asked = browser_request_create(enrolment=enrolment, link=link_of(campaign, RATE), browser="0" * 64)
    assert asked
    subject = f"participant {enrolment.worker.public_name}"
    assert posted(campaign, f"browsers/{asked.pk}/", {"allowed": allowed}) == [("ann", action, subject, "")]


def test_a_preview_leaves_no_entries(campaign: Campaign) -> None:
    sandbox = make_campaign(sandbox_of=campaign)
    join_link_set_active(link=link_of(sandbox, EDIT), is_active=False)
    assert not AuditEntry.objects.filter(campaign=sandbox).exists()


def test_what_is_refused_is_not_recorded(campaign: Campaign) -> None:
    """An entry is written in the transaction that does what it says."""
    before = len(entries(campaign))
    with transaction.atomic():
        open_link(campaign=campaign, work_round=EDIT, platform_key="sona")
        transaction.set_rollback(True)
    assert len(entries(campaign)) == before


# Append only


def run_sql(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM crowd_auditentry",
        "UPDATE crowd_auditentry SET action = 'nothing'",
        "UPDATE crowd_auditentry SET subject = subject || '!'",
        "UPDATE crowd_auditentry SET detail = 'x'",
        "UPDATE crowd_auditentry SET username = ''",
        "UPDATE crowd_auditentry SET campaign_slug = 'other'",
        "UPDATE crowd_auditentry SET id = id + 1000000",
        "UPDATE crowd_auditentry SET created_at = '2020-01-01 00:00:00+00:00'",
        "UPDATE crowd_auditentry SET user_id = (SELECT max(id) FROM auth_user)",
        "UPDATE crowd_auditentry SET campaign_id = (SELECT max(id) FROM crowd_campaign)",
        "UPDATE crowd_auditentry SET user_id = NULL, detail = 'x'",
    ],
)
def test_the_database_refuses_to_change_or_delete_an_entry(campaign: Campaign, change: str) -> None:
    make_campaign(owner=make_staff("zoe"))
    before = list(AuditEntry.objects.order_by("pk").values_list())
    with pytest.raises(DatabaseError, match="append only"):
        run_sql(change)
    assert list(AuditEntry.objects.order_by("pk").values_list()) == before


def test_the_model_refuses_as_well(campaign: Campaign) -> None:
    entry = AuditEntry.objects.earliest("pk")
    for act in (entry.save, entry.delete):
        with pytest.raises(TypeError, match="append only"):
            act()


def test_an_entry_outlives_its_account_and_its_campaign() -> None:
    owner = make_staff("ann")
    campaign = make_campaign(owner=owner, slug="news")
    owner.delete()
    run_sql("UPDATE crowd_auditentry SET campaign_id = NULL")
    entry = AuditEntry.objects.get()
    assert (entry.user, entry.campaign) == (None, None)
    assert (entry.username, entry.campaign_slug, entry.action) == ("ann", "news", "campaign created")
    assert campaign.slug == "news"


# Reading


def log_of(number: int) -> Campaign:
    """A campaign with so many entries of ann's, and one of a command."""
    owner = make_staff("ann")
    campaign = make_campaign(owner=owner, slug="news")
    for each in range(number - 1):
        audit_record(campaign=campaign, user=owner, action="test reset", subject=f"participant {each}")
    audit_record(campaign=campaign, user=None, action="participant erased", subject="participant 5", detail="<b>")
    return campaign


def test_the_page_shows_the_newest_first_and_escapes_them() -> None:
    page = ann(log_of(3)).get("/campaigns/news/audit/")
    shown = [(entry.username, entry.action) for entry in page.context["page"]]
    assert shown == [("", "participant erased"), *[("ann", "test reset")] * 2, ("ann", "campaign created")]
    assert "&lt;b&gt;" in page.content.decode()


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("person=ann", 3),
        ("person=-", 1),
        ("action=test reset", 2),
        ("person=ann&action=participant erased", 0),
        ("person=nobody", 0),
        ("action=%00", 4),
        ("page=999", 4),
    ],
)
def test_entries_of_one_account_or_one_action(query: str, count: int) -> None:
    client = ann(log_of(3))
    assert len(client.get(f"/campaigns/news/audit/?{query}").context["page"].object_list) == count
    table = b"".join(client.get(f"/campaigns/news/audit.csv?{query}")).decode("utf-8-sig")
    assert len(list(csv.reader(io.StringIO(table)))) == count + 1


def test_pages_keep_the_filter() -> None:
    page = readable(ann(log_of(60)).get("/campaigns/news/audit/?person=ann"))
    assert "?person=ann&page=2" in page


def test_a_long_log_costs_no_more_queries(django_assert_max_num_queries: Any) -> None:
    client = ann(log_of(60))
    client.get("/campaigns/news/audit/")
    with django_assert_max_num_queries(8):
        client.get("/campaigns/news/audit/")


def test_the_log_of_another_campaign_is_not_shown() -> None:
    log_of(3)
    other = make_campaign(owner=make_staff("ben"), slug="letters")
    page = staff_client(other.staff.get()).get("/campaigns/letters/audit/")
    assert [entry.username for entry in page.context["page"]] == ["ben"]


def test_people_are_enrolled_without_entries(campaign: Campaign) -> None:
    assert done_since(campaign, lambda: enrol(campaign, EDIT)) == []
