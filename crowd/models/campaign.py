"""Campaigns and their settings."""

import secrets
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import CheckedAtOnce
from crowd.arms import Arm, arms_load
from crowd.scales import Scale, as_shown_side_by_side, default_scales, scales_load, scales_of_arm, told_apart
from crowd.tasks import SINGLE, TASKS, JudgementTask, task_choices, task_of

from .setting_words import label_of
from .settings_version import VERSIONED, SettingsVersion


class Round(models.TextChoices):
    EDIT = "edit", _("Editor round")
    RATE = "rate", _("Rater round")
    EXPERT = "expert", _("Expert round")


class CampaignState(models.TextChoices):
    """Where a campaign is in its life. Staff may go from each state to each other one."""

    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    PAUSED = "paused", _("paused")
    CLOSED = "closed", _("closed")
    ARCHIVED = "archived", _("archived")


class PayUnit(models.TextChoices):
    """What a round's pay is paid for."""

    TEXT = "text", _("per text")
    STUDY = "study", _("per study")


class EditorStart(models.TextChoices):
    """The initial content of the editor's text box."""

    SOURCE = "source", _("the source")
    EMPTY = "empty", _("none: an empty box")
    CHOICE = "choice", _("the source, and the editor may empty the box")


class EditorTask(models.TextChoices):
    """What editors make of a text."""

    COMPRESS = "compress", _("a shorter text")
    FUSE = "fuse", _("one sentence of the text’s two")


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
    "qualification_questions": (0, 200),
    "qualification_tries": (1, 20),
    "qualification_wait_minutes": (0, 30 * 24 * 60),
    "ratings_per_page": (1, 20),
    "pairs_per_compression": (1, 20),
    "gold_percent": (0, 50),
    "gold_warn_percent": (0, 100),
    "system_percent": (0, 100),
    "partial_after": (0, 30_000),
}
MONEY = (
    "editor_pay",
    "rater_pay",
    "editor_partial_pay",
    "rater_partial_pay",
    "failed_pay",
    "minimum_hourly_pay",
    "budget",
)
MINUTES = ("editor_minutes", "rater_minutes")
MOST_MONEY, MOST_MINUTES, MOST_FEE = Decimal("999999.99"), 24 * 60, Decimal(200)


def _number(name: str, default: int) -> "models.PositiveSmallIntegerField[int, int]":
    """Return the field of a numeric setting. Forms validate its range; the database enforces it."""
    minimum, maximum = RANGES[name]
    validators = [MinValueValidator(minimum), MaxValueValidator(maximum)]
    return models.PositiveSmallIntegerField(label_of(name), default=default, validators=validators)


def _money(name: str, most: Decimal = MOST_MONEY) -> "models.DecimalField[Decimal | None, Decimal | None]":
    validators = [MinValueValidator(Decimal(0)), MaxValueValidator(most)]
    return models.DecimalField(
        label_of(name), max_digits=8, decimal_places=2, null=True, blank=True, validators=validators
    )


def _minutes(name: str) -> "models.PositiveSmallIntegerField[int | None, int | None]":
    validators = [MinValueValidator(1), MaxValueValidator(MOST_MINUTES)]
    return models.PositiveSmallIntegerField(label_of(name), null=True, blank=True, validators=validators)


def drawn_seed() -> int:
    return secrets.randbelow(2**31)


class Campaign(CheckedAtOnce):
    slug = models.SlugField(label_of("slug"), unique=True)
    name = models.CharField(label_of("name"), max_length=200)
    staff = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="crowd.Membership", related_name="campaigns", blank=True
    )
    state = models.CharField(max_length=8, choices=CampaignState.choices, default=CampaignState.OPEN)
    edit_paused = models.BooleanField(_("editor round paused"), default=False)
    rate_paused = models.BooleanField(_("rater round paused"), default=False)
    expert_paused = models.BooleanField(_("expert round paused"), default=False)
    sandbox_of = models.ForeignKey(
        "self",
        null=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="sandboxes",
        help_text="The campaign that this one shows a preview of; nothing in it lasts.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    consent = models.TextField(label_of("consent"))
    editor_guidelines = models.TextField(label_of("editor_guidelines"))
    sentence_examples = models.TextField(label_of("sentence_examples"), blank=True)
    paragraph_examples = models.TextField(label_of("paragraph_examples"), blank=True)
    rater_guidelines = models.TextField(label_of("rater_guidelines"))

    description = models.TextField(label_of("description"), blank=True, default="")
    language = models.CharField(
        label_of("language"),
        max_length=20,
        default="en",
        validators=[
            RegexValidator(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z", _("Give a language tag, such as en or pt-BR."))
        ],
    )
    page_language = models.CharField(label_of("page_language"), max_length=16, choices=settings.LANGUAGES, default="en")
    licence = models.CharField(
        label_of("licence"),
        max_length=60,
        blank=True,
        default="",
        validators=[RegexValidator(r"^[A-Za-z0-9.+-]+\Z", _("Give a licence's short name, such as cc-by-4.0."))],
    )
    homepage = models.URLField(label_of("homepage"), blank=True, default="")
    primary_metric = models.CharField(label_of("primary_metric"), max_length=200, blank=True, default="", db_default="")
    hypothesis = models.TextField(label_of("hypothesis"), max_length=2_000, blank=True, default="", db_default="")
    texts_go_on_erasure = models.BooleanField(label_of("texts_go_on_erasure"), default=False)
    # Off for campaigns from before it: their participants agreed to another text.
    record_leaving = models.BooleanField(label_of("record_leaving"), default=True, db_default=False)

    editors_per_source = _number("editors_per_source", default=5)
    raters_per_compression = _number("raters_per_compression", default=3)
    editor_tasks = _number("editor_tasks", default=10)
    rater_tasks = _number("rater_tasks", default=20)
    lease_minutes = _number("lease_minutes", default=30)

    editor_task = models.CharField(
        label_of("editor_task"),
        max_length=8,
        choices=EditorTask.choices,
        default=EditorTask.COMPRESS,
        db_default=EditorTask.COMPRESS,
    )
    fusion_within_longer = models.BooleanField(label_of("fusion_within_longer"), default=False, db_default=False)
    fusion_asks_sentences = models.BooleanField(label_of("fusion_asks_sentences"), default=False, db_default=False)
    editor_start = models.CharField(
        label_of("editor_start"), max_length=8, choices=EditorStart.choices, default=EditorStart.SOURCE
    )
    keep_percent = _number("keep_percent", default=75)
    sentence_min_words = _number("sentence_min_words", default=15)
    paragraph_min_words = _number("paragraph_min_words", default=25)

    qualification_pass_percent = _number("qualification_pass_percent", default=70)
    qualification_questions = _number("qualification_questions", default=12)
    qualification_tries = _number("qualification_tries", default=2)
    qualification_wait_minutes = _number("qualification_wait_minutes", default=0)

    rating_task = models.CharField(label_of("rating_task"), max_length=8, choices=task_choices(), default=SINGLE.key)
    planned_analysis = models.JSONField(label_of("planned_analysis"), default=dict, db_default={}, blank=True)
    task_settings = models.JSONField(label_of("task_settings"), default=dict, db_default={}, blank=True)
    scales = models.JSONField(label_of("scales"), default=default_scales)
    arms = models.JSONField(label_of("arms"), blank=True, default=list, db_default=[])
    arms_seed = models.PositiveIntegerField(
        default=drawn_seed, db_default=0, editable=False, help_text="By which raters are drawn into arms."
    )
    ratings_per_page = _number("ratings_per_page", default=1)
    extra_raters = models.BooleanField(label_of("extra_raters"), default=False)
    pairs_per_compression = _number("pairs_per_compression", default=2)
    system_percent = _number("system_percent", default=30)
    gold_percent = _number("gold_percent", default=5)
    gold_warn_percent = _number("gold_warn_percent", default=60)

    partial_after = _number("partial_after", default=0)
    currency = models.CharField(
        label_of("currency"),
        max_length=3,
        default="GBP",
        validators=[RegexValidator(r"^[A-Z]{3}\Z", _("Give a currency's three letters, such as GBP."))],
    )
    editor_pay = _money("editor_pay")
    editor_pay_unit = models.CharField(
        label_of("editor_pay_unit"), max_length=8, choices=PayUnit.choices, default=PayUnit.STUDY
    )
    editor_minutes = _minutes("editor_minutes")
    rater_pay = _money("rater_pay")
    rater_pay_unit = models.CharField(
        label_of("rater_pay_unit"), max_length=8, choices=PayUnit.choices, default=PayUnit.STUDY
    )
    rater_minutes = _minutes("rater_minutes")
    editor_partial_pay = _money("editor_partial_pay")
    rater_partial_pay = _money("rater_partial_pay")
    failed_pay = _money("failed_pay")
    minimum_hourly_pay = _money("minimum_hourly_pay")
    platform_fee_percent = _money("platform_fee_percent", most=MOST_FEE)
    budget = _money("budget")

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
            models.CheckConstraint(
                condition=Q(editor_task=EditorTask.COMPRESS)
                | Q(editor_task=EditorTask.FUSE, editor_start=EditorStart.EMPTY),
                name="campaign_editor_task_known",
                violation_error_message=_("Who makes one sentence of two begins with an empty box."),
            ),
            models.CheckConstraint(
                condition=Q(rating_task__in=[task.key for task in TASKS]), name="campaign_rating_task_known"
            ),
            models.CheckConstraint(condition=Q(state__in=CampaignState.values), name="campaign_state_known"),
            models.CheckConstraint(
                condition=Q(page_language__in=[tag for tag, _name in settings.LANGUAGES]),
                name="campaign_page_language_known",
            ),
            models.CheckConstraint(
                condition=Q(editor_pay_unit__in=PayUnit.values, rater_pay_unit__in=PayUnit.values),
                name="campaign_pay_units_known",
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{name: None}) | Q(**{f"{name}__gte": 0}), name=f"campaign_{name}_range"
                )
                for name in MONEY
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{name: None}) | Q(**{f"{name}__gte": 1, f"{name}__lte": MOST_MINUTES}),
                    name=f"campaign_{name}_range",
                )
                for name in MINUTES
            ),
            models.CheckConstraint(
                condition=Q(platform_fee_percent=None)
                | Q(platform_fee_percent__gte=0, platform_fee_percent__lte=MOST_FEE),
                name="campaign_platform_fee_percent_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse a name of several lines: names stand in files, mails and logs."""
        if len(self.name.splitlines()) > 1:
            raise ValidationError({"name": _("This can have one line only.")})

    @property
    def versioned_settings(self) -> dict[str, Any]:
        """The settings that a version records, as they are now."""
        return {name: _as_recorded(getattr(self, name)) for name in VERSIONED}

    @property
    def fuses(self) -> bool:
        """Whether editors make one sentence of two, instead of shortening a text."""
        return self.editor_task == EditorTask.FUSE

    @property
    def is_open(self) -> bool:
        return self.state == CampaignState.OPEN

    @property
    def is_archived(self) -> bool:
        """Whether the campaign is only looked at: nothing in it changes."""
        return self.state == CampaignState.ARCHIVED

    @property
    def is_final(self) -> bool:
        """Whether what people have submitted can no longer be corrected."""
        return self.state in {CampaignState.CLOSED, CampaignState.ARCHIVED}

    def pays_in_part(self, submitted: int) -> bool:
        """Whether who stops early after so many tasks gets the partial code."""
        return 0 < self.partial_after <= submitted

    def is_paused(self, work_round: str) -> bool:
        """Whether staff have paused a round: people finish what they hold, and nobody is given anything new."""
        paused: bool = getattr(self, f"{work_round}_paused")
        return paused

    def takes_work(self, work_round: str, *, is_test: bool = False) -> bool:
        """Whether people are given new work in a round; test participants are while it is a draft, too."""
        is_running = self.is_open or (is_test and self.state == CampaignState.DRAFT)
        return is_running and not self.is_paused(work_round)

    @property
    def rating_scales(self) -> tuple[Scale, ...]:
        """The scales of all arms, under names that tell them apart."""
        return told_apart(scales_load(self.scales))

    @property
    def shown_scales(self) -> tuple[Scale, ...]:
        """The same with the points as worded on the raters' pages."""
        return as_shown_side_by_side(self.rating_scales) if self.task.asks_preference else self.rating_scales

    @property
    def rating_arms(self) -> tuple[Arm, ...]:
        return arms_load(self.arms)

    def scales_of(self, arm: str) -> tuple[Scale, ...]:
        """Return the scales of a person of an arm as they read them; all of them for somebody in none."""
        if not arm:
            return self.shown_scales
        own = scales_of_arm(scales_load(self.scales), arm)
        return as_shown_side_by_side(own) if self.task.asks_preference else own

    @property
    def task(self) -> JudgementTask:
        """What a rater judges at once."""
        return task_of(self.rating_task)

    def people_per_item(self, work_round: str) -> int:
        """Return how many people an item wants; of a rater round with arms, so many in each of them."""
        if work_round == Round.EDIT:
            return self.editors_per_source
        return self.raters_per_compression * (max(1, len(self.arms)) if work_round == Round.RATE else 1)

    def tasks_per_worker(self, work_round: str) -> int:
        """Return how many tasks one person may do; experts have no limit, since they rate the whole sample."""
        limits = {Round.EDIT: self.editor_tasks, Round.RATE: self.rater_tasks}
        return limits.get(Round(work_round), NO_LIMIT)

    def guidelines_changed_id(self, work_round: str) -> int | None:
        """Return the id of the version that last changed the guidelines of a round; None if none has."""
        return self.editor_guidelines_changed_id if work_round == Round.EDIT else self.rater_guidelines_changed_id

    def tasks_per_page(self, work_round: str) -> int:
        return 1 if work_round == Round.EDIT else self.ratings_per_page


def _as_recorded(value: Any) -> Any:
    """Return a setting as a version records it; JSON has no decimal numbers."""
    return f"{value:.2f}" if isinstance(value, Decimal) else value
