"""The browsers of people, and requests to continue a person's work in another one."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .links import READABLE, JoinLink
from .people import Enrolment, Worker

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
