"""The background job that imports a file of material."""

from django.utils.translation import gettext_lazy

from common.jobs import Progress, job_handler
from common.models import Job
from compressions.services.file_imports import import_go_on
from protocols.models import MaterialImport
from protocols.services.material import MATERIAL_JOB, material_import_run


@job_handler(MATERIAL_JOB, label=gettext_lazy("Importing material"))
def run_material_import(job: Job, progress: Progress) -> str:
    return import_go_on(imports=MaterialImport, run=material_import_run, job=job, progress=progress)
