"""What participants said beside their work, and what was done about it."""

from typing import Any

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import PageQueryOf, operation
from common.api.pages import Completed
from compressions.selectors.writing import remarks_of_campaign, remarks_of_page, source_id_of
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Remark


class RemarkSerializer(serializers.ModelSerializer[Remark]):
    """A remark of a participant on a text."""

    text_id = serializers.SerializerMethodField(help_text="The text that it is about; null for a gold question.")
    participant = serializers.IntegerField(source="assignment.worker.number")
    answered_by = serializers.CharField(
        source="answered_by.username", default=None, allow_null=True, help_text="The account that answered it."
    )

    class Meta:
        model = Remark
        fields = ["id", "kind", "reason", "text", "text_id", "participant", "created_at"]
        fields += ["answered_at", "answered_by", "answer_note"]

    def get_text_id(self, remark: Remark) -> str | None:
        return source_id_of(remark) or None


class RemarkQuery(PageQueryOf):
    kind = serializers.ChoiceField(Remark.Kind.choices, required=False)
    answered = serializers.BooleanField(required=False, allow_null=True, default=None)
    q = serializers.CharField(
        required=False, max_length=200, help_text="Only remarks with this in their words or in the note."
    )


class Remarks(CampaignEndpoint):
    @operation("listRemarks", answer=RemarkSerializer, query=RemarkQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List participants' comments, problem reports and reasons for skipping."""
        return Completed(self._found(), remarks_of_page)

    def _found(self) -> QuerySet[Remark]:
        found = remarks_of_campaign(self.campaign)
        if kind := self.asked.get("kind"):
            found = found.filter(kind=kind)
        if self.asked["answered"] is not None:
            found = found.filter(answered_at__isnull=not self.asked["answered"])
        if words := self.asked.get("q"):
            found = found.filter(Q(text__icontains=words) | Q(answer_note__icontains=words))
        return found
