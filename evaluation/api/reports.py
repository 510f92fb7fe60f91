"""Reports on the metrics of a release against its ratings."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.kind import KIND
from evaluation.loading import pinned_runs
from evaluation.parameters import EvaluationParameters
from evaluation.scored_outputs import metrics_of
from evaluation.selectors import rows_by_pair
from reports.api import ReportQuery, ReportSerializer, report_endpoints, with_fields
from reports.models import Report
from reports.parameters import MAX_NAME, body_of


class EvaluationReportSerializer(ReportSerializer):
    """A report on the metrics of a release against its ratings."""

    score_runs = serializers.ListField(
        source="pinned.score_runs",
        child=serializers.DictField(),
        help_text="The ids and digests of the scores that it stands on.",
    )
    last_model_rating = serializers.IntegerField(
        source="pinned.last_model_rating",
        allow_null=True,
        help_text="The last rating by a model that counts, if there is any.",
    )
    last_translation = serializers.IntegerField(
        source="pinned.last_translation", allow_null=True, help_text="The last translation that counts, if any does."
    )

    class Meta(ReportSerializer.Meta):
        fields = with_fields("score_runs", "last_model_rating", "last_translation")


class EvaluationRowSerializer(serializers.Serializer[Any]):
    """One figure of a report. Every row has these columns; a table may have more, which docs/evaluation.md names."""

    table = serializers.CharField(help_text="Such as `table 8`, `corpus level`, `input level` or `significance`.")
    judgement = serializers.CharField(allow_blank=True, help_text="The key of a scale, or `combined`.")
    part_kind = serializers.CharField(allow_blank=True, help_text="`genre` or `length`; empty for all inputs.")
    part = serializers.CharField(allow_blank=True, help_text="The name of the part.")
    metric = serializers.CharField(allow_blank=True)
    other = serializers.CharField(allow_blank=True, help_text="With what: a system, a pair of systems, a metric, …")
    figure = serializers.CharField(allow_blank=True, help_text="What the value is of, such as `pearson`.")
    value = serializers.FloatField(allow_null=True, help_text="Null where it is undefined; `reason` says why.")
    low = serializers.FloatField(allow_null=True, help_text="Where its 95% interval begins.")
    high = serializers.FloatField(allow_null=True, help_text="Where its 95% interval ends.")
    n = serializers.IntegerField(allow_null=True, help_text="From how many inputs, systems or pairs it is computed.")
    p = serializers.FloatField(allow_null=True, help_text="The p of its test.")
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no value.")


class EvaluationSerializer(EvaluationReportSerializer):
    """A report with its rows: all that the JSON file on its page has, but for pairs of systems only those asked for."""

    release = serializers.CharField(source="release.name")
    rows = serializers.SerializerMethodField(help_text="Null until the report is ready.")
    figures = serializers.DictField(help_text="What the plots are drawn from.")

    class Meta(EvaluationReportSerializer.Meta):
        fields = [*EvaluationReportSerializer.Meta.fields, "release", "rows", "figures"]

    @extend_schema_field(EvaluationRowSerializer(many=True, allow_null=True))
    def get_rows(self, report: Report) -> Any:
        metric = self.context["endpoint"].asked.get("pairs_of", "")
        if report.rows is None or not metric:
            return report.rows
        if metric not in {each.name for each in metrics_of(pinned_runs(report))}:
            raise serializers.ValidationError({"pairs_of": _("The report has no metric of this name.")})
        return [*report.rows, *rows_by_pair(report, metric)]


class EvaluationQuery(ReportQuery):
    """Which report is wanted."""

    pairs_of = serializers.CharField(
        required=False, max_length=MAX_NAME, help_text="A metric: also get its rows for every two systems."
    )


ENDPOINTS = report_endpoints(
    KIND,
    name="Evaluation",
    words="the metrics of a release against its ratings",
    until="A job computes it. The same parameters give the same report, until scores or ratings by models are imported "
    "or deleted.",
    body=body_of(
        EvaluationParameters,
        "EvaluationBody",
        "The parameters of a report. The defaults follow the papers where they state them.",
    ),
    listed=EvaluationReportSerializer,
    answer=EvaluationSerializer,
    query=EvaluationQuery,
)
