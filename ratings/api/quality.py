"""Runs of the quality rule: apply it, read what it decided, withdraw it."""

from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import PageQueryOf, operation
from common.models import Job
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Round
from ratings.api.parameters import RuleBody, parameters_sent
from ratings.api.person_answers import DecisionSerializer
from ratings.models import QualityDecision, QualityRun
from ratings.selectors.quality import kept_rule, latest_quality_run, quality_runs, rule_to_begin_with
from ratings.services.quality import quality_request, quality_rule_set, quality_withdraw


class QualityRunSerializer(serializers.ModelSerializer[QualityRun]):
    """A run of the quality rule: its parameters, and the figures that came of it."""

    job = serializers.IntegerField(source="job_id", allow_null=True)
    parameters = serializers.DictField()
    summary = serializers.DictField(help_text="Counts of people, texts and ratings: all, excluded and kept.")
    is_active = serializers.SerializerMethodField(help_text="The latest run that is not withdrawn is.")
    requested_by = serializers.CharField(source="requested_by.username", default=None, allow_null=True)
    withdrawn_by = serializers.CharField(source="withdrawn_by.username", default=None, allow_null=True)

    class Meta:
        model = QualityRun
        fields = ["id", "rule", "parameters", "summary", "job", "is_active", "created_at", "requested_by"]
        fields += ["withdrawn_at", "withdrawn_by"]

    def get_is_active(self, run: QualityRun) -> bool:
        return bool(run.pk == self.context["endpoint"].active)


class QualityJobSerializer(serializers.ModelSerializer[Job]):
    """The job that applies the quality rule; its run is listed when it is done."""

    job = serializers.IntegerField(source="pk")

    class Meta:
        model = Job
        fields = ["job", "state", "created_at"]


class RuleSerializer(serializers.Serializer[Any]):
    """The rule that the campaign keeps, or else what pages begin with. It decides nothing until it is applied."""

    share = serializers.FloatField()
    min_items = serializers.IntegerField()
    rater_quality = serializers.CharField()
    order = serializers.CharField()
    roles = serializers.CharField()
    is_kept = serializers.BooleanField(help_text="Whether it was kept for the campaign.")


class QualityEndpoint(CampaignEndpoint):
    """An endpoint about runs of the quality rule."""

    active: int | None = None

    def _runs(self) -> QuerySet[QualityRun]:
        latest = latest_quality_run(self.campaign)
        self.active = latest.pk if latest else None
        return quality_runs(self.campaign).select_related("requested_by", "withdrawn_by")


class Runs(QualityEndpoint):
    @operation("listQualityRuns", answer=QualityRunSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the runs of the quality rule, withdrawn ones included."""
        return self._runs()


class Apply(CampaignEndpoint):
    @operation("applyQuality", body=RuleBody, answer=QualityJobSerializer, status=HTTPStatus.ACCEPTED)
    def post(self, request: Request) -> Any:
        """Apply the quality rule, as a job.

        Nothing is deleted. Releases exclude whom the latest run excludes, until it is withdrawn.
        """
        return quality_request(
            campaign=self.campaign, parameters=parameters_sent(self.campaign, self.sent), user=self.user
        )


class Rule(CampaignEndpoint):
    @operation("getQualityRule", answer=RuleSerializer)
    def get(self, request: Request) -> Any:
        """Get the campaign’s quality rule."""
        return asdict(rule_to_begin_with(self.campaign)) | {"is_kept": kept_rule(self.campaign) is not None}

    @operation("keepQualityRule", body=RuleBody, answer=RuleSerializer)
    def put(self, request: Request) -> Any:
        """Save a quality rule for the campaign. It excludes nobody until it is applied."""
        parameters = parameters_sent(self.campaign, self.sent)
        kept = quality_rule_set(campaign=self.campaign, parameters=parameters, user=self.user)
        return asdict(kept.parameters) | {"is_kept": True}


class DecisionQuery(PageQueryOf):
    round = serializers.ChoiceField([Round.EDIT, Round.RATE], required=False)
    excluded = serializers.BooleanField(required=False, allow_null=True, default=None)


class OneRun(CampaignEndpoint):
    @operation("listQualityDecisions", answer=DecisionSerializer, query=DecisionQuery, listed=True)
    def get(self, request: Request, run_id: int) -> Any:
        """List what a run decided about each participant."""
        run = get_object_or_404(QualityRun, campaign=self.campaign, pk=run_id)
        found = QualityDecision.objects.filter(run=run).select_related("worker")
        if "round" in self.asked:
            found = found.filter(round=self.asked["round"])
        return found if self.asked["excluded"] is None else found.filter(removed=self.asked["excluded"])


class Withdraw(QualityEndpoint):
    @operation("withdrawQualityRun", answer=QualityRunSerializer)
    def post(self, request: Request, run_id: int) -> Any:
        """Withdraw a run: the one before it is active again."""
        run = get_object_or_404(QualityRun.objects.select_related("campaign"), campaign=self.campaign, pk=run_id)
        quality_withdraw(run=run, user=self.user)
        return self._runs().get(pk=run.pk)
