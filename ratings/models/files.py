"""Files of ratings: people's, and those by models, in tables of their own."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from compressions.models import FileImport, Target
from crowd.models import Campaign

from .ratings import RaterPool

MAX_MODEL_NAME_LENGTH = 60


class ModelRater(models.Model):
    """A model that rates texts, by the name that its file gives it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="model_raters")
    name = models.CharField(max_length=MAX_MODEL_NAME_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="model_rater_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="model_rater_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


class ModelRating(models.Model):
    """A model's rating of a text. It goes with the text, so it keeps no text from being deleted."""

    rater = models.ForeignKey(ModelRater, on_delete=models.CASCADE, related_name="ratings")
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="model_ratings")
    scores = models.JSONField(help_text="A number within the points of each scale that the model rated, by its key.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "target"], name="model_rating_once"),
            models.CheckConstraint(condition=~Q(scores={}), name="model_rating_has_scores"),
        ]

    def __str__(self) -> str:
        return f"{self.rater} on {self.target_id}"


class ImportPool(models.TextChoices):
    """Who gave the ratings of a file. Those of models are a pool of their own, which nothing counts among people's."""

    MODEL = "model", gettext_lazy("models")
    CROWD = RaterPool.CROWD.value, gettext_lazy("people of the crowd")
    EXPERTS = RaterPool.EXPERTS.value, gettext_lazy("experts")


class RatingImport(FileImport):
    """A file of ratings by models, or by people who rated elsewhere."""

    kind = "ratings"

    pool = models.CharField(max_length=8, choices=ImportPool.choices)
    scales = models.JSONField(
        default=list, db_default=[], help_text="Each scale of the file in a line; none for the campaign's own."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(pool__in=["model", "crowd", "experts"]), name="rating_import_pool_known")
        ]

    def get_absolute_url(self) -> str:
        return reverse("ratings:rating-import", args=[self.campaign.slug, self.pk])

    @property
    def outcome(self) -> str:
        """The outcome for the lines, in one sentence."""
        words = ngettext(
            "%(added)s rating added, %(unchanged)s known before, %(refused)s refused.",
            "%(added)s ratings added, %(unchanged)s known before, %(refused)s refused.",
            self.added,
        )
        return words % {"added": self.added, "unchanged": self.unchanged, "refused": self.refused}
