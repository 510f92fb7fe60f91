"""Deliveries: sent once by one worker, tried again for a day, and held up by nobody else's receiver."""

import threading
import time
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django.fixtures import Settings

from common.errors import Refused
from common.outgoing.client import Answer, Fault
from common.outgoing.hosts import checked_receivers
from common.periodic import periodic_tasks
from crowd.models import Webhook, WebhookDelivery
from crowd.models.webhooks import MAX_ATTEMPTS
from dashboard.webhooks import deliveries
from dashboard.webhooks.calls import BOUNDS, signature, webhook_secret
from dashboard.webhooks.deliveries import (
    LEASE,
    LONGEST,
    PAUSES,
    _claim,
    deliveries_send,
    delivery_record,
    webhooks_send,
)
from dashboard.webhooks.services import delivery_again, webhook_create, webhook_test, webhook_update
from tests.support.clock import Clock
from tests.support.factories import make_campaign
from tests.support.webhooks import receiver

pytestmark = pytest.mark.django_db
State, Error = WebhookDelivery.State, WebhookDelivery.Error
Calls = list[str]


def webhook(settings: Settings, address: str = "http://127.0.0.1:9") -> Webhook:
    """A webhook of a campaign of its own."""
    host = "/".join(address.split("/")[:3])
    settings.WEBHOOK_RECEIVERS = (*settings.WEBHOOK_RECEIVERS, *checked_receivers("PRECIS_WEBHOOK_HOSTS", [host]))
    return webhook_create(campaign=make_campaign(), address=address, events=["job.failed"], user=None)[0]


def answering(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> Calls:
    """Let every call have the same answer; return the addresses that are called."""
    called: Calls = []

    def call(address: str, *_: Any) -> Answer:
        called.append(address)
        return answer

    monkeypatch.setattr(deliveries, "call", call)
    return called


def test_a_delivery_arrives_signed_and_is_not_sent_again(settings: Settings) -> None:
    with receiver() as received:
        mine = webhook(settings, received.address() + "/hook")
        queued = webhook_test(webhook=mine)
        assert (deliveries_send(), deliveries_send()) == (1, 0)
    (call,) = received.calls
    delivery = WebhookDelivery.objects.get()
    assert (delivery.state, delivery.status, delivery.error, delivery.attempts) == (State.DELIVERED, 204, "", 1)
    assert call.headers["Precis-Delivery"] == queued.name
    assert (call.headers["Precis-Event"], call.said["event"]) == ("test", "test")
    at = int(call.headers["Precis-Signature"].split(",")[0].removeprefix("t="))
    assert call.headers["Precis-Signature"] == signature(webhook_secret(mine), call.body, at)


def test_a_failure_is_tried_again_with_growing_pauses_for_less_than_a_day(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    called = answering(monkeypatch, Answer(500, Fault.STATUS))
    begun, delivery = clock.now, webhook_test(webhook=webhook(settings))
    pauses = []
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert deliveries_send() == 1
        delivery.refresh_from_db()
        assert (delivery.attempts, delivery.status, delivery.error) == (attempt, 500, Error.STATUS)
        assert deliveries_send() == 0
        if delivery.next_try_at is not None:
            pauses.append(delivery.next_try_at - clock.now)
            clock.now = delivery.next_try_at
    assert delivery.state == State.GIVEN_UP
    assert pauses == sorted(PAUSES) == list(PAUSES)
    assert clock.now - begun < LONGEST
    assert len(called) == MAX_ATTEMPTS


def test_of_two_workers_one_sends(settings: Settings) -> None:
    webhook_test(webhook=webhook(settings))
    first, second = WebhookDelivery.objects.get(), WebhookDelivery.objects.get()
    assert (_claim(first), _claim(second)) == (True, False)


def test_what_a_killed_worker_had_begun_is_taken_up_after_its_lease(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    called = answering(monkeypatch, Answer(200))
    webhook_test(webhook=webhook(settings))
    killed = WebhookDelivery.objects.get()
    assert _claim(killed)
    clock.now += LEASE - timedelta(seconds=1)
    assert deliveries_send() == 0
    clock.now += timedelta(seconds=2)
    assert deliveries_send() == 1
    assert len(called) == 1
    delivery_record(killed, Answer(500, Fault.STATUS))  # it was only suspended, and comes too late
    assert WebhookDelivery.objects.get().state == State.DELIVERED


def test_a_worker_that_is_killed_at_each_attempt_tries_no_more_often(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    called = answering(monkeypatch, Answer(200))
    webhook_test(webhook=webhook(settings))
    for _ in range(MAX_ATTEMPTS):
        assert _claim(WebhookDelivery.objects.get())
        clock.now += LEASE
    assert deliveries_send() == 0
    assert WebhookDelivery.objects.get().state == State.GIVEN_UP
    assert called == []


def test_one_receiver_that_is_slow_and_one_that_is_away_hold_up_no_other(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.webhooks.calls.BOUNDS", replace(BOUNDS, seconds=1.0))

    def slow(_handler: BaseHTTPRequestHandler) -> None:
        time.sleep(2)

    with receiver(slow) as slow_one, receiver() as good_one:
        for address in (slow_one.address(), "http://127.0.0.1:9", good_one.address()):
            mine = webhook(settings, address)
            for _ in range(5):
                webhook_test(webhook=mine)
        begun = time.monotonic()
        assert deliveries_send() == 1 + 1 + 5
        assert time.monotonic() - begun < 5
    assert len(good_one.calls) == 5
    assert WebhookDelivery.objects.filter(state=State.DELIVERED).count() == 5
    assert set(WebhookDelivery.objects.exclude(error="").values_list("error", flat=True)) == {"timeout", "connection"}


def test_a_turn_ends_after_its_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, Answer(200))
    monkeypatch.setattr(deliveries, "TURN_SECONDS", 0.0)
    webhook_test(webhook=webhook(settings))
    assert deliveries_send() == 0


def test_the_timer_goes_on_at_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    going, begun = threading.Event(), list[str]()

    def turn() -> int:
        begun.append(threading.current_thread().name)
        going.wait(5)
        return 0

    webhook(settings)
    monkeypatch.setattr(deliveries, "deliveries_send", turn)
    at = time.monotonic()
    for _ in range(3):
        webhooks_send()
        time.sleep(0.1)
    assert time.monotonic() - at < 2
    assert begun == ["webhooks"]
    going.set()
    for thread in threading.enumerate():
        if thread.name == "webhooks":
            thread.join()


def test_an_error_that_nobody_foresaw_ends_one_delivery_only(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def call(address: str, *_: Any) -> Answer:
        if address.endswith("/bad"):
            raise RuntimeError("http://secret.example/")
        return Answer(200)

    monkeypatch.setattr(deliveries, "call", call)
    for path in ("/bad", "/good"):
        webhook_test(webhook=webhook(settings, f"http://127.0.0.1:9{path}"))
    assert deliveries_send() == 2
    assert sorted(WebhookDelivery.objects.values_list("state", "error")) == [("delivered", ""), ("waiting", "unknown")]
    assert "secret.example" not in caplog.text


def test_switching_off_ends_what_waits_and_sends_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    called = answering(monkeypatch, Answer(200))
    mine = webhook(settings)
    delivery = webhook_test(webhook=mine)
    off = webhook_update(webhook=mine, is_active=False, user=None)
    assert deliveries_send() == 0
    delivery.refresh_from_db()
    assert (delivery.state, delivery.error) == (State.GIVEN_UP, Error.OFF)
    with pytest.raises(Refused):
        webhook_test(webhook=off)
    assert called == []


def test_what_has_ended_can_be_sent_again_and_tells_that_it_is_the_same(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver() as received:
        delivery = webhook_test(webhook=webhook(settings, received.address()))
        deliveries_send()
        delivery_again(delivery=WebhookDelivery.objects.get())
        delivery_again(delivery=WebhookDelivery.objects.get())
        deliveries_send()
    assert [call.headers["Precis-Delivery"] for call in received.calls] == [delivery.name] * 2
    assert received.calls[0].body == received.calls[1].body


def test_what_has_waited_for_a_day_is_given_up_and_not_sent(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    called = answering(monkeypatch, Answer(200))
    delivery = webhook_test(webhook=webhook(settings))
    clock.now += LONGEST + timedelta(seconds=1)
    assert deliveries_send() == 0
    delivery.refresh_from_db()
    assert (delivery.state, delivery.error, called) == (State.GIVEN_UP, Error.OLD, [])


def test_without_hosts_nothing_is_sent_or_even_looked_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    called = answering(monkeypatch, Answer(200))
    webhook_test(webhook=webhook(settings))
    settings.WEBHOOK_RECEIVERS = ()
    before = threading.active_count()
    with django_assert_num_queries(0):
        assert deliveries_send() == 0
        webhooks_send()
    assert threading.active_count() == before
    assert called == []


@pytest.mark.parametrize(
    "columns",
    [
        {"state": State.DELIVERED},
        {"state": State.WAITING, "next_try_at": None},
        {"attempts": MAX_ATTEMPTS + 1},
        {"state": "lost"},
    ],
)
def test_the_table_refuses_deliveries_that_cannot_be(settings: Settings, columns: dict[str, Any]) -> None:
    webhook_test(webhook=webhook(settings))
    with pytest.raises(IntegrityError), transaction.atomic():
        WebhookDelivery.objects.update(**columns)


def test_the_timer_sends() -> None:
    assert webhooks_send in {task for _, task in periodic_tasks()}
