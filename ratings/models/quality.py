"""Quality control: runs of the worker filter, their decisions, and manual inclusions."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from common.models import Job
from crowd.models import Campaign, ManualDecision, Round, Worker
from measures.quality_control.measured_quality import in_standard_errors


class QualityRun(models.Model):
    """One application of the worker filter: its version, parameters and summary figures.

    The latest run that is not withdrawn is active. Runs are never deleted.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="quality_runs")
    rule = models.CharField(max_length=60)
    parameters = models.JSONField()
    summary = models.JSONField(default=dict)
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="quality_run")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="quality_runs_withdrawn"
    )

    def __str__(self) -> str:
        return f"{self.rule} of {self.created_at:%Y-%m-%d %H:%M}"


class Inclusion(ManualDecision):
    """Keep a person whatever the worker filter says."""

    decision = gettext_lazy("kept")

    def __str__(self) -> str:
        return f"{self.worker} included in the {self.get_round_display().lower()}"


class QualityDecision(models.Model):
    """The decision of a run about one worker in one round, with its reason."""

    run = models.ForeignKey(QualityRun, on_delete=models.CASCADE, related_name="decisions")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="quality_decisions")
    round = models.CharField(max_length=8, choices=Round.choices)
    quality = models.FloatField(null=True)
    standard_error = models.FloatField(null=True)
    gap = models.FloatField(null=True, help_text="Distance from the cut: above 0 on the side of those kept.")
    items = models.PositiveIntegerField()
    removed = models.BooleanField()
    is_by_hand = models.BooleanField(default=False, help_text="Staff had decided before; the rule followed.")
    reason = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "worker", "round"], name="quality_decision_once_per_run"),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="quality_decision_round_known"),
            models.CheckConstraint(
                condition=Q(standard_error=None) | Q(quality__isnull=False, standard_error__gte=0),
                name="quality_decision_error_of_a_quality",
            ),
            models.CheckConstraint(
                condition=Q(gap=None) | Q(quality__isnull=False), name="quality_decision_gap_of_a_quality"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker}: {'removed' if self.removed else 'kept'}"

    @property
    def gap_in_errors(self) -> float | None:
        return in_standard_errors(self.gap, self.standard_error)
