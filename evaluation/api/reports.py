"""Reports on the metrics of a release against its ratings."""

from http import HTTPStatus
from typing import Any, get_args

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from common.api.results import RESULT_STATES, STATE_WORDS, result_state
from common.json_values import json_digest
from corpus.api.releases import answer_with_etag
from corpus.selectors import release_or_404
from crowd.api.endpoint import CampaignEndpoint
from evaluation.loading import pinned_runs
from evaluation.models import EvaluationReport
from evaluation.parameters import MAX_NEGATED, MAX_NUMBER, EvaluationParameters, Pool
from evaluation.scored_outputs import metrics_of
from evaluation.selectors import latest_report, report_by_digest, reports_without_rows, rows_by_pair
from evaluation.services.reports import report_request
from measures.meta_evaluation import Missing, OverPairs

DEFAULTS = EvaluationParameters()
ANSWER_VERSION = 1
"""Raise it whenever the answer for a finished report changes."""
MAX_NAME = 200


def _number(name: str, least: int, words: str) -> serializers.IntegerField:
    default = getattr(DEFAULTS, name)
    return serializers.IntegerField(default=default, min_value=least, max_value=MAX_NUMBER[name], help_text=words)


def _choice(name: str, choices: Any, words: str) -> serializers.ChoiceField:
    return serializers.ChoiceField(get_args(choices), default=getattr(DEFAULTS, name), help_text=words)


class EvaluationBody(Body):
    """The parameters of a report. The defaults follow the papers where they state them."""

    pool = _choice("pool", Pool, "Whose ratings count.")
    missing = _choice("missing", Missing, "Which inputs two systems are compared on.")
    over_pairs = _choice("over_pairs", OverPairs, "How correlations with the pairs of systems become one number.")
    alpha = serializers.FloatField(default=DEFAULTS.alpha, min_value=1e-6, max_value=0.5, help_text="Level of tests.")
    share = serializers.FloatField(
        default=DEFAULTS.share,
        min_value=0.51,
        max_value=1,
        help_text="The share of pairs on which a metric must be better to dominate another.",
    )
    min_inputs = _number("min_inputs", 3, "The least inputs of a pair of systems in the agreement about significance.")
    smaller_is_better = serializers.ListField(
        child=serializers.CharField(max_length=MAX_NAME),
        default=list,
        max_length=MAX_NEGATED,
        help_text="Metrics whose small scores are good.",
    )
    epsilon = serializers.FloatField(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="The cost of a rater in the alternative annotator test; by default what its authors advise.",
    )
    min_raters = _number("min_raters", 2, "The least raters of an output in that test.")
    min_items = _number("min_items", 2, "The least outputs of a rater in that test.")
    draws = _number("draws", 1, "Draws of resampling and permutation.")
    seed = _number("seed", 0, "The same seed draws the same.")


class EvaluationReportSerializer(serializers.ModelSerializer[EvaluationReport]):
    """A report on the metrics of a release against its ratings."""

    question = serializers.CharField(source="digest", help_text="Ask for the report by this.")
    state = serializers.SerializerMethodField(help_text=STATE_WORDS)
    job = serializers.IntegerField(source="job_id", allow_null=True)
    parameters = serializers.DictField()
    score_runs = serializers.ListField(
        child=serializers.DictField(), help_text="The ids and digests of the scores that it stands on."
    )
    release_sha256 = serializers.CharField(source="release_checksum")

    class Meta:
        model = EvaluationReport
        fields = [
            "id",
            "question",
            "state",
            "job",
            "parameters",
            "score_runs",
            "last_model_rating",
            "last_translation",
            "release_sha256",
            "created_at",
            "finished_at",
        ]

    @extend_schema_field(serializers.ChoiceField(RESULT_STATES))
    def get_state(self, report: EvaluationReport) -> str:
        return result_state(report.job, is_ready=report.finished_at is not None)


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
    def get_rows(self, report: EvaluationReport) -> Any:
        metric = self.context.get("pairs_of")
        return report.rows if report.rows is None or not metric else [*report.rows, *rows_by_pair(report, metric)]


class EvaluationQuery(serializers.Serializer[Any]):
    """Which report is wanted."""

    question = serializers.RegexField(
        r"^[0-9a-f]{1,64}$", required=False, help_text="By default the one that was asked for last."
    )
    pairs_of = serializers.CharField(
        required=False, max_length=MAX_NAME, help_text="A metric: also get its rows for every two systems."
    )


class Evaluation(CampaignEndpoint):
    @operation("getEvaluation", answer=EvaluationSerializer, query=EvaluationQuery, bare=(HTTPStatus.NOT_MODIFIED,))
    def get(self, request: Request, version: int) -> Any:
        """Get a report on the metrics of a release against its ratings.

        Once it is ready it never changes, and the answer has an ETag.
        """
        release = release_or_404(self.campaign, version)
        asked = self.asked.get("question")
        report = report_by_digest(release, asked) if asked else latest_report(release)
        if report is None:
            raise Http404
        context = {"pairs_of": self.asked.get("pairs_of", "")}
        if report.finished_at and context["pairs_of"]:
            _check_metric(report, context["pairs_of"])
        known = json_digest([report.digest, report.release_checksum, ANSWER_VERSION, context])
        etag = f'"{known}"' if report.finished_at else None
        return answer_with_etag(request, etag, lambda: EvaluationSerializer(report, context=context).data)


def _check_metric(report: EvaluationReport, name: str) -> None:
    if name not in {each.name for each in metrics_of(pinned_runs(report))}:
        raise serializers.ValidationError({"pairs_of": _("The report has no metric of this name.")})


class Reports(CampaignEndpoint):
    @operation("listEvaluationReports", answer=EvaluationReportSerializer, listed=True)
    def get(self, request: Request, version: int) -> Any:
        """List the reports on the metrics of a release, without their rows."""
        return reports_without_rows(release_or_404(self.campaign, version))

    @operation(
        "requestEvaluationReport",
        body=EvaluationBody,
        answer=EvaluationReportSerializer,
        status=HTTPStatus.ACCEPTED,
    )
    def post(self, request: Request, version: int) -> Any:
        """Ask for a report on the metrics of a release against its ratings.

        A job computes it. The same parameters give the same report, until scores or ratings by models are imported or
        deleted.
        """
        release = release_or_404(self.campaign, version)
        given = self.sent | {"smaller_is_better": tuple(self.sent["smaller_is_better"])}
        return report_request(release=release, parameters=EvaluationParameters(**given), user=self.user)
