"""Limits on how often somebody may do something, counted in one place, so that they hold over all processes.

That place is the database, or Redis where `PRECIS_REDIS_URL` is set. While Redis does not answer, the
database counts, from zero.

A limit allows `count` events in each window of `seconds`. Windows begin at fixed times, for everybody at the same
moment, so up to twice as many events can meet at the border of two windows. What an event is counted for, such as a
person or an address, is stored only as an HMAC with the installation's secret.

Counting there costs a query, which people at a normal pace should not pay. A limit can therefore leave the
first `uncounted` events of a window to a counter in the process; when somebody exceeds them, they are added to the
others at once, and every further event is counted there. Over P processes at most `count + P * uncounted` events
come through in a window. Limits on guesses leave nothing uncounted.
"""

import hmac
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from common.clock import database_now, process_now
from common.errors import TooManyRequests
from common.models import RateCount
from common.telemetry import throttle_counted

logger = logging.getLogger(__name__)

T = TypeVar("T")
ANSWER_SECONDS = 0.2
LEFT_ALONE_SECONDS = 10.0
KEYS_AT_ONCE = 500
COUNT_UP_IN_REDIS = """
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return count
"""
COUNT_DOWN = """
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
"""


class RedisAway(Exception):
    """No Redis is set, or it does not answer."""


class RedisCounts:
    """Counts that expire. Keys begin with the installation's own mark, so that several can share a server."""

    def __init__(self, address: str) -> None:
        options: dict[str, Any] = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
        self._server = Redis.from_url(address, retry=Retry(NoBackoff(), 0), **options)
        secret = settings.SECRET_KEY.encode()
        self._mark = "precis:" + hmac.new(secret, b"redis", sha256).hexdigest()[:16]
        self._lock, self._asked_again_at, self._is_away = Lock(), 0.0, False

    def add(self, name: str, key: str, events: int, seconds: float) -> int:
        """Add events to a count, which is kept for so many seconds from now, and return it."""
        lasts = max(1, int(seconds * 1000))
        return int(
            self._ask(lambda: self._server.eval(COUNT_UP_IN_REDIS, 1, self._key(name, key), str(events), str(lasts)))
        )

    def take_back(self, name: str, key: str) -> None:
        """Take one event from a count that is above zero."""
        self._ask(lambda: self._server.eval(COUNT_DOWN, 1, self._key(name, key)))

    def forget(self, names: Sequence[str]) -> int:
        """Delete all counts with these names; return how many."""
        return self._ask(lambda: sum(map(self._forget, names)))

    def _forget(self, name: str) -> int:
        keys = list(self._server.scan_iter(match=self._key(name, "*"), count=KEYS_AT_ONCE))
        return int(self._server.delete(*keys)) if keys else 0

    def _key(self, name: str, key: str) -> str:
        return f"{self._mark}:{name}:{key}"

    def _ask(self, question: Callable[[], T]) -> T:
        if time.monotonic() < self._asked_again_at:
            raise RedisAway
        try:
            answer = question()
        except RedisError as error:
            self._note(is_away=True, why=type(error).__name__)
            raise RedisAway from error
        if self._is_away:
            self._note(is_away=False)
        return answer

    def _note(self, *, is_away: bool, why: str = "") -> None:
        """Write down once that Redis is away or back; the error itself may repeat the address with its password."""
        with self._lock:
            changed, self._is_away = is_away != self._is_away, is_away
            self._asked_again_at = time.monotonic() + LEFT_ALONE_SECONDS if is_away else 0.0
        if changed and is_away:
            logger.warning("Redis does not answer (%s): limits are counted in the database until it does", why)
        elif changed:
            logger.warning("Redis answers again: limits are counted there")


@lru_cache(maxsize=1)
def _counts_at(address: str) -> RedisCounts:
    return RedisCounts(address)


def redis_counts() -> RedisCounts:
    """Return this process's connection; raise RedisAway if no Redis is set."""
    if not settings.REDIS_URL:
        raise RedisAway
    return _counts_at(settings.REDIS_URL)


def redis_counts_forget() -> None:
    """Forget the connection and whether it answered, as a restart does."""
    _counts_at.cache_clear()


KEPT_FOR = timedelta(days=1)  # longer than any window
MAX_COUNTED_HERE = 20_000
WAIT = gettext_lazy("Please wait a moment and try again. Everything you submitted before is saved.")
COUNT_UP = """
    INSERT INTO common_ratecount (limit_name, key_hash, window_start, count) VALUES (%s, %s, %s, %s)
    ON CONFLICT (key_hash, window_start) DO UPDATE SET count = common_ratecount.count + excluded.count
    RETURNING count
"""


@dataclass(frozen=True)
class RateLimit:
    """At most `count` events in `seconds`; the first `uncounted` of them cost no query."""

    name: str
    count: int
    seconds: int
    uncounted: int = 0
    message: str | Promise = WAIT

    def window_start(self, now: datetime) -> datetime:
        seconds = int(now.timestamp())
        return datetime.fromtimestamp(seconds - seconds % self.seconds, UTC)


def rate_limit_take(limit: RateLimit, *who: object, events: int = 1) -> None:
    """Count an event, or one that counts as several; raise TooManyRequests beyond the limit."""
    events = _counted_here.add(limit, who) if limit.uncounted else events
    if not events:
        return
    try:
        now = process_now()
        counted = redis_counts().add(limit.name, _redis_key(limit, who, now), events, _seconds_left(limit, now))
    except RedisAway:
        now = database_now()
        counted = _count_in_database(limit, who, now, events)
    if counted > limit.count:
        throttle_counted(limit.name)
        raise TooManyRequests(str(limit.message), retry_after=max(1, round(_seconds_left(limit, now))))


def _count_in_database(limit: RateLimit, who: tuple[object, ...], now: datetime, events: int) -> int:
    with connection.cursor() as cursor:
        # As the database takes it in SQL of our own.
        start = connection.ops.adapt_datetimefield_value(limit.window_start(now))
        cursor.execute(COUNT_UP, [limit.name, _key_hash(limit, who), start, events])
        counted: int = cursor.fetchone()[0]
    return counted


def _seconds_left(limit: RateLimit, now: datetime) -> float:
    return (limit.window_start(now) + timedelta(seconds=limit.seconds) - now).total_seconds()


def _redis_key(limit: RateLimit, who: tuple[object, ...], now: datetime) -> str:
    return f"{_key_hash(limit, who)}:{int(limit.window_start(now).timestamp())}"


def rate_limit_count(limit: RateLimit, *who: object) -> int:
    """Return how many events were counted in this window."""
    with suppress(RedisAway):
        now = process_now()
        return redis_counts().add(limit.name, _redis_key(limit, who, now), 0, _seconds_left(limit, now))
    of_window = RateCount.objects.filter(
        key_hash=_key_hash(limit, who), window_start=limit.window_start(database_now())
    )
    return of_window.values_list("count", flat=True).first() or 0


def rate_limit_give_back(limit: RateLimit, *who: object) -> None:
    """Take back one event that turned out not to count, such as a login with the right password."""
    with suppress(RedisAway):
        redis_counts().take_back(limit.name, _redis_key(limit, who, process_now()))
        return
    of_window = RateCount.objects.filter(
        key_hash=_key_hash(limit, who), window_start=limit.window_start(database_now()), count__gt=0
    )
    of_window.update(count=F("count") - 1)


def rate_counts_forget_old() -> int:
    """Delete the counts of windows that are long over; return how many."""
    deleted, _ = RateCount.objects.filter(window_start__lt=database_now() - KEPT_FOR).delete()
    return deleted


def rate_counts_forget(limits: tuple[RateLimit, ...]) -> int:
    """Delete all counts of these limits, so that everybody may begin anew; return how many."""
    names = [limit.name for limit in limits]
    deleted, _ = RateCount.objects.filter(limit_name__in=names).delete()
    with suppress(RedisAway):
        deleted += redis_counts().forget(names)
    return deleted


class _CountsOfProcess:
    """The events of the current windows in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[object, ...], int] = {}

    def add(self, limit: RateLimit, who: tuple[object, ...]) -> int:
        """Count an event and return how many all processes together have to count: none, all so far, or this one."""
        key = (limit.name, limit.window_start(process_now()), *who)
        with self._lock:
            if key not in self._counts and len(self._counts) >= MAX_COUNTED_HERE:
                self._counts.clear()  # starts everybody anew: the bound on memory matters more
            count = self._counts[key] = self._counts.get(key, 0) + 1
        if count <= limit.uncounted:
            return 0
        return count if count == limit.uncounted + 1 else 1

    def clear(self) -> None:
        with self._lock:
            self._counts.clear()


_counted_here = _CountsOfProcess()


def process_counts_forget() -> None:
    """Forget what this process has counted, as a restart does."""
    _counted_here.clear()


def _key_hash(limit: RateLimit, who: tuple[object, ...]) -> str:
    key = "\0".join([limit.name, *map(str, who)])
    return hmac.new(settings.SECRET_KEY.encode(), key.encode(errors="surrogatepass"), sha256).hexdigest()
