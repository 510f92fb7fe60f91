"""What the API says of a text, with its versions and their ratings."""

from typing import Any

from rest_framework import serializers

from compressions.models import Compression
from compressions.selectors.found_sources import SourceRow

NUGGETS = "What a good answer to it says; raters can open this beside the scales that are marked."


class TextSerializer(serializers.Serializer[SourceRow]):
    """A text, as the list of texts shows it."""

    id = serializers.CharField(source="source.source_id")
    text = serializers.CharField(source="source.text")
    nuggets = serializers.ListField(source="source.nugget_list", child=serializers.CharField(), help_text=NUGGETS)
    genre = serializers.CharField(source="source.genre", help_text="Empty if unknown.")
    sentences = serializers.IntegerField(source="source.sentences")
    paragraph = serializers.CharField(
        source="source.paragraph_id_anywhere", help_text="The paragraph that a sentence belongs to; empty if none."
    )
    compressions = serializers.IntegerField(help_text="How many there are, without those that do not count.")
    wanted = serializers.IntegerField(source="source.item.wanted", help_text="How many compressions are wanted.")
    retired_at = serializers.DateTimeField(source="source.retired_at", allow_null=True)
    is_reported = serializers.BooleanField(help_text="Whether a participant has reported a problem with it.")
    means = serializers.DictField(
        child=serializers.FloatField(),
        help_text="The mean rating of its compressions by the crowd, by scale; without those that have none.",
    )


class ShownRatingSerializer(serializers.Serializer[Any]):
    """One rating of a text or of two side by side."""

    rater = serializers.IntegerField(source="number", allow_null=True, help_text="Null if nobody knows the rater.")
    pool = serializers.CharField()
    points = serializers.DictField(child=serializers.IntegerField())
    created_at = serializers.DateTimeField(source="at", allow_null=True)
    left_out = serializers.CharField(help_text="Why releases exclude the rater’s work; empty if they do not.")


class WrittenSerializer(serializers.ModelSerializer[Compression]):
    """Who wrote a version of a text, and when."""

    editor = serializers.IntegerField(source="worker.number")
    created_at = serializers.DateTimeField(source="assignment.submitted_at")

    class Meta:
        model = Compression
        fields = ["id", "editor", "created_at", "length", "allowed", "is_flagged"]


class TextVersionSerializer(serializers.Serializer[Any]):
    """A version of a text: people and systems that wrote the same share one."""

    id = serializers.IntegerField(source="target.pk")
    text = serializers.CharField(source="target.text")
    compressions = WrittenSerializer(many=True)
    systems = serializers.ListField(child=serializers.CharField())
    ratings = ShownRatingSerializer(many=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    """Two versions that were rated side by side: 1 prefers the first, 2 neither, 3 the second."""

    first = serializers.CharField()
    second = serializers.CharField()
    ratings = ShownRatingSerializer(many=True)


class OneTextSerializer(serializers.Serializer[Any]):
    """A text with its versions and their ratings, as its page shows it."""

    id = serializers.CharField(source="source.source_id")
    text = serializers.CharField(source="source.text")
    nuggets = serializers.ListField(source="source.nugget_list", child=serializers.CharField(), help_text=NUGGETS)
    genre = serializers.CharField(source="source.genre", help_text="Empty if unknown.")
    sentences = serializers.IntegerField(source="source.sentences")
    paragraph = serializers.CharField(
        source="source.paragraph_id_anywhere", help_text="The paragraph that a sentence belongs to; empty if none."
    )
    own_sentences = serializers.ListField(
        child=serializers.CharField(), help_text="The ids of the sentences of a paragraph that are texts of their own."
    )
    corrects = serializers.CharField(
        source="source.corrects.source_id", default=None, allow_null=True, help_text="The text that it replaces."
    )
    replaced_by = serializers.CharField(
        source="relative.source_id", default=None, allow_null=True, help_text="The text that stands in its place."
    )
    retired_at = serializers.DateTimeField(source="source.retired_at", allow_null=True)
    retired_by = serializers.CharField(
        source="source.retired_by.username", default=None, allow_null=True, help_text="The account that retired it."
    )
    retire_note = serializers.CharField(source="source.retire_note")
    work_is_kept = serializers.BooleanField(
        source="source.work_is_kept", help_text="Whether releases have a retired text with the work done on it."
    )
    is_reported = serializers.BooleanField(help_text="Whether a participant has reported a problem with it.")
    versions = TextVersionSerializer(many=True)
    comparisons = ComparisonSerializer(many=True)
