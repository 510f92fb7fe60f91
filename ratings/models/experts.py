"""Expert samples: texts rated by the crowd that experts rate again, with join links and tables of their own."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from compressions.models import Target
from crowd.models import Campaign, Item


class ExpertSample(models.Model):
    """A stratified draw of texts, with the size, seed and strata needed to reproduce it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="expert_samples")
    size = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    experts = models.PositiveSmallIntegerField(help_text="How many experts judge each text.")
    strata = models.JSONField(help_text="[genre, band of the crowd's score, texts there, texts drawn].")
    created_at = models.DateTimeField()
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(experts__gte=1), name="expert_sample_wants_experts")]

    def __str__(self) -> str:
        return f"{self.size} texts by seed {self.seed}"


class ExpertItem(models.Model):
    """A text of a sample, with its item in the expert round."""

    sample = models.ForeignKey(ExpertSample, on_delete=models.CASCADE, related_name="items")
    target = models.OneToOneField(Target, on_delete=models.PROTECT, related_name="expert_item")
    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="expert_item")

    def __str__(self) -> str:
        return f"{self.target_id} for experts"
