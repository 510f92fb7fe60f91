"""Alignments of words that staff have corrected by hand."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.lookups import Exact

from common.json_columns import JsonLength, JsonType
from compressions.models.texts import Target


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
