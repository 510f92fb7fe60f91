"""A disk that is full while somebody submits: an error and no half row; once there is room, the same request works."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection

from compressions.models import Compression, Draft, Target
from compressions.selectors.sources import source_of_assignment
from crowd.models import Assignment, Item, Round
from tests.support.factories import editor_at_work, fields_of, import_texts, make_campaign, submission_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@contextmanager
def full_disk() -> Iterator[None]:
    """SQLite's file may not grow; PostgreSQL's server says what it says when its files cannot."""
    if connection.vendor != "sqlite":
        with connection.execute_wrapper(refuse_inserts):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # no free pages are left inside
        cursor.execute("PRAGMA max_page_count = 1")  # no more pages than there are
        try:
            yield
        finally:
            cursor.execute("PRAGMA max_page_count = 1073741823")


def refuse_inserts(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    if sql.startswith("INSERT"):
        raise OperationalError('could not extend file "base/1/2": No space left on device')
    return execute(sql, params, many, context)


def rows() -> list[int]:
    return [table._default_manager.count() for table in (Compression, Draft, Target)]


def test_a_submission_on_a_full_disk_is_stored_whole_or_not_at_all() -> None:
    campaign = make_campaign()
    import_texts(campaign, ["The two old men went home late last night. " * 100])  # more than fits into a free corner
    client, assignment = editor_at_work(campaign)
    client.raise_request_exception = False
    address = f"/work/edit/{assignment.pk}/"
    source = source_of_assignment(assignment)
    fields = fields_of(submission_of(source))
    log = [[1, source.text[1:], "", "deletion", 1500]]
    draft = json.dumps({"sequence": 1, "started_from": "source", "log": log, "comment": ""})

    with full_disk():
        refused = client.post(address, fields)
        unsaved = client.put(f"{address}drafts/page/", draft, content_type="application/json")

    assert (refused.status_code, unsaved.status_code) == (500, 500)
    assert rows() == [0, 0, 0]
    assert not Item.objects.filter(round=Round.RATE).exists()
    assert Assignment.objects.get().state == Assignment.State.LEASED

    saved = client.put(f"{address}drafts/page/", draft, content_type="application/json")
    stored = client.post(address, fields)

    assert (saved.status_code, stored.status_code) == (200, 302)
    assert Compression.objects.get().text == fields["text"]
