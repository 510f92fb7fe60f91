"""What takes long to compute from a campaign's ratings, kept with what it was computed from."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from common.models import Job
from crowd.models import Campaign, Round


class UpToMark(models.Model):
    """What is known about a campaign's crowd ratings, up to one rating and one version of a rating.

    Pages count again what came or changed since (`ratings/selectors/rating_counts.py`), so they show what the ratings
    say now.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="%(class)s")
    last_rating = models.PositiveBigIntegerField()
    last_version = models.PositiveBigIntegerField()
    excluded = models.JSONField(help_text="The ids of the raters who were excluded.")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"ratings of {self.campaign} up to {self.last_rating}"


class RatingCounts(UpToMark):
    totals = models.JSONField(help_text="By scale: texts, the sum of their means, and ratings by point.")

    class Meta:
        db_table = "ratings_ratingtally"


class RaterFlags(UpToMark):
    rule = models.CharField(
        max_length=20, help_text="The rule that found the flags; flags of another rule are not used."
    )
    flags = models.JSONField(help_text="By the id of a rater who has flags: the name and evidence of each.")

    class Meta:
        db_table = "ratings_flagtally"


class SourceMeans(UpToMark):
    """The means of a large campaign's sources, so that its texts can be put in their order."""

    last_compression = models.PositiveBigIntegerField(help_text="Outputs count once a person has written the same.")
    means = models.JSONField(help_text="By scale: by the id of a source, the mean over its compressions' ratings.")


class KeptWork(models.Model):
    """What each person of a large round had submitted by each link before some moment.

    Pages add what came since (`ratings/selectors/visit_work.py`). Of whom it does not name, everything is counted.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="kept_work")
    round = models.CharField(max_length=8, choices=Round.choices)
    until = models.DateTimeField()
    revision = models.PositiveIntegerField(default=0, help_text="Rises with every change, which may then be too late.")
    work = models.JSONField(default=dict, help_text="By the id of a person and that of a link: counts and times.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "round"], name="kept_work_once_per_round"),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="kept_work_round_known"),
        ]

    def __str__(self) -> str:
        return f"work of {self.campaign} ({self.round}) until {self.until:%Y-%m-%d %H:%M}"


class KeptResult(models.Model):
    """The answer to one question about a campaign's ratings; `result` is null until it is first computed.

    The same question has one row. Asking again once there are newer ratings replaces its answer.
    """

    class Kind(models.TextChoices):
        """What is asked; also the kind of the job that finds the answer."""

        PREVIEW = "preview_quality", gettext_lazy("preview of the worker filter")
        PLAN = "plan_ratings", gettext_lazy("plan of more ratings")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="kept_results")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    parameters = models.JSONField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the parameters.")
    result = models.JSONField(null=True)
    basis = models.JSONField(null=True, help_text="How far the data went that the result was computed from.")
    computed_at = models.DateTimeField(null=True)
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="kept_result")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "kind", "digest"], name="kept_result_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["preview_quality", "plan_ratings"]), name="kept_result_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(result__isnull=True, basis__isnull=True, computed_at__isnull=True)
                | Q(result__isnull=False, basis__isnull=False, computed_at__isnull=False),
                name="kept_result_has_basis_and_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.campaign}"

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and not self.job.is_finished
