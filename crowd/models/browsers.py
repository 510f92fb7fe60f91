"""Requests to continue somebody's work in another browser."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .links import READABLE, JoinLink
from .people import Enrolment

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
