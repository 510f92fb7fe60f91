"""Translations made elsewhere and imported, and alignments of words that staff have corrected by hand."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.lookups import Exact
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from common.json_values import JsonLength, JsonType
from compressions.models.texts import FileImport, Source, Target
from crowd.models import Campaign


def _is_list(name: str) -> Q:
    return Q(Exact(JsonType(name), Value("array")))


class AlignmentCorrection(models.Model):
    """A version of the alignment of a text's words with those of its source, as staff corrected it; immutable."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="alignment_corrections")
    version = models.PositiveIntegerField(help_text="Counted from 1 for each text.")
    source_words = models.JSONField(help_text="The words of the source that it was made on.")
    words = models.JSONField(help_text="The words of the text that it was made on.")
    places = models.JSONField(
        null=True,
        help_text="The place in the source of each word, or null for an inserted one; none where the aligner's are "
        "taken again.",
    )
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "version"], name="alignment_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="alignment_version_from_one"),
            models.CheckConstraint(condition=_is_list("source_words"), name="alignment_source_words_listed"),
            models.CheckConstraint(condition=_is_list("words"), name="alignment_words_listed"),
            models.CheckConstraint(
                condition=Q(places__isnull=True) | _is_list("places"), name="alignment_places_listed"
            ),
            models.CheckConstraint(
                condition=Q(places__isnull=True) | Q(Exact(JsonLength("places"), JsonLength("words"))),
                name="alignment_place_of_each_word",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of the alignment of text {self.target_id}"

    @property
    def is_taken_back(self) -> bool:
        """Whether this version restores the aligner's places."""
        return self.places is None


MAX_LANGUAGE_LENGTH = 20
MAX_MAKER_LENGTH = 100


class TranslationImport(FileImport):
    """A file of translations."""

    kind = "translations"

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
