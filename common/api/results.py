"""How far a result is that jobs compute."""

from common.models import Job

JOB_STATES = Job.State.choices
READY, UNFINISHED = "ready", "unfinished"
RESULT_STATES = (Job.State.QUEUED.value, Job.State.RUNNING.value, Job.State.FAILED.value, READY, UNFINISHED)
STATE_WORDS = "`unfinished`: no job is computing it; ask for it again."


def result_state(job: Job | None, *, is_ready: bool) -> str:
    """Return the state of a result, by the job that best shows it."""
    if is_ready:
        return READY
    return job.state if job is not None and job.state != Job.State.DONE else UNFINISHED
