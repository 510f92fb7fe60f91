"""Background jobs of the editor round."""

from django.utils.translation import gettext_lazy

from common.jobs import Progress, job_handler
from common.models import Job
from compressions.models import SourceImport, TranslationImport
from compressions.services.file_imports import import_go_on
from compressions.services.imports import IMPORT_JOB, source_import_run
from compressions.services.translations import TRANSLATIONS_JOB, translation_import_run


@job_handler(IMPORT_JOB, label=gettext_lazy("Importing texts"))
def run_source_import(job: Job, progress: Progress) -> str:
    return import_go_on(imports=SourceImport, run=source_import_run, job=job, progress=progress)


@job_handler(TRANSLATIONS_JOB, label=gettext_lazy("Importing translations"))
def run_translation_import(job: Job, progress: Progress) -> str:
    return import_go_on(imports=TranslationImport, run=translation_import_run, job=job, progress=progress)
