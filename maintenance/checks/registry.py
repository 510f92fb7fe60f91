"""The checks, and how they are run: each with a limit of time, and none keeps another from being run."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module

from django.db import Error, InterfaceError, connection, transaction

MODULES = ("computer", "services", "postgresql", "installation")
SUBJECTS = (
    "versions",
    "database",
    "postgresql",
    "migrations",
    "clock",
    "folders",
    "disk",
    "broker",
    "jobs",
    "accounts",
    "mail",
    "parser",
    "static_files",
    "public",
    "backups",
    "releases",
)


class Verdict(StrEnum):
    FINE = "fine"
    WRONG = "wrong"
    UNSEEN = "could not look"


@dataclass(frozen=True)
class Finding:
    """One sentence or two: what was seen, and the way out if it is wrong."""

    verdict: Verdict
    words: str


@dataclass(frozen=True)
class Look:
    """How closely to look, and what the installation cannot say of itself."""

    all_files: bool = False
    web_processes: int = 2
    worker_processes: int = 2
    url: str = ""


CheckFunction = Callable[[Look], Finding]


@dataclass(frozen=True)
class Check:
    subject: str
    name: str
    function: CheckFunction
    seconds: float
    asks_database: bool


_checks: dict[str, Check] = {}


def check(
    subject: str, *, seconds: float = 10.0, asks_database: bool = False
) -> Callable[[CheckFunction], CheckFunction]:
    """Register a function as a check of a subject that may take this long.

    One that asks the database runs on the connection of the caller, where the database itself keeps the time;
    all others run in a thread, which is left to itself when its time is over.
    """

    def register(function: CheckFunction) -> CheckFunction:
        _checks[function.__name__] = Check(subject, function.__name__, function, seconds, asks_database)
        return function

    return register


def checks() -> list[Check]:
    """Return all checks in the order of their subjects."""
    for module in MODULES:
        import_module(f"maintenance.checks.{module}")
    return sorted(_checks.values(), key=lambda each: SUBJECTS.index(each.subject))


def fine(words: str) -> Finding:
    return Finding(Verdict.FINE, words)


def wrong(words: str) -> Finding:
    return Finding(Verdict.WRONG, words)


def unseen(why: str) -> Finding:
    return Finding(Verdict.UNSEEN, why)


def run(each: Check, look: Look) -> Finding:
    """Run a check; whatever keeps it from looking becomes a finding."""
    try:
        return _with_database(each, look) if each.asks_database else _in_time(each, look)
    except (Error, InterfaceError) as error:
        return unseen(f"the database does not answer this question ({type(error).__name__}).")
    except Exception as error:
        return unseen(f"the check itself failed ({type(error).__name__}: {error}).")


def _with_database(each: Check, look: Look) -> Finding:
    with reading_only(each.seconds):
        return each.function(look)


@contextmanager
def reading_only(seconds: float) -> Iterator[None]:
    """Let the database refuse writes, and end what takes too long."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")
            cursor.execute("SET LOCAL lock_timeout = 1000")
            cursor.execute("SET LOCAL transaction_read_only = on")
            yield
            transaction.set_rollback(True)  # which ends these settings, too
        return
    connection.ensure_connection()
    sqlite = connection.connection  # without Django, which refuses all statements after one that has failed
    sqlite.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        sqlite.execute("PRAGMA query_only = OFF")


def _in_time(each: Check, look: Look) -> Finding:
    answers: queue.SimpleQueue[Finding | Exception] = queue.SimpleQueue()

    def answer() -> None:
        try:
            answers.put(each.function(look))
        except Exception as error:
            answers.put(error)
        finally:
            connection.close()  # a thread has its own

    threading.Thread(target=answer, name=f"doctor-{each.name}", daemon=True).start()
    try:
        found = answers.get(timeout=each.seconds)
    except queue.Empty:
        return unseen(f"no answer within {each.seconds:.0f} seconds.")
    if isinstance(found, Exception):
        raise found
    return found
