"""Locks: for what writes much into a campaign, and for what a person writes while their data may be erased.

The row of a campaign is locked for moments only, by whoever joins or enqueues a job. A lock on it that lasts would
keep newcomers waiting, so imports and draws have a lock of their own.

An erasure, an exclusion or the end of a visit locks the row of the person, and all that they do shares a lock on it:
either the end waits and finds what was written, or the writing waits and finds that it came too late. This lock comes
before those on assignments and items.
"""

from django.db import connection
from django.db.transaction import TransactionManagementError
from django.utils.translation import gettext as _

from common.errors import SlotTaken
from common.sql import Statement
from crowd.models import Worker

NOT_ERASED = "SELECT 1 FROM crowd_worker v WHERE v.id = %(worker)s AND v.erased_at IS NULL {shared}"
WRITER = Statement(NOT_ERASED)


def writer_stop(worker_id: int) -> Worker:
    """Wait for what a person is writing, keep them from writing more until the transaction ends, and return them."""
    return Worker.objects.select_for_update(no_key=True).get(pk=worker_id)


def writer_hold(worker_id: int) -> bool:
    """Keep the erasure of a person from beginning until the transaction ends; return False if they are erased."""
    return WRITER.row(worker=worker_id) is not None


def writer_lock(worker_id: int) -> None:
    """Do as `writer_hold`, or refuse to store anything of somebody who is erased."""
    if not writer_hold(worker_id):
        raise SlotTaken(_("Your data has been erased, so nothing more is saved."))


def campaign_write_lock(*, campaign_id: int) -> None:
    """Wait until no other import or draw writes into the campaign, and keep others from it in this transaction.

    SQLite has one writer at a time, so there a transaction is a lock already.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("the lock lasts only until the end of a transaction")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"turn of campaign {campaign_id}"])
