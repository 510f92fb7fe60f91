"""Which browser holds the visit of a person with a platform id.

An id is not a password: it stands in addresses, and others may know it. So the first browser that agrees with an id
holds that person's visit, by a cookie of which only a hash is stored. Another browser with the same id has to ask, and
staff decide; what they allow is that one browser, which holds the visit from then on instead of the first. People
without an id are held by their session alone, and ids that the platform has signed need no browser. A visit from
before browsers were stored belongs to the first browser that comes.
"""

from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from crowd.models import BrowserRequest, Campaign, Enrolment, JoinLink, Worker
from crowd.services.audit import audit_record
from crowd.services.shared_browsers import people_of_browser_separate, worker_browser_note
from crowd.services.write_locks import writer_hold, writer_lock

State = BrowserRequest.State
MAX_OPEN_REQUESTS = 5


class OtherBrowser(Refused):
    """Another browser holds this visit."""

    def __init__(self, enrolment: Enrolment) -> None:
        super().__init__(_("Please continue in the browser you started with."))
        self.enrolment = enrolment


def browser_hash(campaign: Campaign, token: str) -> str:
    """Return what is stored of a browser's cookie: something else in each campaign, so that none can be joined."""
    return sha256(f"{campaign.pk}:{token}".encode()).hexdigest() if token else ""


def browser_holds(enrolment: Enrolment, browser: str, known: Enrolment | None, *, is_signed: bool = False) -> bool:
    """Whether a browser may continue a visit; `known` is the enrolment that its session names."""
    return is_signed or known == enrolment or (browser != "" and enrolment.browser_hash == browser)


def browser_bind(*, enrolment: Enrolment, browser: str, known: Enrolment | None, is_signed: bool) -> None:
    """Let the first browser hold a visit; raise OtherBrowser for another. Call inside a transaction."""
    if not browser:
        return
    held = Enrolment.objects.filter(pk=enrolment.pk)
    # With the session, only the lasting cookie was lost: the new one takes its place.
    free = held if known == enrolment else held.filter(browser_hash="")
    if free.update(browser_hash=browser):
        enrolment.browser_hash = browser
        return
    enrolment.refresh_from_db(fields=["browser_hash"])
    if not browser_holds(enrolment, browser, known, is_signed=is_signed):
        raise OtherBrowser(enrolment)


@transaction.atomic
def browser_request_create(*, enrolment: Enrolment, link: JoinLink, browser: str) -> BrowserRequest | None:
    """Store that somebody asks to continue in this browser, once; None if too many others are asking already."""
    writer_lock(enrolment.worker_id)
    Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
    requests = BrowserRequest.objects.filter(enrolment=enrolment)
    known = requests.filter(browser_hash=browser).first()
    if known is not None and known.state != State.ALLOWED:
        return known
    if requests.filter(state=State.OPEN).count() >= MAX_OPEN_REQUESTS:
        return None
    # What was allowed has been overtaken by another browser, so it is asked anew.
    asked = {"link": link, "state": State.OPEN, "created_at": database_now(), "decided_at": None, "decided_by": None}
    return requests.update_or_create(enrolment=enrolment, browser_hash=browser, defaults=asked)[0]


def browser_request_decide(*, request: BrowserRequest, allowed: bool, user: User | None) -> None:
    """Let the browser that asked hold the visit from now on, or refuse it; a second decision changes nothing."""
    worker = request.enrolment.worker
    with transaction.atomic():
        _decide(request, worker, user, allowed=allowed)
    if allowed:
        people_of_browser_separate(worker_id=worker.pk)


def _decide(request: BrowserRequest, worker: Worker, user: User | None, *, allowed: bool) -> None:
    state = State.ALLOWED if allowed else State.REFUSED
    asking = BrowserRequest.objects.filter(pk=request.pk, state=State.OPEN)
    if not asking.update(state=state, decided_at=database_now(), decided_by=user):
        return
    subject = f"participant {worker.public_name}"
    audit_record(campaign=worker.campaign, user=user, action=f"other browser {state.label}", subject=subject)
    if allowed and writer_hold(worker.pk):
        visit = Enrolment.objects.filter(pk=request.enrolment_id)
        visit.update(browser_hash=request.browser_hash)
        worker_browser_note(worker_id=worker.pk, browser=request.browser_hash)
