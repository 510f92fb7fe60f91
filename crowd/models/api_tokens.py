"""Tokens by which programs act for an account."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


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
