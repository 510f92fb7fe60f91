"""Agreement reports on a release."""

from http import HTTPStatus
from typing import Any, get_args

from django.http import Http404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from agreement.models import AgreementResult
from agreement.parameters import MAX_NUMBER, ReportParameters
from agreement.report_rows import ReportRow
from agreement.selectors import latest_report, report_by_digest, reports_without_rows
from agreement.services import agreement_request
from common.api.operations import Body, operation
from common.api.results import RESULT_STATES, STATE_WORDS, result_state
from corpus.api.releases import answer_with_etag
from corpus.selectors import release_or_404
from crowd.api.endpoint import CampaignEndpoint
from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding

DEFAULTS, NO_ROW = ReportParameters(), vars(ReportRow("", "", ""))
ANSWER_VERSION = 1
"""Raise it with any change of what is said of a finished report."""


def _number(name: str, least: int, words: str) -> serializers.IntegerField:
    default = getattr(DEFAULTS, name)
    return serializers.IntegerField(default=default, min_value=least, max_value=MAX_NUMBER[name], help_text=words)


class ReportBody(Body):
    """The parameters of a report. The defaults are those of the paper."""

    draws = _number("draws", 1, "Simulated pairs of raters.")
    replications = _number("replications", 1, "Bootstrap replications of the paper's intervals.")
    seed = _number("seed", 0, "The same seed draws the same pairs.")
    rounding = serializers.ChoiceField(
        [each.value for each in Rounding],
        default=DEFAULTS.rounding.value,
        help_text="How a mean half-way between two points is rounded.",
    )
    weights = serializers.ChoiceField(get_args(Weights), default=DEFAULTS.weights, help_text="The weights of kappa.")


class AgreementReportSerializer(serializers.ModelSerializer[AgreementResult]):
    """A report on the agreement in a release."""

    question = serializers.CharField(source="digest", help_text="Ask for the report by this.")
    state = serializers.SerializerMethodField(help_text=STATE_WORDS)
    job = serializers.IntegerField(source="job_id", allow_null=True)
    parameters = serializers.DictField()
    release_sha256 = serializers.CharField(source="release_checksum")

    class Meta:
        model = AgreementResult
        fields = ["id", "question", "state", "job", "parameters", "release_sha256", "created_at", "finished_at"]

    @extend_schema_field(serializers.ChoiceField(RESULT_STATES))
    def get_state(self, result: AgreementResult) -> str:
        return result_state(result.job, is_ready=result.finished_at is not None)


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
    rows = serializers.SerializerMethodField(help_text="Null until the report is ready.")
    figures = serializers.DictField(help_text="What the plots are drawn from, by scale.")

    class Meta(AgreementReportSerializer.Meta):
        fields = [*AgreementReportSerializer.Meta.fields, "release", "rows", "figures"]

    @extend_schema_field(ReportRowSerializer(many=True, allow_null=True))
    def get_rows(self, result: AgreementResult) -> list[dict[str, Any]] | None:
        return None if result.rows is None else [NO_ROW | row for row in result.rows]


class AgreementQuery(serializers.Serializer[Any]):
    """Which report is wanted."""

    question = serializers.RegexField(
        r"^[0-9a-f]{1,64}$", required=False, help_text="By default the one that was asked for last."
    )


class Agreement(CampaignEndpoint):
    @operation("getAgreement", answer=AgreementSerializer, query=AgreementQuery, bare=(HTTPStatus.NOT_MODIFIED,))
    def get(self, request: Request, version: int) -> Any:
        """Get a report on the agreement in a release.

        Once it is ready it never changes, and the answer has an ETag.
        """
        release = release_or_404(self.campaign, version)
        asked = self.asked.get("question")
        result = report_by_digest(release, asked) if asked else latest_report(release)
        if result is None:
            raise Http404
        etag = f'"{result.digest}-{result.release_checksum}-{ANSWER_VERSION}"' if result.finished_at else None
        return answer_with_etag(request, etag, lambda: AgreementSerializer(result).data)


class Reports(CampaignEndpoint):
    @operation("listAgreementReports", answer=AgreementReportSerializer, listed=True)
    def get(self, request: Request, version: int) -> Any:
        """List the reports on a release, without their rows."""
        return reports_without_rows(release_or_404(self.campaign, version))

    @operation("requestAgreementReport", body=ReportBody, answer=AgreementReportSerializer, status=HTTPStatus.ACCEPTED)
    def post(self, request: Request, version: int) -> Any:
        """Ask for a report on the agreement in a release.

        A job computes it. The same parameters give the same report.
        """
        given = self.sent | {"rounding": Rounding(self.sent["rounding"])}
        release = release_or_404(self.campaign, version)
        return agreement_request(release=release, parameters=ReportParameters(**given), user=self.user)
