"""Background jobs, one row each; counts of what is limited; and files in storages that no row names.

The table of jobs is authoritative; the message broker only wakes the workers.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    campaign = models.ForeignKey("crowd.Campaign", on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_ends_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="running") | Q(lease_ends_at__isnull=False), name="job_running_has_lease"
            )
        ]
        indexes = [
            models.Index(fields=["lease_ends_at"], condition=Q(state__in=["queued", "running"]), name="job_unfinished")
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.state})"

    @property
    def is_finished(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED}


class PeriodicRun(models.Model):
    """When a piece of periodic work was last done: if nothing was for long, whatever does it has stopped."""

    name = models.CharField(max_length=100, unique=True)
    done_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.done_at}"


class RateCount(models.Model):
    """How often something limited happened in one window (`common/rate_limits.py`); the key is stored as an HMAC."""

    limit_name = models.CharField(max_length=40)
    key_hash = models.CharField(max_length=64)
    window_start = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key_hash", "window_start"], name="rate_count_once_per_window")]

    def __str__(self) -> str:
        return f"{self.limit_name}: {self.count}"


class UnnamedPath(models.Model):
    """A file or folder in a storage that no row names: an attempt is writing it, or it is to be removed."""

    storage = models.CharField(max_length=20)
    path = models.CharField(max_length=200)
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    attempt = models.PositiveSmallIntegerField(default=0, help_text="Which attempt at the job writes it.")
    is_given_up = models.BooleanField(default=False, help_text="It is to be removed; nothing may name it any more.")
    begun_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["storage", "path"], name="unnamed_path_once")]

    def __str__(self) -> str:
        return f"{self.storage}: {self.path}"


class KeptAnswer(models.Model):
    """What was answered to a POST with an Idempotency-Key (`common/api/idempotency.py`), for a day."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    asked = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="kept_answer_once_per_key")]

    def __str__(self) -> str:
        return f"answer to {self.key}"
