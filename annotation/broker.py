"""What the message broker says of workers and of waiting messages. It only announces jobs; their table decides."""

from dataclasses import dataclass, field
from typing import Any

from celery.exceptions import CeleryError
from kombu.exceptions import KombuError

from annotation.celery import app

REPLY_SECONDS = 1.5
CONNECT_SECONDS = 3


@dataclass(frozen=True)
class WorkerSeen:
    """A worker that answers, with the jobs (by id) that it is running."""

    name: str
    queues: list[str]
    jobs: list[int]


@dataclass(frozen=True)
class BrokerState:
    """What the broker said; `error` is set, and the rest empty, if it did not answer."""

    messages: dict[str, int] = field(default_factory=dict)
    workers: list[WorkerSeen] = field(default_factory=list)
    error: str = ""


def broker_state() -> BrokerState:
    """Ask the broker, which may take some seconds."""
    limits = {"socket_connect_timeout": CONNECT_SECONDS, "socket_timeout": CONNECT_SECONDS}
    is_redis = app.conf.broker_url.startswith(("redis", "sentinel"))
    try:
        with app.connection_for_read(transport_options=limits if is_redis else {}) as connection:
            connection.ensure_connection(max_retries=1, timeout=CONNECT_SECONDS)
            return BrokerState(_messages(connection), _workers(connection))
    except (CeleryError, KombuError, OSError) as error:
        return BrokerState(error=type(error).__name__)


def _messages(connection: Any) -> dict[str, int]:
    """Return how many messages wait in each queue."""
    with connection.channel() as channel:
        return {name: channel.queue_declare(queue=name, passive=False).message_count for name in app.amqp.queues}


def _workers(connection: Any) -> list[WorkerSeen]:
    asked = app.control.inspect(timeout=REPLY_SECONDS, connection=connection)
    queues, active = asked.active_queues() or {}, asked.active() or {}
    names = {*queues, *active}
    return [
        WorkerSeen(
            name,
            [queue["name"] for queue in queues.get(name, [])],
            [int(number) for task in active.get(name, []) for number in task["args"]],
        )
        for name in sorted(names)
    ]
