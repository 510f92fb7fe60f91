"""The long work of the editor round."""

from common.jobs import Progress, job_handler
from common.models import Job
from compressions.models import SourceImport
from compressions.services.imports import IMPORT_JOB, source_import_run


@job_handler(IMPORT_JOB, label="Importing texts")
def run_source_import(job: Job, progress: Progress) -> str:
    wanted = SourceImport.objects.select_related("campaign").get(pk=job.parameters["import"])
    if wanted.finished_at is None:
        source_import_run(wanted=wanted, progress=progress)
    return wanted.outcome
