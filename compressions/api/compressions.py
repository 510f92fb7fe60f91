"""Compressions: what editors wrote, how they wrote it, and what was flagged in it."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, PageQueryOf, operation
from common.api.pages import Completed
from common.sql import MAX_ID
from compressions.flag_kinds import KIND_OF_NAME, KINDS, UNKNOWN
from compressions.models import Compression
from compressions.replay import replay_of
from compressions.rows import MAX_ID_LENGTH
from compressions.selectors.flags import compressions_listed, flagged_compressions, flagged_like
from compressions.selectors.writing import compressions_of_campaign
from compressions.services.flags import flags_mark
from crowd.api.endpoint import CampaignEndpoint
from measures.keystrokes.edit_log import Kind

MOST_PEOPLE, MOST_AT_ONCE = 2**31 - 1, 1_000
FLAG_KEYS = [kind.key for kind in KINDS]


class FlagSerializer(serializers.Serializer[Any]):
    """Something seen in a compression, with the evidence. It does not say why."""

    kind = serializers.CharField(help_text="The key of the kind, by which lists are narrowed.")
    name = serializers.CharField()
    evidence = serializers.CharField()
    operation = serializers.IntegerField(
        allow_null=True, help_text="The edit to look at, counted from 0; null if it is all of them."
    )

    def to_representation(self, stored: list[Any]) -> Any:
        name, evidence, operation = stored
        kind = KIND_OF_NAME[name].key if name in KIND_OF_NAME else UNKNOWN
        told = {"kind": kind, "name": name, "evidence": evidence, "operation": operation}
        return super().to_representation(told)


class CompressionSerializer(serializers.ModelSerializer[Compression]):
    """What an editor submitted for a text."""

    text_id = serializers.CharField(source="source.source_id", help_text="The id of the text that is compressed.")
    version = serializers.IntegerField(
        source="target_id", help_text="What ratings are about: editors who wrote the same share it."
    )
    editor = serializers.IntegerField(source="worker.number")
    created_at = serializers.DateTimeField(source="assignment.submitted_at")
    flags = FlagSerializer(many=True)
    flags_seen_by = serializers.CharField(
        source="flags_seen_by.username", default=None, allow_null=True, help_text="The account that looked at them."
    )

    class Meta:
        model = Compression
        fields = ["id", "text_id", "version", "editor", "text", "length", "allowed", "started_from", "active_ms"]
        fields += ["is_imported", "created_at", "flags", "flags_seen_at", "flags_seen_by"]


class EditSerializer(serializers.Serializer[Any]):
    """One edit of the record."""

    position = serializers.IntegerField(source="operation.position", help_text="In code points from the start.")
    removed = serializers.CharField(source="operation.removed")
    inserted = serializers.CharField(source="operation.inserted")
    kind = serializers.ChoiceField(list(Kind), source="operation.kind")
    at_ms = serializers.IntegerField(source="operation.at_ms", help_text="Since the text was opened.")
    origin = serializers.ListField(
        child=serializers.IntegerField(),
        source="operation.origin",
        allow_null=True,
        help_text="Of what was taken from one of two sentences: its number from 0, and where the part starts and ends.",
    )


class PasteSerializer(serializers.Serializer[Any]):
    """Text that was pasted or dropped."""

    operation = serializers.IntegerField(source="index", help_text="Which edit it was, counted from 0.")
    characters = serializers.IntegerField()
    from_source = serializers.FloatField(help_text="The share of it that stands in the source or the draft.")


class EffortSerializer(serializers.Serializer[Any]):
    """How much work an editor has put in, from the record of edits; null where that does not tell."""

    total_ms = serializers.IntegerField(allow_null=True)
    active_ms = serializers.IntegerField(allow_null=True, help_text="Without pauses of more than 30 seconds.")
    keystrokes = serializers.IntegerField()
    inserted = serializers.IntegerField()
    deleted = serializers.IntegerField()
    pastes = PasteSerializer(many=True)
    first_pause_ms = serializers.IntegerField(allow_null=True)
    longest_pause_ms = serializers.IntegerField(allow_null=True)
    revisits = serializers.IntegerField()


class WritingSerializer(serializers.Serializer[Any]):
    """How a compression was written."""

    start = serializers.CharField(help_text="What was in the editor’s box before the first edit.")
    log = EditSerializer(source="steps", many=True, help_text="The edits, which lead from `start` to `text`.")
    effort = EffortSerializer()

    def to_representation(self, compression: Compression) -> Any:
        return super().to_representation(replay_of(compression))


class OneCompressionSerializer(CompressionSerializer):
    """A compression with the text that it is of and the record of its edits."""

    original = serializers.CharField(source="source.text", help_text="The text that is compressed.")
    writing = WritingSerializer(source="*")

    class Meta(CompressionSerializer.Meta):
        fields = [*CompressionSerializer.Meta.fields, "original", "writing"]


class CompressionQuery(PageQueryOf):
    text_id = serializers.CharField(required=False, max_length=MAX_ID_LENGTH, help_text="Of this text.")
    editor = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_PEOPLE, help_text="Only those of the participant with this number."
    )
    flagged = serializers.BooleanField(default=False, help_text="Only those with a flag.")
    kind = serializers.ChoiceField(FLAG_KEYS, required=False, help_text="Only those with a flag of this kind.")
    seen = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only those whose flags staff have looked at, or not."
    )


class FlagsBody(Body):
    compressions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), allow_empty=False, max_length=MOST_AT_ONCE
    )
    flags_seen = serializers.BooleanField(help_text="Whether staff have looked at their flags.")


class MarkedSerializer(serializers.Serializer[Any]):
    """How many compressions changed; those that have no flags, or are of another campaign, are passed over."""

    changed = serializers.IntegerField()


class Compressions(CampaignEndpoint):
    @operation("listCompressions", answer=CompressionSerializer, query=CompressionQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the compressions, without the records of their edits.

        A flag says what was seen, not why. No flag is by itself a reason to reject a text.
        """
        if self.asked["flagged"] or "kind" in self.asked or self.asked["seen"] is not None:
            return Completed(self._flagged().values_list("pk", named=True), _listed)
        return self._narrowed(compressions_of_campaign(self.campaign).select_related("flags_seen_by").defer("edit_log"))

    @operation("markFlags", body=FlagsBody, answer=MarkedSerializer)
    def patch(self, request: Request) -> Any:
        """Mark the flags of compressions as looked at, or as still to be looked at."""
        chosen = flagged_compressions(self.campaign).filter(pk__in=self.sent["compressions"])
        return {"changed": flags_mark(compressions=chosen, seen=self.sent["flags_seen"], user=self.user)}

    def _flagged(self) -> QuerySet[Any]:
        """Return the flagged ones, which the database finds without reading any other."""
        kind, seen = self.asked.get("kind", ""), self.asked["seen"]
        return self._narrowed(flagged_like(self.campaign, kind=kind, is_seen=seen))

    def _narrowed(self, found: QuerySet[Any]) -> QuerySet[Any]:
        if "text_id" in self.asked:
            found = found.filter(source__source_id=self.asked["text_id"])
        if "editor" in self.asked:
            found = found.filter(worker__number=self.asked["editor"])
        return found


class OneCompression(CampaignEndpoint):
    @operation("getCompression", answer=OneCompressionSerializer)
    def get(self, request: Request, compression_id: int) -> Any:
        """Get a compression with the record of its edits."""
        return get_object_or_404(compressions_of_campaign(self.campaign), pk=compression_id)


def _listed(rows: list[Any]) -> list[Compression]:
    return list(compressions_listed(row.pk for row in rows).order_by("pk"))
