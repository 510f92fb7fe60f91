"""Files of ratings."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from compressions.models import FileImport

from .ratings import RaterPool


class ImportPool(models.TextChoices):
    """Who gave the ratings of a file. Those of models are a pool of their own, which nothing counts among people's."""

    MODEL = "model", gettext_lazy("models")
    CROWD = RaterPool.CROWD.value, gettext_lazy("people of the crowd")
    EXPERTS = RaterPool.EXPERTS.value, gettext_lazy("experts")


class RatingImport(FileImport):
    """A file of ratings by models, or by people who rated elsewhere."""

    imported_as = "ratings imported"

    pool = models.CharField(max_length=8, choices=ImportPool.choices)

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
