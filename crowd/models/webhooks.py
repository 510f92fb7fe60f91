"""Addresses that are told what happens in a campaign, what they are told, and each delivery of it."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .campaign import Campaign

MAX_ADDRESS = 500
MAX_ATTEMPTS = 7


def random_name() -> str:
    """Return a name that no installation gives twice, also not after a backup was restored."""
    return uuid4().hex


class WebhookKind(models.TextChoices):
    ROUND = "round.complete", _("a round is complete")
    RELEASE = "release.ready", _("a release is ready")
    FLAGS = "flag.raised", _("compressions were flagged")
    JOB = "job.failed", _("a job failed")
    TEST = "test", _("a test")


class Webhook(models.Model):
    """An address of a campaign. What it is sent is signed with a secret that follows from the salt and SECRET_KEY."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=MAX_ADDRESS)
    tells_rounds = models.BooleanField(default=False)
    tells_releases = models.BooleanField(default=False)
    tells_flags = models.BooleanField(default=False)
    tells_jobs = models.BooleanField(default=False)
    salt = models.CharField(max_length=32, default=random_name)
    is_active = models.BooleanField(default=True)
    active_since = models.DateTimeField(help_text="Only what happens from then on is told.")
    flags_mark = models.BigIntegerField(default=0, help_text="Flags on compressions up to this one are told.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(tells_rounds=True) | Q(tells_releases=True) | Q(tells_flags=True) | Q(tells_jobs=True),
                name="webhook_tells_something",
            ),
            models.CheckConstraint(condition=~Q(salt=""), name="webhook_has_salt"),
            models.CheckConstraint(condition=Q(active_since__gte=F("created_at")), name="webhook_active_after_made"),
            # The last one: Django does not find in SQLite what follows the backslash of a LIKE.
            models.CheckConstraint(
                condition=Q(address__startswith="https://") | Q(address__startswith="http://"),
                name="webhook_address_is_one",
            ),
        ]

    def __str__(self) -> str:
        return self.address

    @property
    def events(self) -> list[str]:
        """The kinds of events that it is told of."""
        return [kind.value for kind, field in FIELD_OF_KIND.items() if getattr(self, field)]


FIELD_OF_KIND = {
    WebhookKind.ROUND: "tells_rounds",
    WebhookKind.RELEASE: "tells_releases",
    WebhookKind.FLAGS: "tells_flags",
    WebhookKind.JOB: "tells_jobs",
}


class WebhookEvent(models.Model):
    """Something that happened in a campaign; the key says which one of its kind, so that each is told once."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="webhook_events")
    kind = models.CharField(max_length=16, choices=WebhookKind.choices)
    key = models.CharField(max_length=80)
    name = models.CharField(max_length=32, unique=True, default=random_name)
    data = models.JSONField(default=dict)
    happened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "kind", "key"], name="webhook_event_once"),
            models.CheckConstraint(condition=Q(kind__in=WebhookKind.values), name="webhook_event_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.key})"


class WebhookDelivery(models.Model):
    """One event for one webhook, sent until it is taken or given up."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given up", _("given up")

    class Error(models.TextChoices):
        """Why the last attempt failed."""

        NONE = "", _("none")
        HOST = "host", _("This installation may not call this address.")
        NAME = "name", _("The name of the host was not found.")
        INSIDE = "inside", _("The host is inside the network of this installation, which is not allowed for it.")
        TLS = "tls", _("The certificate of the receiver could not be verified.")
        CONNECTION = "connection", _("The receiver could not be reached, or closed the connection.")
        TIMEOUT = "timeout", _("The receiver did not answer in time.")
        REDIRECT = "redirect", _("The receiver answered with a redirect, and redirects are not followed.")
        STATUS = "status", _("The receiver answered with an error.")
        OFF = "off", _("The webhook was switched off.")
        OLD = "old", _("It could not be sent for a day.")
        UNKNOWN = "unknown", _("Something went wrong here. The log of the worker says more.")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(WebhookEvent, on_delete=models.CASCADE, related_name="deliveries")
    name = models.CharField(max_length=32, unique=True, default=random_name)
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    queued_at = models.DateTimeField(help_text="Attempts end a day later.")
    next_try_at = models.DateTimeField(null=True, help_text="While an attempt lasts, when another may take over.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The HTTP status of the last answer.")
    error = models.CharField(max_length=10, choices=Error.choices, blank=True, default="")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event"], name="webhook_delivery_once"),
            models.CheckConstraint(
                condition=Q(state="waiting", next_try_at__isnull=False, ended_at=None)
                | Q(state__in=["delivered", "given up"], next_try_at=None, ended_at__isnull=False),
                name="webhook_delivery_waits_or_ended",
            ),
            models.CheckConstraint(
                condition=~Q(state="delivered") | Q(error="", status__gte=200, status__lt=300, attempts__gte=1),
                name="webhook_delivered_has_success",
            ),
            models.CheckConstraint(condition=Q(attempts__lte=MAX_ATTEMPTS), name="webhook_delivery_attempts_bounded"),
        ]
        indexes = [models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="webhook_delivery_due")]

    def __str__(self) -> str:
        return f"{self.event_id} ({self.state})"
