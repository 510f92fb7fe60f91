"""Whether long work goes on."""

from datetime import timedelta

from django.db.models import Count

from annotation.condition import oldest_waiting_job_seconds
from annotation.doctor.registry import Finding, Look, check, fine, wrong
from common.clock import database_now
from common.models import Job

WAITING_MINUTES = 5
FAILED_SINCE = timedelta(days=1)
LOST_SINCE = timedelta(minutes=2)  # every worker looks for lost jobs more often than that


@check(asks_database=True)
def waiting_jobs(_look: Look) -> Finding:
    seconds = oldest_waiting_job_seconds()
    if seconds is None:
        return fine("No job waits.")
    if seconds > WAITING_MINUTES * 60:
        return wrong(
            f"A job has waited for {seconds / 60:.0f} minutes. If other jobs are running, wait or start more workers; "
            "if none is, start a worker (systemctl start precis-worker@1) and look at its messages."
        )
    return fine(f"The job that has waited longest has waited for {seconds:.0f} seconds.")


@check(asks_database=True)
def lost_jobs(_look: Look) -> Finding:
    lost = Job.objects.filter(state=Job.State.RUNNING, lease_ends_at__lt=database_now() - LOST_SINCE).count()
    if lost:
        return wrong(
            f"{lost} running jobs have lost their worker, and no other one has taken them over. "
            "Start a worker: it looks for such jobs every 15 seconds."
        )
    return fine("No running job has lost its worker.")


@check(asks_database=True)
def failed_jobs(_look: Look) -> Finding:
    failed = Job.objects.filter(state=Job.State.FAILED, finished_at__gte=database_now() - FAILED_SINCE)
    kinds = list(failed.values_list("kind").annotate(number=Count("pk")).order_by("kind"))
    if kinds:
        listed = ", ".join(f"{kind} ({number})" for kind, number in kinds)
        return wrong(
            f"Jobs failed within the last day: {listed}. The pages of their campaigns say why, and start them again."
        )
    return fine("No job has failed within the last day.")
