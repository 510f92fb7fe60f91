"""Workers entering and leaving a round, and by which link they take part.

A person takes part in a round once, whatever links they come by: one identity, no text twice. Each link is a study
that is paid by itself, so it has a visit of its own: the platform's ids, an outcome, a code, and as many tasks as the
campaign allows one person. The enrolment holds the current visit, and `PastVisit` the others.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from crowd.models import NO_MORE, Assignment, Campaign, Enrolment, JoinLink, Outcome, PastVisit, Round, Worker
from crowd.platforms import ACCOUNT
from crowd.round_registry import round_pages
from crowd.selectors.members import is_expert_id
from crowd.selectors.progress import NOT_OPEN, link_refusal
from crowd.selectors.work import UNFINISHED, OwnCounts, enrolment_of_id, own_counts
from crowd.services.arms import arm_draw
from crowd.services.audit import PARTICIPANT_WITHDREW
from crowd.services.browsers import browser_bind
from crowd.services.exclusions import worker_exclude
from crowd.services.leases import lease_give_back
from crowd.services.shared_browsers import people_of_browser_separate, worker_browser_note
from crowd.services.write_locks import writer_lock, writer_stop

WITHDRAWN = "The participant withdrew their work."


@dataclass(frozen=True)
class PlatformIds:
    """The ids that a platform passed for a visit; `is_signed` if it vouches for them."""

    worker_id: str = ""
    study_id: str = ""
    session_id: str = ""
    is_signed: bool = False


def worker_enter(
    *,
    link: JoinLink,
    ids: PlatformIds,
    known: Enrolment | None = None,
    browser: str = "",
    is_simulated: bool = False,
) -> Enrolment:
    """Enrol a person who consented. The same id, or the same browser without ids, always gets the same worker.

    `known` is the enrolment that the browser's session names, and `browser` its hash, by which it holds the visit of a
    person with an id (`crowd/services/browsers.py`) and is known if it comes as another person
    (`crowd/services/shared_browsers.py`); what does not come from a browser has none.
    """
    with transaction.atomic():
        enrolment = _enter(link, ids, known, browser, is_simulated=is_simulated)
        worker_browser_note(worker_id=enrolment.worker_id, browser=browser)
        if known is not None and known.worker.campaign_id == link.campaign_id:  # the session is of this browser, too
            worker_browser_note(worker_id=known.worker_id, browser=browser)
    if browser:
        people_of_browser_separate(worker_id=enrolment.worker_id)
    return enrolment


def _enter(link: JoinLink, ids: PlatformIds, known: Enrolment | None, browser: str, *, is_simulated: bool) -> Enrolment:
    if link.platform_key == ACCOUNT and not is_expert_id(link.campaign, ids.worker_id):
        raise Refused(NOT_OPEN)
    if enrolled := enrolment_of_id(link, ids.worker_id):
        browser_bind(enrolment=enrolled, browser=browser, known=known, is_signed=ids.is_signed)
        _go_on(enrolled, link, ids)
        return enrolled
    if known is not None and not ids.worker_id and has_come_by(known, link):
        _go_on(known, link, ids)
        return known
    link_admit(link=link)
    if link.wants_id and not ids.worker_id:
        words = _("We can’t see your %(platform)s ID. Please open the study from %(platform)s.")
        raise Refused(words % {"platform": link.platform.name})
    worker = _worker(link, ids, known, is_simulated=is_simulated)
    writer_lock(worker.pk)
    browser = browser if ids.worker_id else ""
    enrolment, is_new = Enrolment.objects.get_or_create(
        worker=worker,
        round=link.round,
        defaults={
            "link": link,
            "study_id": ids.study_id,
            "session_id": ids.session_id,
            "browser_hash": browser,
            "consented_at": database_now(),
            "settings_version_id": link.campaign.settings_version_id,
        },
    )
    if not is_new:  # another request of the same moment made it, or an earlier visit without an id
        browser_bind(enrolment=enrolment, browser=browser, known=known, is_signed=ids.is_signed)
        _go_on(enrolment, link, ids)
    else:
        arm_draw(enrolment=enrolment)
        if joined := round_pages(enrolment).joined:
            joined(enrolment)
    return enrolment


def has_come_by(enrolment: Enrolment, link: JoinLink) -> bool:
    """Whether the person of an enrolment comes by a link now, or did before."""
    return enrolment.link_id == link.pk or enrolment.past_visits.filter(link=link).exists()


def link_admit(*, link: JoinLink) -> None:
    """Let one more person come by a link, or refuse; call inside the transaction in which they do."""
    if link.max_people is not None:  # so that two do not take the last place
        JoinLink.objects.select_for_update(no_key=True).get(pk=link.pk)
    if refusal := link_refusal(link):
        raise Refused(refusal)


def _go_on(enrolment: Enrolment, link: JoinLink, ids: PlatformIds) -> None:
    """Let a person whom the round knows go on, by another link if they came by one."""
    writer_lock(enrolment.worker_id)
    _refuse_trying(enrolment.worker, link)
    if enrolment.link_id == link.pk:
        return
    if not enrolment.past_visits.filter(link=link).exists():
        if enrolment.is_excluded:
            raise Refused(NOT_OPEN)
        link_admit(link=link)
    visit_begin(enrolment=enrolment, link=link, study_id=ids.study_id, session_id=ids.session_id)


def enrolment_reopen(*, enrolment: Enrolment) -> None:
    """Let somebody who failed the qualification start over."""
    Enrolment.objects.filter(pk=enrolment.pk, outcome=Outcome.FAILED).update(outcome=Outcome.WORKING)
    Enrolment.objects.filter(pk=enrolment.pk).update(qualified_at=None)
    PastVisit.objects.filter(enrolment=enrolment, outcome=Outcome.FAILED).update(outcome=Outcome.WORKING)


def guidelines_accept(*, enrolment: Enrolment) -> None:
    """Record that a person has read the guidelines as they are, for the first time or after a change."""
    if enrolment.must_read_guidelines:
        enrolment.guidelines_read_at = database_now()
        enrolment.guidelines_version_id = enrolment.campaign.settings_version_id
        enrolment.save(update_fields=["guidelines_read_at", "guidelines_version"])


def enrolment_qualify(*, enrolment: Enrolment, passed: bool) -> None:
    """Record the result of the qualification; later calls change nothing.

    A test can be finished after the visit has ended: in another tab, or because staff added it later. Passing counts
    all the same. Failing does not take back that somebody is done.
    """
    known = Enrolment.objects.filter(pk=enrolment.pk, qualified_at=None, worker__erased_at=None)
    open_to_result = known.exclude(outcome__in=NO_MORE)
    if passed:
        open_to_result.update(qualified_at=database_now())
    else:
        open_to_result.exclude(outcome=Outcome.DONE).update(outcome=Outcome.FAILED)


def enrolment_finish(*, enrolment: Enrolment) -> None:
    """End a visit for which no task is left: done, without work, or for want of texts that were not skipped.

    Whoever has done all that one person may is done, whatever they skipped on the way. It is one statement, which needs
    no transaction around it.
    """
    _end(enrolment, _outcome_of(own_counts(enrolment), enrolment), finished_at=database_now())


@transaction.atomic
def enrolment_leave(*, enrolment: Enrolment) -> None:
    """End a visit early. The worker's tasks go to others; they can return through the same link."""
    writer_stop(enrolment.worker_id)
    lease_give_back(enrolment=enrolment)
    _end(enrolment, Outcome.STOPPED_EARLY)


@transaction.atomic
def enrolment_withdraw(*, enrolment: Enrolment) -> None:
    """End a visit at the wish of a person who wants none of their work of the round to be used."""
    if writer_stop(enrolment.worker_id).erased_at is not None:
        return  # what came of the visit stays as it was when their data were erased
    lease_give_back(enrolment=enrolment)
    Enrolment.objects.filter(pk=enrolment.pk).exclude(outcome=Outcome.FAILED).update(outcome=Outcome.WITHDREW)
    worker_exclude(
        worker=enrolment.worker, work_round=enrolment.round, note=WITHDRAWN, user=None, action=PARTICIPANT_WITHDREW
    )
    if after_exclusion := round_pages(enrolment).after_exclusion:
        after_exclusion(enrolment.campaign)


def _outcome_of(counts: OwnCounts, enrolment: Enrolment) -> Outcome:
    is_full = counts.by_link >= enrolment.campaign.tasks_per_worker(enrolment.round)
    if counts.skipped > counts.by_link and not is_full:
        return Outcome.SKIPPED
    return Outcome.DONE if counts.by_link else Outcome.NO_WORK


def _end(enrolment: Enrolment, outcome: Outcome, **when: datetime) -> None:
    """Set the outcome, except over one that ended the visit for good; work may be left again for who found none.

    An outcome that stands already keeps its time.
    """
    before_stop = [Outcome.NO_WORK, Outcome.SKIPPED] if outcome == Outcome.STOPPED_EARLY else []
    of_whom = Enrolment.objects.filter(pk=enrolment.pk, worker__erased_at=None)
    of_whom.exclude(outcome__in=[*NO_MORE, Outcome.DONE, outcome, *before_stop]).update(outcome=outcome, **when)


def _worker(link: JoinLink, ids: PlatformIds, known: Enrolment | None, *, is_simulated: bool) -> Worker:
    if ids.worker_id:
        named = {"platform_key": link.platform_key, "external_id": ids.worker_id}
        known_worker = Worker.objects.filter(campaign=link.campaign, **named).first()
        if known_worker is not None:
            _refuse_trying(known_worker, link)
        return known_worker or worker_create(
            campaign=link.campaign, is_simulated=is_simulated, is_test=link.is_test, **named
        )
    # Having worked in this browser before makes nobody an expert.
    is_same = known is not None and known.worker.campaign_id == link.campaign_id and known.round != Round.EXPERT
    if known is not None and is_same and link.round != Round.EXPERT and _is_kin(known.worker, link):
        return known.worker
    return worker_create(
        campaign=link.campaign, platform_key=link.platform_key, is_simulated=is_simulated, is_test=link.is_test
    )


def _refuse_trying(worker: Worker, link: JoinLink) -> None:
    """Refuse an id that would make a participant of a test participant, or the other way round."""
    if worker.is_test and not link.is_test:
        raise Refused(_("This ID was used to try out the study. The researchers can remove that trial: message them."))
    if link.is_test and not worker.is_test:
        raise Refused(_("This ID takes part in the study, so it can’t be used to try it out."))


def _is_kin(worker: Worker, link: JoinLink) -> bool:
    """Whether a person without an id may come by a link as who they are."""
    return not worker.external_id and worker.is_test == link.is_test


def worker_create(
    *,
    campaign: Campaign,
    platform_key: str,
    external_id: str = "",
    imported_name: str = "",
    is_simulated: bool = False,
    is_test: bool = False,
) -> Worker:
    """Create a worker with the campaign's next number; call inside a transaction."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # serialises the numbering
    if external_id:  # another request may have created this worker while we waited for the lock
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
        is_simulated=is_simulated,
        is_test=is_test,
    )


def visit_begin(*, enrolment: Enrolment, link: JoinLink, study_id: str, session_id: str) -> None:
    """Let a person go on by another link of their round, for the first time or again; call inside a transaction."""
    current = Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
    if current.link_id != link.pk:
        known = PastVisit.objects.filter(enrolment=current, link=link).first()
        begun = _resumed(known, current) if known else _new(current, link, study_id, session_id)
        _keep(current)
        Enrolment.objects.filter(pk=current.pk).update(**begun)
        # What the person holds goes on as work of the new visit.
        held = Assignment.objects.filter(worker=current.worker_id, round=current.round, state__in=UNFINISHED)
        held.update(link=link)
        if known:
            known.delete()
    enrolment.refresh_from_db()
    enrolment.link = link


def _keep(enrolment: Enrolment) -> None:
    """Store the current visit as a past one."""
    PastVisit.objects.create(
        enrolment=enrolment,
        link=enrolment.link,
        study_id=enrolment.study_id,
        session_id=enrolment.session_id,
        began_at=enrolment.visit_began_at or enrolment.consented_at,
        ended_at=database_now(),
        outcome=enrolment.outcome,
        settings_version=enrolment.settings_version,
    )


def _resumed(visit: PastVisit, current: Enrolment) -> dict[str, Any]:
    """Who failed the test or withdrew in between stays so, unless the visit had been finished before."""
    outcome = current.outcome if current.outcome in NO_MORE and visit.outcome != Outcome.DONE else visit.outcome
    kept = ("link_id", "study_id", "session_id", "settings_version_id")
    known = {name: getattr(visit, name) for name in kept}
    return known | {"visit_began_at": visit.began_at, "outcome": outcome, "finished_at": None}


def _new(enrolment: Enrolment, link: JoinLink, study_id: str, session_id: str) -> dict[str, Any]:
    """Who failed the test or withdrew has done so for every link of the round."""
    return {
        "link_id": link.pk,
        "study_id": study_id,
        "session_id": session_id,
        "visit_began_at": database_now(),
        "outcome": enrolment.outcome if enrolment.outcome in NO_MORE else Outcome.WORKING,
        "finished_at": None,
        "settings_version_id": link.campaign.settings_version_id,
    }
