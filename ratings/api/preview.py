"""What the quality rule would do. Where that takes long to compute, a job does so, and the result is kept."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api.operations import operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Worker
from measures.quality_control.parameters import FilterParameters
from ratings.api.parameters import RuleBody, parameters_sent
from ratings.models import KeptResult
from ratings.selectors.kept import Basis, changes_since
from ratings.selectors.preview import filter_preview, preview_is_quick
from ratings.selectors.shown_preview import preview_dump
from ratings.services.quality import preview_request


class PreviewPersonSerializer(serializers.Serializer[Any]):
    """What the rule would decide about a person."""

    participant = serializers.IntegerField()
    quality = serializers.FloatField(allow_null=True)
    standard_error = serializers.FloatField(allow_null=True)
    gap = serializers.FloatField(allow_null=True, help_text="The distance from the cutoff.")
    items = serializers.IntegerField()
    is_excluded = serializers.BooleanField()
    reason = serializers.CharField()


class PreviewRoleSerializer(serializers.Serializer[Any]):
    """What the rule would do with the editors or the raters."""

    number = serializers.IntegerField(help_text="How many there are.")
    removed = serializers.IntegerField(help_text="How many of them would be excluded.")
    eligible = serializers.IntegerField(help_text="How many of them are assessed.")
    threshold = serializers.FloatField(allow_null=True)
    cut = serializers.FloatField(allow_null=True)
    notes = serializers.ListField(child=serializers.CharField())
    people = PreviewPersonSerializer(many=True, help_text="The worst first: up to 2,000.")


class PreviewShareSerializer(serializers.Serializer[Any]):
    """What would be left if a share of the people was excluded."""

    share = serializers.FloatField()
    editors = serializers.IntegerField(help_text="How many would be excluded.")
    raters = serializers.IntegerField(help_text="How many would be excluded.")
    texts_kept = serializers.IntegerField()
    ratings_kept = serializers.IntegerField()


class PreviewResultSerializer(serializers.Serializer[Any]):
    """What the rule would do: with its own share, and with a range of others."""

    ratings = serializers.IntegerField()
    ratings_kept = serializers.IntegerField()
    texts = serializers.IntegerField()
    texts_kept = serializers.IntegerField()
    shares = PreviewShareSerializer(many=True)
    editors = PreviewRoleSerializer()
    raters = PreviewRoleSerializer()


class PreviewSerializer(serializers.Serializer[Any]):
    """A preview of the quality rule, or the job that computes it."""

    job = serializers.IntegerField(allow_null=True, help_text="The job that computes it, if one is waiting or running.")
    computed_at = serializers.DateTimeField(allow_null=True, help_text="Of a result that was kept.")
    is_current = serializers.BooleanField(help_text="Whether nothing has changed since that would change it.")
    preview = PreviewResultSerializer(allow_null=True, help_text="Null until it is computed.")


@dataclass(frozen=True)
class _Preview:
    job: int | None
    computed_at: datetime | None
    is_current: bool
    preview: dict[str, Any] | None


class Preview(CampaignEndpoint):
    @operation("previewQuality", body=RuleBody, answer=PreviewSerializer, also=(202,), problems=(409,))
    def post(self, request: Request) -> Any:
        """Compute what the quality rule would do, without applying it.

        If it takes long, the answer is 202 with the id of a job; when the job is done, ask again.
        """
        parameters = parameters_sent(self.campaign, self.sent)
        if preview_is_quick(self.campaign, parameters):
            return self._quick(parameters)
        found = self._kept(preview_request(campaign=self.campaign, parameters=parameters, user=self.user))
        return found if found.job is None else Response(PreviewSerializer(found).data, HTTPStatus.ACCEPTED)

    def _quick(self, parameters: FilterParameters) -> _Preview:
        return _Preview(None, None, True, self._by_number(preview_dump(filter_preview(self.campaign, parameters))))

    def _kept(self, kept: KeptResult | None) -> _Preview:
        if kept is None:
            return _Preview(None, None, False, None)
        is_current = kept.basis is not None and not changes_since(self.campaign, Basis(**kept.basis))
        job = kept.job.pk if kept.job and kept.is_under_way else None
        return _Preview(job, kept.computed_at, is_current, kept.result and self._by_number(kept.result))

    def _by_number(self, stored: dict[str, Any]) -> dict[str, Any]:
        """Return a stored preview with people as programs get them; who was deleted since is left out."""
        numbers = dict(Worker.objects.filter(campaign=self.campaign).values_list("pk", "number"))
        names = tuple(PreviewPersonSerializer().fields)
        told = {}
        for role in ("editors", "raters"):
            rows = [(numbers[pk], *row) for pk, *row in stored[role]["people"] if pk in numbers]
            told[role] = {**stored[role], "people": [dict(zip(names, row, strict=True)) for row in rows]}
        return stored | told
