"""Reports on the editing operations of a release, computed in parts, once for each set of parameters."""

from django.db import models
from django.db.models import Q

from common.computed_results import ComputedResult
from common.leased_parts import LeasedPart
from common.models import Job
from corpus.models import Release

OPERATIONS_JOB = "operations_report"
MAX_PARALLEL_JOBS = 4  # per report


class OperationsReport(ComputedResult):
    """What people and systems did to the texts of a release; `rows` is null until it is computed."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="operations_reports")
    word_pairs = models.TextField(blank=True, help_text="Pairs of words that may stand for each other, line by line.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of all that the report is computed with.")
    signature = models.TextField(help_text="The aligner and the tokenizer, with their versions and options.")
    last_correction = models.BigIntegerField(
        null=True, help_text="The last correction of an alignment that counts, if there is any."
    )
    last_output = models.BigIntegerField(
        null=True, help_text="The last output that was imported after the release was frozen, if any was."
    )
    release_checksum = models.CharField(max_length=64)
    rows = models.JSONField(null=True)
    figures = models.JSONField(default=dict, help_text="What the plots are drawn from.")
    texts = models.PositiveIntegerField(default=0, help_text="How many texts and outputs were aligned.")
    report_version = models.PositiveSmallIntegerField(help_text="Which version of the report computes the rows.")
    lease_ends_at = models.DateTimeField(
        null=True, help_text="Until when the others leave it to one worker to compute the rows from the parts."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "digest"], name="operations_report_once"),
            models.CheckConstraint(
                condition=Q(rows__isnull=True, finished_at__isnull=True)
                | Q(rows__isnull=False, finished_at__isnull=False),
                name="operations_finished_has_rows",
            ),
        ]

    def __str__(self) -> str:
        return f"editing operations in {self.release}"

    @property
    def jobs(self) -> models.QuerySet[Job]:
        """The jobs that were queued to compute the report."""
        return Job.objects.filter(kind=OPERATIONS_JOB, parameters__report=self.pk)


class OperationsPart(LeasedPart):
    """A slice of the release's sources, done once its texts are aligned; leased to whoever aligns them."""

    report = models.ForeignKey(OperationsReport, on_delete=models.CASCADE, related_name="parts")
    sources = models.JSONField(null=True, help_text="Each source with its aligned texts; null until they are aligned.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="operations_parts")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "number"], name="operations_part_once"),
            models.CheckConstraint(condition=LeasedPart.HAS_SOURCES, name="operations_part_has_sources"),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.report}"
