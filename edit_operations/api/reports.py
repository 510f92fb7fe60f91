"""Reports on the editing operations of a release."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from edit_operations.api.rows import OperationsRowSerializer
from edit_operations.kind import KIND
from edit_operations.parameters import MAX_PAIRS_BYTES, OperationsParameters
from reports.api import ReportSerializer, report_endpoints, with_fields
from reports.models import Report
from reports.parameters import body_of

OperationsBody = body_of(
    OperationsParameters,
    "OperationsBody",
    "The parameters of a report. The defaults follow the paper where it states them.",
    word_pairs=serializers.CharField(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        max_length=MAX_PAIRS_BYTES,
        help_text="Pairs of words that may stand for each other: one pair a line, with a tab between the words. "
        "50,000 lines or fewer.",
    ),
)


class OperationsReportSerializer(ReportSerializer):
    """A report on the editing operations of a release."""

    signature = serializers.CharField(
        source="pinned.signature", help_text="The aligner and the tokenizer, with their versions and options."
    )
    last_correction = serializers.IntegerField(
        source="pinned.last_correction",
        allow_null=True,
        help_text="The last correction of an alignment that counts, if there is any.",
    )
    last_output = serializers.IntegerField(
        source="pinned.last_output",
        allow_null=True,
        help_text="The last output that was imported after the release was frozen, if any was.",
    )
    texts = serializers.IntegerField(
        source="pinned.texts", default=0, help_text="How many texts and outputs were aligned."
    )

    class Meta(ReportSerializer.Meta):
        fields = with_fields("signature", "last_correction", "last_output", "texts")


class OperationsSerializer(OperationsReportSerializer):
    """A report with its rows, as in the JSON file on its page."""

    release = serializers.CharField(source="release.name")
    rows = serializers.SerializerMethodField(help_text="Null until the report is ready.")
    figures = serializers.DictField(help_text="What the plots are drawn from.")

    class Meta(OperationsReportSerializer.Meta):
        fields = [*OperationsReportSerializer.Meta.fields, "release", "rows", "figures"]

    @extend_schema_field(OperationsRowSerializer(many=True, allow_null=True))
    def get_rows(self, report: Report) -> list[dict[str, Any]] | None:
        return report.rows


ENDPOINTS = report_endpoints(
    KIND,
    name="Operations",
    words="the editing operations of a release",
    until="Jobs align its texts and compute it. The same parameters give the same report, until an alignment is "
    "corrected or an output imported.",
    body=OperationsBody,
    listed=OperationsReportSerializer,
    answer=OperationsSerializer,
)
