"""Workers, their exclusions, and their enrolments in rounds."""

import math
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from common.clock import database_now
from common.words import Words
from crowd.scales import Scale

from .campaign import Campaign, Round
from .links import JoinLink
from .outcomes import NOT_OVER, Outcome
from .settings_version import SettingsVersion

MAX_NAME_LENGTH = 40
REVIEW_TIME = timedelta(minutes=30)
IMPORTED = "imported"  # in place of a platform: of people whom another release names


class Worker(models.Model):
    """One person in one campaign. The platform's id is stored only here."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="workers")
    platform_key = models.CharField(max_length=16)
    external_id = models.CharField(max_length=200, blank=True)
    number = models.PositiveIntegerField(help_text="What the person is called in the campaign and in its releases.")
    imported_name = models.CharField(
        max_length=MAX_NAME_LENGTH, blank=True, help_text="What another release calls the person."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    is_simulated = models.BooleanField(default=False, help_text="A program that works as a person would.")
    is_test = models.BooleanField(default=False, help_text="Came by a test link; never part of a release.")
    erased_at = models.DateTimeField(null=True, help_text="When this person's data were erased at their wish.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(erased_at=None) | Q(external_id=""), name="worker_erased_has_no_id"),
            models.UniqueConstraint(fields=["campaign", "number"], name="worker_number_once"),
            models.UniqueConstraint(
                fields=["campaign", "platform_key", "external_id"],
                condition=~Q(external_id=""),
                name="worker_platform_id_once",
            ),
        ]

    def __str__(self) -> str:
        return f"worker {self.public_name}"

    @property
    def is_imported(self) -> bool:
        return self.platform_key == IMPORTED

    @property
    def public_name(self) -> str:
        """The pseudonym, the only name used in pages and releases."""
        return self.imported_name or str(self.number)


class ManualDecision(models.Model):
    """A decision by staff about a person in a round, with its reason.

    A withdrawn decision stays on record, with the time and the account that withdrew it.
    """

    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="%(class)ss")
    round = models.CharField(max_length=8, choices=Round.choices)
    note = models.CharField(max_length=500)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="%(class)ss_made"
    )
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="%(class)ss_withdrawn"
    )

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["worker", "round"], condition=Q(withdrawn_at=None), name="%(class)s_in_force_once"
            ),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="%(class)s_round_known"),
            models.CheckConstraint(condition=~Q(note=""), name="%(class)s_says_why"),
        ]


class Exclusion(ManualDecision):
    """Exclude a person from a round: their slots reopen, and releases omit their work. Nothing is deleted."""

    decision: Words = _("excluded")

    def __str__(self) -> str:
        return f"{self.worker} excluded from the {self.get_round_display().lower()}"


class Enrolment(models.Model):
    """A worker's participation in a round, created when they consent.

    The link, the platform's ids and the outcome are those of the current visit. Who comes by another link of the round
    begins another visit; the one before becomes a `PastVisit`.
    """

    Outcome = Outcome

    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="enrolments")
    round = models.CharField(max_length=8, choices=Round.choices)
    link = models.ForeignKey(JoinLink, on_delete=models.PROTECT, related_name="enrolments")
    study_id = models.CharField(max_length=200, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    browser_hash = models.CharField(
        max_length=64, blank=True, default="", help_text="Of the browser that holds the visit of a person with an id."
    )
    consented_at = models.DateTimeField()
    visit_began_at = models.DateTimeField(
        null=True, help_text="When the person came by the current link; null if by the first, when they consented."
    )
    settings_version = models.ForeignKey(
        SettingsVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="enrolments",
        help_text="What the person consented to; null from before versions were recorded.",
    )
    guidelines_read_at = models.DateTimeField(null=True)
    guidelines_version = models.ForeignKey(
        SettingsVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The guidelines that the person read last; null if none, or from before versions were recorded.",
    )
    qualified_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.WORKING)
    finished_at = models.DateTimeField(null=True, help_text="When the current visit had nothing left to do.")
    is_excluded = models.BooleanField(default=False, help_text="An exclusion of this person is in force.")
    arm = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="Into which they were drawn, if the round has arms.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "round"], name="enrolment_once_per_round"),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="enrolment_round_known"),
            models.CheckConstraint(
                condition=Q(guidelines_version=None) | Q(guidelines_read_at__isnull=False),
                name="enrolment_read_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker} in the {self.get_round_display().lower()}"

    @property
    def campaign(self) -> Campaign:
        return self.link.campaign

    @property
    def shown_scales(self) -> tuple[Scale, ...]:
        """The scales on which this person rates, as they read them."""
        return self.campaign.scales_of(self.arm)

    @property
    def most_points(self) -> int:
        """How many points the longest of them has."""
        return max(len(scale.points) for scale in self.shown_scales)

    @property
    def guidelines_are_new(self) -> bool:
        """Whether the guidelines have changed since this person read them."""
        changed = self.campaign.guidelines_changed_id(self.round)
        is_read = self.guidelines_read_at is not None
        return is_read and changed is not None and (self.guidelines_version_id or 0) < changed

    @property
    def must_read_guidelines(self) -> bool:
        return self.guidelines_read_at is None or self.guidelines_are_new

    @property
    def guidelines(self) -> str:
        """What people of this round read first: what the task itself says, or what staff wrote."""
        campaign = self.campaign
        written = campaign.editor_guidelines if self.round == Round.EDIT else campaign.rater_guidelines
        return str(campaign.task.words_in(self.round).guidelines) or written

    @property
    def takes_work(self) -> bool:
        """Whether people like this one are given new work at the moment."""
        return self.campaign.takes_work(self.round, is_test=self.worker.is_test)

    @property
    def is_closed(self) -> bool:
        """Whether submitted work is final: the visit is over, and the time to look the answers over, too."""
        return self.campaign.is_final or (self.outcome not in NOT_OVER and not self.review_minutes)

    @property
    def review_minutes(self) -> int:
        """The minutes in which answers can still be corrected after the visit has finished by itself; else 0."""
        if self.finished_at is None or self.outcome not in {Outcome.DONE, Outcome.SKIPPED} or self.campaign.is_final:
            return 0
        left = self.finished_at + REVIEW_TIME - database_now()
        return max(0, math.ceil(left / timedelta(minutes=1)))

    def completion_code(self, submitted: int) -> str:
        """Return the code for the outcome of the visit, in which so many tasks were submitted; empty if none."""
        return self.link.code_for(self.outcome, submitted)


class Stratum(models.TextChoices):
    """Whose arms are drawn in blocks of their own, so that those of participants come out even."""

    PEOPLE = "people", _("participants")
    TEST = "test", _("test participants")
    SIMULATED = "simulated", _("simulated participants")


class ArmDraw(models.Model):
    """One person's place in the list by which people of a round are drawn into arms, stored as they join.

    The seed of the campaign gives the list. Of somebody whose data were erased the place stays, without the person.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="arm_draws")
    round = models.CharField(max_length=8, choices=Round.choices)
    stratum = models.CharField(max_length=9, choices=Stratum.choices)
    number = models.PositiveIntegerField()
    arm = models.CharField(max_length=40)
    drawn_at = models.DateTimeField()
    enrolment = models.OneToOneField(Enrolment, null=True, on_delete=models.SET_NULL, related_name="arm_draw")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "round", "stratum", "number"], name="arm_draw_number_once"),
            models.CheckConstraint(condition=~Q(arm="") & Q(number__gte=1), name="arm_draw_has_arm"),
            models.CheckConstraint(condition=Q(round=Round.RATE), name="arm_draw_of_raters"),
            models.CheckConstraint(condition=Q(stratum__in=Stratum.values), name="arm_draw_stratum_known"),
        ]

    def __str__(self) -> str:
        return f"{self.arm}, {self.get_stratum_display()} {self.number} of {self.campaign}"


class PastVisit(models.Model):
    """A visit that was followed by another one, by another link of the same round."""

    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="past_visits")
    link = models.ForeignKey(JoinLink, on_delete=models.PROTECT, related_name="past_visits")
    study_id = models.CharField(max_length=200, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    settings_version = models.ForeignKey(
        SettingsVersion, null=True, on_delete=models.PROTECT, related_name="+", help_text="What was consented to."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["enrolment", "link"], name="past_visit_once_per_link"),
            models.CheckConstraint(condition=Q(outcome__in=Outcome.values), name="past_visit_outcome_known"),
            models.CheckConstraint(condition=Q(ended_at__gte=F("began_at")), name="past_visit_ends_after_it_began"),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment}, by {self.link.title}"


class PaidVisit(models.Model):
    """Staff have paid a person for the visit by a link. It only remembers that: nothing is paid here."""

    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="paid_visits")
    link = models.ForeignKey(JoinLink, on_delete=models.CASCADE, related_name="paid_visits")
    paid_at = models.DateTimeField()
    paid_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["worker", "link"], name="paid_visit_once")]

    def __str__(self) -> str:
        return f"{self.worker}, paid for {self.link.title}"
