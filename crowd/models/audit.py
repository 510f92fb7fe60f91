"""The audit log: what accounts did in a campaign."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from .campaign import Campaign


class AuditEntry(models.Model):
    """Something that an account, or a command, did; append only.

    It outlives its campaign and its account, and so has their names as they were.
    """

    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.SET_NULL, related_name="audit_entries")
    campaign_slug = models.CharField(max_length=50)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    username = models.CharField(max_length=150, blank=True, help_text="Empty for commands and the program itself.")
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    detail = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(action=""), name="audit_entry_says_what")]
        indexes = [models.Index(fields=["campaign", "-id"], name="audit_of_campaign")]

    def __str__(self) -> str:
        return f"{self.username or 'command'}: {self.action} {self.subject}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("the audit log is append only")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("the audit log is append only")
