"""Samples of texts that experts rate."""

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from crowd.api.endpoint import CampaignEndpoint
from ratings.forms import MOST_EXPERTS, MOST_SAMPLED, MOST_SEED
from ratings.models import ExpertSample
from ratings.selectors.experts import expert_samples
from ratings.services.experts import expert_sample_draw


class StratumSerializer(serializers.Serializer[Any]):
    """A part of the texts from which some were drawn."""

    genre = serializers.CharField()
    band = serializers.CharField(help_text="The third of the texts by the crowd’s mean: low, middle or high.")
    texts = serializers.IntegerField()
    drawn = serializers.IntegerField()

    def to_representation(self, stored: list[Any]) -> Any:
        return super().to_representation(dict(zip(self.fields, stored, strict=True)))


class ExpertSampleSerializer(serializers.ModelSerializer[ExpertSample]):
    """A sample, with what is needed to draw it again."""

    strata = StratumSerializer(many=True)
    requested_by = serializers.CharField(source="requested_by.username", default=None, allow_null=True)
    wanted = serializers.IntegerField(help_text="How many ratings are wanted.")
    done = serializers.IntegerField(help_text="How many of them are there.")

    class Meta:
        model = ExpertSample
        fields = ["id", "size", "seed", "experts", "strata", "created_at", "requested_by", "wanted", "done"]


class SampleBody(Body):
    size = serializers.IntegerField(min_value=1, max_value=MOST_SAMPLED, help_text="How many texts to draw.")
    experts = serializers.IntegerField(min_value=1, max_value=MOST_EXPERTS, help_text="How many rate each text.")
    seed = serializers.IntegerField(
        min_value=0, max_value=MOST_SEED, default=2016, help_text="The same seed draws the same texts."
    )


class Experts(CampaignEndpoint):
    @operation("listExpertSamples", answer=ExpertSampleSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the samples that were drawn for experts."""
        return expert_samples(self.campaign)

    @operation(
        "drawExpertSample", body=SampleBody, answer=ExpertSampleSerializer, status=HTTPStatus.CREATED, problems=(409,)
    )
    def post(self, request: Request) -> Any:
        """Draw texts that the crowd has rated, for experts to rate them again.

        Texts of earlier samples are not drawn again.
        """
        drawn = expert_sample_draw(campaign=self.campaign, user=self.user, **self.sent)
        return expert_samples(self.campaign).get(pk=drawn.pk)
