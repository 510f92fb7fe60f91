"""Translations of sources, compressions and outputs, made elsewhere and imported."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from compressions.models.texts import FileImport, Source, Target
from crowd.models import Campaign

MAX_LANGUAGE_LENGTH = 20
MAX_MAKER_LENGTH = 100


class TranslationImport(FileImport):
    """A file of translations."""

    imported_as = "translations imported"

    def get_absolute_url(self) -> str:
        return reverse("compressions:translation-import", args=[self.campaign.slug, self.pk])

    @property
    def outcome(self) -> str:
        """The outcome for the lines, in one sentence."""
        words = ngettext(
            "%(added)s translation added, %(unchanged)s known before, %(refused)s refused.",
            "%(added)s translations added, %(unchanged)s known before, %(refused)s refused.",
            self.added,
        )
        return words % {"added": self.added, "unchanged": self.unchanged, "refused": self.refused}


class TranslatedText(models.Model):
    """A text of a campaign in another language, or translated back into its own; immutable.

    It goes with the text that it is a translation of.
    """

    class Kind(models.TextChoices):
        SOURCE = "source", gettext_lazy("source")
        REFERENCE = "reference", gettext_lazy("compression by an editor")
        OUTPUT = "output", gettext_lazy("output of a system")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="translations")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="translations")
    target = models.ForeignKey(
        Target,
        null=True,
        on_delete=models.CASCADE,
        related_name="translations",
        help_text="The text that was translated; none where that is the source itself.",
    )
    language = models.CharField(max_length=MAX_LANGUAGE_LENGTH, help_text="The tag of its language.")
    made_by = models.CharField(max_length=MAX_MAKER_LENGTH, help_text="The translator: a system or a person.")
    text = models.TextField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="source", target__isnull=True)
                | Q(kind__in=["reference", "output"], target__isnull=False),
                name="translation_kind_known",
            ),
            models.UniqueConstraint(
                fields=["source", "language", "made_by"],
                condition=Q(target=None),
                name="translation_once_per_source",
            ),
            models.UniqueConstraint(
                fields=["target", "kind", "language", "made_by"],
                condition=Q(target__isnull=False),
                name="translation_once_per_text",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="translation_text_not_empty"),
            models.CheckConstraint(condition=~Q(language=""), name="translation_has_language"),
            models.CheckConstraint(condition=~Q(made_by=""), name="translation_has_maker"),
        ]

    def __str__(self) -> str:
        return self.text
