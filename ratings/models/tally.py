"""What the ratings of a campaign had come to at some point, so that a page reads only what came since."""

from django.db import models

from crowd.models import Campaign


class Tally(models.Model):
    """What is known about a campaign's crowd ratings, up to one rating and one version of a rating.

    Pages count again what came or changed since (`ratings/selectors/tally.py`), so they show what the ratings say now.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="%(class)s")
    last_rating = models.PositiveBigIntegerField()
    last_version = models.PositiveBigIntegerField()
    excluded = models.JSONField(help_text="The ids of the raters who were excluded.")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"ratings of {self.campaign} up to {self.last_rating}"


class RatingTally(Tally):
    totals = models.JSONField(help_text="By scale: texts, the sum of their means, and ratings by point.")


class FlagTally(Tally):
    rule = models.CharField(
        max_length=20, help_text="The rule that found the flags; flags of another rule are not used."
    )
    flags = models.JSONField(help_text="By the id of a rater who has flags: the name and evidence of each.")
