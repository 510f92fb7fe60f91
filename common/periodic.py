"""What a worker does from time to time beside its jobs, over a database that may restart meanwhile."""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.apps import apps
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils.module_loading import import_string

from common.clock import database_now
from common.errors import FilesAway
from common.models import PeriodicRun

logger = logging.getLogger(__name__)
NOTED_EACH = timedelta(minutes=1)

Task = Callable[[], object]


def periodic_tasks() -> list[tuple[float, Task]]:
    """Return what the rooms want done, each with its seconds: the attribute `periodic` of their AppConfigs."""
    named = [each for room in apps.get_app_configs() for each in getattr(room, "periodic", ())]
    return [(seconds, import_string(name)) for seconds, name in sorted(named)]


def _note(name: str) -> None:
    """Store that a task was done, about once a minute: some tasks are done every few seconds, by each worker."""
    now = database_now()
    known = PeriodicRun.objects.filter(name=name)
    if not known.filter(done_at__gt=now - NOTED_EACH).exists() and not known.update(done_at=now):
        PeriodicRun.objects.bulk_create([PeriodicRun(name=name, done_at=now)], ignore_conflicts=True)


def maintain(task: Task) -> None:
    """Do a task; if the database does not answer, drop the connection, so that the next time a new one is made.

    No failure of one task keeps the worker from the others.
    """
    # A timer has no request or job around it at whose beginning Django would look after the connection.
    close_old_connections()
    try:
        task()
        _note(task.__name__)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("%s: the database does not answer (%s)", task.__name__, type(error).__name__)
        connection.close()
    except FilesAway:
        logger.warning("%s: the storage of files does not answer", task.__name__)
    except Exception:
        logger.exception("%s failed", task.__name__)
