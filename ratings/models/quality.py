"""Quality control: runs of the worker filter, their decisions, and manual inclusions."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from common.models import Job
from crowd.models import Campaign, ManualDecision, Round, Worker
from measures.quality_control.measured_quality import in_standard_errors
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles


class QualityRule(models.Model):
    """The parameters that staff keep for a campaign's worker filter, before and between its runs."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="quality_rule")
    share = models.FloatField()
    min_items = models.PositiveIntegerField()
    order = models.CharField(max_length=40)
    rater_quality = models.CharField(max_length=40)
    roles = models.CharField(max_length=40)
    kept_at = models.DateTimeField()
    kept_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="quality_rules"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(share__gte=0, share__lte=1, min_items__gte=1), name="quality_rule_in_range"
            ),
            models.CheckConstraint(
                condition=Q(
                    order__in=[each.value for each in Order],
                    rater_quality__in=[each.value for each in RaterQuality],
                    roles__in=[each.value for each in Roles],
                ),
                name="quality_rule_known",
            ),
        ]

    def __str__(self) -> str:
        return f"rule of {self.campaign}"

    @property
    def parameters(self) -> FilterParameters:
        return FilterParameters(
            self.share, self.min_items, Order(self.order), RaterQuality(self.rater_quality), Roles(self.roles)
        )


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
