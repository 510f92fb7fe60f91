"""The Celery application, which runs the jobs in the job table."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from annotation import lifeline  # noqa: F401  (registers the signal handler that ends the worker with its supervisor)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
app = Celery("precis")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["common"], related_name="jobs")

REQUEUE_SECONDS = 15.0
FORGET_SECONDS = 3600.0


@worker_ready.connect
def periodic_maintenance(sender: Any, **_: Any) -> None:
    """Periodically requeue jobs whose worker was killed, since no broker does, and delete old drafts."""
    # Imported here because models need Django to be set up.
    from common.jobs import jobs_requeue  # noqa: PLC0415
    from compressions.services.drafts import drafts_forget_old  # noqa: PLC0415

    sender.timer.call_repeatedly(REQUEUE_SECONDS, jobs_requeue)
    sender.timer.call_repeatedly(FORGET_SECONDS, drafts_forget_old)
    jobs_requeue()
    drafts_forget_old()
