"""Reports on metrics against ratings, computed once for each release, its scores and set of parameters."""

from django.db import models
from django.db.models import Q

from common.computed_results import ComputedResult
from common.models import Job
from corpus.models import Release

EVALUATION_JOB = "evaluation_report"


class EvaluationReport(ComputedResult):
    """What the metrics of a release are worth, by its ratings; `rows` is null until it is computed."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="evaluation_reports")
    score_runs = models.JSONField(help_text="The ids and digests of the scores that are evaluated.")
    last_model_rating = models.BigIntegerField(
        null=True, help_text="The last rating by a model that counts, if there is any."
    )
    last_translation = models.BigIntegerField(null=True, help_text="The last translation that counts, if any does.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of all that the report is computed with.")
    release_checksum = models.CharField(max_length=64)
    rows = models.JSONField(null=True)
    figures = models.JSONField(default=dict, help_text="What the plots and the matrix are drawn from.")
    report_version = models.PositiveSmallIntegerField(help_text="Which version of the report computes the rows.")
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="evaluation_report")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "digest"], name="evaluation_report_once"),
            models.CheckConstraint(
                condition=Q(rows__isnull=True, finished_at__isnull=True)
                | Q(rows__isnull=False, finished_at__isnull=False),
                name="evaluation_finished_has_rows",
            ),
        ]

    def __str__(self) -> str:
        return f"metrics against ratings in {self.release}"


class EvaluationPart(models.Model):
    """What a report says of one metric and every two systems: with many systems, far more rows than all others."""

    report = models.ForeignKey(EvaluationReport, on_delete=models.CASCADE, related_name="parts")
    metric = models.TextField()
    rows = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["report", "metric"], name="evaluation_part_once")]

    def __str__(self) -> str:
        return f"{self.metric} by pairs of systems in {self.report}"
