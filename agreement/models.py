"""Agreement results, computed once for each release and set of parameters."""

from django.db import models
from django.db.models import Q

from common.models import Job
from corpus.models import Release


class AgreementResult(models.Model):
    """The report on one release with one set of parameters; `rows` is null until it is computed."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="agreement_results")
    parameters = models.JSONField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the parameters and the version of the report.")
    release_checksum = models.CharField(max_length=64)
    rows = models.JSONField(null=True)
    figures = models.JSONField(default=dict, help_text="What the plots are drawn from, scale by scale.")
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="agreement_result")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

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
