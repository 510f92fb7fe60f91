"""Webhooks: addresses that are told what happens in a campaign."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from crowd.access import Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Webhook, WebhookDelivery
from crowd.models.webhooks import FIELD_OF_KIND, MAX_ADDRESS
from dashboard.webhooks.services import (
    deliveries_of,
    webhook_create,
    webhook_delete,
    webhook_in,
    webhook_test,
    webhook_update,
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


class WebhookChange(Body):
    address = serializers.CharField(max_length=MAX_ADDRESS, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(KINDS), min_length=1, max_length=len(KINDS), required=False
    )
    is_active = serializers.BooleanField(
        required=False,
        help_text="Switching off gives up what is waiting; switching on sends only what happens from then on.",
    )


class WebhookDeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """One event for a webhook."""

    delivery = serializers.CharField(source="name", help_text="The header Precis-Delivery, the same at each attempt.")
    event = serializers.CharField(source="event.kind")
    event_id = serializers.CharField(source="event.name", help_text="The `id` in the body.")
    happened_at = serializers.DateTimeField(source="event.happened_at")
    status = serializers.IntegerField(
        allow_null=True, help_text="The HTTP status of the last answer, if there was one."
    )
    reason = serializers.SerializerMethodField(help_text="Why the last attempt failed, in words.")

    class Meta:
        model = WebhookDelivery
        fields = [
            *("id", "delivery", "event", "event_id", "happened_at", "state", "attempts", "next_try_at"),
            *("status", "error", "reason", "ended_at"),
        ]

    def get_reason(self, delivery: WebhookDelivery) -> str:
        return str(WebhookDelivery.Error(delivery.error).label) if delivery.error else ""


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

    @operation("changeWebhook", body=WebhookChange, answer=WebhookSerializer)
    def patch(self, request: Request, webhook_id: int) -> Any:
        """Change a webhook, or switch it on or off."""
        return webhook_update(webhook=webhook_in(self.campaign, webhook_id), user=self.user, **self.sent)

    @operation("deleteWebhook")
    def delete(self, request: Request, webhook_id: int) -> Any:
        """Delete a webhook with its deliveries."""
        webhook_delete(webhook=webhook_in(self.campaign, webhook_id), user=self.user)


class Deliveries(CampaignEndpoint):
    access = Access.CAMPAIGN_MANAGER

    @operation("listWebhookDeliveries", answer=WebhookDeliverySerializer, listed=True)
    def get(self, request: Request, webhook_id: int) -> Any:
        """List a webhook's deliveries of the last 30 days, and those still waiting."""
        return deliveries_of(webhook_in(self.campaign, webhook_id))


class Test(CampaignEndpoint):
    access = Access.CAMPAIGN_MANAGER

    @operation("testWebhook", answer=WebhookDeliverySerializer, status=202, problems=(409,))
    def post(self, request: Request, webhook_id: int) -> Any:
        """Send a test event; it appears in the list of deliveries."""
        return webhook_test(webhook=webhook_in(self.campaign, webhook_id))
