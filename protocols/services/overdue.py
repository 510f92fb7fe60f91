"""Hand in what people left lying on a page whose time is over: what they had saved is their answer."""

from contextlib import suppress
from datetime import timedelta

from common.clock import database_now
from common.errors import Refused
from crowd.models import Assignment, CampaignState, Enrolment
from protocols.models import PageVisit
from protocols.selectors import study_work
from protocols.services.pages import GRACE, draft_fields, page_now, time_over_fields
from protocols.services.responses import response_submit

State = Assignment.State
AT_ONCE = 500
LONGEST = timedelta(days=30)
"""Pages that were opened before that are left as they are."""


def overdue_hand_in() -> int:
    """Hand in the pages of people who did not come back; return how many."""
    now = database_now()
    left = PageVisit.objects.filter(
        left_at=None,
        opened_at__range=(now - LONGEST, now - GRACE),
        assignment__state__in=[State.LEASED, State.EXPIRED],
        assignment__item__campaign__state__in=[CampaignState.OPEN, CampaignState.PAUSED, CampaignState.DRAFT],
    )
    return sum(_hand_in(each) for each in left.select_related("assignment").order_by("pk")[:AT_ONCE])


def _hand_in(visit: PageVisit) -> bool:
    people = Enrolment.objects.select_related("worker", "link__campaign")
    enrolment = people.get(worker=visit.assignment.worker_id, round=visit.assignment.round)
    with suppress(Refused):  # somebody else has the place meanwhile, or the person was excluded
        work = study_work(enrolment, visit.assignment_id)
        settings = work.study.settings_read(enrolment.campaign.task_settings)
        pages = work.study.pages(work.subject, settings)
        on = page_now(work.assignment, pages)
        if on.is_over:
            fields = draft_fields(work.assignment, pages) | time_over_fields(on.page)
            answer = work.study.read(fields, work.subject, settings)
            response_submit(enrolment=enrolment, work=work, answer=answer, on=on)
            return True
    return False
