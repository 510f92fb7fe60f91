"""Webhooks: addresses that are told what happens in a campaign."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from crowd.access import Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Webhook
from crowd.models.webhooks import FIELD_OF_KIND, MAX_ADDRESS
from dashboard.webhooks.services import (
    webhook_create,
    webhook_delete,
    webhook_in,
    webhooks_of,
)

KINDS = [kind.value for kind in FIELD_OF_KIND]


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook, without its secret."""

    events = serializers.ListField(child=serializers.ChoiceField(KINDS), help_text="The events that it gets.")

    class Meta:
        model = Webhook
        fields = ["id", "address", "events", "is_active", "created_at"]


class NewWebhookSerializer(WebhookSerializer):
    """A webhook with its secret, which no other operation gives."""

    secret = serializers.CharField(
        allow_null=True, help_text="What the calls are signed with; null in an answer that an Idempotency-Key repeats."
    )

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class WebhookBody(Body):
    address = serializers.CharField(
        max_length=MAX_ADDRESS, help_text="On a host that this installation may call; see docs/webhooks.md."
    )
    events = serializers.ListField(child=serializers.ChoiceField(KINDS), min_length=1, max_length=len(KINDS))


class Webhooks(CampaignEndpoint):
    access = Access.CAMPAIGN_MANAGER

    @operation("listWebhooks", answer=WebhookSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the webhooks of a campaign."""
        return webhooks_of(self.campaign)

    @operation("makeWebhook", body=WebhookBody, answer=NewWebhookSerializer, status=201, untold=("secret",))
    def post(self, request: Request) -> Any:
        """Make a webhook.

        Its secret is in this answer only, and not in one that is repeated by an Idempotency-Key.
        """
        webhook, secret = webhook_create(campaign=self.campaign, user=self.user, **self.sent)
        webhook.secret = secret  # type: ignore[attr-defined]
        return webhook


class OneWebhook(CampaignEndpoint):
    access = Access.CAMPAIGN_MANAGER

    @operation("deleteWebhook")
    def delete(self, request: Request, webhook_id: int) -> Any:
        """Delete a webhook with its deliveries."""
        webhook_delete(webhook=webhook_in(self.campaign, webhook_id), user=self.user)
