"""Who takes part: a worker, and the worker's enrolment in a round."""

from django.db import models
from django.db.models import Q

from .campaign import Campaign, JoinLink, Round


class Worker(models.Model):
    """One person in one campaign. The platform's id stands here and nowhere else."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="workers")
    platform_key = models.CharField(max_length=16)
    external_id = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "platform_key", "external_id"],
                condition=~Q(external_id=""),
                name="worker_platform_id_once",
            )
        ]

    def __str__(self) -> str:
        return f"worker {self.pk}"


class Enrolment(models.Model):
    """A worker in a round, made when they consent."""

    class Outcome(models.TextChoices):
        WORKING = "working", "working"
        DONE = "done", "done"
        FAILED = "failed", "failed the qualification"
        NO_WORK = "no_work", "no work left"
        LEFT = "left", "stopped early"

    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="enrolments")
    round = models.CharField(max_length=8, choices=Round.choices)
    link = models.ForeignKey(JoinLink, on_delete=models.PROTECT, related_name="enrolments")
    study_id = models.CharField(max_length=200, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    consented_at = models.DateTimeField()
    guidelines_read_at = models.DateTimeField(null=True)
    qualified_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.WORKING)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "round"], name="enrolment_once_per_round"),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="enrolment_round_known"),
        ]

    def __str__(self) -> str:
        return f"{self.worker} in the {self.get_round_display().lower()}"

    @property
    def campaign(self) -> Campaign:
        return self.link.campaign

    @property
    def completion_code(self) -> str:
        """The code that says how the visit ended; none for who may still go on."""
        codes = {
            self.Outcome.DONE: self.link.code_done,
            self.Outcome.FAILED: self.link.code_failed,
            self.Outcome.NO_WORK: self.link.code_no_work,
        }
        return codes.get(self.Outcome(self.outcome), "")
