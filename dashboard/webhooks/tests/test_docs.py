"""The receiver of docs/webhooks.md, as it is printed there, takes what is signed and nothing else."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.conf import settings as configured
from pytest_django.fixtures import Settings

from common.outgoing.client import Answer, Fault
from common.outgoing.hosts import checked_receivers
from crowd.models import WebhookDelivery
from dashboard.webhooks.calls import call
from dashboard.webhooks.deliveries import PAUSES, deliveries_send
from dashboard.webhooks.services import delivery_again, webhook_create, webhook_test
from tests.support.factories import make_campaign

pytestmark = pytest.mark.django_db
PAGE = (configured.BASE_DIR / "docs" / "webhooks.md").read_text(encoding="utf-8")


@pytest.fixture
def port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def address(settings: Settings, port: int) -> str:
    settings.WEBHOOK_RECEIVERS = checked_receivers("PRECIS_WEBHOOK_HOSTS", [f"http://127.0.0.1:{port}"])
    return f"http://127.0.0.1:{port}/"


def receiver(secret: str, port: int) -> subprocess.Popen[str]:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert "9000" in program
    command = [sys.executable, "-c", program.replace("9000", str(port))]
    process = subprocess.Popen(command, env={**os.environ, "SECRET": secret}, stdout=subprocess.PIPE, text=True)
    for _ in range(200):
        with closing(socket.socket()) as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.05)
    raise AssertionError("the receiver did not start")


@pytest.fixture
def running() -> Iterator[list[subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []
    yield running
    for process in running:
        process.kill()
        process.wait()


def test_the_receiver_prints_an_event_once_and_refuses_what_is_not_signed(
    address: str, port: int, running: list[subprocess.Popen[str]]
) -> None:
    webhook, secret = webhook_create(campaign=make_campaign(), address=address, events=["job.failed"], user=None)
    running.append(receiver(secret, port))
    webhook_test(webhook=webhook)
    for _ in range(2):
        assert deliveries_send() == 1
        delivery = WebhookDelivery.objects.select_related("event", "webhook").get()
        assert (delivery.state, delivery.status) == ("delivered", 204)
        delivery_again(delivery=delivery)
    assert call(address, b"{}", {"Precis-Delivery": "forged"}, "another secret") == Answer(403, Fault.STATUS)
    running[0].kill()
    printed, _ = running[0].communicate()
    assert [line.count(delivery.event.name) for line in printed.splitlines()] == [1]


def test_the_page_has_the_pauses_of_the_code() -> None:
    minutes = [int(pause.total_seconds() // 60) for pause in PAUSES]
    hours = [each // 60 for each in minutes[3:]]
    words = "after {}, {} and {} minutes and after {}, {} and {} hours".format(*minutes[:3], *hours)
    assert words in " ".join(PAGE.split())
