"""The long work of the editor round."""

from compressions.models import SourceImport
from compressions.services.imports import IMPORT_JOB, source_import_run
from crowd.models import Job
from crowd.services.jobs import Progress, job_handler


@job_handler(IMPORT_JOB)
def run_source_import(job: Job, progress: Progress) -> str:
    wanted = SourceImport.objects.select_related("campaign").get(pk=job.parameters["import"])
    if wanted.finished_at is None:
        source_import_run(wanted=wanted, progress=progress)
    return wanted.outcome
