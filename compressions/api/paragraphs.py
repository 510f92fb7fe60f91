"""Paragraphs that are compressed as a whole and sentence by sentence."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from compressions.selectors.writing import paragraphs_with_sentences, undivided_paragraphs
from compressions.services.paragraphs import paragraphs_divide
from crowd.api.endpoint import CampaignEndpoint

MOST_PARAGRAPHS, MOST_SEED = 1_000, 2**31 - 1


class ParagraphsSerializer(serializers.Serializer[Any]):
    """How many paragraphs of two sentences there are, without retired ones that are not divided."""

    divided = serializers.IntegerField(help_text="Compressed as a whole and sentence by sentence.")
    undivided = serializers.IntegerField(help_text="Compressed only as a whole.")


class DivisionSerializer(serializers.Serializer[Any]):
    """How many paragraphs were divided, of how many that can be."""

    divided = serializers.IntegerField()
    suitable = serializers.IntegerField(help_text="Undivided paragraphs whose sentences are both long enough.")


class DivisionBody(Body):
    count = serializers.IntegerField(min_value=1, max_value=MOST_PARAGRAPHS, help_text="How many to draw.")
    seed = serializers.IntegerField(
        min_value=0, max_value=MOST_SEED, default=1, help_text="The same seed draws the same paragraphs."
    )


class Paragraphs(CampaignEndpoint):
    @operation("getParagraphs", answer=ParagraphsSerializer)
    def get(self, request: Request) -> Any:
        """Count the paragraphs that are compressed sentence by sentence, too."""
        divided, undivided = paragraphs_with_sentences(self.campaign), undivided_paragraphs(self.campaign)
        return {"divided": divided.count(), "undivided": undivided.count()}

    @operation("divideParagraphs", body=DivisionBody, answer=DivisionSerializer)
    def post(self, request: Request) -> Any:
        """Draw paragraphs, and add each of their sentences as a text of its own."""
        return paragraphs_divide(campaign=self.campaign, user=self.user, **self.sent)
