"""Reports on a release or on a campaign, of any kind, each computed once for each set of parameters."""

from django.db import models
from django.db.models import Q

from common.leased_parts import LeasedPart
from common.models import Job
from corpus.models import Release
from crowd.models import Campaign

Basis = Release | Campaign
"""What a report is on: a release, or the answers of a campaign to its judgement task."""


class Report(models.Model):
    """What a kind of report says of what it is on with one set of parameters; `rows` is null until it is computed."""

    release = models.ForeignKey(Release, null=True, on_delete=models.CASCADE, related_name="reports")
    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=16, help_text="The key of a kind of report.")
    parameters = models.JSONField()
    attached = models.TextField(blank=True, help_text="What was sent with the parameters, such as a list of words.")
    pinned = models.JSONField(
        default=dict, help_text="What it stands on beside, and what was counted when it was computed."
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 of all that it is computed with.")
    checksum = models.CharField(max_length=64, help_text="Of the release's manifest, or of the campaign's answers.")
    report_version = models.PositiveSmallIntegerField(
        help_text="Which version of the kind computes the rows; 0 before versions were recorded."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    rows = models.JSONField(null=True)
    figures = models.JSONField(default=dict, help_text="What the plots are drawn from.")
    lease_ends_at = models.DateTimeField(
        null=True, help_text="Until when the others leave it to one worker to compute the rows from the parts."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "kind", "digest"], name="report_once"),
            models.UniqueConstraint(fields=["campaign", "kind", "digest"], name="report_of_campaign_once"),
            models.CheckConstraint(
                condition=Q(release__isnull=False, campaign__isnull=True)
                | Q(release__isnull=True, campaign__isnull=False),
                name="report_on_release_or_campaign",
            ),
            models.CheckConstraint(condition=~Q(kind=""), name="report_has_kind"),
            models.CheckConstraint(
                condition=Q(rows__isnull=True, finished_at__isnull=True)
                | Q(rows__isnull=False, finished_at__isnull=False),
                name="report_finished_has_rows",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.basis}"

    @property
    def basis(self) -> Basis:
        """The release or the campaign that it is on."""
        return self.release or self.of_campaign

    @property
    def of_release(self) -> Release:
        """The release that it is on, of a kind of report that is on releases."""
        assert self.release is not None, "its kind is on releases"
        return self.release

    @property
    def of_campaign(self) -> Campaign:
        """The campaign that it is on, or that its release is of."""
        found = self.release.campaign if self.release else self.campaign
        assert found is not None, "a constraint holds that there is one"
        return found

    @property
    def basis_name(self) -> str:
        """What files and sentences call the basis."""
        return self.release.name if self.release else self.of_campaign.slug

    @property
    def file_name(self) -> str:
        """What its files are called, without an ending."""
        return f"{self.basis_name}-{self.kind}"


class ReportPart(LeasedPart):
    """A slice of the release's sources, done once its content is computed; leased to whoever computes it."""

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="parts")
    content = models.JSONField(null=True, help_text="What the report is computed from; null until it is known.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="report_parts")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "number"], name="report_part_once"),
            models.CheckConstraint(condition=LeasedPart.HAS_SOURCES, name="report_part_has_sources"),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.report}"


class ReportRows(models.Model):
    """Rows of a report that are read by a key: with many systems, far more of them than all others.

    They are packed, a tenth of their size or less, or `rows` has them as earlier versions stored them.
    """

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="keyed_rows")
    key = models.TextField(help_text="Such as the name of a metric.")
    rows = models.JSONField(null=True)
    packed = models.BinaryField(null=True, help_text="The rows as JSON, compressed by zlib.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "key"], name="report_rows_once"),
            models.CheckConstraint(
                condition=Q(rows__isnull=True, packed__isnull=False) | Q(rows__isnull=False, packed__isnull=True),
                name="report_rows_in_one_form",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} in {self.report}"
