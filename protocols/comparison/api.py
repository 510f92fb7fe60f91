"""Comparisons of systems by ratings, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from protocols.comparison.parameters import ComparisonParameters
from protocols.comparison.report import KIND
from reports.api import ReportSerializer, report_endpoints
from reports.models import Report
from reports.parameters import body_of


class SystemComparisonRowSerializer(serializers.Serializer[Any]):
    """One figure of a comparison of systems."""

    scale = serializers.CharField()
    table = serializers.CharField(help_text="Such as `shares`, `direction`, `tests` or `effects`.")
    first = serializers.CharField(allow_blank=True, help_text="The first system, or judge.")
    second = serializers.CharField(allow_blank=True, help_text="The one that is compared with the first.")
    group = serializers.CharField(allow_blank=True, help_text="The system that a mean or a share is of.")
    figure = serializers.CharField(help_text="What the value is of, such as `t`; of `shares`, the category.")
    value = serializers.FloatField(allow_null=True, help_text="Null where it is undefined; `reason` says why.")
    low = serializers.FloatField(allow_null=True, help_text="Where its 95% interval begins.")
    high = serializers.FloatField(allow_null=True, help_text="Where its 95% interval ends.")
    n = serializers.IntegerField(allow_null=True, help_text="From how many sources, texts, ratings or pairs it is.")
    p = serializers.FloatField(allow_null=True, help_text="The p of its test.")
    p_holm = serializers.FloatField(allow_null=True, help_text="The same, corrected for all pairs of systems.")
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no value, no interval or no p.")


class SystemComparisonReportSerializer(ReportSerializer):
    """A comparison of systems by ratings."""


class SystemComparisonSerializer(SystemComparisonReportSerializer):
    """A comparison of systems with its rows; the differences of single sources are in its files."""

    release = serializers.CharField(source="release.name")
    rows = serializers.SerializerMethodField(help_text="Null until the report is ready.")

    class Meta(SystemComparisonReportSerializer.Meta):
        fields = [*SystemComparisonReportSerializer.Meta.fields, "release", "rows"]

    @extend_schema_field(SystemComparisonRowSerializer(many=True, allow_null=True))
    def get_rows(self, report: Report) -> Any:
        return report.rows


ENDPOINTS = report_endpoints(
    KIND,
    name="SystemComparison",
    words="systems whose outputs in a release people rated",
    until="A job computes it. The same parameters give the same report.",
    body=body_of(ComparisonParameters, "SystemComparisonBody", "Which systems are compared, and by whose ratings."),
    listed=SystemComparisonReportSerializer,
    answer=SystemComparisonSerializer,
)
