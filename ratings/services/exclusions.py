"""Excluding a person from a round, with what it means for the texts of an editor."""

from django.contrib.auth.models import User
from django.db import transaction

from compressions.selectors.authors import targets_only_by
from crowd.models import Round, Worker
from crowd.services.exclusions import worker_exclude, worker_readmit
from crowd.services.items import items_close, items_reopen


@transaction.atomic
def person_exclude(*, worker: Worker, work_round: str, note: str, user: User | None) -> None:
    """Keep somebody out of a round. Raters are given no more texts that only this person wrote."""
    worker_exclude(worker=worker, work_round=work_round, note=note, user=user)
    if work_round == Round.EDIT:
        items_close(item_ids=targets_only_by(worker))


@transaction.atomic
def person_readmit(*, worker: Worker, work_round: str, user: User | None) -> None:
    """Let somebody in again; their texts go on being judged."""
    item_ids = targets_only_by(worker) if work_round == Round.EDIT else []
    worker_readmit(worker=worker, work_round=work_round, user=user)
    if item_ids:
        items_reopen(item_ids=item_ids, people=worker.campaign.raters_per_compression)
