"""What webhooks are told: what happened since they were made, each event once, and nothing about people or texts."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from common.clock import override_clock
from common.models import Job
from common.outgoing.hosts import checked_receivers
from common.periodic import periodic_tasks
from compressions.models import Compression
from compressions.services.comparison import compressions_compare
from compressions.services.imports import source_import
from crowd.models import Assignment, Campaign, Webhook, WebhookDelivery, WebhookEvent
from dashboard.webhooks import events
from dashboard.webhooks.deliveries import payload
from dashboard.webhooks.events import webhook_events_find, webhook_events_forget_old
from dashboard.webhooks.services import webhook_create, webhook_update
from tests.support.clock import Clock
from tests.support.factories import EDIT, RATE, SENTENCE, edit_all, edit_next, enrol, freeze, make_campaign, rate_all

pytestmark = pytest.mark.django_db
ALL = ("round.complete", "release.ready", "flag.raised", "job.failed")


@pytest.fixture(autouse=True)
def hosts(settings: Settings) -> None:
    settings.WEBHOOK_RECEIVERS = checked_receivers("PRECIS_WEBHOOK_HOSTS", ["hooks.example.org"])


def webhook(campaign: Campaign, *events: str) -> Webhook:
    return webhook_create(campaign=campaign, address="https://hooks.example.org/", events=events or ALL, user=None)[0]


def told(webhook: Webhook) -> list[tuple[str, Any]]:
    webhook_events_find()
    waiting = WebhookDelivery.objects.filter(webhook=webhook).order_by("pk").select_related("event")
    return [(each.event.kind, each.event.data) for each in waiting]


def failed_job(campaign: Campaign, **ago: float) -> Job:
    at = timezone.now() - timedelta(**ago)
    return Job.objects.create(campaign=campaign, kind="score", state="failed", finished_at=at, message="Secret")


def flag(compression: Compression) -> None:
    Compression.objects.filter(pk=compression.pk).update(
        is_flagged=True, flag_kinds=" pasted ", flags=[["x", "", None]]
    )


def settled() -> None:
    """Let all submissions be of some minutes ago, and compared."""
    compressions_compare()
    Assignment.objects.filter(submitted_at__isnull=False).update(submitted_at=timezone.now() - timedelta(minutes=2))


def test_a_complete_round_is_told_once_and_again_when_its_total_has_grown() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=1)
    mine = webhook(campaign, "round.complete")
    assert told(mine) == []
    edit_all(campaign, 1)
    assert told(mine) == told(mine)
    ((kind, data),) = told(mine)
    assert (kind, data["round"], data["tasks"]) == ("round.complete", "edit", 1)
    assert data["address"].endswith(f"/api/v1/campaigns/{campaign.slug}/")
    rate_all(enrol(campaign, RATE))
    assert [data["round"] for _, data in told(mine)] == ["edit", "rate"]
    row = json.dumps({"id": "2", "genre": "News", "text": SENTENCE.format(number=2)})
    source_import(campaign=campaign, file_name="b.jsonl", content=row.encode(), strict=True, seed=1)
    assert edit_next(enrol(campaign, EDIT)) is not None
    assert [data["tasks"] for _, data in told(mine)] == [1, 1, 2]


def test_what_happened_before_a_webhook_was_made_or_while_it_was_off_is_not_told() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=1)
    edit_all(campaign, 1)
    flag(Compression.objects.get())
    settled()
    failed_job(campaign, seconds=5)
    mine = webhook(campaign)
    assert told(mine) == []
    webhook_update(webhook=mine, is_active=False, user=None)
    rate_all(enrol(campaign, RATE))
    failed_job(campaign, seconds=0)
    assert told(mine) == []
    webhook_update(webhook=mine, is_active=True, user=None)
    assert told(mine) == []
    failed_job(campaign, seconds=-1)
    assert [kind for kind, _ in told(mine)] == ["job.failed"]


def test_a_release_is_told_when_it_is_ready() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=1)
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))
    mine = webhook(campaign, "release.ready")
    release = freeze(campaign)
    ((_, data),) = told(mine)
    assert (data["version"], data["name"], data["checksum"]) == (1, release.name, release.checksum)
    assert data["address"].endswith("/releases/1/")


def test_failed_jobs_are_told_without_their_words() -> None:
    campaign = make_campaign()
    mine = webhook(campaign, "job.failed")
    job = failed_job(campaign, seconds=-1)
    told(mine)
    (event,) = WebhookEvent.objects.filter(campaign=campaign)
    said = json.loads(payload(event))
    assert said.keys() == {"id", "event", "campaign", "at", "data"}
    assert (said["id"], said["event"], said["campaign"]) == (event.name, "job.failed", campaign.slug)
    assert said["data"].items() >= {"job": job.pk, "kind": "score"}.items()
    assert "Secret" not in json.dumps(said)


def test_flags_are_told_together_and_each_compression_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_IDS", 2)
    campaign = make_campaign(sources=3, editors_per_source=1)
    mine, clock = webhook(campaign, "flag.raised"), Clock()
    edit_all(campaign, 1)
    written = list(Compression.objects.order_by("pk"))
    assert told(mine) == []
    settled()
    for each in written:
        flag(each)
    with override_clock(clock):
        clock.advance(minutes=1)
        ((_, first),) = told(mine)
        assert (first["count"], first["more"], first["kinds"]) == (2, True, {"pasted": 2})
        assert first["compressions"] == [each.pk for each in written[:2]]
        assert len(told(mine)) == 1
        clock.advance(minutes=6)
        assert [data["compressions"] for _, data in told(mine)] == [first["compressions"], [written[2].pk]]
        clock.advance(minutes=6)
        assert len(told(mine)) == 2


def test_a_webhook_that_is_made_later_is_told_of_later_flags_only() -> None:
    campaign, clock = make_campaign(sources=2, editors_per_source=1), Clock()
    early = webhook(campaign, "flag.raised")
    editor = enrol(campaign, EDIT)
    first = edit_next(editor)
    late = webhook(campaign, "flag.raised")
    second = edit_next(editor)
    assert first
    assert second
    flag(first)
    flag(second)
    settled()
    with override_clock(clock):
        clock.advance(minutes=1)
        webhook_events_find()
        assert [data["compressions"] for _, data in told(early)] == [[first.pk, second.pk]]
        assert [data["compressions"] for _, data in told(late)] == [[second.pk]]


def test_flags_wait_until_the_texts_are_compared() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    mine = webhook(campaign, "flag.raised")
    edit_all(campaign, 1)
    flag(Compression.objects.get())
    submitted = Assignment.objects.filter(submitted_at__isnull=False)
    submitted.update(submitted_at=timezone.now() - timedelta(minutes=5))
    assert told(mine) == []
    compressions_compare()
    flag(Compression.objects.get())
    assert len(told(mine)) == 1


def test_nothing_that_is_said_tells_who_participants_are_or_what_they_wrote() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=1)
    mine = webhook(campaign)
    enrolment = enrol(campaign, EDIT, "id-of-a-platform")
    written = edit_next(enrolment)
    assert written
    flag(written)
    settled()
    failed_job(campaign, seconds=-1)
    rate_all(enrol(campaign, RATE))
    freeze(campaign)
    assert {kind for kind, _ in told(mine)} == set(ALL)
    said = b"".join(payload(event) for event in WebhookEvent.objects.all()).decode()
    assert "id-of-a-platform" not in said
    assert written.text not in said
    assert "bridge" not in said


def test_sandboxes_archived_campaigns_and_others_are_told_of_nothing() -> None:
    campaign, other = make_campaign(sources=1, editors_per_source=1), make_campaign()
    mine = webhook(campaign)
    sandbox = make_campaign()
    Campaign.objects.filter(pk=sandbox.pk).update(sandbox_of=campaign)
    in_sandbox = webhook(sandbox)
    for each in (sandbox, other):
        failed_job(each, seconds=-1)
    assert told(mine) == told(in_sandbox) == []
    failed_job(campaign, seconds=-1)
    Campaign.objects.filter(pk=campaign.pk).update(state="archived")
    assert told(mine) == []


def test_two_workers_that_find_the_same_store_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign()
    mine = webhook(campaign)
    failed_job(campaign, seconds=-1)
    real, again = events._store, list[int]()

    def twice(*arguments: Any) -> int:
        stored = real(*arguments)
        again.append(real(*arguments))
        return stored

    monkeypatch.setattr(events, "_store", twice)
    assert len(told(mine)) == 1
    assert again == [0]


def test_without_hosts_nothing_is_even_looked_for(settings: Settings, django_assert_num_queries: Any) -> None:
    campaign = make_campaign()
    webhook(campaign)
    settings.WEBHOOK_RECEIVERS = ()
    with django_assert_num_queries(0):
        webhook_events_find()


def test_finding_takes_as_many_queries_for_many_events() -> None:
    """But for storing what is new."""
    campaign = make_campaign()
    mine = webhook(campaign)
    counts = []
    for jobs in (1, 20):
        for _ in range(jobs):
            failed_job(campaign, seconds=-1)
        webhook_events_find()
        with CaptureQueriesContext(connection) as queries:
            assert webhook_events_find() == 0
        counts.append(len(queries))
    assert len(told(mine)) == 21
    assert counts[0] == counts[1]


def test_old_deliveries_are_forgotten_and_complete_rounds_not_told_again() -> None:
    campaign, clock = make_campaign(sources=1, editors_per_source=1), Clock()
    mine = webhook(campaign)
    edit_all(campaign, 1)
    failed_job(campaign, seconds=-1)
    assert len(told(mine)) == 2
    WebhookDelivery.objects.update(state="given up", next_try_at=None, ended_at=timezone.now())
    with override_clock(clock):
        clock.advance(minutes=29 * 24 * 60)
        assert webhook_events_forget_old() == 0
        clock.advance(minutes=2 * 24 * 60)
        assert webhook_events_forget_old() == 2
        assert told(mine) == []
    assert [event.kind for event in WebhookEvent.objects.all()] == ["round.complete"]


def test_the_timer_looks_and_forgets() -> None:
    assert {webhook_events_find, webhook_events_forget_old} <= {task for _, task in periodic_tasks()}
