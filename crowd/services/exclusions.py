"""Exclude people from a round and readmit them. None of their work is deleted."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from crowd.models import Assignment, Enrolment, Exclusion, Item, Outcome, Round, Worker
from crowd.services.audit import audit_record
from crowd.services.leases import arm_is_full
from crowd.services.write_locks import writer_stop

State = Assignment.State


@transaction.atomic
def worker_exclude(
    *, worker: Worker, work_round: str, note: str, user: User | None, action: str = "participant excluded"
) -> Exclusion:
    """Exclude a worker from a round: they get no more work, and the slots of what they did reopen.

    `action` is what the audit log calls it.
    """
    if not note.strip():
        raise Refused(_("Say why this person is excluded."))
    writer_stop(worker.pk)
    in_force = Exclusion.objects.filter(worker=worker, round=work_round, withdrawn_at=None)
    if known := in_force.first():
        return known
    exclusion = Exclusion.objects.create(
        worker=worker, round=work_round, note=note.strip(), created_at=database_now(), created_by=user
    )
    Enrolment.objects.filter(worker=worker, round=work_round).update(is_excluded=True)
    own = Assignment.objects.filter(worker=worker, round=work_round)
    # Live leases first: one that is being submitted concurrently is then found among the submitted ones.
    _release_slots(own, State.LEASED, State.EXPIRED)
    _release_slots(own, State.SUBMITTED, State.DISCARDED)
    # And again: a submission that was waited for may have taken the next task with it.
    _release_slots(own, State.LEASED, State.EXPIRED)
    person_record(worker=worker, work_round=work_round, user=user, action=action)
    return exclusion


@transaction.atomic
def worker_readmit(*, worker: Worker, work_round: str, user: User | None) -> None:
    """Withdraw an exclusion: the person's work counts again, along with what others have done since."""
    if worker.erased_at:
        raise Refused(_("This participant’s data was erased, so what was decided about their work stays."))
    own_visits = Enrolment.objects.filter(worker=worker, round=work_round)
    withdrew = Q(outcome=Outcome.WITHDREW) | Q(past_visits__outcome=Outcome.WITHDREW)
    if own_visits.filter(withdrew).exists():
        raise Refused(_("This participant withdrew their work, so it stays excluded."))
    in_force = Exclusion.objects.filter(worker=worker, round=work_round, withdrawn_at=None)
    if not in_force.update(withdrawn_at=database_now(), withdrawn_by=user):
        return
    Enrolment.objects.filter(worker=worker, round=work_round).update(is_excluded=False)
    own = Assignment.objects.filter(worker=worker, round=work_round, state=State.DISCARDED)
    enrolment = own_visits.select_related("link__campaign").first()
    for item_id in list(own.order_by("pk").values_list("item_id", flat=True)):
        # Closed items included: the work there is already done.
        with_open_slot = Item.objects.filter(pk=item_id, open_slots__gt=0)
        # The open slots of an item are not theirs where another of their arm has come in their place.
        if (enrolment and arm_is_full(item_id, enrolment)) or not with_open_slot.update(open_slots=F("open_slots") - 1):
            Item.objects.filter(pk=item_id).update(wanted=F("wanted") + 1)
    own.update(state=State.SUBMITTED)
    person_record(worker=worker, work_round=work_round, user=user, action="participant readmitted")


def person_record(*, worker: Worker, work_round: str, user: User | None, action: str) -> None:
    """Record a decision about a person, without its reason: that can be erased, and the log cannot."""
    subject, detail = f"participant {worker.public_name}", str(Round(work_round).label)
    audit_record(campaign=worker.campaign, user=user, action=action, subject=subject, detail=detail)


def _release_slots(own: QuerySet[Assignment], before: str, after: str) -> None:
    """Move assignments from state `before` to `after` and release their slots."""
    rows = list(own.filter(state=before).select_for_update(no_key=True).order_by("pk").values_list("pk", "item_id"))
    Assignment.objects.filter(pk__in=[pk for pk, _item in rows]).update(state=after)
    for _pk, item_id in rows:
        Item.objects.filter(pk=item_id).update(open_slots=F("open_slots") + 1)
