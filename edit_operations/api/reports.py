"""Reports on the editing operations of a release."""

from functools import cached_property
from http import HTTPStatus
from typing import Any, get_args

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from common.api.results import RESULT_STATES, STATE_WORDS, result_state
from common.models import Job
from corpus.api.releases import answer_with_etag
from corpus.models import Release
from corpus.selectors import release_or_404
from crowd.api.endpoint import CampaignEndpoint
from edit_operations.api.rows import OperationsRowSerializer
from edit_operations.models import OperationsReport
from edit_operations.parameters import (
    MAX_NUMBER,
    MAX_PAIRS_BYTES,
    Apart,
    Means,
    OperationsParameters,
    Substitute,
)
from edit_operations.selectors import (
    jobs_of_reports,
    latest_report,
    report_by_digest,
    report_rows,
    reports_without_rows,
)
from edit_operations.services.reports import report_request
from edit_operations.word_pairs import pair_list

DEFAULTS = OperationsParameters()
ANSWER_VERSION = 1
"""Raise it whenever the answer for a finished report changes."""


def _number(name: str, least: int, words: str) -> serializers.IntegerField:
    default = getattr(DEFAULTS, name)
    return serializers.IntegerField(default=default, min_value=least, max_value=MAX_NUMBER[name], help_text=words)


def _choice(name: str, choices: Any, words: str) -> serializers.ChoiceField:
    return serializers.ChoiceField(get_args(choices), default=getattr(DEFAULTS, name), help_text=words)


class OperationsBody(Body):
    """The parameters of a report. The defaults follow the paper where it states them."""

    draws = _number("draws", 1, "Bootstrap draws of sources.")
    seed = _number("seed", 0, "The same seed draws the same sources.")
    substitute = _choice("substitute", Substitute, "What Table 5 counts as a substitution.")
    means = _choice("means", Means, "Over what the cells of Table 5 are means.")
    apart = _choice("apart", Apart, "How Table 6 averages the sentences of a paragraph.")
    vectors = serializers.BooleanField(default=False, help_text="Use the word vectors of the installation's pipeline.")
    word_pairs = serializers.CharField(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        max_length=MAX_PAIRS_BYTES,
        help_text="Pairs of words that may stand for each other: one pair a line, with a tab between the words. "
        "200,000 lines or fewer.",
    )


class OperationsReportSerializer(serializers.ModelSerializer[OperationsReport]):
    """A report on the editing operations of a release."""

    question = serializers.CharField(source="digest", help_text="Ask for the report by this.")
    state = serializers.SerializerMethodField(help_text=STATE_WORDS)
    job = serializers.SerializerMethodField(help_text="The job that best shows how far it is; null once it is ready.")
    parameters = serializers.DictField()
    release_sha256 = serializers.CharField(source="release_checksum")

    class Meta:
        model = OperationsReport
        fields = [
            "id",
            "question",
            "state",
            "job",
            "parameters",
            "signature",
            "last_correction",
            "last_output",
            "texts",
            "release_sha256",
            "created_at",
            "finished_at",
        ]

    @extend_schema_field(serializers.ChoiceField(RESULT_STATES))
    def get_state(self, report: OperationsReport) -> str:
        return result_state(self._job(report), is_ready=report.finished_at is not None)

    def get_job(self, report: OperationsReport) -> int | None:
        job = self._job(report)
        return job.pk if job else None

    def _job(self, report: OperationsReport) -> Job | None:
        jobs: dict[int, Job] = self.context["endpoint"].jobs
        return jobs.get(report.pk)


class OperationsSerializer(OperationsReportSerializer):
    """A report with its rows, as in the JSON file on its page."""

    release = serializers.CharField(source="release.name")
    rows = serializers.SerializerMethodField(help_text="Null until the report is ready.")
    figures = serializers.DictField(help_text="What the plots are drawn from.")

    class Meta(OperationsReportSerializer.Meta):
        fields = [*OperationsReportSerializer.Meta.fields, "release", "rows", "figures"]

    @extend_schema_field(OperationsRowSerializer(many=True, allow_null=True))
    def get_rows(self, report: OperationsReport) -> list[dict[str, Any]] | None:
        return None if report.rows is None else report_rows(report)


class OperationsQuery(serializers.Serializer[Any]):
    """Which report is wanted."""

    question = serializers.RegexField(
        r"^[0-9a-f]{1,64}$", required=False, help_text="By default the one that was asked for last."
    )


class ReportEndpoint(CampaignEndpoint):
    """An endpoint about the reports on a release."""

    release: Release

    @cached_property
    def jobs(self) -> dict[int, Job]:
        """The jobs of its unfinished reports."""
        return jobs_of_reports(self.release)

    def report_or_404(self, version: int) -> OperationsReport:
        """Return the report that was asked for, by default the latest."""
        self.release = release_or_404(self.campaign, version)
        asked = self.asked.get("question")
        report = report_by_digest(self.release, asked) if asked else latest_report(self.release)
        if report is None:
            raise Http404
        return report


class Operations(ReportEndpoint):
    @operation("getOperations", answer=OperationsSerializer, query=OperationsQuery, bare=(HTTPStatus.NOT_MODIFIED,))
    def get(self, request: Request, version: int) -> Any:
        """Get a report on the editing operations of a release.

        Once it is ready it never changes, and the answer has an ETag.
        """
        report = self.report_or_404(version)
        context = {"endpoint": self, "request": request}
        etag = f'"{report.digest}-{report.release_checksum}-{ANSWER_VERSION}"' if report.finished_at else None
        return answer_with_etag(request, etag, lambda: OperationsSerializer(report, context=context).data)


class Reports(ReportEndpoint):
    @operation("listOperationsReports", answer=OperationsReportSerializer, listed=True)
    def get(self, request: Request, version: int) -> Any:
        """List the reports on the editing operations of a release, without their rows."""
        self.release = release_or_404(self.campaign, version)
        return reports_without_rows(self.release)

    @operation(
        "requestOperationsReport",
        body=OperationsBody,
        answer=OperationsReportSerializer,
        status=HTTPStatus.ACCEPTED,
    )
    def post(self, request: Request, version: int) -> Any:
        """Ask for a report on the editing operations of a release.

        Jobs align its texts and compute it. The same parameters give the same report, until an alignment is corrected
        or an output imported.
        """
        self.release = release_or_404(self.campaign, version)
        given = dict(self.sent)
        pairs = pair_list(given.pop("word_pairs"), _("The list of word pairs"))
        return report_request(
            release=self.release, parameters=OperationsParameters(**given), user=self.user, pairs=pairs
        )
