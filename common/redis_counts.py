"""Counts of limited events in Redis, where `PRECIS_REDIS_URL` is set.

A participant must never wait for it: what does not answer within a fifth of a second is left alone for ten seconds, and
the caller counts in another way meanwhile.
"""

import hmac
import logging
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

T = TypeVar("T")
ANSWER_SECONDS = 0.2
LEFT_ALONE_SECONDS = 10.0
KEYS_AT_ONCE = 500
COUNT_UP = """
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
        return int(self._ask(lambda: self._server.eval(COUNT_UP, 1, self._key(name, key), str(events), str(lasts))))

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
