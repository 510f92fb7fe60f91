"""Background jobs of the project itself."""

from annotation.services.campaign_deletion import campaign_delete
from common.job_attempts import Attempt
from common.jobs import Progress, job_handler
from common.models import Job
from crowd.selectors.campaign_list import DELETE_JOB


@job_handler(DELETE_JOB, label="Deleting the campaign")
def run_campaign_deletion(job: Job, progress: Progress) -> str:
    deleted = campaign_delete(
        campaign=job.campaign, user=job.requested_by, progress=progress, attempt=Attempt.of(job)
    )
    return f"{deleted.name} is deleted with {deleted.rows} rows."
