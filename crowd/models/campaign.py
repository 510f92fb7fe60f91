"""Campaigns, their settings and their join links."""

import secrets
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from crowd.platforms import PLATFORMS, Platform, platform_choices
from crowd.scales import Scale, as_shown_side_by_side, default_scales, scales_load

from .settings_version import VERSIONED, SettingsVersion


class Round(models.TextChoices):
    EDIT = "edit", "Editor round"
    RATE = "rate", "Rater round"
    EXPERT = "expert", "Expert round"


class EditorStart(models.TextChoices):
    """The initial content of the editor's text box."""

    SOURCE = "source", "the source"
    EMPTY = "empty", "nothing"
    CHOICE = "choice", "the source, and the editor may empty the box"


class RatingTask(models.TextChoices):
    """What a rater is shown in one task."""

    SINGLE = "single", "one shorter version at a time, on scales"
    PAIR = "pair", "two shorter versions side by side: which is better"


def new_token() -> str:
    """Return 128 random bits, URL-safe."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """Return 128 random bits as upper-case hex, easy to read and type."""
    return secrets.token_hex(16).upper()


NO_LIMIT = 1_000_000
RANGES = {
    "editors_per_source": (1, 50),
    "raters_per_compression": (1, 50),
    "editor_tasks": (1, 30_000),
    "rater_tasks": (1, 30_000),
    "lease_minutes": (1, 7 * 24 * 60),
    "keep_percent": (1, 99),
    "sentence_min_words": (1, 1_000),
    "paragraph_min_words": (1, 1_000),
    "qualification_pass_percent": (0, 100),
    "qualification_tries": (1, 20),
    "qualification_wait_minutes": (0, 30 * 24 * 60),
    "ratings_per_page": (1, 20),
    "pairs_per_compression": (1, 20),
    "gold_percent": (0, 50),
    "gold_warn_percent": (0, 100),
    "system_percent": (0, 100),
}


def _number(label: str, name: str, default: int) -> "models.PositiveSmallIntegerField[int, int]":
    """Return the field of a numeric setting. Forms validate its range; the database enforces it."""
    minimum, maximum = RANGES[name]
    validators = [MinValueValidator(minimum), MaxValueValidator(maximum)]
    return models.PositiveSmallIntegerField(label, default=default, validators=validators)


class Campaign(models.Model):
    slug = models.SlugField(
        "short name", unique=True, help_text="Stands in addresses and names of releases. Chosen once."
    )
    name = models.CharField(max_length=200)
    staff = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="campaigns", blank=True)
    is_open = models.BooleanField("open for new work", default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    consent = models.TextField(help_text="Markdown. Who asks, how long it takes, what happens with the data.")
    editor_guidelines = models.TextField(help_text="Markdown. Examples have fields of their own.")
    sentence_examples = models.TextField(
        "examples of sentences", blank=True, help_text="Markdown. Good and bad compressions of a sentence."
    )
    paragraph_examples = models.TextField(
        "examples of paragraphs", blank=True, help_text="Markdown. Good and bad compressions of a paragraph."
    )
    rater_guidelines = models.TextField(help_text="Markdown.")

    description = models.TextField(
        "description of the corpus", blank=True, default="", help_text="Stands at the head of every release."
    )
    language = models.CharField(
        "language of the texts",
        max_length=20,
        default="en",
        validators=[
            RegexValidator(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z", "Give a language tag, such as en or pt-BR.")
        ],
        help_text="Such as en or pt-BR.",
    )
    licence = models.CharField(
        max_length=60,
        blank=True,
        default="",
        validators=[RegexValidator(r"^[A-Za-z0-9.+-]+\Z", "Give a licence's short name, such as cc-by-4.0.")],
        help_text="Of what is released, by its SPDX name, such as cc-by-4.0.",
    )
    homepage = models.URLField("address of the project", blank=True, default="")
    texts_go_on_erasure = models.BooleanField(
        "texts of people who withdraw their data go, too (else they stay without a person)", default=False
    )

    editors_per_source = _number("editors per source", "editors_per_source", default=5)
    raters_per_compression = _number("raters per compression", "raters_per_compression", default=3)
    editor_tasks = _number("texts per editor", "editor_tasks", default=10)
    rater_tasks = _number("judgements per rater", "rater_tasks", default=20)
    lease_minutes = _number("minutes before a claimed task goes to somebody else", "lease_minutes", default=30)

    editor_start = models.CharField(
        "what an editor's box holds at first", max_length=8, choices=EditorStart.choices, default=EditorStart.SOURCE
    )
    keep_percent = _number("longest compression, in % of the source's characters", "keep_percent", default=75)
    sentence_min_words = _number("least words of a sentence", "sentence_min_words", default=15)
    paragraph_min_words = _number("least words of a paragraph", "paragraph_min_words", default=25)

    qualification_pass_percent = _number(
        "right answers that pass the test, in %", "qualification_pass_percent", default=70
    )
    qualification_tries = _number("tries at the test", "qualification_tries", default=2)
    qualification_wait_minutes = _number("minutes to wait between two tries", "qualification_wait_minutes", default=0)

    rating_task = models.CharField(
        "what a rater judges", max_length=8, choices=RatingTask.choices, default=RatingTask.SINGLE
    )
    scales = models.JSONField(default=default_scales)
    ratings_per_page = _number("texts on one page of a rater", "ratings_per_page", default=1)
    extra_raters = models.BooleanField("two more raters where the first three disagree by two points", default=False)
    pairs_per_compression = _number(
        "side by side: with how many earlier versions a new one is compared", "pairs_per_compression", default=2
    )
    system_percent = _number("share of outputs of systems, in %", "system_percent", default=30)
    gold_percent = _number("share of gold items in the long run, in %", "gold_percent", default=5)
    gold_warn_percent = _number(
        "warn of raters who agree with less of the gold items, in %", "gold_warn_percent", default=60
    )

    # Null only until `campaign_create` has made the first version. RESTRICT: they go with the campaign, never before.
    settings_version = models.ForeignKey(
        SettingsVersion, null=True, editable=False, on_delete=models.RESTRICT, related_name="+"
    )
    # The version that last changed what people read before they begin; null where the first one still stands.
    editor_guidelines_changed = models.ForeignKey(
        SettingsVersion, null=True, editable=False, on_delete=models.RESTRICT, related_name="+"
    )
    rater_guidelines_changed = models.ForeignKey(
        SettingsVersion, null=True, editable=False, on_delete=models.RESTRICT, related_name="+"
    )

    class Meta:
        constraints = [
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{name}__gte": minimum, f"{name}__lte": maximum}), name=f"campaign_{name}_range"
                )
                for name, (minimum, maximum) in RANGES.items()
            ),
            models.CheckConstraint(
                condition=Q(editor_start__in=EditorStart.values), name="campaign_editor_start_known"
            ),
            models.CheckConstraint(condition=Q(rating_task__in=RatingTask.values), name="campaign_rating_task_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def versioned_settings(self) -> dict[str, Any]:
        """The settings that a version records, as they are now."""
        return {name: getattr(self, name) for name in VERSIONED}

    @property
    def rating_scales(self) -> tuple[Scale, ...]:
        return scales_load(self.scales)

    @property
    def shown_scales(self) -> tuple[Scale, ...]:
        """The scales as worded on the raters' pages."""
        return as_shown_side_by_side(self.rating_scales) if self.is_side_by_side else self.rating_scales

    @property
    def is_side_by_side(self) -> bool:
        return self.rating_task == RatingTask.PAIR

    def people_per_item(self, work_round: str) -> int:
        return self.editors_per_source if work_round == Round.EDIT else self.raters_per_compression

    def tasks_per_worker(self, work_round: str) -> int:
        """Return how many tasks one person may do; experts have no limit, since they rate the whole sample."""
        limits = {Round.EDIT: self.editor_tasks, Round.RATE: self.rater_tasks}
        return limits.get(Round(work_round), NO_LIMIT)

    def guidelines_changed_id(self, work_round: str) -> int | None:
        """Return the id of the version that last changed the guidelines of a round; None if none has."""
        return self.editor_guidelines_changed_id if work_round == Round.EDIT else self.rater_guidelines_changed_id

    def tasks_per_page(self, work_round: str) -> int:
        return 1 if work_round == Round.EDIT else self.ratings_per_page


class JoinLink(models.Model):
    """A URL through which people join a round, and the completion codes for their platform."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="links")
    round = models.CharField(max_length=8, choices=Round.choices)
    platform_key = models.CharField("platform", max_length=16, choices=platform_choices, default="direct")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    is_active = models.BooleanField(default=True)
    signing_keys = models.TextField(
        blank=True, default="", help_text="The platform's public keys; if set, ids are taken from signed tokens only."
    )
    code_done = models.CharField(max_length=64, default=new_code)
    code_failed = models.CharField("code after a failed qualification", max_length=64, default=new_code)
    code_no_work = models.CharField("code when no work is left", max_length=64, default=new_code)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(round__in=Round.values), name="join_link_round_known"),
            models.CheckConstraint(condition=~Q(platform_key=""), name="join_link_has_platform"),
            models.CheckConstraint(
                condition=~Q(code_done=F("code_failed"))
                & ~Q(code_done=F("code_no_work"))
                & ~Q(code_failed=F("code_no_work")),
                name="join_link_codes_differ",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.get_round_display()} ({self.platform.name})"

    def get_absolute_url(self) -> str:
        return reverse("crowd:join", args=[self.token])

    @property
    def wants_id(self) -> bool:
        return self.platform.id_required or bool(self.signing_keys)

    @property
    def platform(self) -> Platform:
        return PLATFORMS[self.platform_key]
