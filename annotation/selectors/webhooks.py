"""Query the webhooks of a campaign and what they were sent."""

from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404

from crowd.models import Campaign, Webhook, WebhookDelivery

LARGEST_ID = 2**63 - 1


def webhooks_of(campaign: Campaign) -> QuerySet[Webhook]:
    """Return all webhooks, each with how many deliveries wait and were given up, and when one was last taken."""
    state = WebhookDelivery.State
    return (
        Webhook.objects.filter(campaign=campaign)
        .annotate(
            waiting=Count("deliveries", filter=Q(deliveries__state=state.WAITING)),
            given_up=Count("deliveries", filter=Q(deliveries__state=state.GIVEN_UP)),
            delivered_at=Max("deliveries__ended_at", filter=Q(deliveries__state=state.DELIVERED)),
        )
        .order_by("pk")
    )


def webhook_in(campaign: Campaign, webhook_id: int) -> Webhook:
    """Return a webhook of a campaign; any other does not exist for it."""
    found = webhooks_of(campaign).select_related("campaign").filter(pk=min(webhook_id, LARGEST_ID)).first()
    if found is None:
        raise Http404("no such webhook")
    return found


def deliveries_of(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    return WebhookDelivery.objects.filter(webhook=webhook).select_related("event", "webhook").order_by("-pk")


def delivery_of(webhook: Webhook, delivery_id: int) -> WebhookDelivery:
    found = deliveries_of(webhook).filter(pk=min(delivery_id, LARGEST_ID)).first()
    if found is None:
        raise Http404("no such delivery")
    return found


def listed_hosts() -> list[str]:
    """Return how the addresses begin that this installation may call."""
    ports = {"https": 443}
    return [
        f"{each.scheme}://{each.host}" + ("" if ports.get(each.scheme) == each.port else f":{each.port}")
        for each in settings.WEBHOOK_RECEIVERS
    ]
