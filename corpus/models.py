"""Releases: frozen versions of a campaign's corpus."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from common.models import Job
from compressions.models import MAX_SYSTEM_NAME_LENGTH, FileImport
from crowd.models import Campaign
from crowd.scales import Scale, scales_load, told_apart
from ratings.models import QualityRun


class OutputImport(FileImport):
    """A file with the outputs of a system; where `system` is empty, of the systems that its lines name."""

    kind = "outputs"

    system = models.CharField(max_length=MAX_SYSTEM_NAME_LENGTH)
    is_decoy = models.BooleanField(default=False, help_text="Its texts are decoys: compared with, never rated.")
    is_as_is = models.BooleanField(
        default=False, db_default=False, help_text="Outputs are taken that are longer than the campaign allows."
    )
    notes = models.JSONField(
        default=dict, db_default={}, help_text="What is known of how the outputs were made, by name."
    )

    def get_absolute_url(self) -> str:
        return reverse("corpus:output-import", args=[self.campaign.slug, self.pk])

    @property
    def outcome(self) -> str:
        """The outcome for the lines, in one sentence."""
        words = ngettext(
            "%(added)s output added, %(unchanged)s known before, %(refused)s refused.",
            "%(added)s outputs added, %(unchanged)s known before, %(refused)s refused.",
            self.added,
        )
        return words % {"added": self.added, "unchanged": self.unchanged, "refused": self.refused}


class Release(models.Model):
    """A frozen version of the corpus. Once it is ready, neither its row nor its files change."""

    class State(models.TextChoices):
        BUILDING = "building", gettext_lazy("being written")
        READY = "ready", gettext_lazy("ready")
        FAILED = "failed", gettext_lazy("failed")

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="releases")
    version = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.BUILDING)
    options = models.JSONField(help_text="Seed, splits, and how much a text and a source must have.")
    left_out_people = models.JSONField(default=list, help_text="Who is left out of which round, and why.")
    retired_sources = models.JSONField(
        default=list, help_text="Texts that were retired when it was frozen, and which of them are left out."
    )
    scales = models.JSONField(
        null=True, help_text="Those that its ratings are on, where some came with files; null: the campaign's own."
    )
    data_statement = models.JSONField(
        default=dict, db_default={}, help_text="What the researchers say of the corpus, by the keys of the questions."
    )
    conduct = models.JSONField(
        default=dict,
        db_default={},
        help_text="How the work had gone when it was frozen.",
    )
    last_rows = models.JSONField(default=dict, help_text="The youngest row of each table that may be in it.")
    quality_run = models.ForeignKey(QualityRun, null=True, on_delete=models.PROTECT, related_name="releases")
    summary = models.JSONField(default=dict)
    checksum = models.CharField(max_length=64, blank=True, help_text="SHA-256 of manifest.json.")
    folder = models.CharField(max_length=100, blank=True, help_text="Where its files lie in the storage of releases.")
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="release")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "version"], name="release_version_once"),
            models.CheckConstraint(
                condition=~Q(state="ready") | (~Q(checksum="") & Q(finished_at__isnull=False)),
                name="release_ready_has_checksum",
            ),
            models.CheckConstraint(condition=~Q(state="ready") | ~Q(folder=""), name="release_ready_has_folder"),
            models.UniqueConstraint(fields=["folder"], condition=~Q(folder=""), name="release_folder_once"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"{self.campaign.slug}-v{self.version}"

    @property
    def rating_scales(self) -> tuple[Scale, ...]:
        """The scales that its ratings are on."""
        return self.campaign.rating_scales if self.scales is None else told_apart(scales_load(self.scales))


def release_parent(campaign_id: int) -> str:
    """Return the folder of a campaign's releases, named by its id: short names can change and be reused."""
    return f"campaign-{campaign_id}"


class ImportedFacts(models.Model):
    """What the files say of themselves that a campaign was imported from. Nobody here can vouch for it."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="imported_facts")
    name = models.CharField(max_length=100, help_text="What the release is called, or its folder.")
    language = models.CharField(max_length=20, blank=True, help_text="Empty where neither files nor staff told it.")
    stated = models.JSONField(default=list, help_text="Statements, those of its own imports after its own.")
    has_questions = models.BooleanField(help_text="The files say what raters were asked; else only the points.")
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"what {self.name} says of itself"


class ReleaseFile(models.Model):
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="release_file_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def stored_name(self) -> str:
        """Its name in the storage of releases."""
        return f"{self.release.folder}/{self.name}"


class ErasureToComplete(models.Model):
    """An erasure whose rows are deleted, and may still be found in the files of the database."""

    erased_at = models.DateTimeField(auto_now_add=True)
