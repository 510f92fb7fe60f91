"""Join links: the studies by which people come, and their completion codes."""

import secrets
from itertools import combinations
from urllib.parse import quote

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from common.constraints import CheckedAtOnce
from common.words import Words
from crowd.platforms import PLATFORMS, Platform, platform_choices

from .campaign import Campaign, Round
from .outcomes import Outcome

READABLE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without characters that look alike
CODE_LENGTH = 10
CODE_RULE = _("A code has letters, digits, hyphens and underscores only.")
CODE_OF = {
    Outcome.DONE: "code_done",
    Outcome.STOPPED_EARLY: "code_partial",
    Outcome.FAILED: "code_failed",
    Outcome.NO_WORK: "code_no_work",
    Outcome.SKIPPED: "code_skipped",
    Outcome.WITHDREW: "code_withdrew",
}
CODES = tuple(CODE_OF.values())


def new_token() -> str:
    """Return 128 random bits, URL-safe."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """Return a code that is easy to read and type. It opens nothing: a platform compares it."""
    return "".join(secrets.choice(READABLE) for _ in range(CODE_LENGTH))


def _code(label: Words) -> "models.CharField[str, str]":
    return models.CharField(
        label,
        max_length=64,
        blank=True,
        default=new_code,
        validators=[RegexValidator(r"^[\w-]*\Z", CODE_RULE)],
    )


class JoinLink(CheckedAtOnce):
    """A URL through which people join a round: a study on a platform, with a completion code for each outcome."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="links")
    round = models.CharField(max_length=8, choices=Round.choices)
    platform_key = models.CharField(_("platform"), max_length=16, choices=platform_choices, default="direct")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    is_active = models.BooleanField(default=True)
    signing_keys = models.TextField(
        blank=True, default="", help_text="The platform's public keys; if set, ids are taken from signed tokens only."
    )
    name = models.CharField(
        max_length=80, blank=True, default="", help_text=_("What staff call the study, such as “Pilot, 20 people”.")
    )
    is_test = models.BooleanField(
        default=False, help_text=_("Who comes by it is marked as a test and never part of a release.")
    )
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    max_people = models.PositiveIntegerField(
        _("maximum number of people"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    code_done = _code(_("code when all is done"))
    code_partial = _code(_("code after stopping early"))
    code_failed = _code(_("code after a failed test"))
    code_no_work = _code(_("code when no work is left"))
    code_skipped = _code(_("code after skipping most texts"))
    code_withdrew = _code(_("code after withdrawing"))
    completion_address = models.CharField(
        max_length=500, blank=True, default="", help_text=_("Of the platform, where it credits who has finished.")
    )
    wrong_ids = models.PositiveIntegerField(
        default=0, editable=False, help_text="How often someone came with an id that cannot be one."
    )
    wrong_id_example = models.CharField(max_length=60, blank=True, default="", editable=False)
    wrong_id_at = models.DateTimeField(null=True, editable=False)
    other_ids = models.PositiveIntegerField(
        default=0, editable=False, help_text="How often someone came to a direct link with an id of a platform."
    )
    other_id_platform = models.CharField(max_length=40, blank=True, default="", editable=False)
    other_id_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(round__in=Round.values), name="join_link_round_known"),
            models.CheckConstraint(condition=~Q(platform_key=""), name="join_link_has_platform"),
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(platform_key="account"), name="join_link_of_accounts_once"
            ),
            models.CheckConstraint(
                condition=~Q(platform_key="account") | Q(round="expert"), name="join_link_of_accounts_is_for_experts"
            ),
            models.UniqueConstraint(
                fields=["campaign", "name"],
                condition=~Q(name=""),
                name="join_link_name_once",
                violation_error_message=_("Another link of this campaign has this name."),
            ),
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(closes_at__gt=F("opens_at")),
                name="join_link_opens_before_it_closes",
                violation_error_message=_("A link closes after it has opened."),
            ),
            models.CheckConstraint(condition=Q(max_people=None) | Q(max_people__gte=1), name="join_link_takes_someone"),
            models.CheckConstraint(
                condition=Q(wrong_ids=0, wrong_id_at=None) | Q(wrong_ids__gt=0, wrong_id_at__isnull=False),
                name="join_link_wrong_id_has_time",
            ),
            models.CheckConstraint(
                condition=Q(other_ids=0, other_id_at=None, other_id_platform="")
                | (Q(other_ids__gt=0, other_id_at__isnull=False) & ~Q(other_id_platform="")),
                name="join_link_other_id_has_time",
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{one: ""}) | ~Q(**{one: F(other)}),
                    name=f"join_link_{one}_not_{other[5:]}",
                    violation_error_message=_("Two outcomes have the same code: a code must say which one it was."),
                )
                for one, other in combinations(CODES, 2)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.title}"

    def get_absolute_url(self) -> str:
        return reverse("crowd:join", args=[self.token])

    def clean(self) -> None:
        if self.completion_address and not self.platform.returns_to(self.completion_address):
            hosts = ", ".join(each.lstrip(".") for each in self.platform.return_hosts)
            words = _("Give an https address at %(hosts)s.") if hosts else _("%(platform)s has no such address.")
            values = {"hosts": hosts, "platform": self.platform.name}
            raise ValidationError({"completion_address": words % values})

    @property
    def codes(self) -> list[tuple[str, str, str]]:
        """The name of each code, when it is given, and the code."""
        return [(name, str(self._meta.get_field(name).verbose_name), getattr(self, name)) for name in CODES]  # type: ignore[union-attr]

    @property
    def takes_people(self) -> bool:
        """Whether new people may come, as far as the link's switch and the campaign's state say."""
        return self.is_active and self.campaign.takes_work(self.round, is_test=self.is_test)

    @property
    def wants_id(self) -> bool:
        return self.platform.id_required or bool(self.signing_keys)

    @property
    def platform(self) -> Platform:
        return PLATFORMS[self.platform_key]

    def code_for(self, outcome: str, submitted: int) -> str:
        """Return the code of a visit that ended so, after so many tasks; empty if there is none.

        Who is still working has none, and who stopped early has one only if the campaign says so.
        """
        if outcome == Outcome.STOPPED_EARLY and not self.campaign.pays_in_part(submitted):
            return ""
        name = CODE_OF.get(Outcome(outcome))
        return str(getattr(self, name)) if name else ""

    def return_address(self, code: str, worker_id: str) -> str:
        """Where a participant who has got a code goes back to; empty if there is no such address."""
        if self.completion_address and code == self.code_done:
            mark = self.platform.id_mark
            return self.completion_address.replace(mark, quote(worker_id, safe="")) if mark else self.completion_address
        return self.platform.return_address(code)

    @property
    def title(self) -> str:
        return self.name or f"{self.get_round_display()} · {self.platform.name}"
