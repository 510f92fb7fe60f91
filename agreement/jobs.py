"""The long work of the agreement room."""

from agreement.models import AgreementResult, ScoreRun
from agreement.models.scores import SCORE_JOB
from agreement.scores.services import scores_complete
from agreement.services import AGREEMENT_JOB, agreement_compute
from crowd.models import Job
from crowd.services.jobs import Progress, job_handler


@job_handler(AGREEMENT_JOB)
def run_agreement(job: Job, progress: Progress) -> str:
    related = AgreementResult.objects.select_related("release__campaign")
    result = related.get(pk=job.parameters["result"])
    agreement_compute(result=result, progress=progress)
    return f"Agreement in {result.release.name} is computed."


@job_handler(SCORE_JOB)
def run_scores(job: Job, progress: Progress) -> str:
    run = ScoreRun.objects.select_related("release__campaign").get(pk=job.parameters["run"])
    scores_complete(run=run, progress=progress, job=job)
    return f"Outputs of {run.release.name} are scored."
