"""Keep what people of large rounds have submitted, so that pages of pay and lists of people have little to count."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from crowd.models import Campaign, Round, Worker
from ratings.models import KeptWork
from ratings.selectors.visit_work import done_since

MANY_ITEMS = 10_000
"""The work on fewer is counted within a moment."""


def work_advance(*, campaign: Campaign, until: datetime) -> None:
    """Bring what is kept of a large campaign up to a moment before which everything has been committed."""
    if campaign.items.count() <= MANY_ITEMS:
        return
    for each in Round:
        if campaign.items.filter(round=each).exists():
            _round_advance(campaign, each, until)


def _round_advance(campaign: Campaign, work_round: Round, until: datetime) -> None:
    kept, _ = KeptWork.objects.get_or_create(campaign=campaign, round=work_round, defaults={"until": until})
    work = done_since(kept, until).dump()
    if work != kept.work:
        # If people have been forgotten meanwhile, or another process was quicker, nothing is written.
        same = KeptWork.objects.filter(pk=kept.pk, revision=kept.revision)
        same.update(until=until, work=work, revision=kept.revision + 1)


@transaction.atomic
def work_forget(*, workers: Collection[int]) -> None:
    """Forget some people because what they submitted is deleted; call it in the transaction that deletes it."""
    campaigns = Worker.objects.filter(pk__in=workers).values("campaign")
    for kept in KeptWork.objects.filter(campaign__in=campaigns).select_for_update(no_key=True).order_by("pk"):
        kept.work = {pk: done for pk, done in kept.work.items() if int(pk) not in workers}
        kept.revision += 1
        kept.save(update_fields=["work", "revision"])
