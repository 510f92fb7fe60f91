"""Models that were trained here, and runs of systems."""

from django.db import models
from django.db.models import Q
from django.urls import reverse

from common.computed_results import JobsOf
from compressions.models import MAX_SYSTEM_NAME_LENGTH
from corpus.models import OutputImport, Release
from crowd.models import Campaign

TRAIN_JOB, RUN_JOB = "train_system", "run_system"
MODEL_JOBS, RUN_JOBS = JobsOf(TRAIN_JOB, "model"), JobsOf(RUN_JOB, "run")
COUNTS = ("pairs_of_release", "pairs_of_file")
"""Of what a model was made from, the numbers of pairs."""
CHOSEN = "chosen"
"""Of a model's parameters, what training chose."""
MAX_KIND, MAX_FILE_NAME = 40, 255
IS_MADE = Q(finished_at__isnull=False)


class TrainedSystem(models.Model):
    """A system that learnt from the train split of a release. Once finished, neither its row nor its files change."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="trained_systems")
    kind = models.CharField(max_length=MAX_KIND, help_text="The system, as the registry calls it.")
    name = models.CharField(max_length=MAX_SYSTEM_NAME_LENGTH, help_text="What its outputs are called.")
    parameters = models.JSONField(default=dict, help_text="Preset, and which compressions it learns from.")
    seed = models.PositiveBigIntegerField()
    release_checksum = models.CharField(max_length=64)
    split = models.CharField(max_length=20, help_text="Of the release, that it learns from.")
    parser = models.CharField(max_length=255, blank=True, help_text="The spaCy pipeline; empty where none is needed.")
    parser_checksum = models.CharField(max_length=64, blank=True)
    pairs_file = models.CharField(max_length=MAX_FILE_NAME, blank=True, help_text="A file with more pairs to learn.")
    pairs_checksum = models.CharField(max_length=64, blank=True)
    pairs = models.BinaryField(default=b"", help_text="Its content if it was uploaded, kept until the model is there.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of all that it is made from.")
    made_from = models.JSONField(default=dict, help_text="How many pairs there were, and why others are left out.")
    curve = models.JSONField(default=list, help_text="The figures of each step of its training.")
    folder = models.CharField(max_length=100, blank=True, help_text="Where its files lie in the storage of systems.")
    files = models.JSONField(default=dict, help_text="SHA-256 of each of its files, by name.")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "digest"], name="trained_system_once"),
            models.CheckConstraint(condition=~Q(kind="") & ~Q(name=""), name="trained_system_has_names"),
            models.CheckConstraint(condition=~IS_MADE | ~Q(folder=""), name="trained_system_finished_has_folder"),
            models.CheckConstraint(
                condition=Q(pairs_file="", pairs_checksum="") | (~Q(pairs_file="") & ~Q(pairs_checksum="")),
                name="trained_system_pairs_have_checksum",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("systems:model", args=[self.release.campaign.slug, self.pk])

    @property
    def pairs_learnt(self) -> int | None:
        """How many pairs of sentences it learnt from; None before it has."""
        return sum(self.made_from.get(name, 0) for name in COUNTS) if self.made_from else None


class SystemRun(models.Model):
    """A system run on the texts of a campaign or on a split of a release; its outputs come in as those of a file."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="system_runs")
    release = models.ForeignKey(Release, null=True, on_delete=models.CASCADE, related_name="system_runs")
    release_checksum = models.CharField(max_length=64, blank=True)
    split = models.CharField(max_length=20, blank=True, help_text="Of the release; empty for all of its texts.")
    kind = models.CharField(max_length=MAX_KIND, help_text="The system, as the registry calls it.")
    model = models.ForeignKey(TrainedSystem, null=True, on_delete=models.PROTECT, related_name="runs")
    name = models.CharField(max_length=MAX_SYSTEM_NAME_LENGTH, help_text="What its outputs are called.")
    parameters = models.JSONField(default=dict, help_text="What it was given beside the texts, and the range.")
    seed = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of what was asked for.")
    is_for_raters = models.BooleanField(default=True, help_text="Its outputs are added to the campaign's.")
    texts = models.PositiveIntegerField(default=0)
    statuses = models.JSONField(default=dict, help_text="How many outputs came about in which way.")
    seconds_per_text = models.FloatField(null=True)
    outputs = models.OneToOneField(OutputImport, null=True, on_delete=models.SET_NULL, related_name="system_run")
    notes = models.JSONField(default=dict, help_text="What else is to be known of it, by name.")
    folder = models.CharField(max_length=100, blank=True, help_text="Where its files lie in the storage of systems.")
    files = models.JSONField(default=dict, help_text="SHA-256 of each of its files, by name.")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "digest"], condition=Q(finished_at=None), name="system_run_once_at_a_time"
            ),
            models.CheckConstraint(condition=~Q(kind="") & ~Q(name=""), name="system_run_has_names"),
            models.CheckConstraint(condition=~IS_MADE | ~Q(folder=""), name="system_run_finished_has_folder"),
            models.CheckConstraint(
                condition=Q(release=None, release_checksum="", split="")
                | Q(release__isnull=False) & ~Q(release_checksum=""),
                name="system_run_of_release_has_checksum",
            ),
            models.CheckConstraint(
                condition=Q(seconds_per_text=None) | Q(seconds_per_text__gte=0), name="system_run_takes_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.campaign}"

    def get_absolute_url(self) -> str:
        return reverse("systems:run", args=[self.campaign.slug, self.pk])
