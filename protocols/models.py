"""The material of judgement tasks, and what people answer. One set of tables for all tasks.

What a query filters or a constraint holds is a column; everything else is JSON, which the task checks when it is
written and when it is read.
"""

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import ngettext

from compressions.models import FileImport
from crowd.models import Assignment, Campaign, Enrolment, Item, SettingsVersion

MAX_NAME_LENGTH = 100
MAX_PAGE_LENGTH = 40
MAX_ARM_LENGTH = 40
FILE_FORMS = ("mqm", "mqm-quoted", "esa", "wmt25", "wmt25-jsonl", "thresh")
"""The formats of files of answers, of all tasks."""


class MaterialImport(FileImport):
    """A file of material for the campaign's judgement task."""

    kind = "material"

    answers = models.CharField(
        max_length=20, default="", db_default="", help_text="The format, if it has answers that were given elsewhere."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(answers__in=["", *FILE_FORMS]), name="material_import_form_known")
        ]

    def get_absolute_url(self) -> str:
        return reverse("protocols:material-import", args=[self.campaign.slug, self.pk])

    @property
    def outcome(self) -> str:
        """The outcome for the lines, in one sentence."""
        if self.answers:
            words = ngettext(
                "%(added)s answer added, %(unchanged)s known before, %(refused)s refused.",
                "%(added)s answers added, %(unchanged)s known before, %(refused)s refused.",
                self.added,
            )
            return words % {"added": self.added, "unchanged": self.unchanged, "refused": self.refused}
        words = ngettext(
            "%(added)s line added, %(unchanged)s known before, %(refused)s refused.",
            "%(added)s lines added, %(unchanged)s known before, %(refused)s refused.",
            self.added,
        )
        return words % {"added": self.added, "unchanged": self.unchanged, "refused": self.refused}


class Material(models.Model):
    """What people judge or practise on, or what that is made of. The digest is of all that the line of the file said.

    `task` is the key of the part of the judgement task that it is for; of what work is made of, it says what it is.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="material")
    task = models.CharField(max_length=8)
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    system = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    condition = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    body = models.JSONField()
    expected = models.JSONField(null=True, help_text="Of practice: the answer that people see after theirs.")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "task", "name", "system", "condition"], name="material_once"),
            models.CheckConstraint(condition=~Q(name=""), name="material_has_name"),
        ]

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.system, self.condition)))


class Sound(models.Model):
    """The sound of a text, an MP3 in the storage of sounds; texts name it by the name of the file that was uploaded."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="sounds")
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    file = models.CharField(max_length=100, help_text="Its name in the storage.")
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    seconds = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="sound_once"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(file="") & Q(seconds__gt=0), name="sound_is_there"),
        ]

    def __str__(self) -> str:
        return self.name


class TaskItem(models.Model):
    """A piece of work: an item of a round, and what is judged in it."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="task_item")
    material = models.OneToOneField(Material, on_delete=models.PROTECT, related_name="task_item")

    def __str__(self) -> str:
        return f"{self.material} as work"


class TaskArm(models.Model):
    """The arm that was drawn for a piece of work as somebody got it, where the settings of the task have arms."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="task_arm")
    arm = models.CharField(max_length=MAX_ARM_LENGTH)

    def __str__(self) -> str:
        return f"{self.assignment_id} {self.arm}"


class DesignRow(models.Model):
    """A row of a design: which pieces of work one person gets, in this order. Each block of rows has every piece once.

    `enrolment` is that in the first round of the task of the person who has the row; null while nobody has it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="design_rows")
    block = models.PositiveSmallIntegerField()
    row = models.PositiveSmallIntegerField()
    cells = models.JSONField(
        help_text="[name of the material, condition], or ids of items, in the order in which they are done."
    )
    enrolment = models.OneToOneField(Enrolment, null=True, on_delete=models.SET_NULL, related_name="design_row")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "block", "row"], name="design_row_once")]

    def __str__(self) -> str:
        return f"row {self.row} of block {self.block} of {self.campaign}"


class PageVisit(models.Model):
    """When somebody was on one of the pages of a task that has several, by the server's clock."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="page_visits")
    page = models.CharField(max_length=MAX_PAGE_LENGTH)
    opened_at = models.DateTimeField(help_text="Of the first page: when the task was handed out.")
    left_at = models.DateTimeField(null=True)
    back_tries = models.PositiveSmallIntegerField(
        default=0, help_text="How often they wanted to see a page again that had closed."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "page"], name="page_visit_once"),
            models.CheckConstraint(
                condition=Q(left_at=None) | Q(left_at__gte=F("opened_at")), name="page_visit_left_after_it_opened"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.page} of {self.assignment_id}"


class TaskDraft(models.Model):
    """What somebody has filled in so far, by page: the fields of the form as they were sent last."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="task_draft")
    fields = models.JSONField(default=dict)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft of {self.assignment_id}"


class Response(models.Model):
    """What a person answered to a subject; every earlier version is kept."""

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="response")
    task_version = models.PositiveSmallIntegerField(help_text="How the task stored its answers then.")
    answer = models.JSONField()
    version = models.PositiveSmallIntegerField(default=1)
    milliseconds = models.PositiveIntegerField(null=True, help_text="From the first sight of it to the answer.")
    created_at = models.DateTimeField()
    settings_version = models.ForeignKey(SettingsVersion, null=True, on_delete=models.PROTECT, related_name="responses")
    guidelines_version = models.ForeignKey(SettingsVersion, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(version__gte=1), name="response_version_from_one")]

    def __str__(self) -> str:
        return f"response {self.pk}"


class ResponseVersion(models.Model):
    """A response as it was submitted. Corrections append a version; none is overwritten."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    answer = models.JSONField()
    milliseconds = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["response", "number"], name="response_version_once")]

    def __str__(self) -> str:
        return f"version {self.number} of {self.response_id}"


class PracticeAnswer(models.Model):
    """A person's answer to practice: they have seen it, and what was expected. It counts for nothing else."""

    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="practice_answers")
    material = models.ForeignKey(Material, on_delete=models.CASCADE, related_name="practice_answers")
    answer = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["enrolment", "material"], name="practice_answer_once")]

    def __str__(self) -> str:
        return f"practice of {self.enrolment}"


class MarkedAnswer(models.Model):
    """Whose short answer to a question of a quiz it is that markers see under a key; equal answers have one key."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="marked_answers")
    question = models.CharField(max_length=MAX_NAME_LENGTH)
    key = models.CharField(max_length=8)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["response", "question"], name="marked_answer_once")]

    def __str__(self) -> str:
        return f"answer {self.key} to {self.question}"
