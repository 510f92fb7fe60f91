"""Ratings: the current one, its score on each scale, and every earlier version; and the samples that experts rate."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from compressions.models import Pair, SystemOutput, Target
from crowd.models import Assignment, Campaign, ImportedScale, Item, SettingsVersion, Worker
from crowd.scales import LARGEST_NUMBER, MAX_POINTS

from .examples import GoldItem


class ExpertSample(models.Model):
    """A stratified draw of texts, with the size, seed and strata needed to reproduce it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="expert_samples")
    size = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    experts = models.PositiveSmallIntegerField(help_text="How many experts judge each text.")
    strata = models.JSONField(help_text="[genre, band of the crowd's score, texts there, texts drawn].")
    created_at = models.DateTimeField()
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(experts__gte=1), name="expert_sample_wants_experts")]

    def __str__(self) -> str:
        return f"{self.size} texts by seed {self.seed}"


class ExpertItem(models.Model):
    """A text of a sample, with its item in the expert round."""

    sample = models.ForeignKey(ExpertSample, on_delete=models.CASCADE, related_name="items")
    target = models.OneToOneField(Target, on_delete=models.PROTECT, related_name="expert_item")
    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="expert_item")

    def __str__(self) -> str:
        return f"{self.target_id} for experts"


class RaterPool(models.TextChoices):
    """The pool that a rater belongs to. The two are never pooled."""

    CROWD = "crowd", gettext_lazy("crowd")
    EXPERTS = "experts", gettext_lazy("experts")


_ONE_SUBJECT = (
    Q(target__isnull=False, pair__isnull=True, gold__isnull=True)
    | Q(target__isnull=True, pair__isnull=False, gold__isnull=True)
    | Q(target__isnull=True, pair__isnull=True, gold__isnull=False)
)


class Rating(models.Model):
    """One person's rating of a text, of two texts side by side, or of a gold item.

    Ratings imported from a release that does not name the rater have neither worker nor assignment. A file may rate
    equal outputs of two systems apart: then a rating names its `output` beside the text that the two share, and a
    person has an assignment for the first of them only.
    """

    target = models.ForeignKey(Target, null=True, on_delete=models.PROTECT, related_name="ratings")
    # No index: the constraint below has one of those that are not null, which few ratings are.
    output = models.ForeignKey(
        SystemOutput,
        null=True,
        on_delete=models.PROTECT,
        related_name="ratings",
        db_index=False,
        help_text="Of an imported rating: the output that was rated. Null where the text was, whoever wrote it.",
    )
    pair = models.ForeignKey(Pair, null=True, on_delete=models.PROTECT, related_name="ratings")
    gold = models.ForeignKey(GoldItem, null=True, on_delete=models.PROTECT, related_name="ratings")
    worker = models.ForeignKey(Worker, null=True, on_delete=models.PROTECT, related_name="ratings")
    assignment = models.OneToOneField(Assignment, null=True, on_delete=models.PROTECT, related_name="rating")
    rater_pool = models.CharField(max_length=8, choices=RaterPool.choices)
    version = models.PositiveSmallIntegerField(default=1)
    milliseconds = models.PositiveIntegerField(null=True, help_text="From the first sight of it to the answer.")
    difference_shown = models.BooleanField(default=False, help_text="The marks of what was changed were looked at.")
    is_swapped = models.BooleanField(default=False, help_text="Side by side: the second text stood first.")
    created_at = models.DateTimeField(
        null=True, help_text="Of an imported rating: midnight (UTC) of its day, or nothing where no day is told."
    )
    settings_version = models.ForeignKey(
        SettingsVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="ratings",
        help_text="In force when the points were given; null where that is not recorded.",
    )
    guidelines_version = models.ForeignKey(
        SettingsVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The guidelines that the rater had read; null where that is not recorded.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_ONE_SUBJECT, name="rating_has_one_subject"),
            models.UniqueConstraint(
                fields=["target", "worker"], condition=Q(output=None), name="rating_of_text_once_per_worker"
            ),
            models.UniqueConstraint(
                fields=["output", "worker"],
                condition=Q(output__isnull=False),
                name="rating_of_output_once_per_worker",
            ),
            models.CheckConstraint(
                condition=Q(output=None) | Q(target__isnull=False), name="rating_of_output_has_text"
            ),
            models.UniqueConstraint(fields=["pair", "worker"], name="rating_of_pair_once_per_worker"),
            models.UniqueConstraint(fields=["gold", "worker"], name="rating_of_gold_once_per_worker"),
            models.CheckConstraint(
                condition=Q(worker__isnull=True, assignment__isnull=True)
                | Q(worker__isnull=False, assignment__isnull=False)
                | Q(output__isnull=False, assignment__isnull=True),
                name="rating_of_worker_has_assignment",
            ),
            models.CheckConstraint(condition=Q(rater_pool__in=RaterPool.values), name="rating_pool_known"),
            models.CheckConstraint(condition=Q(version__gte=1), name="rating_version_from_one"),
            models.CheckConstraint(
                condition=Q(worker__isnull=False) | Q(settings_version=None, guidelines_version=None),
                name="rating_of_nobody_without_settings",
            ),
        ]

    def __str__(self) -> str:
        return f"rating {self.pk} by {self.worker or 'an unknown rater'}"


class Score(models.Model):
    """The point chosen on one scale."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="scores")
    scale = models.CharField(max_length=40)
    value = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rating", "scale"], name="score_once_per_scale"),
            models.CheckConstraint(condition=Q(value__gte=1, value__lte=MAX_POINTS), name="score_on_a_scale"),
        ]

    def __str__(self) -> str:
        return f"{self.scale} {self.value}"


class ImportedScore(models.Model):
    """The number that a rating made elsewhere gave on a scale that came with it, as it was given.

    In a table of its own: whatever counts or averages points of the campaign's own scales never meets one.
    """

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="imported_scores")
    scale = models.ForeignKey(ImportedScale, on_delete=models.PROTECT, related_name="scores")
    number = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rating", "scale"], name="imported_score_once_per_scale"),
            models.CheckConstraint(
                condition=Q(number__gte=-LARGEST_NUMBER, number__lte=LARGEST_NUMBER), name="imported_score_is_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scale} {self.number}"


class RatingVersion(models.Model):
    """A rating as it was submitted. Corrections append a version; none is overwritten."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    scores = models.JSONField(help_text="Points by scale.")
    milliseconds = models.PositiveIntegerField(null=True)
    difference_shown = models.BooleanField()
    page_record = models.JSONField(
        null=True,
        help_text="What its page counted, at the first text of a page: crowd/page_records.py. Never released.",
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rating", "number"], name="rating_version_once")]

    def __str__(self) -> str:
        return f"version {self.number} of {self.rating_id}"
