"""A lock for the services that write much into a campaign, so that participants need not wait for them.

The row of a campaign is locked for moments only, by whoever joins or enqueues a job. A lock on it that lasts would
keep newcomers waiting, so imports and draws have a lock of their own.
"""

from django.db import connection
from django.db.transaction import TransactionManagementError


def campaign_write_lock(*, campaign_id: int) -> None:
    """Wait until no other import or draw writes into the campaign, and keep others from it in this transaction.

    SQLite has one writer at a time, so there a transaction is a lock already.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("the lock lasts only until the end of a transaction")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"turn of campaign {campaign_id}"])
