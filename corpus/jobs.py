"""Background jobs of the corpus app."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.job_attempts import Attempt
from common.jobs import Progress, job_handler
from common.models import Job
from compressions.services.file_imports import import_go_on
from corpus.models import OutputImport, Release
from corpus.page_words import not_written_words
from corpus.services.building import release_build
from corpus.services.outputs import OUTPUTS_JOB, output_import_run
from corpus.services.release import RELEASE_JOB


@job_handler(OUTPUTS_JOB, label=gettext_lazy("Importing outputs"))
def run_output_import(job: Job, progress: Progress) -> str:
    return import_go_on(imports=OutputImport, run=output_import_run, job=job, progress=progress)


@job_handler(RELEASE_JOB, label=gettext_lazy("Freezing a release"))
def run_release(job: Job, progress: Progress) -> str:
    release = Release.objects.select_related("campaign", "quality_run").get(pk=job.parameters["release"])
    release_build(release=release, progress=progress, attempt=Attempt.of(job))
    return describe(release)


def describe(release: Release) -> str:
    summary = release.summary
    sources, texts, ratings = summary["sources"], summary["compressions"], summary["ratings"]
    counts = [
        ngettext("%(n)s source", "%(n)s sources", sources) % {"n": sources},
        ngettext("%(n)s compression", "%(n)s compressions", texts) % {"n": texts},
        ngettext("%(n)s rating", "%(n)s ratings", ratings) % {"n": ratings},
    ]
    said = _("%(release)s: %(counts)s.") % {"release": release.name, "counts": ", ".join(counts)}
    return f"{said} {not_written_words(release)}".rstrip()
