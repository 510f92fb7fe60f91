"""Staff's accounts: their sessions, tokens for programs and invitations; and the browsers of people."""

import secrets
from datetime import datetime
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .campaign import Campaign
from .links import READABLE, JoinLink
from .members import Role
from .people import Enrolment, Worker


class Invitation(models.Model):
    """A link by which one account becomes a member of a campaign, once, until it ends. Only its hash is stored."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=8, choices=Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True, default="")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="invitations_made"
    )
    ends_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="invitations_accepted"
    )
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("created_at")), name="invitation_ends_after_it_began"),
            models.CheckConstraint(
                condition=Q(accepted_at=None) | Q(revoked_at=None), name="invitation_accepted_or_revoked"
            ),
            models.CheckConstraint(
                condition=Q(accepted_by=None) | Q(accepted_at__isnull=False), name="invitation_accepted_has_time"
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to be {self.role} of {self.campaign}"

    def is_open(self, now: datetime) -> bool:
        return self.accepted_at is None and self.revoked_at is None and now < self.ends_at


CODE_LENGTH = 8


def new_request_code() -> str:
    """Return a code that a person can tell the staff, so that they know which request is that person's."""
    return "".join(secrets.choice(READABLE) for _ in range(CODE_LENGTH))


class BrowserRequest(models.Model):
    """Somebody came with a participant's platform id in a browser that does not hold the visit."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ALLOWED = "allowed", _("allowed")
        REFUSED = "refused", _("refused")

    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="browser_requests")
    link = models.ForeignKey(JoinLink, on_delete=models.CASCADE, related_name="browser_requests")
    browser_hash = models.CharField(max_length=64)
    code = models.CharField(max_length=16, default=new_request_code)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrolment", "browser_hash"], name="browser_request_once_per_browser"),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True)
                | Q(state__in=["allowed", "refused"], decided_at__isnull=False),
                name="browser_request_decided_has_time",
            ),
            models.CheckConstraint(condition=~Q(browser_hash=""), name="browser_request_has_browser"),
        ]

    def __str__(self) -> str:
        return f"another browser of {self.enrolment} ({self.state})"


class WorkerBrowser(models.Model):
    """A browser in which a person agreed to take part. People who share one are possibly the same person.

    Test participants and simulated ones have none, so that nobody who tries a campaign out changes what others get.
    """

    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="browsers")
    browser_hash = models.CharField(max_length=64)
    first_used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "browser_hash"], name="worker_browser_once"),
            models.CheckConstraint(condition=~Q(browser_hash=""), name="worker_browser_has_hash"),
        ]
        indexes = [models.Index(fields=["browser_hash", "worker"], name="worker_browser_sharing")]

    def __str__(self) -> str:
        return f"a browser of {self.worker}"


class Scope(models.TextChoices):
    """What a token is good for, as far as its account may do that in a campaign."""

    READ = "read", _("read")
    MANAGE = "manage", _("read and change")
    IDS = "ids", _("see who participants are on their platform")


class ApiToken(models.Model):
    """A token of an account. Only its hash is stored; the token itself was shown once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    token_hash = models.CharField(max_length=64, unique=True)
    may_manage = models.BooleanField(default=False)
    may_see_ids = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(ends_at__gt=F("created_at")), name="api_token_ends_later")]

    def __str__(self) -> str:
        return self.name

    @property
    def scopes(self) -> frozenset[str]:
        granted = {Scope.READ: True, Scope.MANAGE: self.may_manage, Scope.IDS: self.may_see_ids}
        return frozenset(scope.value for scope, is_granted in granted.items() if is_granted)

    def is_live(self, now: datetime) -> bool:
        return self.revoked_at is None and now < self.ends_at


class AccountSession(AbstractBaseSession):
    """A session of a browser; of an account if someone has logged in. It is deleted when it ends."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="account_sessions"
    )
    browser = models.CharField(max_length=60, blank=True, default="", help_text="Such as “Firefox on Linux”.")
    address = models.CharField(max_length=64, blank=True, default="", help_text="From which the account logged in.")
    begun_at = models.DateTimeField(null=True, help_text="When the account logged in.")
    used_at = models.DateTimeField(help_text="Kept to some minutes.")

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore  # it imports this model
