"""Is the app alive?"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db


def test_it_says_ok_to_anybody() -> None:
    reply = Client().get("/health/")

    assert (reply.status_code, reply.json()) == (200, {"status": "ok"})


def test_it_asks_the_database_once_and_touches_no_session() -> None:
    with CaptureQueriesContext(connection) as captured:
        reply = Client().get("/health/")

    assert [query["sql"] for query in captured] == ["SELECT 1"]
    assert not reply.cookies


def test_without_its_database_it_is_not_well() -> None:
    @contextmanager
    def broken() -> Iterator[None]:
        raise DatabaseError("gone")
        yield

    with mock.patch.object(connection, "cursor", broken):
        reply = Client(raise_request_exception=False).get("/health/")

    assert reply.status_code == 500


def test_it_cannot_be_written_to() -> None:
    assert Client().post("/health/").status_code == 405
