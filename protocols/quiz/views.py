"""Sounds of a quiz study: staff hear what they uploaded, and people what is on the page that is open for them."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from common.errors import NotYours
from common.ranged_files import ranged_response
from crowd.access import campaign_staff, worker_only
from crowd.models import Assignment, Campaign, Enrolment
from protocols.models import Sound
from protocols.quiz.sounds import sound_file, sound_of
from protocols.selectors import StudyWork, next_practice, study_work, subject_of
from protocols.services.pages import page_now

State = Assignment.State


@campaign_staff
@require_safe
def sound(request: HttpRequest, campaign: Campaign, sound_id: int) -> HttpResponseBase:
    return ranged_response(request, sound_file(get_object_or_404(Sound, campaign=campaign, pk=sound_id)))


@worker_only
@never_cache
@require_safe
def work_sound(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponseBase:
    """Serve what can be heard on a page while it is open: not before a quiz has begun, nor once it is over."""
    work = study_work(enrolment, assignment_id)
    found = sound_of(work.subject) if _is_open(enrolment, work) else None
    if found is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    return ranged_response(request, found)


@worker_only
@never_cache
@require_safe
def practice_sound(request: HttpRequest, enrolment: Enrolment) -> HttpResponseBase:
    material = next_practice(enrolment)
    found = sound_of(subject_of(material, "")) if material else None
    if found is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    return ranged_response(request, found)


def _is_open(enrolment: Enrolment, work: StudyWork) -> bool:
    """Whether the page with the text is the one that is open."""
    if work.assignment.state == State.SUBMITTED:
        return work.study.takes_corrections and not enrolment.is_closed
    if work.assignment.state not in {State.LEASED, State.EXPIRED} or enrolment.is_excluded:
        return False
    settings = work.study.settings_read(enrolment.campaign.task_settings)
    on = page_now(work.assignment, work.study.pages(work.subject, settings))
    return on.page.template == work.study.template and not on.is_over
