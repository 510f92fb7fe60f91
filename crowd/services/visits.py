"""By which link a person takes part.

A person takes part in a round once, whatever links they come by: one identity, no text twice. Each link is a study
that is paid by itself, so it has a visit of its own: the platform's ids, an outcome, a code, and as many tasks as the
campaign allows one person. The enrolment holds the current visit, and `PastVisit` the others.
"""

from typing import Any

from common.clock import database_now
from crowd.models import NO_MORE, Assignment, Enrolment, JoinLink, Outcome, PastVisit
from crowd.selectors.work import UNFINISHED


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
    return {"visit_began_at": visit.began_at, "outcome": outcome} | {name: getattr(visit, name) for name in kept}


def _new(enrolment: Enrolment, link: JoinLink, study_id: str, session_id: str) -> dict[str, Any]:
    """Who failed the test or withdrew has done so for every link of the round."""
    return {
        "link_id": link.pk,
        "study_id": study_id,
        "session_id": session_id,
        "visit_began_at": database_now(),
        "outcome": enrolment.outcome if enrolment.outcome in NO_MORE else Outcome.WORKING,
        "settings_version_id": link.campaign.settings_version_id,
    }
