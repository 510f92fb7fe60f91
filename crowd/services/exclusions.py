"""Keeping a person out of a round, and letting them in again. Nothing of their work is deleted."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet

from common.clock import database_now
from common.errors import Refused
from crowd.models import Assignment, Enrolment, Exclusion, Item, Worker

State = Assignment.State


@transaction.atomic
def worker_exclude(*, worker: Worker, work_round: str, note: str, user: User | None) -> Exclusion:
    """Give somebody no more work in a round, and open the places of what they did to others."""
    if not note.strip():
        raise Refused("Please say why this person is excluded.")
    Worker.objects.select_for_update(no_key=True).get(pk=worker.pk)
    in_force = Exclusion.objects.filter(worker=worker, round=work_round, withdrawn_at=None)
    if known := in_force.first():
        return known
    exclusion = Exclusion.objects.create(
        worker=worker, round=work_round, note=note.strip(), created_at=database_now(), created_by=user
    )
    Enrolment.objects.filter(worker=worker, round=work_round).update(is_excluded=True)
    own = Assignment.objects.filter(worker=worker, round=work_round)
    # The live leases first: one that is being submitted at this moment is then among the submitted ones.
    _free(own, State.LEASED, State.EXPIRED)
    _free(own, State.SUBMITTED, State.DISCARDED)
    return exclusion


@transaction.atomic
def worker_readmit(*, worker: Worker, work_round: str, user: User | None) -> None:
    """Withdraw an exclusion: what the person did counts again, beside what others have done since."""
    in_force = Exclusion.objects.filter(worker=worker, round=work_round, withdrawn_at=None)
    if not in_force.update(withdrawn_at=database_now(), withdrawn_by=user):
        return
    Enrolment.objects.filter(worker=worker, round=work_round).update(is_excluded=False)
    own = Assignment.objects.filter(worker=worker, round=work_round, state=State.DISCARDED)
    for item_id in list(own.order_by("pk").values_list("item_id", flat=True)):
        # Also of an item that is closed: what was done there is done.
        free = Item.objects.filter(pk=item_id, open_slots__gt=0)
        if not free.update(open_slots=F("open_slots") - 1):
            Item.objects.filter(pk=item_id).update(wanted=F("wanted") + 1)
    own.update(state=State.SUBMITTED)


def _free(own: QuerySet[Assignment], before: str, after: str) -> None:
    """Let assignments hold no place any more."""
    rows = list(own.filter(state=before).select_for_update(no_key=True).order_by("pk").values_list("pk", "item_id"))
    Assignment.objects.filter(pk__in=[pk for pk, _ in rows]).update(state=after)
    for _, item_id in rows:
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + 1)
