"""The settings of a campaign, in groups small enough for a page each."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from common.words import Words

SCALES_TEXT, ARMS_TEXT = "scales_text", "arms_text"
WRITTEN = {SCALES_TEXT: "scales", ARMS_TEXT: "arms"}
"""The settings that staff write as lines of text, by the field in which they do."""


@dataclass(frozen=True)
class Group:
    """Settings under one heading."""

    heading: Words
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Tab:
    """A page of settings; `key` is its part of the address, empty for the first one."""

    key: str
    title: Words
    groups: tuple[Group, ...]
    is_read: bool = False
    """Whether these are texts that participants read, shown with a preview."""

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(name for group in self.groups for name in group.fields)

    @property
    def settings(self) -> frozenset[str]:
        """The settings of the campaign that it changes."""
        return frozenset(WRITTEN.get(name, name) for name in self.fields)


GENERAL = Tab(
    "",
    _("General"),
    (
        Group(_("The campaign"), ("name", "slug", "page_language")),
        Group(_("What is released"), ("description", "language", "licence", "homepage", "texts_go_on_erasure")),
        Group(_("The analysis that you plan"), ("primary_metric", "hypothesis")),
    ),
)
TEXTS = Tab(
    "texts",
    _("Shortening"),
    (
        Group(
            _("The rule"),
            ("keep_percent", "editor_start", "editor_task", "fusion_within_longer", "fusion_asks_sentences"),
        ),
        Group(_("How much work"), ("editors_per_source", "editor_tasks", "lease_minutes")),
        Group(_("What is imported"), ("sentence_min_words", "paragraph_min_words")),
    ),
)
RATERS = Tab(
    "raters",
    _("Rating"),
    (
        Group(_("What raters see"), ("rating_task", SCALES_TEXT, ARMS_TEXT, "ratings_per_page")),
        Group(_("How much work"), ("raters_per_compression", "extra_raters", "rater_tasks", "pairs_per_compression")),
    ),
)
CHECKS = Tab(
    "checks",
    _("Checks"),
    (
        Group(
            _("The raters’ test"),
            (
                "qualification_questions",
                "qualification_pass_percent",
                "qualification_tries",
                "qualification_wait_minutes",
            ),
        ),
        Group(_("Mixed in with the texts to rate"), ("system_percent", "gold_percent", "gold_warn_percent")),
        Group(_("How the work came to be"), ("record_leaving",)),
    ),
)
PAY = Tab(
    "pay",
    _("Pay"),
    (
        Group(_("Money"), ("currency", "minimum_hourly_pay", "partial_after", "platform_fee_percent", "budget")),
        Group(_("Editors"), ("editor_pay", "editor_pay_unit", "editor_minutes", "editor_partial_pay")),
        Group(_("Raters"), ("rater_pay", "rater_pay_unit", "rater_minutes", "rater_partial_pay", "failed_pay")),
    ),
)
CONSENT = Tab("consent", _("Consent"), (Group("", ("consent",)),), is_read=True)
GUIDELINES = Tab(
    "guidelines",
    _("Editor guidelines"),
    (Group("", ("editor_guidelines", "sentence_examples", "paragraph_examples")),),
    is_read=True,
)
RATER_GUIDELINES = Tab("rater-guidelines", _("Rater guidelines"), (Group("", ("rater_guidelines",)),), is_read=True)
TABS = (GENERAL, TEXTS, RATERS, CHECKS, PAY, CONSENT, GUIDELINES, RATER_GUIDELINES)
BY_KEY: Mapping[str, Tab] = {tab.key: tab for tab in TABS if tab.key}


def tab_of(setting: str) -> Tab:
    """Return the tab on which a setting stands."""
    return next(tab for tab in TABS if setting in tab.settings)
