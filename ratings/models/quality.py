"""The rater round: qualification, ratings, and the decisions of quality control."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from compressions.models import Target
from crowd.models import Assignment, Campaign, Enrolment, Job, Round, Worker
from ratings.scales import VALUES


class QualificationItem(models.Model):
    """An example with known answers, which raters judge before they may work."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="qualification_items")
    position = models.PositiveSmallIntegerField()
    source_text = models.TextField()
    compression_text = models.TextField()
    meaning = models.JSONField(help_text="The accepted answers, for instance [2, 3].")
    grammar = models.JSONField(help_text="The accepted answers.")
    why = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "position"], name="qualification_item_position_once")
        ]

    def __str__(self) -> str:
        return f"qualification item {self.position}"


class QualificationAttempt(models.Model):
    """One try at the qualification."""

    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="qualification_attempts")
    number = models.PositiveSmallIntegerField()
    answers = models.JSONField(help_text="Item id to the meaning and grammar given.")
    correct = models.PositiveSmallIntegerField()
    questions = models.PositiveSmallIntegerField()
    passed = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrolment", "number"], name="qualification_attempt_number_once"),
            models.CheckConstraint(
                condition=Q(correct__lte=models.F("questions")), name="qualification_correct_at_most_all"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment}, try {self.number}: {self.correct} of {self.questions}"


class Rating(models.Model):
    """One rater's judgement of one target."""

    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="ratings")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="ratings")
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="rating")
    meaning = models.PositiveSmallIntegerField()
    grammar = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "worker"], name="rating_once_per_worker"),
            models.CheckConstraint(condition=Q(meaning__in=VALUES), name="rating_meaning_on_scale"),
            models.CheckConstraint(condition=Q(grammar__in=VALUES), name="rating_grammar_on_scale"),
        ]

    def __str__(self) -> str:
        return f"{self.worker}: meaning {self.meaning}, grammar {self.grammar}"


class QualityRun(models.Model):
    """One application of a quality rule: its version, parameters and figures. A later run replaces it; none goes."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="quality_runs")
    rule = models.CharField(max_length=60)
    parameters = models.JSONField()
    summary = models.JSONField(default=dict)
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="quality_run")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.rule} of {self.created_at:%Y-%m-%d %H:%M}"


class QualityDecision(models.Model):
    """What a run decided about one worker in one round, and why."""

    run = models.ForeignKey(QualityRun, on_delete=models.CASCADE, related_name="decisions")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="quality_decisions")
    round = models.CharField(max_length=8, choices=Round.choices)
    quality = models.FloatField(null=True)
    items = models.PositiveIntegerField()
    removed = models.BooleanField()
    reason = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "worker", "round"], name="quality_decision_once_per_run"),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="quality_decision_round_known"),
        ]

    def __str__(self) -> str:
        return f"{self.worker}: {'removed' if self.removed else 'kept'}"
