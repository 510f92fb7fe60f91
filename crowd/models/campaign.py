"""A campaign, its settings, and the links that bring people to it."""

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from crowd.platforms import PLATFORM_CHOICES, PLATFORMS, Platform


class Round(models.TextChoices):
    EDIT = "edit", "Editor round"
    RATE = "rate", "Rater round"


def new_token() -> str:
    """128 random bits, fit for an address."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """128 random bits, fit for being read and typed."""
    return secrets.token_hex(16).upper()


class Campaign(models.Model):
    slug = models.SlugField("short name in addresses", unique=True)
    name = models.CharField(max_length=200)
    staff = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="campaigns", blank=True)
    is_open = models.BooleanField("open for new work", default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    consent = models.TextField(help_text="Markdown. Who asks, how long it takes, what happens with the data.")
    editor_guidelines = models.TextField(help_text="Markdown.")
    rater_guidelines = models.TextField(help_text="Markdown.")

    editors_per_source = models.PositiveSmallIntegerField(default=5, validators=[MaxValueValidator(50)])
    raters_per_compression = models.PositiveSmallIntegerField(default=3, validators=[MaxValueValidator(50)])
    editor_tasks = models.PositiveSmallIntegerField("texts per editor", default=10)
    rater_tasks = models.PositiveSmallIntegerField("judgements per rater", default=20)
    lease_minutes = models.PositiveSmallIntegerField("minutes before a claimed task goes to somebody else", default=30)

    keep_percent = models.PositiveSmallIntegerField(
        "longest compression, in % of the source's characters", default=75, validators=[MaxValueValidator(99)]
    )
    sentence_min_words = models.PositiveSmallIntegerField("least words of a sentence", default=15)
    paragraph_min_words = models.PositiveSmallIntegerField("least words of a paragraph", default=25)

    qualification_pass_percent = models.PositiveSmallIntegerField(
        "right answers that pass the test, in %", default=70, validators=[MaxValueValidator(100)]
    )
    qualification_tries = models.PositiveSmallIntegerField(
        "tries at the test", default=2, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(editors_per_source__gte=1, raters_per_compression__gte=1, lease_minutes__gte=1),
                name="campaign_wants_people",
            ),
            models.CheckConstraint(
                condition=Q(editor_tasks__gte=1, rater_tasks__gte=1), name="campaign_tasks_at_least_one"
            ),
            models.CheckConstraint(
                condition=Q(keep_percent__gte=1, keep_percent__lte=99), name="campaign_keep_percent_range"
            ),
            models.CheckConstraint(
                condition=Q(qualification_pass_percent__lte=100, qualification_tries__gte=1),
                name="campaign_qualification_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def people_per_item(self, work_round: str) -> int:
        return self.editors_per_source if work_round == Round.EDIT else self.raters_per_compression

    def tasks_per_worker(self, work_round: str) -> int:
        return self.editor_tasks if work_round == Round.EDIT else self.rater_tasks

    def guidelines(self, work_round: str) -> str:
        return self.editor_guidelines if work_round == Round.EDIT else self.rater_guidelines


class JoinLink(models.Model):
    """An address that lets people in, and the codes that a platform pays them for."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="links")
    round = models.CharField(max_length=8, choices=Round.choices)
    platform_key = models.CharField("platform", max_length=16, choices=PLATFORM_CHOICES, default="direct")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    is_active = models.BooleanField(default=True)
    code_done = models.CharField(max_length=64, default=new_code)
    code_failed = models.CharField("code after a failed qualification", max_length=64, default=new_code)
    code_no_work = models.CharField("code when no work is left", max_length=64, default=new_code)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(round__in=Round.values), name="join_link_round_known"),
            models.CheckConstraint(condition=Q(platform_key__in=list(PLATFORMS)), name="join_link_platform_known"),
            models.CheckConstraint(
                condition=~Q(code_done=F("code_failed"))
                & ~Q(code_done=F("code_no_work"))
                & ~Q(code_failed=F("code_no_work")),
                name="join_link_codes_differ",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.get_round_display()} ({self.platform.name})"

    @property
    def platform(self) -> Platform:
        return PLATFORMS[self.platform_key]
