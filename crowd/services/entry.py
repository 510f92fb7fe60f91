"""People coming in and leaving."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from common.clock import database_now
from common.errors import Refused
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Round, Worker
from crowd.selectors.work import enrolment_of_id
from crowd.services.claims import lease_give_back

Outcome = Enrolment.Outcome
NOT_OPEN = "This study does not take new people at the moment."


@dataclass(frozen=True)
class PlatformIds:
    """What a platform said about a visit."""

    worker_id: str = ""
    study_id: str = ""
    session_id: str = ""


@transaction.atomic
def worker_enter(*, link: JoinLink, ids: PlatformIds, known: Enrolment | None = None) -> Enrolment:
    """Enrol the person who consented; the same id, or the same browser without ids, always meets the same worker."""
    if enrolled := enrolment_of_id(link, ids.worker_id):
        return enrolled
    if not link.is_active or not link.campaign.is_open:
        raise Refused(NOT_OPEN)
    if link.platform.id_required and not ids.worker_id:
        raise Refused(f"Please open the link from your {link.platform.name} page: your id was not in the address.")
    worker = _worker(link, ids, known)
    enrolment, _ = Enrolment.objects.get_or_create(
        worker=worker,
        round=link.round,
        defaults={
            "link": link,
            "study_id": ids.study_id,
            "session_id": ids.session_id,
            "consented_at": database_now(),
        },
    )
    return enrolment


def enrolment_reopen(*, enrolment: Enrolment) -> None:
    """Let somebody who failed the qualification begin again."""
    Enrolment.objects.filter(pk=enrolment.pk, outcome=Outcome.FAILED).update(outcome=Outcome.WORKING)
    Enrolment.objects.filter(pk=enrolment.pk).update(qualified_at=None)


def guidelines_accept(*, enrolment: Enrolment) -> None:
    Enrolment.objects.filter(pk=enrolment.pk, guidelines_read_at=None).update(guidelines_read_at=database_now())


def enrolment_qualify(*, enrolment: Enrolment, passed: bool) -> None:
    """Record how the qualification ended, once."""
    working = Enrolment.objects.filter(pk=enrolment.pk, qualified_at=None, outcome=Outcome.WORKING)
    working.update(**({"qualified_at": database_now()} if passed else {"outcome": Outcome.FAILED}))


@transaction.atomic
def enrolment_finish(*, enrolment: Enrolment) -> None:
    """End a visit that gets no further task: with the code for work done, or for having found none."""
    submitted = Assignment.objects.filter(
        worker_id=enrolment.worker_id, round=enrolment.round, state=Assignment.State.SUBMITTED
    )
    _end(enrolment, Outcome.DONE if submitted.exists() else Outcome.NO_WORK)


@transaction.atomic
def enrolment_leave(*, enrolment: Enrolment) -> None:
    """Let somebody stop before they are done. Their task goes to others; they can come back by the same link."""
    lease_give_back(enrolment=enrolment)
    _end(enrolment, Outcome.STOPPED_EARLY)


def _end(enrolment: Enrolment, outcome: str) -> None:
    """A failed qualification and work done stay what they are."""
    final = [Outcome.FAILED, Outcome.DONE] if outcome == Outcome.STOPPED_EARLY else [Outcome.FAILED]
    Enrolment.objects.filter(pk=enrolment.pk).exclude(outcome__in=final).update(outcome=outcome)


def _worker(link: JoinLink, ids: PlatformIds, known: Enrolment | None) -> Worker:
    if ids.worker_id:
        named = {"platform_key": link.platform_key, "external_id": ids.worker_id}
        known_worker = Worker.objects.filter(campaign=link.campaign, **named).first()
        return known_worker or worker_create(campaign=link.campaign, **named)
    # Nobody is an expert because they have worked in this browser before.
    is_same = known is not None and known.worker.campaign_id == link.campaign_id and known.round != Round.EXPERT
    if known is not None and is_same and link.round != Round.EXPERT and not known.worker.external_id:
        return known.worker
    return worker_create(campaign=link.campaign, platform_key=link.platform_key)


def worker_create(*, campaign: Campaign, platform_key: str, external_id: str = "", imported_name: str = "") -> Worker:
    """A person with the next number of the campaign; the caller holds the transaction."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # one number at a time
    if external_id:  # somebody else may have entered by this id while we waited
        by_id = Worker.objects.filter(campaign=campaign, platform_key=platform_key, external_id=external_id)
        if worker := by_id.first():
            return worker
    last = Worker.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"]
    return Worker.objects.create(
        campaign=campaign,
        platform_key=platform_key,
        external_id=external_id,
        number=(last or 0) + 1,
        imported_name=imported_name,
    )
