"""Campaigns: which there are, in what state, how far they are, what happened in them, and how to make one."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.operations import Body, PageQueryOf, operation
from common.models import Job
from crowd.api.endpoint import CampaignEndpoint, StaffEndpoint
from crowd.api.links import Confirmed
from crowd.api.settings import SettingsFields, placeholders_named
from crowd.default_texts import default_settings
from crowd.models import AuditEntry, Campaign, CampaignState, Role, Round
from crowd.selectors.audit import audit_of_campaign
from crowd.selectors.campaigns import campaigns_with_role, short_name_of
from crowd.selectors.progress import RoundProgress, progress_of_rounds
from crowd.services.campaigns import RESERVED_SLUGS, campaign_create, campaign_state_set
from crowd.settings_forms import RESERVED_WORDS


class RoundProgressSerializer(serializers.Serializer[Any]):
    """How much of a round's work is done: each text needs the work of several people."""

    round = serializers.ChoiceField(Round.choices)
    items = serializers.IntegerField(help_text="Texts to shorten or to rate.")
    complete_items = serializers.IntegerField()
    wanted = serializers.IntegerField(help_text="How many compressions or ratings are wanted in all.")
    claimed = serializers.IntegerField(help_text="How many of them participants are working on now.")
    done = serializers.IntegerField()
    missing = serializers.IntegerField()
    percent_done = serializers.IntegerField(allow_null=True, help_text="null if there is nothing to do.")
    is_complete = serializers.BooleanField(help_text="Whether there was work, and all of it is done.")


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a campaign is. Work of test participants does not count as done."""

    rounds = RoundProgressSerializer(many=True)


class Progress(CampaignEndpoint):
    @operation("getProgress", answer=ProgressSerializer)
    def get(self, request: Request) -> Any:
        """Get the progress of both rounds."""
        found = progress_of_rounds([self.campaign.pk])
        return {"rounds": [_shown(each, found.get((self.campaign.pk, each.value), RoundProgress())) for each in Round]}


def _shown(work_round: Round, progress: RoundProgress) -> dict[str, Any]:
    fields = set(RoundProgressSerializer().fields) - {"round"}
    return {"round": work_round.value, **{name: getattr(progress, name) for name in fields}}


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


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    """A campaign, without its settings."""

    role = serializers.SerializerMethodField(help_text="Your role in it.")

    class Meta:
        model = Campaign
        fields = ["slug", "name", "state", "role", "language", "created_at"]

    @extend_schema_field(serializers.ChoiceField(Role.choices))
    def get_role(self, campaign: Campaign) -> str:
        endpoint = self.context["endpoint"]
        return str(getattr(campaign, "role", None) or endpoint.role)


class CampaignQuery(PageQueryOf):
    state = serializers.ChoiceField(CampaignState.choices, required=False)


class CampaignBody(SettingsFields):
    """A new campaign: its name, and any settings that differ from their defaults."""

    slug = serializers.SlugField(
        required=False,
        max_length=50,
        help_text="The short name in addresses; if you leave it out, it is made from the name.",
    )

    class Meta(SettingsFields.Meta):
        fields = ["slug", *SettingsFields.Meta.fields]
        extra_kwargs = SettingsFields.Meta.extra_kwargs | {"name": {"required": True}}

    def validate_slug(self, slug: str) -> str:
        if slug in RESERVED_SLUGS:
            raise ValidationError(str(RESERVED_WORDS))
        return slug


class StateBody(Body):
    state = serializers.ChoiceField(CampaignState.choices)
    confirmed = Confirmed()


class Campaigns(StaffEndpoint):
    largest_body = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    @operation("listCampaigns", answer=CampaignSerializer, query=CampaignQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the campaigns that you are staff of, archived ones too."""
        wanted = {name: self.asked[name] for name in ("state",) if name in self.asked}
        return campaigns_with_role(self.user).filter(**wanted)

    @operation(
        "createCampaign", body=CampaignBody, answer=CampaignSerializer, status=HTTPStatus.CREATED, problems=(409,)
    )
    def post(self, request: Request) -> Any:
        """Create a campaign, of which you become the owner.

        It begins as a draft. Whatever you leave out has its default: consent, guidelines and scales in the language of
        the pages, and one direct link for each round.
        """
        sent = {"slug": short_name_of(self.sent["name"], RESERVED_SLUGS)} | self.sent
        defaults = default_settings(sent.get("page_language", "en"))
        with placeholders_named():
            campaign = campaign_create(owner=self.user, state=CampaignState.DRAFT, **defaults | sent)
        campaign.role = Role.OWNER.value  # type: ignore[attr-defined]  # as the list annotates it
        return campaign


class OneCampaign(CampaignEndpoint):
    @operation("getCampaign", answer=CampaignSerializer, tagged=True)
    def get(self, request: Request) -> Any:
        """Get a campaign."""
        return self.campaign


class State(CampaignEndpoint):
    works_when_archived = True

    @operation("setCampaignState", body=StateBody, answer=CampaignSerializer, problems=(409,))
    def post(self, request: Request) -> Any:
        """Open, pause, close or archive a campaign, without being asked.

        What participants hold when it is closed or archived can no longer be submitted: pause it first, and wait.
        """
        state, confirmed = self.sent["state"], self.sent.get("confirmed", ())
        campaign_state_set(campaign=self.campaign, state=state, user=self.user, confirmed=confirmed)
        return self.campaign
