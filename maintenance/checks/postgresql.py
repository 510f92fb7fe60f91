"""Settings of the PostgreSQL server on which data, privacy or capacity depend."""

from django.db import connection

from common.environment import WEB_THREADS
from common.periodic import periodic_tasks
from maintenance.checks.registry import Finding, Look, check, fine, wrong

NOT_USED = "The database is not PostgreSQL."


def shown(name: str) -> str:
    """Return a setting of the server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s)", [name])
        return str(cursor.fetchone()[0])


def is_used() -> bool:
    return connection.vendor == "postgresql"


@check("postgresql", asks_database=True)
def encoding(_look: Look) -> Finding:
    if not is_used():
        return fine(NOT_USED)
    found = shown("server_encoding")
    if found != "UTF8":
        return wrong(
            f"The database stores text as {found}, which cannot hold all texts. "
            "Create one with ENCODING 'UTF8' TEMPLATE template0, and restore a backup into it."
        )
    return fine("The database stores text as UTF8.")


@check("postgresql", asks_database=True)
def durability(_look: Look) -> Finding:
    if not is_used():
        return fine(NOT_USED)
    off = [name for name in ("fsync", "full_page_writes") if shown(name) == "off"]
    if off:
        return wrong(
            f"PostgreSQL has {' and '.join(off)} switched off: a power cut can destroy the database. "
            f"Set {' and '.join(f'{name} = on' for name in off)} in postgresql.conf, and reload it."
        )
    if shown("synchronous_commit") == "off":
        return wrong(
            "PostgreSQL has synchronous_commit switched off: a power cut loses work that participants were told "
            "is saved. Set synchronous_commit = on in postgresql.conf, and reload it."
        )
    return fine("PostgreSQL writes to the disk before it confirms.")


@check("postgresql", asks_database=True)
def privacy_of_its_log(_look: Look) -> Finding:
    if not is_used():
        return fine(NOT_USED)
    found = shown("log_error_verbosity")
    if found != "terse":
        return wrong(
            f"PostgreSQL has log_error_verbosity = {found}: its log repeats rows that break a constraint, and with "
            "them ids of participants. Set it to terse in postgresql.conf, and reload it."
        )
    return fine("The log of PostgreSQL repeats no rows.")


@check("postgresql", asks_database=True)
def connections(look: Look) -> Finding:
    if not is_used():
        return fine(NOT_USED)
    most = int(shown("max_connections")) - int(shown("superuser_reserved_connections"))
    return enough_connections(most, look)


def enough_connections(most: int, look: Look) -> Finding:
    """Compare what the server takes with what may be open at once.

    Each thread of a web process has a connection, each worker process one and another for the lease of its job, `beat`
    one for each periodic task, and a command one.
    """
    web, workers = look.web_processes, look.worker_processes
    needed = web * WEB_THREADS + 2 * workers + len(periodic_tasks()) + 1
    of = f"{web} web processes of {WEB_THREADS} threads, {workers} worker processes and beat"
    if needed > most:
        return wrong(
            f"PostgreSQL takes {most} connections, and {of} may open {needed}. "
            f"Set max_connections to {needed + 20} or more in postgresql.conf and restart it, or run fewer processes."
        )
    return fine(f"PostgreSQL takes {most} connections; {of} open at most {needed}.")
