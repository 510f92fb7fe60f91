"""Campaigns: which there are, in what state, and how to make one."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.operations import Body, PageQueryOf, operation
from crowd.api.endpoint import CampaignEndpoint, StaffEndpoint
from crowd.api.settings import SettingsFields, placeholders_named
from crowd.default_texts import default_settings
from crowd.models import Campaign, CampaignState, Role
from crowd.selectors.campaigns import campaigns_with_role
from crowd.selectors.short_names import short_name_of
from crowd.services.campaign_states import campaign_state_set
from crowd.services.campaigns import RESERVED_SLUGS, campaign_create
from crowd.settings_forms import RESERVED_WORDS


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


class Campaigns(StaffEndpoint):
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
    @operation("getCampaign", answer=CampaignSerializer)
    def get(self, request: Request) -> Any:
        """Get a campaign."""
        return self.campaign


class State(CampaignEndpoint):
    works_when_archived = True

    @operation("setCampaignState", body=StateBody, answer=CampaignSerializer)
    def post(self, request: Request) -> Any:
        """Open, pause, close or archive a campaign."""
        campaign_state_set(campaign=self.campaign, state=self.sent["state"], user=self.user)
        return self.campaign
