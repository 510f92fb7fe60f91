"""The Celery application, which runs the jobs in the job table."""

import os
from contextlib import suppress
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, setup_logging, worker_init, worker_ready, worker_shutdown

from annotation.orphan_guard import guard_against_orphaning
from common.metrics_folder import metrics_folder_remove

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
# Enough to let the web server go first on a small machine. More would keep a job from ending a transaction on SQLite,
# where participants wait for that.
NICENESS = 5
app = Celery("precis")
app.set_default()  # for the threads of the web server, too
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["common"], related_name="jobs")
app.autodiscover_tasks(["maintenance.checks"], related_name="services")  # what doctor asks a worker


@worker_init.connect
def end_with_supervisor(**_: Any) -> None:
    guard_against_orphaning()


@worker_init.connect
def give_way(**_: Any) -> None:
    """Let the web server have the processor first; processes of a pool inherit it."""
    with suppress(PermissionError):  # systemd's unit forbids the call, and has set this before
        os.nice(NICENESS)


@setup_logging.connect
def keep_logging_as_configured(**_: Any) -> None:
    """Leave logging as the settings have it: Celery would print the messages of errors, with the data in them."""


@celeryd_init.connect
def prepare_metrics(**_: Any) -> None:
    """Let the processes of this worker count together, before there is more than one."""
    from maintenance.metrics import worker_metrics_prepare  # noqa: PLC0415 - models need Django to be set up

    worker_metrics_prepare()


@worker_ready.connect
def serve_metrics(**_: Any) -> None:
    from maintenance.metrics import worker_metrics_serve  # noqa: PLC0415

    worker_metrics_serve()


@worker_shutdown.connect
def remove_metrics(**_: Any) -> None:
    metrics_folder_remove()


@worker_ready.connect
def periodic_maintenance(sender: Any, **_: Any) -> None:
    """Do what keeps an installation tidy at the start of a worker, and periodically."""
    # Imported here because models need Django to be set up.
    from django.conf import settings  # noqa: PLC0415

    from common.periodic import maintain, periodic_tasks  # noqa: PLC0415

    if settings.BEAT_APART:  # `manage.py beat` does it, once for all workers
        return
    tasks = periodic_tasks()
    for seconds, task in tasks:
        sender.timer.call_repeatedly(seconds, maintain, (task,))
    for _seconds, task in tasks:
        maintain(task)
