"""Background jobs of the editor round."""

from django.utils.translation import gettext_lazy

from common.jobs import Progress, job_handler
from common.models import Job
from compressions.models import SourceImport, TranslationImport
from compressions.services.file_imports import import_resume
from compressions.services.imports import IMPORT_JOB, source_import_run
from compressions.services.translations import TRANSLATIONS_JOB, translation_import_run


@job_handler(IMPORT_JOB, label=gettext_lazy("Importing texts"))
def run_source_import(job: Job, progress: Progress) -> str:
    record = SourceImport.objects.select_related("campaign").get(pk=job.parameters["import"])
    import_resume(record=record, job=job)
    if record.finished_at is None:
        source_import_run(record=record, progress=progress)
    return record.outcome


@job_handler(TRANSLATIONS_JOB, label=gettext_lazy("Importing translations"))
def run_translation_import(job: Job, progress: Progress) -> str:
    record = TranslationImport.objects.select_related("campaign").get(pk=job.parameters["import"])
    import_resume(record=record, job=job)
    if record.finished_at is None:
        translation_import_run(record=record, progress=progress)
    return record.outcome
