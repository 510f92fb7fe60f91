"""Who of the staff may do what in a campaign."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .campaign import Campaign


class Role(models.TextChoices):
    """What an account may do in a campaign.

    Owners do everything. Managers do everything but erase people, delete the campaign and decide who is staff. Viewers
    look at everything except who people are, and change nothing. Experts rate, and see nothing else.
    """

    OWNER = "owner", _("owner")
    MANAGER = "manager", _("manager")
    VIEWER = "viewer", _("viewer")
    EXPERT = "expert", _("expert")


class Membership(models.Model):
    """An account's role in a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.OWNER)
    is_notified = models.BooleanField(_("gets mails about the campaign"), default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.campaign}"
