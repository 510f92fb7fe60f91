"""Workers that send a campaign's webhooks at the same moment."""

import time
from typing import Any

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from common.outgoing.client import Answer
from common.outgoing.hosts import checked_receivers
from crowd.models import WebhookDelivery
from dashboard.webhooks import deliveries
from dashboard.webhooks.deliveries import deliveries_send
from dashboard.webhooks.services import MOST_TESTS_WAITING, webhook_create, webhook_test
from tests.support.factories import make_campaign
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.mark.parametrize("time_of_call", [0.0, 0.005])
def test_each_delivery_is_sent_once_however_many_workers_send(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, time_of_call: float
) -> None:
    settings.WEBHOOK_RECEIVERS = tuple(checked_receivers("PRECIS_WEBHOOK_HOSTS", ["http://127.0.0.1:9"]))
    called: list[str] = []

    def call(address: str, *_: Any) -> Answer:
        time.sleep(time_of_call)
        called.append(address)
        return Answer(204)

    monkeypatch.setattr(deliveries, "call", call)
    campaign = make_campaign()
    for number in range(5):
        address = f"http://127.0.0.1:9/{number}"
        webhook, _secret = webhook_create(campaign=campaign, address=address, events=["job.failed"], user=None)
        for _ in range(MOST_TESTS_WAITING):
            webhook_test(webhook=webhook)

    together([deliveries_send] * 6)

    assert len(called) == 5 * MOST_TESTS_WAITING
    assert set(WebhookDelivery.objects.values_list("attempts", "state")) == {(1, "delivered")}
