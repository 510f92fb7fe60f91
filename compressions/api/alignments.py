"""The alignment of a text's words to those of its source, and its corrections."""

from contextlib import suppress
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from common.sql import is_possible_id
from compressions.alignment_words import MAX_WORDS
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import ShownAlignment, alignment_of, correction_versions, targets_of_campaign
from compressions.services.alignments import MAX_VERSION, NothingChanged, alignment_correct, alignment_take_back
from crowd.api.endpoint import CampaignEndpoint


class AlignmentVersionSerializer(serializers.ModelSerializer[AlignmentCorrection]):
    """A version of a correction."""

    made_by = serializers.CharField(source="made_by.username", default=None, allow_null=True)
    is_taken_back = serializers.BooleanField(help_text="Whether it restores the aligner’s alignment.")

    class Meta:
        model = AlignmentCorrection
        fields = ("version", "made_by", "created_at", "is_taken_back")


class AlignmentSerializer(serializers.Serializer[Any]):
    """Which word of the source each word of a text corresponds to."""

    text_id = serializers.CharField(source="shown.target.source.source_id")
    source_words = serializers.ListField(child=serializers.CharField(), source="shown.source_words")
    words = serializers.ListField(child=serializers.CharField(), source="shown.target_words")
    places = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        source="shown.places",
        help_text="For each word the place of its word in the source, from 0; null for an inserted one.",
    )
    classes = serializers.ListField(child=serializers.CharField(), source="shown.operations.target_classes")
    deleted = serializers.ListField(
        child=serializers.IntegerField(), source="shown.operations.deleted", help_text="Places in the source."
    )
    moved = serializers.ListField(
        child=serializers.IntegerField(), source="shown.operations.moved", help_text="Places in the text."
    )
    compression = serializers.CharField(source="shown.operations.compression")
    corrected_version = serializers.IntegerField(
        source="shown.corrected.version",
        default=None,
        allow_null=True,
        help_text="Null if the alignment is the aligner’s.",
    )
    fingerprint = serializers.CharField(source="shown.words.fingerprint", help_text="Tells these words from others.")
    version = serializers.IntegerField(source="shown.version", help_text="The latest version; 0 if there is none.")
    versions = AlignmentVersionSerializer(many=True, help_text="The latest hundred, newest first.")


class AlignmentBody(Body):
    places = serializers.ListField(
        child=serializers.IntegerField(allow_null=True, min_value=0, max_value=MAX_WORDS),
        max_length=MAX_WORDS,
        allow_null=True,
        help_text="As in the answer; null to restore the aligner’s alignment.",
    )
    based_on_version = serializers.IntegerField(min_value=0, max_value=MAX_VERSION)
    fingerprint = serializers.CharField(max_length=64, required=False)


class OneAlignment(CampaignEndpoint):
    @operation("getAlignment", answer=AlignmentSerializer, problems=(409,))
    def get(self, request: Request, target_id: int) -> Any:
        """Get the alignment of a text, written by a person or a system, with its source."""
        return _answer(self._target(target_id))

    @operation("correctAlignment", answer=AlignmentSerializer, body=AlignmentBody, problems=(409,))
    def put(self, request: Request, target_id: int) -> Any:
        """Correct the alignment of a text by hand, as a new version.

        Refused if the version that it is based on is no longer the latest. Places that count already, such as the
        aligner’s, are not stored again.
        """
        target, sent = self._target(target_id), dict(self.sent)
        if sent["places"] is None:
            alignment_take_back(target=target, based_on_version=sent["based_on_version"], user=self.user)
        else:
            with suppress(NothingChanged):
                alignment_correct(target=target, user=self.user, **sent)
        return _answer(target)

    def _target(self, target_id: int) -> Target:
        known = targets_of_campaign(self.campaign)
        return get_object_or_404(known, pk=target_id if is_possible_id(target_id) else 0)


def _answer(target: Target) -> dict[str, ShownAlignment | list[AlignmentCorrection]]:
    return {"shown": alignment_of(target), "versions": correction_versions(target)}
