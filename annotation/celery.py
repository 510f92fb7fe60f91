"""The Celery application: it runs the rows of the job table."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from annotation import lifeline  # noqa: F401  (its signal handler ends the worker together with its supervisor)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
app = Celery("precis")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["common"], related_name="jobs")

REQUEUE_SECONDS = 15.0
FORGET_SECONDS = 3600.0


@worker_ready.connect
def periodic_maintenance(sender: Any, **_: Any) -> None:
    """Now and again: take up jobs whose worker was killed, since no broker does, and forget old drafts."""
    from common.jobs import jobs_requeue  # noqa: PLC0415  (as above)
    from compressions.services.drafts import drafts_forget_old  # noqa: PLC0415  (needs Django to be set up)

    sender.timer.call_repeatedly(REQUEUE_SECONDS, jobs_requeue)
    sender.timer.call_repeatedly(FORGET_SECONDS, drafts_forget_old)
    jobs_requeue()
    drafts_forget_old()
