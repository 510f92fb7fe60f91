"""Campaigns: which there are, and in what state."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, PageQueryOf, operation
from crowd.api.endpoint import CampaignEndpoint, StaffEndpoint
from crowd.models import Campaign, CampaignState
from crowd.selectors.campaigns import campaigns_of_user
from crowd.services.campaign_states import campaign_state_set


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    """A campaign, without its settings."""

    class Meta:
        model = Campaign
        fields = ["slug", "name", "state", "language", "created_at"]


class CampaignQuery(PageQueryOf):
    state = serializers.ChoiceField(CampaignState.choices, required=False)


class StateBody(Body):
    state = serializers.ChoiceField(CampaignState.choices)


class Campaigns(StaffEndpoint):
    @operation("listCampaigns", answer=CampaignSerializer, query=CampaignQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the campaigns that you are staff of."""
        wanted = {name: self.asked[name] for name in ("state",) if name in self.asked}
        return campaigns_of_user(self.user).filter(**wanted)


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
