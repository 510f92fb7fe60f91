"""The aligned texts of a report, by what was done in them."""

from dataclasses import fields
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from common.api.pages import PageQuery
from edit_operations.found_texts import PEOPLE, SYSTEMS, FoundText, TextFilter, first_scale, texts_after
from edit_operations.kind import KIND
from measures.alignment.classes import COMPRESSION_CLASSES, SENTENCE_CLASSES
from reports.api import ReportEndpoint, ReportQuery

MAX_NAME = 100


def _switch(words: str) -> serializers.BooleanField:
    return serializers.BooleanField(required=False, allow_null=True, default=None, help_text=words)


def _name(words: str, *, may_be_empty: bool = False) -> serializers.CharField:
    return serializers.CharField(required=False, allow_blank=may_be_empty, max_length=MAX_NAME, help_text=words)


class TextsQuery(ReportQuery, PageQuery):
    """Which texts are wanted; by default all."""

    by = serializers.ChoiceField([PEOPLE, SYSTEMS], required=False)
    compression = serializers.ChoiceField(COMPRESSION_CLASSES, required=False)
    sentences = serializers.ChoiceField(
        SENTENCE_CLASSES, required=False, help_text="What happened to the sentences of a source that has two."
    )
    paraphrased = _switch("With a paraphrased word, or without one.")
    inserted = _switch("With an inserted word, or without one.")
    reordered = _switch("With moved words, or without.")
    corrected = _switch("Whether staff have corrected the alignment.")
    genre = _name("Empty for texts without a genre.", may_be_empty=True)
    split = _name("A split of the release.")
    editor = _name("The number of an editor.")
    system = _name("A system's name.")
    source_sentences = serializers.IntegerField(required=False, min_value=0, max_value=10_000)
    scale = _name("The scale of the ratings that `least` and `most` are about; by default the first.")
    least = serializers.FloatField(required=False, help_text="The least mean rating.")
    most = serializers.FloatField(required=False, help_text="The greatest mean rating.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        least, most = attrs.get("least"), attrs.get("most")
        if least is not None and most is not None and least > most:
            raise serializers.ValidationError({"most": _("This is less than `least`, so no text can match.")})
        return attrs


class AlignedTextSerializer(serializers.Serializer[FoundText]):
    """A text with its alignment. `places` has for each word its place in the source from 0, null if inserted."""

    number = serializers.IntegerField(help_text="Its place in the report, from 1.")
    source_id = serializers.CharField(source="source.source_id")
    source_text = serializers.CharField(source="source.text")
    text = serializers.CharField(source="text.text")
    target_id = serializers.IntegerField(allow_null=True, help_text="The text's id; null if it no longer exists.")
    system = serializers.CharField(source="text.system", allow_blank=True, help_text="Empty for people's texts.")
    editors = serializers.ListField(child=serializers.CharField(), source="text.editors")
    genre = serializers.CharField(source="source.genre", allow_blank=True)
    split = serializers.CharField(source="source.split")
    compression = serializers.CharField(source="text.compression")
    sentences = serializers.CharField(source="text.sentences", allow_blank=True)
    quality = serializers.DictField(
        child=serializers.FloatField(), source="text.quality", allow_null=True, help_text="The mean rating by scale."
    )
    ratings = serializers.IntegerField(source="text.ratings")
    corrected = serializers.SerializerMethodField(help_text="Whether staff corrected the alignment.")
    source_words = serializers.ListField(child=serializers.CharField(), source="source.words")
    words = serializers.ListField(child=serializers.CharField(), source="text.words")
    places = serializers.ListField(child=serializers.IntegerField(allow_null=True), source="text.places")
    classes = serializers.ListField(child=serializers.CharField(), source="text.classes")
    moved = serializers.ListField(child=serializers.IntegerField(), source="text.moved")

    def get_corrected(self, found: FoundText) -> bool:
        return found.text.correction is not None


class Texts(ReportEndpoint):
    kind = KIND

    @operation("listOperationsTexts", answer=AlignedTextSerializer, query=TextsQuery, listed=True, key="number")
    def get(self, request: Request, version: int) -> Any:
        """List the texts of a report with their alignments, such as all that merge two sentences.

        A page looks at some thousand texts: of a large release, it can have fewer than `limit`, or none, and still a
        `cursor` to go on with.
        """
        report = self.report_or_404(version)
        names = {field.name for field in fields(TextFilter)}
        if asked := self.asked.get("scale"):
            self._check_scale(asked)
        given = {name: value for name, value in self.asked.items() if name in names}
        wanted = TextFilter(**{"scale": first_scale(self.campaign.rating_scales)} | given)
        return texts_after(report, wanted, cursor=self.asked["cursor"], limit=self.asked["limit"])

    def _check_scale(self, key: str) -> None:
        keys = [scale.key for scale in self.campaign.rating_scales if not scale.is_preference]
        if key not in keys:
            words = _("There is no such scale of single texts; there are: %(keys)s.") % {"keys": ", ".join(keys)}
            raise serializers.ValidationError({"scale": words})
