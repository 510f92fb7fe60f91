"""Background jobs of the agreement app."""

from agreement.models import AgreementResult
from agreement.services import AGREEMENT_JOB, agreement_compute
from common.job_attempts import Attempt
from common.jobs import Progress, job_handler
from common.models import Job


@job_handler(AGREEMENT_JOB, label="Computing agreement")
def run_agreement(job: Job, progress: Progress) -> str:
    results = AgreementResult.objects.select_related("release__campaign")
    result = results.get(pk=job.parameters["result"])
    agreement_compute(result=result, progress=progress, attempt=Attempt.of(job))
    return f"Agreement in {result.release.name} is computed."
