"""Whether the database and this computer agree on the time: leases and rates go by the database's clock."""

from datetime import datetime

from django.db import connection
from django.utils import timezone

from annotation.doctor.registry import Finding, Look, check, fine, wrong

TOLERATED_SECONDS = 2.0


def database_clock() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


@check(asks_database=True)
def clocks_agree(_look: Look) -> Finding:
    if connection.vendor != "postgresql":
        return fine("The database has the clock of this computer.")
    before, found, after = timezone.now(), database_clock(), timezone.now()
    apart = max((before - found).total_seconds(), (found - after).total_seconds(), 0.0)
    if apart > TOLERATED_SECONDS:
        return wrong(
            f"The clocks of the database and of this computer are {apart:.0f} seconds apart. "
            "Let both follow a time server, for instance with systemd-timesyncd or chrony."
        )
    return fine("The clocks of the database and of this computer agree.")
