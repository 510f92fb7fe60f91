"""Background jobs of the scoring app."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.jobs import Progress, job_handler
from common.models import Job
from scoring.models import SCORE_JOB, ScoreRun
from scoring.services.runs import scores_complete


@job_handler(SCORE_JOB, label=gettext_lazy("Scoring outputs"))
def run_scores(job: Job, progress: Progress) -> str:
    run = ScoreRun.objects.select_related("release__campaign").get(pk=job.parameters["run"])
    scores_complete(run=run, progress=progress, job=job)
    return _("The scores of %(release)s are ready.") % {"release": run.release.name}
