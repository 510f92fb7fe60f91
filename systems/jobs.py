"""Background jobs of the systems: training and running."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.jobs import Progress, ResultLink, job_handler
from common.models import Job
from systems.models import RUN_JOB, TRAIN_JOB, SystemRun, TrainedSystem
from systems.services.runs import system_run_complete
from systems.services.training import training_complete


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


@job_handler(
    TRAIN_JOB,
    label=gettext_lazy("Training a system"),
    result=ResultLink(
        lambda job: (
            TrainedSystem.objects.select_related("release__campaign").get(pk=job.parameters["model"]).get_absolute_url()
        ),
        done=gettext_lazy("See what it learnt"),
        failed=gettext_lazy("Back to the model"),
    ),
)
def train_system(job: Job, progress: Progress) -> str:
    model = TrainedSystem.objects.select_related("release__campaign").get(pk=job.parameters["model"])
    model = training_complete(model=model, progress=progress, job=job)
    return _("%(system)s learnt from %(n)s pairs.") % {"system": model.name, "n": f"{model.pairs_learnt:,}"}
