"""Send what is due to webhooks, and try again with growing pauses, for a day at most.

An attempt begins by moving the time of the next one, in one statement that only one worker can win. While the attempt
lasts, that time is its lease: when the worker is killed, another one takes up the delivery after it. So an event
arrives at least once, and `Precis-Delivery` tells the receiver whether it has had it before.

Sending has a thread of its own, so that the timer goes on at once, and calls several receivers side by side. One that
is slow or away is left alone for the rest of the run.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, Min

from common.clock import database_now
from common.outgoing.client import Answer, Fault
from common.telemetry import webhook_counted
from crowd.models import CampaignState, WebhookDelivery, WebhookEvent
from crowd.models.webhooks import MAX_ATTEMPTS
from dashboard.webhooks.calls import DELIVERY, EVENT, call, webhook_secret

logger = logging.getLogger(__name__)

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720))
"""After each attempt but the last; together less than a day."""
LONGEST = timedelta(days=1)
LEASE = timedelta(minutes=2)
TURN_SECONDS = 20.0
SLOW_SECONDS = 2.0
AT_ONCE = 8
State, Error = WebhookDelivery.State, WebhookDelivery.Error
_turn = threading.Lock()


def webhooks_send() -> None:
    """Send what is due in a thread of its own; return at once. A run that lasts goes on meanwhile."""
    if settings.WEBHOOK_RECEIVERS and not _turn.locked():
        threading.Thread(target=_in_thread, name="webhooks", daemon=True).start()


def _in_thread() -> None:
    if not _turn.acquire(blocking=False):
        return
    try:
        deliveries_send()
    except Exception as error:  # of this run; what it holds is due again when its lease ends
        logger.warning("webhooks could not be sent (%s)", type(error).__name__)
    finally:
        connection.close()
        _turn.release()


def deliveries_send() -> int:
    """Send what is due, for some seconds at most; return how many attempts were made."""
    if not settings.WEBHOOK_RECEIVERS:
        return 0
    ends_at, left_alone, attempts = time.monotonic() + TURN_SECONDS, set[int](), 0
    _give_up_old()
    while time.monotonic() < ends_at:
        claimed = [each for each in _due(left_alone) if _claim(each)]
        if not claimed:
            break
        attempts += len(claimed)
        for delivery, (answer, seconds) in zip(claimed, _sent(claimed), strict=True):
            delivery_record(delivery, answer)
            if answer.fault or seconds > SLOW_SECONDS:
                left_alone.add(delivery.webhook_id)
    return attempts


def _due(left_alone: set[int]) -> list[WebhookDelivery]:
    """Return the first delivery that is due of each webhook, as many as are sent at once; the longest waiting first."""
    waiting = WebhookDelivery.objects.filter(
        state=State.WAITING, next_try_at__lte=database_now(), webhook__is_active=True
    ).exclude(webhook__in=left_alone)
    waiting = waiting.exclude(webhook__campaign__state=CampaignState.ARCHIVED)
    first = waiting.order_by().values("webhook").annotate(first=Min("pk"), at=Min("next_try_at")).order_by("at")
    ids = [row["first"] for row in first[:AT_ONCE]]
    # Asked once more, since another worker may have taken some of them in between.
    return list(waiting.filter(pk__in=ids).select_related("webhook", "event__campaign").order_by("pk"))


def _claim(delivery: WebhookDelivery) -> bool:
    """Take a delivery for one attempt, unless another worker has."""
    mine = WebhookDelivery.objects.filter(
        pk=delivery.pk, state=State.WAITING, attempts=delivery.attempts, next_try_at=delivery.next_try_at
    )
    if delivery.attempts >= MAX_ATTEMPTS:  # the worker that made the last one was killed
        mine.update(state=State.GIVEN_UP, next_try_at=None, ended_at=database_now())
        return False
    delivery.attempts += 1
    return bool(mine.update(attempts=F("attempts") + 1, next_try_at=database_now() + LEASE))


def _sent(claimed: Sequence[WebhookDelivery]) -> list[tuple[Answer, float]]:
    """Call side by side; the threads use no database."""
    calls = [_call_of(each) for each in claimed]
    with ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="webhook") as pool:
        return list(pool.map(lambda each: each(), calls))


def _call_of(delivery: WebhookDelivery) -> Callable[[], tuple[Answer, float]]:
    webhook = delivery.webhook
    address, secret, body = webhook.address, webhook_secret(webhook), payload(delivery.event)
    headers = {DELIVERY: delivery.name, EVENT: delivery.event.kind}

    def send() -> tuple[Answer, float]:
        begun = time.monotonic()
        try:
            answer = call(address, body, headers, secret)
        except Exception as error:  # nobody foresaw it, and the other deliveries go on
            logger.warning("a webhook could not be called (%s)", type(error).__name__)
            answer = Answer(fault=Fault.UNKNOWN)
        return answer, time.monotonic() - begun

    return send


def payload(event: WebhookEvent) -> bytes:
    """Return what is sent for an event, the same each time."""
    said: dict[str, Any] = {
        "id": event.name,
        "event": event.kind,
        "campaign": event.campaign.slug,
        "at": event.happened_at.astimezone(UTC).isoformat(timespec="seconds"),
        "data": event.data,
    }
    return json.dumps(said, sort_keys=True).encode()


def delivery_record(delivery: WebhookDelivery, answer: Answer) -> None:
    """Store what became of an attempt, unless the delivery was given up meanwhile or belongs to another attempt."""
    now = database_now()
    mine = WebhookDelivery.objects.filter(pk=delivery.pk, state=State.WAITING, attempts=delivery.attempts)
    told = {"status": answer.status, "error": answer.fault.value}
    if not answer.fault:
        mine.update(state=State.DELIVERED, next_try_at=None, ended_at=now, **told)
        webhook_counted("delivered")
    elif delivery.attempts >= MAX_ATTEMPTS or now - delivery.queued_at >= LONGEST:
        mine.update(state=State.GIVEN_UP, next_try_at=None, ended_at=now, **told)
        webhook_counted("given_up")
    else:
        mine.update(next_try_at=now + PAUSES[delivery.attempts - 1], **told)
        webhook_counted("failed")


def _give_up_old() -> None:
    """Give up what has waited for a day, as after a time in which no host was listed."""
    now = database_now()
    old = WebhookDelivery.objects.filter(state=State.WAITING, queued_at__lt=now - LONGEST, next_try_at__lte=now)
    old.update(state=State.GIVEN_UP, error=Error.OLD, next_try_at=None, ended_at=now)
