"""Staff make webhooks, change and delete them, and have events sent again. The audit log says so."""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.outgoing.client import allowed_target
from compressions.models import Compression
from crowd.models import Campaign, Webhook, WebhookDelivery, WebhookEvent, WebhookKind
from crowd.models.webhooks import FIELD_OF_KIND, MAX_ADDRESS, random_name
from crowd.services.audit import audit_record
from dashboard.webhooks.calls import webhook_secret
from dashboard.webhooks.events import delivery_queue, rounds_note

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
    return [each.origin for each in settings.WEBHOOK_RECEIVERS]


MOST_WEBHOOKS = 10  # of one campaign
MOST_TESTS_WAITING = 5


def hosts_are_listed() -> bool:
    """Whether this installation may call anyone."""
    return bool(settings.WEBHOOK_RECEIVERS)


@transaction.atomic
def webhook_create(
    *, campaign: Campaign, address: str, events: Collection[str], user: User | None
) -> tuple[Webhook, str]:
    """Store a webhook and return it with its secret, which pages and programs show this once."""
    _address_check(address)
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # or two at once would both find room
    if Webhook.objects.filter(campaign=campaign).count() >= MOST_WEBHOOKS:
        raise Refused(_("This campaign has %(n)s webhooks. Delete one first.") % {"n": MOST_WEBHOOKS})
    rounds_note(campaign)
    now = database_now()
    webhook = Webhook.objects.create(
        campaign=campaign,
        address=address,
        active_since=now,
        flags_mark=_newest_compression(campaign),
        made_by=user,
        created_at=now,
        **_fields(events),
    )
    audit_record(campaign=campaign, user=user, action="webhook made", subject=_named(webhook), detail=_told(webhook))
    return webhook, webhook_secret(webhook)


@transaction.atomic
def webhook_update(
    *,
    webhook: Webhook,
    user: User | None,
    address: str | None = None,
    events: Collection[str] | None = None,
    is_active: bool | None = None,
) -> Webhook:
    """Change what is given. Switching on starts with what happens from then on; switching off ends what waits."""
    locked = Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign").get(pk=webhook.pk)
    before = (locked.address, locked.events, locked.is_active)
    if address is not None and address != locked.address:
        _address_check(address)
        locked.address = address
    for name, wanted in (_fields(events) if events is not None else {}).items():
        setattr(locked, name, wanted)
    if is_active is not None and is_active != locked.is_active:
        _switch(locked, is_active=is_active)
    if before != (locked.address, locked.events, locked.is_active):
        locked.save()
        audit_record(
            campaign=locked.campaign,
            user=user,
            action="webhook changed",
            subject=_named(locked),
            detail=_told(locked),
        )
    return locked


@transaction.atomic
def webhook_delete(*, webhook: Webhook, user: User | None) -> None:
    """Delete a webhook with its deliveries."""
    audit_record(campaign=webhook.campaign, user=user, action="webhook deleted", subject=_named(webhook))
    webhook.delete()


@transaction.atomic
def webhook_test(*, webhook: Webhook) -> WebhookDelivery:
    """Queue an event that says nothing, so that people can see whether their receiver gets it."""
    _address_check(webhook.address)
    if not webhook.is_active:
        raise Refused(_("This webhook is off. Switch it on first."))
    Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    waiting = WebhookDelivery.objects.filter(
        webhook=webhook, event__kind=WebhookKind.TEST, state=WebhookDelivery.State.WAITING
    )
    if waiting.count() >= MOST_TESTS_WAITING:
        raise Refused(_("%(n)s test events are waiting to be sent. Please wait.") % {"n": MOST_TESTS_WAITING})
    event = WebhookEvent.objects.create(
        campaign=webhook.campaign, kind=WebhookKind.TEST, key=random_name(), happened_at=database_now()
    )
    return delivery_queue(event, webhook)


@transaction.atomic
def delivery_again(*, delivery: WebhookDelivery) -> None:
    """Send what has been delivered or given up once more; what waits is sent anyway."""
    _address_check(delivery.webhook.address)
    if not delivery.webhook.is_active:
        raise Refused(_("This webhook is off. Switch it on first."))
    now = database_now()
    ended = WebhookDelivery.objects.filter(pk=delivery.pk).exclude(state=WebhookDelivery.State.WAITING)
    ended.update(
        state=WebhookDelivery.State.WAITING, attempts=0, queued_at=now, next_try_at=now, ended_at=None, status=None
    )


def _address_check(address: str) -> None:
    """Refuse an address that this installation may not call."""
    if not hosts_are_listed():
        raise Refused(
            _("This installation does not allow webhooks. Its operator can list the hosts that may be called.")
        )
    if len(address) > MAX_ADDRESS or allowed_target(address, settings.WEBHOOK_RECEIVERS) is None:
        words = _(
            "This installation may not call this address. The host must be one that the operator of this "
            "installation has listed, written in the same way, and nothing but a path may follow it."
        )
        raise ValidationError({"address": words})


def _fields(events: Collection[str]) -> dict[str, Any]:
    """Return the columns that say which events a webhook is told of."""
    if not events or not set(events) <= {kind.value for kind in FIELD_OF_KIND}:
        raise ValidationError({"events": _("Choose at least one event.")})
    return {field: kind.value in events for kind, field in FIELD_OF_KIND.items()}


def _switch(webhook: Webhook, *, is_active: bool) -> None:
    webhook.is_active, now = is_active, database_now()
    if is_active:
        rounds_note(webhook.campaign)
        webhook.active_since, webhook.flags_mark = now, _newest_compression(webhook.campaign)
        return
    waiting = WebhookDelivery.objects.filter(webhook=webhook, state=WebhookDelivery.State.WAITING)
    waiting.update(
        state=WebhookDelivery.State.GIVEN_UP, error=WebhookDelivery.Error.OFF, next_try_at=None, ended_at=now
    )


def _newest_compression(campaign: Campaign) -> int:
    newest = Compression.objects.filter(source__campaign=campaign).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def _named(webhook: Webhook) -> str:
    """Return what all staff may read of an address: its path may hold a secret of the receiver's."""
    return f"webhook {webhook.pk} to {urlsplit(webhook.address).netloc}"


def _told(webhook: Webhook) -> str:
    return f"{', '.join(webhook.events)}; {'on' if webhook.is_active else 'off'}"
