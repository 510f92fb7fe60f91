"""The folder that stands in for a message broker on one machine: no message is ever half there.

Kombu writes messages and its table of queues in place, so a full disk or a killed process leaves files that are empty
or cut off, and reading one ends the worker. Messages only announce jobs, which are rows in the database; so one that
cannot be read is dropped.
"""

import contextlib
import logging
import time
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps

logger = logging.getLogger(__name__)

Binding = filesystem.exchange_queue_t  # a routing key, a pattern and a queue


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: dict[str, Any], **_: Any) -> None:  # type: ignore[override]
        """Write a message under another name first, as whole files only get the name that is looked for."""
        file = Path(self.data_folder_out) / f"{round(time.monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        unfinished = file.with_name(f"{file.name}.unfinished")
        try:
            unfinished.write_text(dumps(payload), encoding="utf-8")
            unfinished.replace(file)
        except OSError as error:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise ChannelError(f"Cannot add a message to {file.parent}") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002 - as Kombu calls it
        try:
            return super()._get(queue)
        except ValueError:
            logger.warning("a message that was cut off has been dropped; its job is announced again")
            raise Empty from None

    def get_table(self, exchange: str) -> list[Binding]:  # type: ignore[override]
        """Return the queues of an exchange; those of this process are there, whatever became of the file."""
        try:
            found: list[Binding] = super().get_table(exchange)
        except ValueError:
            found = []
        missing = [binding for binding in self._own(exchange) if binding not in found]
        for binding in missing:
            self._queue_bind(exchange, *binding)
        return [*missing, *found]

    def _own(self, exchange: str) -> list[Binding]:
        table = (self.state.exchanges or {}).get(exchange, {}).get("table", [])
        bindings = [filesystem.exchange_queue_t(*(part or "" for part in each)) for each in table]
        return [each for each in bindings if self.state.has_binding(each.queue, exchange, each.routing_key)]

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        try:
            super()._queue_bind(exchange, routing_key, pattern, queue)
        except ValueError:  # the file was cut off; every process adds what is its own when it next looks
            (self.control_folder / f"{exchange}.exchange").unlink(missing_ok=True)
            super()._queue_bind(exchange, routing_key, pattern, queue)


class Transport(filesystem.Transport):
    Channel = Channel
    global_state = virtual.BrokerState()
