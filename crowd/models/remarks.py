"""Workers' remarks on tasks: skips, problem reports and comments."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from .work import Assignment

MAX_REMARK_LENGTH = 2_000


class Remark(models.Model):
    """A remark on a task; there is one per task and kind, and a new one replaces it."""

    class Kind(models.TextChoices):
        SKIP = "skip", gettext_lazy("skipped")
        PROBLEM = "problem", gettext_lazy("problem with the text")
        COMMENT = "comment", gettext_lazy("comment")

    class Reason(models.TextChoices):
        UNCLEAR = "unclear", gettext_lazy("I don’t understand the text")
        NOT_SHORTER = "not_shorter", gettext_lazy("It can’t be shortened that much")
        UPSETTING = "upsetting", gettext_lazy("I would rather not work on this content")
        BROKEN = "broken", gettext_lazy("It is broken or incomplete")
        LANGUAGE = "language", gettext_lazy("It is not in the language of the study")
        PRIVATE = "private", gettext_lazy("It contains private information")
        OFFENSIVE = "offensive", gettext_lazy("It is offensive")
        PAGE = "page", gettext_lazy("Something on the page does not work")
        OTHER = "other", gettext_lazy("Something else")

    SKIP_REASONS = (Reason.UNCLEAR, Reason.NOT_SHORTER, Reason.UPSETTING, Reason.PAGE, Reason.OTHER)
    CANNOT_RATE_REASONS = (
        Reason.UNCLEAR,
        Reason.BROKEN,
        Reason.LANGUAGE,
        Reason.UPSETTING,
        Reason.PAGE,
        Reason.OTHER,
    )
    PROBLEM_REASONS = (Reason.BROKEN, Reason.LANGUAGE, Reason.PRIVATE, Reason.OFFENSIVE, Reason.OTHER)

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="remarks")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    reason = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    text = models.TextField(blank=True, max_length=MAX_REMARK_LENGTH)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    answer_note = models.CharField(max_length=500, blank=True, help_text="What staff did about it, for staff only.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "kind"], name="remark_once_per_kind"),
            models.CheckConstraint(condition=Q(kind__in=["skip", "problem", "comment"]), name="remark_kind_known"),
            models.CheckConstraint(
                condition=(Q(kind="comment", reason="") & ~Q(text="")) | (~Q(kind="comment") & ~Q(reason="")),
                name="remark_says_something",
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=False) | Q(answered_by=None, answer_note=""),
                name="remark_answer_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_reason_display()} {self.text}".strip()
