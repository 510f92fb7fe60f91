"""Scales that came with files of ratings made elsewhere. A campaign's own raters never see them."""

from django.db import models
from django.db.models import F, Q

from crowd.scales import LARGEST_NUMBER, MOST_IMPORTED_POINTS, NumberRange, Scale, imported_scale

from .campaign import Campaign


class ImportedScale(models.Model):
    """A scale that ratings of a file were given on, under the name of its column. It never changes."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="imported_scales")
    key = models.CharField(max_length=40)
    lowest = models.FloatField()
    highest = models.FloatField()
    step = models.FloatField(null=True, help_text="Null: any number from the lowest to the highest.")
    less_is_better = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="imported_scale_once"),
            models.CheckConstraint(condition=~Q(key=""), name="imported_scale_has_key"),
            models.CheckConstraint(
                condition=Q(lowest__gte=-LARGEST_NUMBER, highest__lte=LARGEST_NUMBER, lowest__lt=F("highest")),
                name="imported_scale_has_ends",
            ),
            models.CheckConstraint(
                condition=Q(step=None)
                | Q(step__gt=0, highest__lt=F("lowest") + F("step") * (MOST_IMPORTED_POINTS - 0.5)),
                name="imported_scale_has_few_steps",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def scale(self) -> Scale:
        return imported_scale(self.key, NumberRange(self.lowest, self.highest, self.step, self.less_is_better))
