"""The Celery application: it runs the rows of the job table."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from annotation import lifeline  # noqa: F401  (its signal handler ends the worker together with its supervisor)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
app = Celery("precis")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["crowd.services"], related_name="jobs")

REQUEUE_SECONDS = 15.0


@worker_ready.connect
def requeue_regularly(sender: Any, **_: Any) -> None:
    """No broker gives back a job whose worker was killed: look into the table for such, now and again and again."""
    from crowd.services.jobs import jobs_requeue  # noqa: PLC0415  (needs Django to be set up)

    sender.timer.call_repeatedly(REQUEUE_SECONDS, jobs_requeue)
    jobs_requeue()
