"""Background jobs of the corpus app."""

from common.job_attempts import Attempt
from common.jobs import Progress, job_handler
from common.models import Job
from corpus.models import OutputImport, Release
from corpus.services.building import release_build
from corpus.services.outputs import OUTPUTS_JOB, output_import_run
from corpus.services.release import RELEASE_JOB


@job_handler(OUTPUTS_JOB, label="Importing outputs")
def run_output_import(job: Job, progress: Progress) -> str:
    record = OutputImport.objects.select_related("campaign").get(pk=job.parameters["import"])
    record.job = job  # as this attempt has claimed it
    if record.finished_at is None:
        output_import_run(record=record, progress=progress)
    return record.outcome


@job_handler(RELEASE_JOB, label="Freezing a release")
def run_release(job: Job, progress: Progress) -> str:
    release = Release.objects.select_related("campaign", "quality_run").get(pk=job.parameters["release"])
    release_build(release=release, progress=progress, attempt=Attempt.of(job))
    return describe(release)


def describe(release: Release) -> str:
    summary = release.summary
    return (
        f"{release.name}: {summary['sources']} sources, {summary['compressions']} compressions, "
        f"{summary['ratings']} ratings."
    )
