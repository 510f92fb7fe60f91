"""Mails to staff who asked for them: a round is complete, many raters are flagged, a job failed.

A timer of the worker looks what has happened, keeps it as a notice, and sends what is not sent yet. Sending is tried a
few times; whatever fails, the timer and the campaign go on.
"""

import logging
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from common.clock import database_now
from common.jobs import job_kind
from crowd.models import Campaign, CampaignState, Membership, Notice, Round
from crowd.models.notices import MAX_ATTEMPTS
from crowd.public_address import public_address
from crowd.selectors.campaigns import workers_count
from dashboard.webhooks.events import complete_rounds, failed_jobs
from ratings.models import RaterFlags

logger = logging.getLogger(__name__)

RECENT = timedelta(hours=24)
"""Older failures are not news for someone who has just asked for mails."""
FEWEST_FLAGGED, FLAGGED_SHARE = 5, 0.2
AT_ONCE = 50
Found = tuple[str, str, str]  # kind, key, words


def mail_is_set() -> bool:
    """Whether this installation has a mail server."""
    return bool(settings.SENDS_MAIL)


@transaction.atomic
def member_notify(*, campaign: Campaign, user: User, wanted: bool) -> bool:
    """Send an account mails about a campaign, or no more; return whether it is a member with an address."""
    member = Membership.objects.filter(campaign=campaign, user=user)
    if wanted and not user.email:
        return False
    return bool(member.update(is_notified=wanted))


def notices_send() -> None:
    """Find what has happened in the campaigns that someone wants mails about, and send the mails."""
    if not mail_is_set():
        return
    wanted = Membership.objects.filter(is_notified=True, user__is_active=True).exclude(user__email="")
    campaigns = Campaign.objects.filter(pk__in=wanted.values("campaign"), sandbox_of=None)
    for campaign in campaigns.exclude(state=CampaignState.ARCHIVED).order_by("pk"):
        for kind, key, words in _found(campaign):
            Notice.objects.get_or_create(
                campaign=campaign, kind=kind, key=key, defaults={"words": words[:500], "created_at": database_now()}
            )
    unsent = Notice.objects.filter(sent_at=None, attempts__lt=MAX_ATTEMPTS).select_related("campaign").order_by("pk")
    for notice in unsent[:AT_ONCE]:
        _send(notice)


def _found(campaign: Campaign) -> Iterator[Found]:
    yield from _complete_rounds(campaign)
    yield from _many_flags(campaign)
    yield from _failed_jobs(campaign)


def _complete_rounds(campaign: Campaign) -> Iterator[Found]:
    for each in complete_rounds(campaign):
        words = f"The {each.work_round.label.lower()} is complete: all {each.wanted:,} tasks are done."
        yield Notice.Kind.ROUND, each.key, words


def _many_flags(campaign: Campaign) -> Iterator[Found]:
    """Yield whether many raters are flagged, as far as the flags are kept (`ratings/services/rating_counts.py`)."""
    known = RaterFlags.objects.filter(campaign=campaign).first()
    if known is None or len(known.flags) < FEWEST_FLAGGED:
        return
    raters = workers_count(campaign, Round.RATE)
    if len(known.flags) >= FLAGGED_SHARE * raters:
        yield Notice.Kind.FLAGS, "raters", f"{len(known.flags):,} of {raters:,} raters are flagged for a closer look."


def _failed_jobs(campaign: Campaign) -> Iterator[Found]:
    for job in failed_jobs(campaign, database_now() - RECENT):
        kind = job_kind(job.kind)
        yield Notice.Kind.JOB, str(job.pk), f"A job failed: {kind.label if kind else job.kind}."


def _send(notice: Notice) -> None:
    """Send a notice to all who want it, unless another process is sending it."""
    mine = Notice.objects.filter(pk=notice.pk, sent_at=None, attempts=notice.attempts)
    if not mine.update(attempts=F("attempts") + 1):
        return
    try:
        # One message to all, so that none of them gets it twice if it has to be tried again.
        EmailMessage(_subject(notice), _body(notice), bcc=_addresses(notice.campaign)).send()
    except Exception as error:  # a mail server can fail in any way, and its words may hold addresses
        logger.warning("a mail about %s could not be sent (%s)", notice.campaign.slug, type(error).__name__)
        return
    Notice.objects.filter(pk=notice.pk).update(sent_at=database_now())


def _addresses(campaign: Campaign) -> list[str]:
    wanted = Membership.objects.filter(campaign=campaign, is_notified=True, user__is_active=True)
    return sorted(set(wanted.exclude(user__email="").values_list("user__email", flat=True)))


def _subject(notice: Notice) -> str:
    return f"Précis: {notice.get_kind_display()}"


def _body(notice: Notice) -> str:
    address = public_address(notice.campaign)
    where = f"\n\n{address}" if address else ""
    why = _("You get this email because you asked for it on the dashboard of this campaign.")
    name = " ".join(notice.campaign.name.split())
    return f"{name}\n\n{notice.words}{where}\n\n{why}\n"
