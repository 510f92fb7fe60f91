"""Agreement reports on a release."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from agreement.kind import KIND
from agreement.parameters import AgreementParameters
from agreement.report_rows import ReportRow
from reports.api import ReportSerializer, report_endpoints
from reports.models import Report
from reports.parameters import body_of

NO_ROW = vars(ReportRow("", "", ""))


class AgreementReportSerializer(ReportSerializer):
    """A report on the agreement in a release."""


class ReportRowSerializer(serializers.Serializer[ReportRow]):
    """One number of a report. `low` to `high` is its 95% interval over sources and, unless there are none, raters."""

    scale = serializers.CharField()
    comparison = serializers.CharField()
    group = serializers.CharField(
        allow_blank=True, help_text="The part of the release or the person; empty for the whole release."
    )
    measure = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    standard_error = serializers.FloatField(allow_null=True)
    sources = serializers.IntegerField(allow_null=True)
    raters = serializers.IntegerField(allow_null=True)
    no_interval = serializers.CharField(allow_blank=True, help_text="Why there is no interval.")
    items = serializers.IntegerField(allow_null=True)
    variance = serializers.FloatField(allow_null=True, help_text="The variance over the draws.")
    paper_low = serializers.FloatField(allow_null=True, help_text="Where the interval of the paper's way begins.")
    paper_high = serializers.FloatField(allow_null=True)
    draws = serializers.IntegerField(allow_null=True, help_text="How many draws had a value.")
    undefined = serializers.CharField(allow_blank=True, help_text="Why there is no value.")


class AgreementSerializer(AgreementReportSerializer):
    """A report with its rows, as in the JSON file on its page."""

    release = serializers.CharField(source="release.name")
    rows = serializers.SerializerMethodField(
        help_text=(
            "Null until the report is ready. Of the pairs of raters, the 200 with the most texts in common: the files "
            "have all."
        )
    )
    figures = serializers.DictField(help_text="What the plots are drawn from, by scale.")
    first_ratings = serializers.SerializerMethodField(
        help_text="How many ratings of each text count where raters were asked because earlier ones disagreed, or null."
    )

    class Meta(AgreementReportSerializer.Meta):
        fields = [*AgreementReportSerializer.Meta.fields, "release", "rows", "figures", "first_ratings"]

    @extend_schema_field(ReportRowSerializer(many=True, allow_null=True))
    def get_rows(self, report: Report) -> list[dict[str, Any]] | None:
        return None if report.rows is None else [NO_ROW | row for row in report.rows]

    def get_first_ratings(self, report: Report) -> int | None:
        found: int | None = report.pinned.get("first_ratings")
        return found


ENDPOINTS = report_endpoints(
    KIND,
    name="Agreement",
    words="the agreement in a release",
    until="A job computes it. The same parameters give the same report.",
    body=body_of(AgreementParameters, "ReportBody", "The parameters of a report. The defaults are those of the paper."),
    listed=AgreementReportSerializer,
    answer=AgreementSerializer,
)
