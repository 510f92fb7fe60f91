"""Ratings by models: a pool of its own. Nothing that counts, means, pays or releases people's ratings reads it."""

from django.db import models
from django.db.models import Q

from compressions.models import Target
from crowd.models import Campaign

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
