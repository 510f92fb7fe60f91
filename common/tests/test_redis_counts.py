"""Limits that are counted in Redis, and what happens while it is away."""

import logging
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings
from redis import Redis

from common import rate_limits
from common.errors import TooManyRequests
from common.models import RateCount
from common.rate_limits import (
    RateLimit,
    process_counts_forget,
    rate_counts_forget,
    rate_limit_give_back,
    rate_limit_take,
)
from tests.support.clock import Clock
from tests.support.redis_server import OwnRedis, own_redis

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server on the PATH"),
]
STRICT = RateLimit("strict", 3, 60)
LENIENT = RateLimit("lenient", 8, 60, uncounted=2)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> Iterator[OwnRedis]:
    with own_redis(tmp_path_factory.mktemp("r")) as server:
        settings.REDIS_URL = server.url
        yield server


@pytest.fixture(autouse=True)
def _still(clock: Clock) -> None:
    clock.to_next_hour()


def taken(limit: RateLimit, *who: object, attempts: int = 50) -> int:
    through = 0
    for _ in range(attempts):
        try:
            rate_limit_take(limit, *who)
        except TooManyRequests:
            continue
        through += 1
    return through


def test_redis_counts_and_the_database_is_not_asked(
    server: OwnRedis, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert taken(STRICT, "ann") == 3
        assert taken(STRICT, "ben") == 3
        assert taken(LENIENT, "ann") == 8


def test_the_next_window_begins_anew(server: OwnRedis, clock: Clock) -> None:
    assert taken(STRICT, "ann") == 3
    with pytest.raises(TooManyRequests) as refusal:
        rate_limit_take(STRICT, "ann")
    assert 1 <= refusal.value.retry_after <= 60
    clock.advance(minutes=1)
    assert taken(STRICT, "ann") == 3


def test_over_several_processes_the_total_stays_bounded(server: OwnRedis) -> None:
    through = 0
    for _ in range(5):
        process_counts_forget()
        rate_limits.redis_counts_forget()
        through += taken(LENIENT, "ann")
    assert LENIENT.count <= through <= LENIENT.count + 5 * LENIENT.uncounted


def test_threads_that_count_at_the_same_moment_are_all_counted(server: OwnRedis) -> None:
    limit, through = RateLimit("many", 60, 60), list[int]()
    threads = [Thread(target=lambda: through.append(taken(limit, "ann", attempts=20))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sum(through) == 60


def test_what_is_stored_names_nobody_and_expires(server: OwnRedis) -> None:
    taken(STRICT, "ann-with-a-name", attempts=1)

    with Redis.from_url(server.url) as client:
        (key,) = client.keys()
        assert b"ann" not in key
        assert 0 < client.pttl(key) <= 60_000


def test_what_is_given_back_can_be_taken_again_and_no_more(server: OwnRedis) -> None:
    rate_limit_give_back(STRICT, "ann")
    assert taken(STRICT, "ann", attempts=3) == 3
    rate_limit_give_back(STRICT, "ann")
    assert taken(STRICT, "ann") == 1


def test_counts_can_be_forgotten_by_name(server: OwnRedis) -> None:
    taken(STRICT, "ann"), taken(STRICT, "ben"), taken(LENIENT, "ann")

    assert rate_counts_forget((STRICT,)) == 2

    assert taken(STRICT, "ann") == 3
    assert taken(LENIENT, "ann") == 0


def test_two_installations_can_share_a_server(server: OwnRedis, settings: Settings) -> None:
    taken(STRICT, "ann")
    settings.SECRET_KEY = "another"
    rate_limits.redis_counts_forget()

    assert taken(STRICT, "ann") == 3
    assert rate_counts_forget((STRICT,)) == 1


def test_while_redis_is_away_the_database_counts_and_the_log_says_so_once(
    server: OwnRedis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert taken(STRICT, "ann", attempts=1) == 1
    server.stop()

    with caplog.at_level(logging.WARNING):
        assert taken(STRICT, "ann") == 3
        rate_limit_give_back(STRICT, "ann")
    assert RateCount.objects.get().count == 49
    assert [record.message for record in caplog.records] == [
        "Redis does not answer (ConnectionError): limits are counted in the database until it does"
    ]

    server.start()
    monkeypatch.setattr("common.rate_limits.time.monotonic", lambda: time.perf_counter() + 1e6)
    with caplog.at_level(logging.WARNING):
        assert taken(STRICT, "ann") == 3
    assert caplog.records[-1].message == "Redis answers again: limits are counted there"
    assert len(caplog.records) == 2


def test_a_server_that_hangs_delays_one_request_for_a_fifth_of_a_second(settings: Settings, tmp_path: Path) -> None:
    with socket.socket() as silent:  # takes connections and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        asked: list[float] = []
        for _ in range(3):
            begun = time.perf_counter()
            taken(STRICT, "ann", attempts=1)
            asked.append(time.perf_counter() - begun)

    assert asked[0] >= rate_limits.ANSWER_SECONDS
    assert max(asked[1:]) < rate_limits.ANSWER_SECONDS
    assert RateCount.objects.get().count == 3
