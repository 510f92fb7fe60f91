"""What staff who asked for mails are told of, once each."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .campaign import Campaign

MAX_ATTEMPTS = 6


class Notice(models.Model):
    """Something that happened in a campaign, and whether the mails about it are sent."""

    class Kind(models.TextChoices):
        ROUND = "round", _("a round is complete")
        FLAGS = "flags", _("many raters are flagged")
        JOB = "job", _("a job failed")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    key = models.CharField(max_length=80, help_text="Which one of its kind, so that each is told once.")
    words = models.CharField(max_length=500)
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "kind", "key"], name="notice_once"),
            models.CheckConstraint(condition=Q(kind__in=["round", "flags", "job"]), name="notice_kind_known"),
            models.CheckConstraint(condition=Q(attempts__lte=MAX_ATTEMPTS), name="notice_attempts_bounded"),
            models.CheckConstraint(
                condition=Q(sent_at=None) | Q(attempts__gte=1, sent_at__gte=F("created_at")),
                name="notice_sent_after_it_happened",
            ),
        ]
        indexes = [models.Index(fields=["created_at"], condition=Q(sent_at=None), name="notice_to_send")]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.words}"
