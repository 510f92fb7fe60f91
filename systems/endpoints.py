"""Requests to an endpoint that speaks the OpenAI chat format: to listed hosts only, each kept, none made twice.

The file of a run has a line of JSON for each request, with what was answered and without a key. Whoever goes on with
the run finds there what has been answered and paid for.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from time import sleep
from typing import IO, Any, Self

from django.conf import settings
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.outgoing.answers import is_passing, reason_of, seconds_of
from common.outgoing.client import Answer, Bounds, Fault, allowed_target, post
from common.outgoing.hosts import Receiver
from systems.programs.chat import Request, Said

PATH = "/chat/completions"
BOUNDS = Bounds(seconds=600.0, connect_seconds=10.0, read_seconds=300.0, most_bytes=1 << 20)
PAUSES = (1.0, 4.0, 16.0, 60.0)
"""Between attempts at one request, in seconds, where an answer names none."""
LONGEST_PAUSE = 120.0
MILLION = 1_000_000


@dataclass(frozen=True)
class Limits:
    """What a run may take, with the prices of a million tokens that are read and written."""

    requests: int
    money: Decimal | None = None
    price_read: Decimal = Decimal(0)
    price_written: Decimal = Decimal(0)

    def price(self, said: Said) -> Decimal:
        read, written = said.prompt_tokens or 0, said.answer_tokens or 0
        return (self.price_read * read + self.price_written * written) / MILLION


def endpoint_receiver(address: str) -> Receiver:
    """Return the listed host of an endpoint; raise Refused if this installation may not call it."""
    if not settings.MODEL_RECEIVERS:
        raise Refused(
            _(
                "This installation makes no requests to endpoints, and made none now: its operator lists the hosts "
                "that may be called in PRECIS_MODEL_HOSTS."
            )
        )
    allowed = allowed_target(address, settings.MODEL_RECEIVERS)
    if allowed is None:
        listed = ", ".join(each.origin for each in settings.MODEL_RECEIVERS)
        words = _("%(address)s may not be called: PRECIS_MODEL_HOSTS lists %(listed)s. No request was made.")
        raise Refused(words % {"address": address, "listed": listed})
    return allowed[1]


class Endpoint:
    """An endpoint for one run: use it as a context, and call it as `systems.programs.chat.Ask`.

    Raises Refused at the limits of the run, and if the endpoint refuses or stays away; the run can go on later.
    """

    def __init__(self, address: str, file: Path, limits: Limits) -> None:
        self._receiver = endpoint_receiver(address)
        self._address = address if address.endswith(PATH) else address.rstrip("/") + PATH
        self._file, self._limits = file, limits
        self._answered: dict[tuple[str, int], tuple[Request, Said]] = {}
        self._stream: IO[bytes]
        self.requests = self.tokens_read = self.tokens_written = 0
        self.money = Decimal(0)

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            self._stream = opened.enter_context(self._file.open("ab"))
            try:
                fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as fault:
                raise Refused(_("This run is going on in another process.")) from fault
            for record in _records(self._file):
                self._count(record)
            self._stream.write(b"\n" if self._stream.tell() else b"")  # the last line may have been cut off
            opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __call__(self, source_id: str, number: int, request: Request) -> Said:
        """Return what is answered to a try, from the file if it has been."""
        if (source_id, number) in self._answered:
            asked, said = self._answered[source_id, number]
            if asked == request:
                return said
        pauses = iter(PAUSES)
        while True:
            self._check_limits()
            answer = self._asked(source_id, number, request)
            if _is_final(answer):
                return self._answered[source_id, number][1]
            sleep(_pause(answer, next(pauses, None)))

    @property
    def notes(self) -> dict[str, Any]:
        """What the run took."""
        taken = {"requests": self.requests, "tokens_read": self.tokens_read, "tokens_written": self.tokens_written}
        return {**taken, "money": str(self.money)} if self.money else taken

    def _check_limits(self) -> None:
        if self.requests >= self._limits.requests:
            words = _("The limit of %(n)s requests is reached. With a higher one, the run goes on where it stopped.")
            raise Refused(words % {"n": self._limits.requests})
        if self._limits.money is not None and self.money >= self._limits.money:
            words = _("%(money)s of %(most)s are spent. With a higher limit, the run goes on where it stopped.")
            raise Refused(words % {"money": self.money, "most": self._limits.money})

    def _asked(self, source_id: str, number: int, request: Request) -> Answer:
        """Make one request, and keep it with its answer."""
        key = settings.MODEL_KEYS.get(self._receiver)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        body = json.dumps(request, ensure_ascii=False).encode()
        answer = post(self._address, body, headers, receivers=settings.MODEL_RECEIVERS, bounds=BOUNDS)
        record = {
            "id": source_id,
            "try": number,
            "at": database_now().isoformat(timespec="seconds"),
            "request": request,
            "status": answer.status,
            "fault": answer.fault.value,
            "answer": _readable(answer.body, key),
        }
        self._stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        said = self._count(record)
        if self._limits.money is not None and not answer.fault and None in {said.prompt_tokens, said.answer_tokens}:
            raise Refused(_("The endpoint does not say how many tokens an answer took, so its price is not known."))
        return answer

    def _count(self, record: Mapping[str, Any]) -> Said:
        said = Said.of(record["answer"])
        self.requests += 1
        self.tokens_read += said.prompt_tokens or 0
        self.tokens_written += said.answer_tokens or 0
        self.money += self._limits.price(said)
        if record["status"] is not None and 200 <= record["status"] < 300:
            self._answered[record["id"], record["try"]] = (record["request"], said)
        return said


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open("rb") as stream:
        for line in stream:
            try:
                yield json.loads(line)
            except ValueError:  # empty, or cut off as the process was
                continue


def _readable(body: bytes, key: str | None) -> object:
    """Return what an answer says, as JSON if it is; a key that it repeats is taken out."""
    text = body.decode(errors="replace")
    text = text.replace(key, "KEY") if key else text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _is_final(answer: Answer) -> bool:
    """Whether a request is done with; raise Refused if it never will be."""
    if answer.fault in {Fault.NONE, Fault.SIZE}:
        return answer.status is not None and 200 <= answer.status < 300
    if is_passing(answer) or answer.status == 409:
        return False
    raise Refused(_("The endpoint refused a request: %(reason)s.") % {"reason": reason_of(answer)})


def _pause(answer: Answer, usual: float | None) -> float:
    """Return how long to wait before the next attempt; raise Refused if that is too long, or there were enough."""
    asked = seconds_of(answer.retry_after)
    if usual is None:
        words = _("The endpoint failed %(n)s times in a row: %(reason)s. Run again, this goes on where it stopped.")
        raise Refused(words % {"n": len(PAUSES) + 1, "reason": reason_of(answer)})
    if asked is not None and asked > LONGEST_PAUSE:
        words = _("The endpoint asks to wait %(n)s seconds. Run again then, this goes on where it stopped.")
        raise Refused(words % {"n": round(asked)})
    return usual if asked is None else asked
