"""The analysis that is fixed before the first answer."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.operations import Body, choices_named, operation
from common.errors import Refused
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Campaign
from protocols.campaign_report import PlannedReport
from protocols.kind import KINDS, release_kinds
from protocols.planned import analysis_of, analysis_to_fix, plan_fix, plan_of
from reports.parameters import body_of


class FixedAnalysisSerializer(serializers.Serializer[Any]):
    """An analysis as it was fixed."""

    analysis = serializers.DictField(
        help_text="The kind of report, its version and parameters, the settings of a task with material of its own, "
        "and who is left out."
    )
    plan_sha256 = serializers.CharField(
        source="checksum", help_text="The SHA-256 of `analysis` as JSON with sorted keys, as reports state it."
    )
    settings_version = serializers.IntegerField(help_text="The version of the settings in which it first stands.")
    fixed_at = serializers.DateTimeField()
    answers_before = serializers.IntegerField(
        allow_null=True, help_text="How many answers there were by then; null if that is not known."
    )
    answers_of_files = serializers.IntegerField(help_text="Answers that came in files: nobody knows what was first.")


class AnalysisBody(Body):
    """Which report counts, and how it is computed."""

    report = serializers.CharField(
        default="",
        allow_blank=True,
        help_text="Its key, such as `comparison`; needed only where the campaign can have several.",
    )
    parameters = serializers.DictField(
        required=False,
        help_text="Those that are not to be the default. Without this field they are those of the newest report on the "
        "judgement task, if there is one, or else all the default ones.",
    )


class FixedAnalysis(CampaignEndpoint):
    @operation("getFixedAnalysis", answer=FixedAnalysisSerializer)
    def get(self, _request: Request) -> Any:
        """Get the analysis that is fixed, with its checksum and how many answers there were by then.

        There is nothing here (404) while none is fixed.
        """
        plan = plan_of(self.campaign)
        if plan is None:
            raise Http404
        return plan

    @operation("fixAnalysis", body=AnalysisBody, answer=FixedAnalysisSerializer)
    def put(self, request: Request) -> Any:
        """Fix the analysis: which report counts, and its parameters.

        It can be fixed at any time, and another one can be fixed later. Each report says whether it follows what was
        fixed, and whether that was before the first answer.
        """
        kind = self._kind()
        if kind.is_on_campaign and "parameters" not in self.sent:
            analysis, _is_newest = analysis_to_fix(self.campaign, kind)
        else:
            parameters = kind.parameters.of(_checked(kind, self.sent.get("parameters", {})))
            analysis = analysis_of(self.campaign, kind, kind.resolved(self.campaign, parameters))
        plan_fix(campaign=self.campaign, analysis=analysis, user=self.user)
        return self.get(request)

    def _kind(self) -> PlannedReport:
        kinds = _kinds(self.campaign)
        if not kinds:
            raise Refused(_("This judgement task has no report."))
        asked = self.sent["report"] or (next(iter(kinds)) if len(kinds) == 1 else "")
        if asked not in kinds:
            raise ValidationError({"report": [_("Choices: %(names)s") % {"names": ", ".join(kinds)}]})
        return kinds[asked]


def _kinds(campaign: Campaign) -> dict[str, PlannedReport]:
    if campaign.task.has_material:
        return {each.key: each for each in KINDS if each.is_on_campaign and each.key == campaign.rating_task}
    return {each.key: each for each in release_kinds(campaign)}


def _checked(kind: PlannedReport, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a report; raise ValidationError for what is none or cannot be."""
    body = body_of(kind.parameters, "ParametersBody", "")(data=parameters)
    body.fields.pop("whose", None)  # an analysis is for the answers of people
    if not body.is_valid():
        raise ValidationError({"parameters": choices_named(body.errors, body)})
    valid: dict[str, Any] = body.validated_data
    return valid
