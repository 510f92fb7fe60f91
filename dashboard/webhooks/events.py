"""Find what webhooks are to be told, store each event once, and queue a delivery for each webhook that wants it.

A timer of the worker looks into the tables, so nobody who works in a campaign waits for any of it. Looking begins
outside of transactions; only what is new is stored in one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
from django.urls import reverse

from common.clock import database_now
from common.models import Job
from compressions.models import Compression
from compressions.selectors.flags import flagged_compressions
from corpus.models import Release
from crowd.models import Campaign, CampaignState, Round, Webhook, WebhookDelivery, WebhookEvent, WebhookKind
from crowd.selectors.progress import RoundProgress, progress_of_rounds


@dataclass(frozen=True)
class CompleteRound:
    """A round in which all is done."""

    work_round: Round
    wanted: int

    @property
    def key(self) -> str:
        """One whose total grows afterwards is news again when that is done, too."""
        return f"{self.work_round.value}:{self.wanted}"


def complete_rounds(campaign: Campaign) -> Iterator[CompleteRound]:
    """Yield the rounds in which all is done. That of raters is not as long as editors write more to rate."""
    found = progress_of_rounds([campaign.pk])
    edited = found.get((campaign.pk, Round.EDIT.value), RoundProgress())
    for each in Round:
        progress = found.get((campaign.pk, each.value), RoundProgress())
        is_growing = each == Round.RATE and edited.wanted > 0 and not edited.is_complete
        if progress.is_complete and not is_growing:
            yield CompleteRound(each, progress.wanted)


def failed_jobs(campaign: Campaign, since: datetime) -> QuerySet[Job]:
    """Return the jobs that have failed from a moment on."""
    return Job.objects.filter(campaign=campaign, state=Job.State.FAILED, finished_at__gte=since).order_by("pk")


LOOKS_BACK = timedelta(days=7)
"""What happened longer ago, while no worker was there, is not told any more."""
KEPT_FOR = timedelta(days=30)
FLAGS_EVERY = timedelta(minutes=5)
FLAGS_SETTLE = timedelta(minutes=1)
MOST_IDS = 1000


@dataclass(frozen=True)
class Found:
    """Something that happened, and the webhooks that want to be told."""

    kind: WebhookKind
    key: str
    data: dict[str, Any]
    at: datetime
    webhooks: tuple[Webhook, ...]


def webhook_events_find() -> int:
    """Store what has happened in campaigns with webhooks, and queue it; return how many events are new."""
    if not settings.WEBHOOK_RECEIVERS:
        return 0
    wanted = Webhook.objects.filter(is_active=True, campaign__sandbox_of=None)
    by_campaign = defaultdict(list)
    for webhook in wanted.exclude(campaign__state=CampaignState.ARCHIVED).select_related("campaign").order_by("pk"):
        by_campaign[webhook.campaign].append(webhook)
    return sum(_find_in(campaign, webhooks) for campaign, webhooks in by_campaign.items())


def rounds_note(campaign: Campaign) -> None:
    """Store which rounds are complete already, so that a webhook that is made now is not told."""
    for found in _rounds(campaign, ()):
        _event(campaign, found)


def delivery_queue(event: WebhookEvent, webhook: Webhook) -> WebhookDelivery:
    """Queue an event for a webhook, to be sent as soon as possible."""
    now = database_now()
    return WebhookDelivery.objects.create(webhook=webhook, event=event, queued_at=now, next_try_at=now)


def webhook_events_forget_old() -> int:
    """Delete deliveries after 30 days, and then their events; return how many deliveries.

    Of the rounds, what was told is kept: they stay complete, and would be told again.
    """
    before = database_now() - KEPT_FOR
    deleted, _rows = WebhookDelivery.objects.filter(ended_at__lt=before).delete()
    WebhookEvent.objects.filter(happened_at__lt=before, deliveries=None).exclude(kind=WebhookKind.ROUND).delete()
    return deleted


def _find_in(campaign: Campaign, webhooks: Sequence[Webhook]) -> int:
    found = [each for each in _found(campaign, webhooks) if each.webhooks]
    known = set(
        WebhookEvent.objects.filter(campaign=campaign, key__in=[each.key for each in found]).values_list("kind", "key")
    )
    new = [each for each in found if (each.kind.value, each.key) not in known]
    return sum(_store(campaign, each) for each in new)


def _found(campaign: Campaign, webhooks: Sequence[Webhook]) -> Iterator[Found]:
    of = {kind: tuple(each for each in webhooks if kind.value in each.events) for kind in WebhookKind}
    if of[WebhookKind.ROUND]:
        yield from _rounds(campaign, of[WebhookKind.ROUND])
    if of[WebhookKind.RELEASE]:
        yield from _releases(campaign, of[WebhookKind.RELEASE])
    if of[WebhookKind.JOB]:
        yield from _jobs(campaign, of[WebhookKind.JOB])
    if of[WebhookKind.FLAGS]:
        yield from _flags(campaign, of[WebhookKind.FLAGS])


def _rounds(campaign: Campaign, webhooks: tuple[Webhook, ...]) -> Iterator[Found]:
    for each in complete_rounds(campaign):
        data = {"round": each.work_round.value, "tasks": each.wanted, "address": _api(campaign)}
        yield Found(WebhookKind.ROUND, each.key, data, database_now(), webhooks)


def _releases(campaign: Campaign, webhooks: tuple[Webhook, ...]) -> Iterator[Found]:
    ready = Release.objects.filter(
        campaign=campaign, state=Release.State.READY, finished_at__gte=_since(webhooks)
    ).order_by("pk")
    for release in ready:
        at = _moment(release.finished_at)
        data = {
            "version": release.version,
            "name": release.name,
            "checksum": release.checksum,
            "address": _api(campaign, f"releases/{release.version}/"),
        }
        yield Found(WebhookKind.RELEASE, str(release.pk), data, at, _active_then(webhooks, at))


def _jobs(campaign: Campaign, webhooks: tuple[Webhook, ...]) -> Iterator[Found]:
    for job in failed_jobs(campaign, _since(webhooks)):
        at = _moment(job.finished_at)
        data = {"job": job.pk, "kind": job.kind, "attempts": job.attempts, "address": _api(campaign, f"jobs/{job.pk}/")}
        yield Found(WebhookKind.JOB, str(job.pk), data, at, _active_then(webhooks, at))


def _flags(campaign: Campaign, webhooks: tuple[Webhook, ...]) -> Iterator[Found]:
    """Yield what was flagged behind the marks of the webhooks; they differ only until they are told of the same."""
    now = database_now()
    last = WebhookEvent.objects.filter(campaign=campaign, kind=WebhookKind.FLAGS).aggregate(at=Max("happened_at"))["at"]
    if last is not None and now - last < FLAGS_EVERY:
        return
    upto = _settled(campaign, now)
    for mark in sorted({each.flags_mark for each in webhooks}):
        behind = flagged_compressions(campaign).filter(pk__gt=mark, pk__lte=upto).order_by("pk")
        rows = list(behind.values_list("pk", "flag_kinds")[: MOST_IDS + 1])
        told = rows[:MOST_IDS]
        if not told:
            continue
        kinds = Counter(kind for _pk, names in told for kind in names.split())
        data = {
            "count": len(told),
            "compressions": [pk for pk, _names in told],
            "kinds": dict(sorted(kinds.items())),
            "more": len(rows) > MOST_IDS,
            "address": _api(campaign, "flags/"),
        }
        behind_mark = tuple(each for each in webhooks if each.flags_mark == mark)
        yield Found(WebhookKind.FLAGS, f"{mark}-{told[-1][0]}", data, now, behind_mark)


def _settled(campaign: Campaign, now: datetime) -> int:
    """Return the last compression up to which none is being submitted or still to be compared with the editor's others.

    Comparing is what flags some of them, minutes later (`compressions/services/comparison.py`).
    """
    written = Compression.objects.filter(source__campaign=campaign, is_imported=False)
    unsettled = Q(is_compared=False) | Q(assignment__submitted_at__gt=now - FLAGS_SETTLE)
    first = written.filter(unsettled).aggregate(first=Min("pk"))["first"]
    if first is not None:
        return int(first) - 1
    return int(written.aggregate(last=Max("pk"))["last"] or 0)


@transaction.atomic
def _store(campaign: Campaign, found: Found) -> int:
    """Store an event and its deliveries, unless another worker has done so or its webhooks are gone; return 1 or 0."""
    ids = [each.pk for each in found.webhooks]
    there = Webhook.objects.select_for_update(no_key=True).filter(pk__in=ids, is_active=True).order_by("pk")
    live = [each for each in there if found.kind.value in each.events]
    event, is_new = _event(campaign, found)
    if not is_new:
        return 0
    for webhook in live:
        delivery_queue(event, webhook)
    if found.kind is WebhookKind.FLAGS:
        Webhook.objects.filter(pk__in=ids).update(flags_mark=found.data["compressions"][-1])
    return 1


def _event(campaign: Campaign, found: Found) -> tuple[WebhookEvent, bool]:
    return WebhookEvent.objects.get_or_create(
        campaign=campaign,
        kind=found.kind,
        key=found.key,
        defaults={"data": found.data, "happened_at": found.at},
    )


def _since(webhooks: Iterable[Webhook]) -> datetime:
    return max(min(each.active_since for each in webhooks), database_now() - LOOKS_BACK)


def _active_then(webhooks: Iterable[Webhook], at: datetime) -> tuple[Webhook, ...]:
    return tuple(each for each in webhooks if each.active_since <= at)


def _moment(at: datetime | None) -> datetime:
    """Return when something ended that has ended, as the query asked for."""
    assert at is not None
    return at


def _api(campaign: Campaign, below: str = "") -> str:
    """Return the API's address of something in a campaign; without a public name, from the slash on."""
    return f"{settings.PUBLIC_ORIGIN}{reverse('crowd-api:campaign', args=[campaign.slug])}{below}"
