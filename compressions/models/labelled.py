"""Features of texts, and labelled sessions: texts of which it is known whether they were copied."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from compressions.models.texts import Compression
from crowd.models import Campaign


class TextFeatures(models.Model):
    """What the edit log of a text tells in numbers: stored when it is compared with the editor's other texts."""

    compression = models.OneToOneField(
        Compression, on_delete=models.CASCADE, primary_key=True, related_name="text_features"
    )
    values = models.JSONField(help_text="By name, those that are defined for it: provenance/features.py.")

    def __str__(self) -> str:
        return f"features of {self.compression_id}"


class Label(models.TextChoices):
    """What somebody was asked to do with a text of a labelled session."""

    OWN = "own", gettext_lazy("own writing")
    COPY = "copy", gettext_lazy("copied")


class LabelledText(models.Model):
    """The label of a text: only texts of a campaign's labelled sessions have one."""

    compression = models.OneToOneField(Compression, on_delete=models.CASCADE, primary_key=True, related_name="labelled")
    label = models.CharField(max_length=4, choices=Label.choices)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(label__in=Label.values), name="labelled_text_label_known")]

    def __str__(self) -> str:
        return f"{self.compression_id}: {self.get_label_display()}"


class LabelledSessions(models.Model):
    """Where a campaign's labelled sessions are held, a sandbox of its own, and what was learnt from them."""

    campaign = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, primary_key=True, related_name="labelled_sessions"
    )
    sandbox = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="labelled_sessions_for")
    fitted_on = models.CharField(max_length=64, blank=True, default="", help_text="SHA-256 of the labelled texts.")
    fitted_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True, help_text="A Calibration of measures; null before the first.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(sandbox=F("campaign")), name="labelled_sessions_are_held_elsewhere"),
            models.CheckConstraint(
                condition=Q(fitted_on="", fitted_at=None, result__isnull=True)
                | (~Q(fitted_on="") & Q(fitted_at__isnull=False, result__isnull=False)),
                name="labelled_sessions_result_says_of_what",
            ),
        ]

    def __str__(self) -> str:
        return f"labelled sessions of {self.campaign_id}"
