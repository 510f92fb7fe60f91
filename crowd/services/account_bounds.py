"""What one account may begin in a day, and who may begin campaigns: nobody fills what all share.

Requests of pages and of the API are bounded alike, whatever the role. Commands on the server have no account.
Campaigns and invitations are counted in the audit log, which outlives them.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.errors import Refused, TooManyRequests
from common.jobs import unfinished_jobs
from common.models import Job
from common.rate_limits import RateLimit, rate_limit_count, rate_limit_take
from common.words import Words
from crowd.models import AuditEntry
from crowd.services.audit import CAMPAIGN_CREATED, INVITATION_ACCEPTED, INVITATION_MADE


class NoCreator(Refused, PermissionDenied):
    """The account may not create campaigns."""

    def __init__(self) -> None:
        super().__init__(
            _("Your account was made for a campaign of others, so it cannot create one. Ask whoever runs this Précis.")
        )


DAY = timedelta(days=1)
KIB, MIB = 2**10, 2**20
NEAR = 0.8
"""The share of a bound from which an account is near it."""
TOGETHER = timedelta(minutes=1)


@dataclass(frozen=True)
class Bound:
    """One thing that an account has so many of, and may have so many."""

    words: Words
    has: int
    most: int

    @property
    def is_near(self) -> bool:
        return self.has >= NEAR * self.most


def account_bounds(user: User) -> list[Bound]:
    """Return all that is bounded for an account."""
    jobs = unfinished_jobs().filter(requested_by=user).count()
    uploaded = math.ceil(rate_limit_count(_uploads(), user.pk) / KIB)
    return [
        Bound(
            gettext_lazy("campaigns created within a day"), _of_day(user, CAMPAIGN_CREATED), settings.CAMPAIGNS_PER_DAY
        ),
        Bound(gettext_lazy("jobs waiting or running"), jobs, settings.JOBS_PER_ACCOUNT),
        Bound(gettext_lazy("MiB uploaded today"), uploaded, settings.UPLOADS_MB_PER_DAY),
        Bound(gettext_lazy("invitations within a day"), _of_day(user, INVITATION_MADE), settings.INVITATIONS_PER_DAY),
    ]


def accounts_near_bounds() -> Iterable[tuple[User, Bound]]:
    """Yield the accounts that are near a bound, with it, among those that have begun anything within a day."""
    begun: set[int | None] = set(unfinished_jobs().values_list("requested_by", flat=True))
    begun |= set(Job.objects.filter(created_at__gte=_since()).values_list("requested_by", flat=True))
    counted = AuditEntry.objects.filter(action__in=[CAMPAIGN_CREATED, INVITATION_MADE], created_at__gte=_since())
    begun |= set(counted.values_list("user", flat=True))
    for user in User.objects.filter(pk__in=[pk for pk in begun if pk is not None]).order_by("pk"):
        yield from ((user, bound) for bound in account_bounds(user) if bound.is_near)


def may_create_campaigns(user: User) -> bool:
    """Whether an account may create campaigns: those that are named, or else all that no invitation has made."""
    if user.is_superuser or settings.CAMPAIGN_CREATORS:
        return user.is_superuser or user.get_username() in settings.CAMPAIGN_CREATORS
    made_by_one = AuditEntry.objects.filter(
        user=user, action=INVITATION_ACCEPTED, created_at__lt=user.date_joined + TOGETHER
    )
    return not made_by_one.exists()


def campaign_bound(user: User) -> None:
    """Refuse another campaign of an account; call inside a transaction."""
    if not may_create_campaigns(user):
        raise NoCreator
    _one_after_the_other(user)
    _within(
        _of_day(user, CAMPAIGN_CREATED), settings.CAMPAIGNS_PER_DAY, _("You have created %(n)s campaigns within a day.")
    )


def invitation_bound(user: User) -> None:
    """Refuse another invitation of an account; call inside a transaction."""
    _one_after_the_other(user)
    most = settings.INVITATIONS_PER_DAY
    _within(_of_day(user, INVITATION_MADE), most, _("You have made %(n)s invitations within a day."))


@transaction.atomic
def upload_take(user: User, size: int) -> None:
    """Count an upload of so many bytes, or refuse it, and then it does not count."""
    rate_limit_take(_uploads(), user.pk, events=max(1, size // KIB))


def _uploads() -> RateLimit:
    words = gettext_lazy("You have uploaded as much as an account may in a day.")
    return RateLimit("upload-kib", settings.UPLOADS_MB_PER_DAY * KIB, int(DAY.total_seconds()), message=words)


def _one_after_the_other(user: User) -> None:
    """Requests of the same moment would all find room."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _within(has: int, most: int, words: str) -> None:
    if has >= most:
        raise TooManyRequests(words % {"n": most} + " " + _("Go on tomorrow."), retry_after=3600)


def _since() -> datetime:
    return database_now() - DAY


def _of_day(user: User, action: str) -> int:
    return AuditEntry.objects.filter(user=user, action=action, created_at__gte=_since()).count()
