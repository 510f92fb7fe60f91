"""Invitations to the staff of a campaign."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from .campaign import Campaign
from .members import Role


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
