"""Metric scores of a release's outputs: computed in parts, or imported."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from common.computed_results import JobsOf
from common.leased_parts import LeasedPart
from common.models import Job
from corpus.models import Release

SCORE_JOB = "score"
JOBS = JobsOf(SCORE_JOB, "run", at_once=4)


class ScoreRun(models.Model):
    """The scores of all outputs of a release, computed with one set of settings or imported from one file."""

    class Kind(models.TextChoices):
        COMPUTED = "computed", gettext_lazy("computed here")
        IMPORTED = "imported", gettext_lazy("imported")

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="score_runs")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    settings = models.JSONField(help_text="With what it was computed; of imported scores the name of the file.")
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of the signatures and the youngest output, or of the file."
    )
    release_checksum = models.CharField(max_length=64)
    last_output = models.BigIntegerField(
        null=True, help_text="The youngest scored output that was imported after the release was frozen, if any was."
    )
    signatures = models.JSONField(default=dict, help_text="The settings of each metric in a line.")
    summary = models.JSONField(null=True)
    file = models.CharField(
        max_length=100, blank=True, help_text="The file for downloads, with one row per output and metric."
    )
    file_sha256 = models.CharField(max_length=64, blank=True, help_text="Empty for files of earlier versions.")
    outputs = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "digest"], name="score_run_once"),
            models.CheckConstraint(condition=Q(kind__in=["computed", "imported"]), name="score_run_kind_known"),
            models.CheckConstraint(
                condition=Q(summary__isnull=True, finished_at__isnull=True)
                | Q(summary__isnull=False, finished_at__isnull=False),
                name="score_run_finished_has_summary",
            ),
            models.CheckConstraint(condition=Q(summary__isnull=True) | ~Q(file=""), name="score_run_finished_has_file"),
        ]

    def __str__(self) -> str:
        return f"scores of {self.release}"

    @property
    def folder(self) -> str:
        """Where its files lie in the storage of scores."""
        return f"run-{self.pk}"


class ScorePart(LeasedPart):
    """A slice of the release's sources, done once its file exists; leased to whoever computes it."""

    run = models.ForeignKey(ScoreRun, on_delete=models.CASCADE, related_name="parts")
    outputs = models.PositiveIntegerField(null=True, help_text="How many it has scored; empty until it is done.")
    file = models.CharField(max_length=100, blank=True, help_text="Its name in the storage of scores, once it is done.")
    file_sha256 = models.CharField(max_length=64, blank=True, help_text="Empty for files of earlier versions.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="score_parts")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="score_part_once"),
            models.CheckConstraint(condition=LeasedPart.HAS_SOURCES, name="score_part_has_sources"),
            models.CheckConstraint(condition=Q(outputs__isnull=True) | ~Q(file=""), name="score_part_done_has_file"),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.run}"
