"""Sources, their compressions, and the logs of how each was written."""

import hashlib
from collections.abc import Sequence
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.translation import gettext_lazy

from common.models import Job
from crowd.models import Assignment, Campaign, Item, SettingsVersion, Worker

MAX_PAGE_NAME_LENGTH = 32
MAX_SYSTEM_NAME_LENGTH = 60
MAX_RETIRE_NOTE_LENGTH = 500
MAX_FLAG_KINDS = 200


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text, which fits into an index however long the text is."""
    return hashlib.sha256(text.encode()).hexdigest()


class FileImport(models.Model):
    """A file imported by staff, and the outcome for its rows."""

    kind: ClassVar[str]
    """What is in the file, as the API and the audit log call it."""
    is_export = False
    """While it is imported: whether another tool has written it, so that it has columns which nobody wants."""
    left_out: Sequence[tuple[int, str]] = ()
    """What of another tool's file has no row."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="%(class)ss")
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="%(class)s")
    file_name = models.CharField(max_length=255)
    content = models.BinaryField(help_text="Kept until the file is read.")
    added = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list, help_text="[line, reason] of rows refused.")
    warnings = models.JSONField(default=list, help_text="[line, what was changed].")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.file_name

    @property
    def outcome(self) -> str:
        """The outcome for the rows, in one sentence."""
        raise NotImplementedError


class SourceImport(FileImport):
    """A file of sources."""

    kind = "texts"

    strict = models.BooleanField(default=False)

    def get_absolute_url(self) -> str:
        return reverse("compressions:import", args=[self.campaign.slug, self.pk])

    @property
    def outcome(self) -> str:
        """The outcome for the rows, in one sentence."""
        added = f"{self.added} text{pluralize(self.added)} added"
        refused = f"{self.refused} row{pluralize(self.refused)} refused"
        return f"{added}, {self.unchanged} known before, {refused}."


class Source(models.Model):
    """A text to compress: one sentence, or a paragraph of two."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="sources")
    source_id = models.CharField(max_length=100)
    genre = models.CharField(max_length=100, blank=True, help_text="Empty if unknown.")
    text = models.TextField()
    nuggets = models.TextField(
        blank=True, db_default="", default="", help_text="What a good answer to it says, a point in each line."
    )
    sentences = models.PositiveSmallIntegerField()
    paragraph = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="own_sentences")
    unreleased_paragraph = models.CharField(
        max_length=100, blank=True, help_text="The paragraph that it belongs to in a release that does not hold that."
    )
    split = models.CharField(max_length=20, blank=True, help_text="Where an imported release had it; else drawn.")
    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="source")
    retired_at = models.DateTimeField(null=True, help_text="From when on nobody is given work on it.")
    retired_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="sources_retired"
    )
    retire_note = models.CharField(max_length=MAX_RETIRE_NOTE_LENGTH, blank=True, default="")
    work_is_kept = models.BooleanField(
        default=True, help_text="Releases have a retired text with the work that was done on it."
    )
    corrects = models.ForeignKey(
        "self", null=True, on_delete=models.RESTRICT, related_name="corrections", help_text="The text that it replaces."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "source_id"], name="source_id_once"),
            models.CheckConstraint(
                condition=(Q(retired_at=None) & Q(retire_note="", retired_by=None, work_is_kept=True))
                | (Q(retired_at__isnull=False) & ~Q(retire_note="")),
                name="source_retired_says_why",
            ),
            models.CheckConstraint(
                condition=Q(corrects=None) | ~Q(corrects=models.F("pk")), name="source_corrects_another"
            ),
            models.UniqueConstraint(
                fields=["corrects"], condition=Q(retired_at=None), name="source_one_correction_at_a_time"
            ),
            models.CheckConstraint(condition=Q(sentences__in=[1, 2]), name="source_one_or_two_sentences"),
            models.CheckConstraint(condition=~Q(text=""), name="source_text_not_empty"),
        ]

    def __str__(self) -> str:
        return self.source_id

    @property
    def nugget_list(self) -> list[str]:
        return self.nuggets.splitlines()

    @property
    def is_retired(self) -> bool:
        return self.retired_at is not None

    @property
    def is_left_out(self) -> bool:
        """Whether releases leave it out together with the work done on it."""
        return self.is_retired and not self.work_is_kept

    @property
    def family(self) -> str:
        """The id of the source's paragraph, or its own: sources of one family must stay in the same split."""
        return self.paragraph_id_anywhere or self.source_id

    @property
    def paragraph_id_anywhere(self) -> str:
        """The id of the paragraph that a sentence belongs to, even one that was never imported; empty if none."""
        return self.paragraph.source_id if self.paragraph else self.unreleased_paragraph


class Target(models.Model):
    """A distinct compression of a source. Editors who wrote the same text share it, so it is rated only once."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="targets")
    text = models.TextField()
    digest = models.CharField(max_length=64)
    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="target")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "digest"], name="target_text_once_per_source"),
            models.CheckConstraint(condition=~Q(text=""), name="target_text_not_empty"),
        ]

    def __str__(self) -> str:
        return self.text


class Pair(models.Model):
    """Two compressions of a source, to be compared side by side."""

    first = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="pairs_as_first")
    second = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="pairs_as_second")
    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="pair")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="pair_once"),
            models.CheckConstraint(condition=Q(first__lt=models.F("second")), name="pair_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} beside {self.second_id}"


class System(models.Model):
    """An automatic system whose outputs are rated among people's texts."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=MAX_SYSTEM_NAME_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="system_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="system_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


class SystemOutput(models.Model):
    """The output of a system for a source."""

    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="outputs")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="outputs")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="outputs")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "source"], name="output_once_per_source")]

    def __str__(self) -> str:
        return f"{self.system} on {self.source_id}"


class Decoy(models.Model):
    """A language model's text for a source, to compare editors' texts with; never rated, scored or published."""

    system = models.CharField(max_length=MAX_SYSTEM_NAME_LENGTH)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="decoys")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "system"], name="decoy_once_per_source")]

    def __str__(self) -> str:
        return f"decoy of {self.system} on {self.source_id}"


class VisitRules(models.Model):
    """Which rules the texts of an editor met together when they were last compared, for lists: pages look again."""

    worker = models.OneToOneField(Worker, on_delete=models.CASCADE, primary_key=True, related_name="visit_rules")
    met = models.JSONField(help_text="Of each rule that was met: its key, in how many texts, and of how many.")

    def __str__(self) -> str:
        return f"rules met by {self.worker_id}"


class Start(models.TextChoices):
    """The content of the editor's box before the first edit."""

    SOURCE = "source", gettext_lazy("the source")
    EMPTY = "empty", gettext_lazy("an empty box")


class Draft(models.Model):
    """An editor's unfinished text, as held by one open page.

    Each opened page saves its own draft, so two tabs never overwrite each other's text. A draft that another page has
    continued is deleted.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drafts")
    page = models.CharField(max_length=MAX_PAGE_NAME_LENGTH)
    sequence = models.PositiveIntegerField(help_text="Counts what the page has saved; an older save changes nothing.")
    started_from = models.CharField(max_length=8, choices=Start.choices)
    edit_log = models.JSONField()
    comment = models.TextField(blank=True)
    size = models.PositiveIntegerField(help_text="What it weighs in the editing page, in bytes.")
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "page"], name="draft_once_per_page"),
            models.CheckConstraint(condition=~Q(page=""), name="draft_names_its_page"),
            models.CheckConstraint(condition=Q(started_from__in=Start.values), name="draft_beginning_known"),
        ]
        indexes = [models.Index(fields=["saved_at"], name="draft_by_age")]

    def __str__(self) -> str:
        return f"draft {self.sequence} of {self.assignment}"


class Compression(models.Model):
    """An editor's submission for a source; immutable."""

    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="compressions")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="compressions")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="compressions")
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="compression")
    text = models.TextField(help_text="Exactly what replaying the log gives.")
    started_from = models.CharField(max_length=8, choices=Start.choices, default=Start.SOURCE)
    edit_log = models.JSONField(help_text="[position, removed, inserted, kind, milliseconds] for each change.")
    length = models.PositiveIntegerField()
    allowed = models.PositiveIntegerField()
    flags = models.JSONField(
        default=list, help_text="[name, evidence, operation] of what staff should look at. Never a reason by itself."
    )
    is_flagged = models.BooleanField(default=False)
    flag_kinds = models.CharField(
        max_length=MAX_FLAG_KINDS,
        blank=True,
        default="",
        db_default="",
        help_text="The kinds of its flags, each with a space on either side: what lists are narrowed by.",
    )
    flags_seen_at = models.DateTimeField(null=True, help_text="When staff marked the flags as looked at.")
    flags_seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    is_compared = models.BooleanField(
        default=False, db_default=False, help_text="Whether it has been looked at beside the editor's other texts."
    )
    active_ms = models.PositiveIntegerField(
        null=True, help_text="Time at work without pauses, from the log; null where there is none."
    )
    page_record = models.JSONField(null=True, help_text="What its page counted: crowd/page_records.py. Never released.")
    is_imported = models.BooleanField(default=False, help_text="From another release: no log, and maybe another rule.")
    settings_version = models.ForeignKey(
        SettingsVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="compressions",
        help_text="Whose length rule was enforced; null where that is not recorded.",
    )
    guidelines_version = models.ForeignKey(
        SettingsVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The guidelines that the editor had read; null where that is not recorded.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "worker"], name="compression_once_per_worker"),
            models.CheckConstraint(
                condition=Q(length__gte=1) & (Q(length__lte=models.F("allowed")) | Q(is_imported=True)),
                name="compression_obeys_rule",
            ),
            models.CheckConstraint(condition=Q(started_from__in=Start.values), name="compression_beginning_known"),
            models.CheckConstraint(
                condition=Q(is_imported=False) | Q(settings_version=None, guidelines_version=None),
                name="compression_imported_without_settings",
            ),
            models.CheckConstraint(
                condition=Q(is_flagged=False, flag_kinds="") | (Q(is_flagged=True) & ~Q(flag_kinds="")),
                name="compression_flagged_has_kinds",
            ),
            models.CheckConstraint(
                condition=Q(flags_seen_at=None, flags_seen_by=None) | Q(flags_seen_at__isnull=False, is_flagged=True),
                name="compression_seen_is_flagged",
            ),
        ]
        indexes = [
            models.Index(
                fields=["source", "flag_kinds", "flags_seen_at"],
                condition=Q(is_flagged=True),
                name="compression_flagged",
            ),
            models.Index(
                fields=["worker"], condition=Q(is_compared=False, is_imported=False), name="compression_to_compare"
            ),
        ]

    def __str__(self) -> str:
        return self.text
