"""Agreement results, computed once for each release and set of parameters."""

from django.db import models
from django.db.models import Q

from common.computed_results import ComputedResult
from common.models import Job
from corpus.models import Release


class AgreementResult(ComputedResult):
    """The report on one release with one set of parameters; `rows` is null until it is computed."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="agreement_results")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the parameters and the version of the report.")
    release_checksum = models.CharField(max_length=64)
    rows = models.JSONField(null=True)
    figures = models.JSONField(default=dict, help_text="What the plots are drawn from, scale by scale.")
    report_version = models.PositiveSmallIntegerField(
        default=0, help_text="Which version of the report computed the rows; 0 before versions were recorded."
    )
    first_ratings = models.PositiveSmallIntegerField(
        null=True, help_text="How many ratings of each text count, if raters were asked because earlier ones disagreed."
    )
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="agreement_result")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "digest"], name="agreement_report_once"),
            models.CheckConstraint(
                condition=Q(rows__isnull=True, finished_at__isnull=True)
                | Q(rows__isnull=False, finished_at__isnull=False),
                name="agreement_finished_has_rows",
            ),
        ]

    def __str__(self) -> str:
        return f"agreement in {self.release}"
