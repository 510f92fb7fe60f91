"""Erasing what is stored about a participant, at their request."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from corpus.services.erasure import worker_erase
from crowd.access import Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Worker


class ErasedSerializer(serializers.Serializer[Any]):
    """What was erased this time."""

    logs = serializers.IntegerField(help_text="Records of edits.")
    texts = serializers.IntegerField(help_text="Compressions; 0 where the campaign keeps them.")


class Erasure(CampaignEndpoint):
    access = Access.CAMPAIGN_OWNER

    def _worker(self, number: int) -> Worker:
        return get_object_or_404(Worker.objects.select_related("campaign"), campaign=self.campaign, number=number)

    @operation("eraseParticipant", answer=ErasedSerializer)
    def post(self, request: Request, number: int) -> Any:
        """Erase a participant's data, which cannot be undone.

        Their id and the records of their edits are deleted. Their texts and ratings are kept, or deleted as well if the
        campaign's settings say so. Releases do not change.
        """
        return worker_erase(worker=self._worker(number), user=self.user)
