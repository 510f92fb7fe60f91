"""Versions of a campaign's settings: what was in force when somebody consented, wrote or rated."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings as django_settings
from django.db import models
from django.db.models import Q

# What participants read, or what their work is held to. Changing it once people have joined asks for a confirmation.
TOLD_OR_HELD_TO = (
    "consent",
    "editor_guidelines",
    "sentence_examples",
    "paragraph_examples",
    "rater_guidelines",
    "texts_go_on_erasure",
    "record_leaving",
    "editor_task",
    "fusion_within_longer",
    "fusion_asks_sentences",
    "editor_start",
    "keep_percent",
    "qualification_pass_percent",
    "qualification_tries",
    "qualification_wait_minutes",
    "rating_task",
    "task_settings",
    "scales",
    "partial_after",
    "currency",
    "editor_pay",
    "editor_pay_unit",
    "editor_minutes",
    "rater_pay",
    "rater_pay_unit",
    "rater_minutes",
    "editor_partial_pay",
    "rater_partial_pay",
    "failed_pay",
)
# What else shapes how work is collected.
ONLY_RECORDED = (
    "editors_per_source",
    "raters_per_compression",
    "editor_tasks",
    "rater_tasks",
    "lease_minutes",
    "sentence_min_words",
    "paragraph_min_words",
    "arms",
    "ratings_per_page",
    "extra_raters",
    "pairs_per_compression",
    "system_percent",
    "gold_percent",
    "gold_warn_percent",
    "qualification_questions",
    "page_language",
    "primary_metric",
    "hypothesis",
    "planned_analysis",
)
VERSIONED = TOLD_OR_HELD_TO + ONLY_RECORDED
# What describes the corpus, or is not a setting. A test holds that each field of a campaign is in one of the lists.
NOT_VERSIONED = (
    "id",
    "slug",
    "name",
    "staff",
    "state",
    "edit_paused",
    "rate_paused",
    "expert_paused",
    "sandbox_of",
    "minimum_hourly_pay",
    "platform_fee_percent",
    "budget",
    "created_at",
    "description",
    "language",
    "licence",
    "homepage",
    "settings_version",
    "editor_guidelines_changed",
    "rater_guidelines_changed",
    "arms_seed",
)
EDITORS_READ = ("editor_guidelines", "sentence_examples", "paragraph_examples")
RATERS_READ = ("rater_guidelines",)
PEOPLE_READ = ("consent", *EDITORS_READ, *RATERS_READ)


class SettingsVersion(models.Model):
    """The settings of a campaign as they were from one change to the next; immutable.

    Work refers to the version it was done under. Work without a version was imported, or is older than the versions.
    """

    campaign = models.ForeignKey("crowd.Campaign", on_delete=models.CASCADE, related_name="settings_versions")
    number = models.PositiveIntegerField()
    settings = models.JSONField(help_text="The value of each versioned setting.")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        django_settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="settings_versions"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="settings_version_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="settings_version_from_one"),
        ]

    def __str__(self) -> str:
        return f"settings {self.number} of {self.campaign}"


def changed_names(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the versioned settings in which two snapshots differ, in the order of the lists.

    Snapshots from before a setting existed say nothing about it.
    """
    both = [name for name in VERSIONED if name in before and name in after]
    return [name for name in both if _comparable(before[name]) != _comparable(after[name])]


def _comparable(value: Any) -> Any:
    return plain_text(value) if isinstance(value, str) else value


def plain_text(text: str) -> str:
    """Return a text with lines ended by LF and nothing around it: a form ends them differently, which is no change."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
