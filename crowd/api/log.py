"""What happens in a campaign: its jobs, and its audit log."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import PageQueryOf, operation
from common.models import Job
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import AuditEntry
from crowd.selectors.audit import audit_of_campaign


class JobSerializer(serializers.ModelSerializer[Job]):
    """A job: long work in the background."""

    class Meta:
        model = Job
        fields = ["id", "kind", "state", "done", "total", "message", "created_at", "finished_at"]
        extra_kwargs: dict[str, Any] = {
            "done": {"help_text": "How many of its parts are done."},
            "total": {"help_text": "How many parts there are; 0 while that is not known."},
            "message": {"help_text": "What came of it, or why it failed."},
            "created_at": {"help_text": "When it was asked for."},
        }


class JobQuery(PageQueryOf):
    state = serializers.ChoiceField(Job.State.choices, required=False)
    kind = serializers.CharField(required=False, max_length=40)


class EntrySerializer(serializers.ModelSerializer[AuditEntry]):
    """An entry of the audit log: what an account, or a command, did."""

    class Meta:
        model = AuditEntry
        fields = ["id", "created_at", "username", "action", "subject", "detail"]


class AuditQuery(PageQueryOf):
    person = serializers.CharField(required=False, max_length=150, help_text="An account's name; “-” for commands.")
    action = serializers.CharField(required=False, max_length=40)


class Jobs(CampaignEndpoint):
    @operation("listJobs", answer=JobSerializer, query=JobQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the jobs of a campaign, the oldest first."""
        wanted = {name: self.asked[name] for name in ("state", "kind") if name in self.asked}
        return Job.objects.filter(campaign=self.campaign, **wanted)


class OneJob(CampaignEndpoint):
    @operation("getJob", answer=JobSerializer)
    def get(self, request: Request, job_id: int) -> Any:
        """Get a job and its progress."""
        return get_object_or_404(Job, pk=job_id, campaign=self.campaign)


class Audit(CampaignEndpoint):
    @operation("listAudit", answer=EntrySerializer, query=AuditQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List who changed what, the oldest first."""
        person, action = self.asked.get("person", ""), self.asked.get("action", "")
        return audit_of_campaign(self.campaign, username=person, action=action)
