"""Background jobs of the systems: training and running."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.jobs import Progress, ResultLink, job_handler
from common.models import Job
from systems.models import RUN_JOB, SystemRun
from systems.services.runs import system_run_complete


@job_handler(
    RUN_JOB,
    label=gettext_lazy("Running a system"),
    result=ResultLink(
        lambda job: SystemRun.objects.select_related("campaign").get(pk=job.parameters["run"]).get_absolute_url(),
        done=gettext_lazy("See its outputs"),
        failed=gettext_lazy("Back to the run"),
    ),
)
def run_system(job: Job, progress: Progress) -> str:
    run = SystemRun.objects.select_related("campaign", "release__campaign", "outputs").get(pk=job.parameters["run"])
    run = system_run_complete(run=run, progress=progress, job=job)
    if run.outputs is None:
        return _("%(system)s: %(n)s texts.") % {"system": run.name, "n": run.texts}
    return f"{run.name}: {run.outputs.outcome}"
