"""Comparisons of two scales of a release, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from protocols.scale_against_scale.parameters import ScaleParameters
from protocols.scale_against_scale.report import KIND
from reports.api import ReportSerializer, report_endpoints, with_fields
from reports.models import Report
from reports.parameters import body_of


class ScaleRowSerializer(serializers.Serializer[Any]):
    """One figure of a comparison of scales."""

    table = serializers.CharField(help_text="Such as `judging`, `corpus`, `points alone` or `arms`.")
    figure = serializers.CharField(help_text="What the value is of, such as `latent_icc`.")
    scale = serializers.CharField(allow_blank=True, help_text="`first`, `second`, `difference`, or empty for both.")
    value = serializers.FloatField(allow_null=True, help_text="Null where it is undefined; `reason` says why.")
    low = serializers.FloatField(allow_null=True, help_text="Where its 95% interval begins.")
    high = serializers.FloatField(allow_null=True, help_text="Where its 95% interval ends.")
    n = serializers.IntegerField(allow_null=True, help_text="From how many texts, pairs or people it is computed.")
    p = serializers.FloatField(allow_null=True, help_text="The p of its test.")
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no value or no interval.")


class ScaleComparisonReportSerializer(ReportSerializer):
    """A comparison of two scales."""

    scales = serializers.ListField(
        source="pinned.scales", child=serializers.CharField(), help_text="The keys of the first and the second scale."
    )

    class Meta(ReportSerializer.Meta):
        fields = with_fields("scales")


class ScaleComparisonSerializer(ScaleComparisonReportSerializer):
    """A comparison of two scales with its rows."""

    release = serializers.CharField(source="release.name")
    rows = serializers.SerializerMethodField(help_text="Null until the report is ready.")

    class Meta(ScaleComparisonReportSerializer.Meta):
        fields = [*ScaleComparisonReportSerializer.Meta.fields, "release", "rows"]

    @extend_schema_field(ScaleRowSerializer(many=True, allow_null=True))
    def get_rows(self, report: Report) -> Any:
        return report.rows


ENDPOINTS = report_endpoints(
    KIND,
    name="ScaleComparison",
    words="two scales of a release, each of an arm of its own",
    until="A job computes it. The same parameters give the same report.",
    body=body_of(ScaleParameters, "ScaleComparisonBody", "Which scales are compared, and by how many draws."),
    listed=ScaleComparisonReportSerializer,
    answer=ScaleComparisonSerializer,
)
