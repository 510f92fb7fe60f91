"""A disk that is full, on a real file system of its own, and a disk that is slow, with people and jobs at work."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import INTERNAL_SERVER_ERROR
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.installations import (
    Installation,
    Wanted,
    assert_nothing_lost,
    installed,
    people_at_work,
    statuses_of,
)
from tests.support.patient_browser import PatientBrowser
from tests.support.product import eventually
from tests.support.small_disk import SmallDisk, small_disk

SLOW_SECONDS = 3.0
MEGABYTES = 256


class Small(NamedTuple):
    installation: Installation
    disk: SmallDisk


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """An installation whose database is on a small disk."""
    with small_disk(MEGABYTES) as disk:
        wanted = Wanted(postgres=request.param == "PostgreSQL", sources=0, database_on=disk.path)
        with installed(tmp_path_factory.mktemp("installation"), wanted) as installation:
            yield Small(installation, disk)


def test_people_go_on_when_a_full_disk_has_room_again(small: Small) -> None:
    installation, disk = small

    def fill(people: list[PatientBrowser]) -> None:
        installation.settle()
        disk.fill()
        try:
            eventually(lambda: all(max(each.seen.statuses) >= INTERNAL_SERVER_ERROR for each in people), "refusals")
        finally:
            disk.free()

    browsers = people_at_work(installation, "full", fill)

    assert statuses_of(browsers).keys() <= {200, 302, 500, 503}
    assert_nothing_lost(installation, browsers)


def test_people_wait_for_a_slow_disk(small: Small) -> None:
    installation = small.installation
    browsers = people_at_work(installation, "slow", lambda _people: slow_down(installation, SLOW_SECONDS))

    assert statuses_of(browsers).keys() <= {200, 302}
    assert max(browser.seen.longest_wait for browser in browsers) > SLOW_SECONDS / 2
    assert_nothing_lost(installation, browsers)


def slow_down(installation: Installation, seconds: float) -> None:
    """Keep PostgreSQL from writing, or hold SQLite's lock."""
    with ExitStack() as stack:
        if installation.postgres:
            stack.enter_context(installation.postgres.standing_still())
        else:
            stack.enter_context(locked(installation.sqlite))
        time.sleep(seconds)


def locked(file: Path) -> closing[sqlite3.Connection]:
    connection = sqlite3.connect(file, timeout=60, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return closing(connection)  # which rolls back
