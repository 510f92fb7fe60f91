"""Background jobs of the corpus app."""

from common.jobs import Progress, job_handler
from common.models import Job
from corpus.models import Release
from corpus.services.building import release_build
from corpus.services.release import RELEASE_JOB


@job_handler(RELEASE_JOB, label="Freezing a release")
def run_release(job: Job, progress: Progress) -> str:
    release = Release.objects.select_related("campaign", "quality_run").get(pk=job.parameters["release"])
    release_build(release=release, progress=progress)
    return describe(release)


def describe(release: Release) -> str:
    summary = release.summary
    return (
        f"{release.name}: {summary['sources']} sources, {summary['compressions']} compressions, "
        f"{summary['ratings']} ratings."
    )
