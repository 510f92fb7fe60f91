"""The API of reports: get one, and ask for another; the same two operations for every kind."""

from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.endpoint import SMALL_BODY
from common.api.etags import answer_with_etag
from common.api.operations import Body, operation
from common.api.results import RESULT_STATES, STATE_WORDS, result_state
from common.json_values import json_digest
from common.models import Job
from corpus.selectors import release_or_404
from crowd.api.endpoint import CampaignEndpoint
from reports.kinds import ReportKind
from reports.models import Basis, Report
from reports.selectors import jobs_of_reports, latest_report, report_by_digest
from reports.services import report_request


def with_fields(*pinned: str) -> list[str]:
    """Return the fields of a report with those that a kind pins."""
    return ["id", "question", "state", "job", "parameters", *pinned, "release_sha256", "created_at", "finished_at"]


class ReportSerializer(serializers.ModelSerializer[Report]):
    """A report on a release. A kind adds what it pins."""

    question = serializers.CharField(source="digest", help_text="Ask for the report by this.")
    state = serializers.SerializerMethodField(help_text=STATE_WORDS)
    job = serializers.SerializerMethodField(help_text="The job that best shows how far it is; null once it is ready.")
    parameters = serializers.DictField()
    release_sha256 = serializers.CharField(source="checksum")

    class Meta:
        model = Report
        fields = with_fields()

    @extend_schema_field(serializers.ChoiceField(RESULT_STATES))
    def get_state(self, report: Report) -> str:
        return result_state(self._job(report), is_ready=report.finished_at is not None)

    def get_job(self, report: Report) -> int | None:
        job = self._job(report)
        return job.pk if job else None

    def _job(self, report: Report) -> Job | None:
        if report.finished_at is not None:
            return None
        endpoint: ReportEndpoint = self.context["endpoint"]
        return endpoint.jobs.get(report.pk)


class ReportQuery(serializers.Serializer[Any]):
    """Which report is wanted."""

    question = serializers.RegexField(
        r"^[0-9a-f]{1,64}$", required=False, help_text="By default the one that was asked for last."
    )


class ReportEndpoint(CampaignEndpoint):
    """An endpoint about the reports of a kind, on a release or on the campaign."""

    kind: ReportKind
    on: Basis

    @cached_property
    def jobs(self) -> dict[int, Job]:
        """The jobs of its unfinished reports."""
        return jobs_of_reports(self.on, self.kind)

    def report_or_404(self, version: int | None) -> Report:
        """Return the report that was asked for, by default the latest."""
        self.on = self.campaign if version is None else release_or_404(self.campaign, version)
        # Before the report: one whose job ends meanwhile is then read as ready.
        self.jobs = jobs_of_reports(self.on, self.kind)
        asked = self.asked.get("question")
        kind = self.kind
        found = report_by_digest(self.on, kind, asked) if asked else latest_report(self.on, kind)
        if found is None:
            raise Http404
        return found


def report_endpoints(
    kind: ReportKind,
    *,
    name: str,
    words: str,
    until: str,
    body: type[Body],
    listed: type[ReportSerializer],
    answer: type[ReportSerializer],
    query: type[ReportQuery] = ReportQuery,
) -> list[URLPattern]:
    """Return the addresses of the API of a kind of report.

    `name` stands in the names of the operations, `words` says what a report is on, and `until` how long and by whom it
    is computed.
    """
    of_kind = kind

    class One(ReportEndpoint):
        kind = of_kind

        @operation(
            f"get{name}",
            told=f"Get a report on {words}.\n\nOnce it is ready it never changes, and the answer has an ETag.",
            answer=answer,
            query=query,
            bare=(HTTPStatus.NOT_MODIFIED,),
        )
        def get(self, request: Request, version: int | None = None) -> Any:
            report = self.report_or_404(version)
            more = {each: said for each, said in self.asked.items() if each != "question"}
            context = {"endpoint": self, "request": request}
            known = json_digest([report.digest, report.checksum, self.kind.answer_version, more])
            etag = f'"{known}"' if report.finished_at else None
            return answer_with_etag(request, etag, lambda: answer(report, context=context).data)

    takes_text = type(kind).attached_in is not ReportKind.attached_in

    class New(ReportEndpoint):
        kind = of_kind
        largest_body = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if takes_text else SMALL_BODY

        @operation(
            f"request{name}Report",
            told=f"Ask for a report on {words}.\n\n{until}",
            body=body,
            answer=listed,
            status=HTTPStatus.ACCEPTED,
        )
        def post(self, request: Request, version: int | None = None) -> Any:
            self.on = self.campaign if version is None else release_or_404(self.campaign, version)
            parameters, attached = self.kind.parameters.of(self.sent), self.kind.attached_in(self.sent)
            return report_request(kind=self.kind, on=self.on, parameters=parameters, user=self.user, attached=attached)

    place = f"campaigns/<slug:slug>/{'' if kind.is_on_campaign else 'releases/<int:version>/'}{kind.key}"
    return [
        path(f"{place}/", One.as_view(), name=kind.key),
        path(f"{place}/reports/", New.as_view(), name="reports"),
    ]
