"""Erasing what is stored about a participant, at their request."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from corpus.selectors import erasures_wait, releases_with
from corpus.services.erasure import worker_erase
from crowd.access import Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Worker


class ErasureStateSerializer(serializers.Serializer[Any]):
    """Whether a participant's data is erased, and where some of it still is."""

    number = serializers.IntegerField()
    erased_at = serializers.DateTimeField(allow_null=True)
    releases = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Versions whose files hold a text or rating of theirs, or cannot be read. Releases never change.",
    )
    is_left_in_files = serializers.BooleanField(
        help_text="Whether erased rows, of anybody, may still be found in the files of the database."
    )


class ErasedSerializer(serializers.Serializer[Any]):
    """What was erased this time."""

    logs = serializers.IntegerField(help_text="Records of edits.")
    texts = serializers.IntegerField(help_text="Compressions; 0 where the campaign keeps them.")


class Erasure(CampaignEndpoint):
    access = Access.CAMPAIGN_OWNER

    def _worker(self, number: int) -> Worker:
        return get_object_or_404(Worker.objects.select_related("campaign"), campaign=self.campaign, number=number)

    @operation("getErasure", answer=ErasureStateSerializer)
    def get(self, request: Request, number: int) -> Any:
        """Get whether a participant's data is erased, and which releases hold some of it."""
        worker = self._worker(number)
        return {
            "number": worker.number,
            "erased_at": worker.erased_at,
            "releases": [release.version for release in releases_with(worker)],
            "is_left_in_files": erasures_wait(),
        }

    @operation("eraseParticipant", answer=ErasedSerializer)
    def post(self, request: Request, number: int) -> Any:
        """Erase a participant's data, for good.

        Their id and the records of their edits are deleted. Their texts and ratings are kept, or deleted as well if the
        campaign's settings say so. Releases do not change.
        """
        return worker_erase(worker=self._worker(number), user=self.user)
