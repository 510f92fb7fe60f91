"""Examples with known answers: the qualification test before the work, and gold items among it."""

from hashlib import sha256
from typing import Any

from django.db import models
from django.db.models import F, Q

from crowd.models import Campaign, Enrolment, Item

MARK_LENGTH = 16


class Example(models.Model):
    """Texts with their accepted answers: one or more points of each scale."""

    source_text = models.TextField("the original")
    compression_text = models.TextField("the shorter version")
    other_text = models.TextField("the version beside it", blank=True, help_text="Only for judging side by side.")
    answers = models.JSONField(help_text="The accepted points of each scale, by its key.")
    why = models.TextField(
        "why", blank=True, help_text="What the raters are told after practice and test; gold questions need none."
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.compression_text

    @property
    def mark(self) -> str:
        """What tells whether the texts have changed since they were shown."""
        texts = "\0".join((self.source_text, self.compression_text, self.other_text))
        return sha256(texts.encode()).hexdigest()[:MARK_LENGTH]

    def right(self, scores: dict[str, Any]) -> int:
        """Return the number of scales on which the given point is an accepted one."""
        return sum(scores.get(key) in accepted for key, accepted in self.answers.items())


class QualificationItem(Example):
    """An example of the qualification test; practice examples give feedback at once and do not count."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="qualification_items")
    position = models.PositiveSmallIntegerField()
    is_practice = models.BooleanField("practice: tells at once how it went, and does not count", default=False)
    deleted_at = models.DateTimeField(null=True, help_text="From when on nobody is asked it; staff can restore it.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "position"],
                condition=Q(deleted_at=None),
                name="qualification_item_position_once",
            )
        ]


class QualificationSitting(models.Model):
    """A try at the qualification test that has begun: its questions and the answers so far.

    It becomes an attempt when its last question is answered.
    """

    enrolment = models.OneToOneField(Enrolment, on_delete=models.CASCADE, related_name="qualification_sitting")
    number = models.PositiveSmallIntegerField()
    questions = models.JSONField(help_text="The ids of the questions that were drawn, in their order.")
    answers = models.JSONField(default=dict, help_text="Item id to the points given by scale, and the text's mark.")
    began_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.enrolment}, try {self.number}: {len(self.answers)} of {len(self.questions)} answered"


class QualificationAttempt(models.Model):
    """One try at the qualification test. A reset keeps earlier tries as rows, but they no longer count."""

    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="qualification_attempts")
    number = models.PositiveSmallIntegerField()
    answers = models.JSONField(help_text="Item id to the points given, by scale.")
    asked = models.JSONField(
        default=list, help_text="The ids of its questions in their order; empty from before that was stored."
    )
    correct = models.PositiveSmallIntegerField()
    questions = models.PositiveSmallIntegerField()
    passed = models.BooleanField()
    created_at = models.DateTimeField()
    reset_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrolment", "number"], name="qualification_attempt_number_once"),
            models.CheckConstraint(condition=Q(correct__lte=F("questions")), name="qualification_correct_at_most_all"),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment}, try {self.number}: {self.correct} of {self.questions}"


class GoldItem(Example):
    """An attention check: an example mixed into the work, indistinguishable to raters from other items."""

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="gold")
