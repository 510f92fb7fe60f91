"""The pages of one task: leaving them, going back to them, and what has been filled in on them so far."""

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.clock import database_now
from common.errors import Refused
from crowd.models import Assignment
from crowd.services.write_locks import writer_lock
from protocols.models import PageVisit, TaskDraft
from protocols.task import AnswerRefused, Page

GRACE = timedelta(seconds=10)
"""After the time of a page, for what is on its way."""
MOST_BYTES, TIME_OVER = 200_000, "time_over"
HAS_READ = gettext_lazy("You have read it. That page is not shown again.")
State = Assignment.State


class PageClosed(Refused):
    """Somebody wants to see, or send, a page that has closed for them."""


@dataclass(frozen=True)
class OnPage:
    """The page that somebody is on, and since when."""

    page: Page
    opened_at: datetime
    is_last: bool

    @property
    def seconds_left(self) -> int | None:
        """Return the seconds of a page with a limit, 0 if they are over; None without a limit."""
        if self.page.max_seconds is None:
            return None
        return max(0, math.ceil(self.page.max_seconds - (database_now() - self.opened_at).total_seconds()))

    def own(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Return what the page asks of what was sent with it."""
        asked = self.page.fields
        return {name: value for name, value in fields.items() if asked is None or name in asked}

    @property
    def is_over(self) -> bool:
        """Whether nothing that arrives now was sent in time."""
        return self._is_past(GRACE)

    @property
    def time_is_up(self) -> bool:
        return self._is_past(timedelta())

    def _is_past(self, grace: timedelta) -> bool:
        limit = self.page.max_seconds
        return limit is not None and database_now() > self.opened_at + timedelta(seconds=limit) + grace


def page_now(assignment: Assignment, pages: Sequence[Page]) -> OnPage:
    """Return the first page that its person has not left."""
    begun = assignment.leased_at or database_now()
    if len(pages) == 1:
        return OnPage(pages[0], begun, is_last=True)
    visits = {each.page: each for each in PageVisit.objects.filter(assignment=assignment)}
    open_pages = (each for each in pages[:-1] if each.key not in visits or visits[each.key].left_at is None)
    page = next(open_pages, pages[-1])
    return OnPage(page, visits[page.key].opened_at if page.key in visits else begun, is_last=page is pages[-1])


@transaction.atomic
def page_leave(*, assignment: Assignment, pages: Sequence[Page], key: str, fields: Mapping[str, str]) -> None:
    """Go on from a page to the next, and keep what was filled in; sent twice, it is done once."""
    on = _locked(assignment, pages)
    if on.page.key != key:
        return
    now = database_now()
    wait = on.page.min_seconds - int((now - on.opened_at).total_seconds())
    if wait > 0:
        words = ngettext("Take %(n)s more second.", "Take %(n)s more seconds.", wait)
        raise AnswerRefused([("", words % {"n": wait})])
    sent = draft_fields(assignment, [on.page]) if on.is_over else fields
    _draft_write(assignment, key, {**sent, **({over_name(key): "1"} if on.time_is_up else {})})
    PageVisit.objects.update_or_create(
        assignment=assignment, page=key, defaults={"left_at": now}, create_defaults=_times(on.opened_at, now)
    )
    following = pages[pages.index(on.page) + 1]
    PageVisit.objects.get_or_create(assignment=assignment, page=following.key, defaults={"opened_at": now})


def _times(opened_at: datetime, left_at: datetime) -> dict[str, datetime]:
    return {"opened_at": min(opened_at, left_at), "left_at": left_at}


@transaction.atomic
def page_back(*, assignment: Assignment, pages: Sequence[Page], to: str, fields: Mapping[str, str]) -> bool:
    """Go back to a page; return False for one that has closed, which counts as a try."""
    on = _locked(assignment, pages)
    keys = [each.key for each in pages]
    if to not in keys or keys.index(to) >= pages.index(on.page):
        return True
    between = pages[keys.index(to) : pages.index(on.page)]
    if any(each.closes_on_next for each in between):
        PageVisit.objects.filter(assignment=assignment, page=to).update(back_tries=F("back_tries") + 1)
        return False
    _draft_write(assignment, on.page.key, fields)
    PageVisit.objects.filter(assignment=assignment, page__in=[each.key for each in between]).update(left_at=None)
    return True


def visits_simulate(*, assignment: Assignment, pages: Sequence[Page], rng: random.Random) -> None:
    """Store how long a simulated person was on the pages with a limit: some part of it."""
    now = database_now()
    PageVisit.objects.bulk_create(
        PageVisit(
            assignment=assignment,
            page=page.key,
            opened_at=now - timedelta(seconds=page.max_seconds * rng.uniform(0.4, 1)),
            left_at=now,
        )
        for page in pages
        if page.max_seconds is not None
    )


def page_end(*, assignment: Assignment, on: OnPage) -> None:
    """Note when the last of several pages was left; call inside the transaction that stores the answer."""
    left_at = database_now()
    if on.page.max_seconds is not None:
        left_at = min(left_at, on.opened_at + timedelta(seconds=on.page.max_seconds))
    PageVisit.objects.filter(assignment=assignment, page=on.page.key).update(left_at=max(left_at, on.opened_at))
    TaskDraft.objects.filter(assignment=assignment).delete()


@transaction.atomic
def draft_save(*, assignment: Assignment, pages: Sequence[Page], key: str, fields: Mapping[str, str]) -> OnPage:
    """Keep what is filled in on the page that somebody is on, in place of what was; refused once its time is over."""
    on = _locked(assignment, pages)
    if on.page.key != key:
        raise PageClosed(_("You have left that page already."))
    if on.is_over:
        raise PageClosed(_("Your time for this page is over."))
    _draft_write(assignment, key, on.own(fields))
    return on


def draft_fields(assignment: Assignment, pages: Sequence[Page]) -> dict[str, str]:
    """Return what is filled in on all pages so far."""
    draft = TaskDraft.objects.filter(assignment=assignment).first()
    kept: dict[str, dict[str, str]] = draft.fields if draft else {}
    return {name: value for page in pages for name, value in kept.get(page.key, {}).items()}


def over_name(key: str) -> str:
    """Return the field that says that the time of a page was over; only the server sets it."""
    return f"{TIME_OVER}:{key}"


def time_over_fields(page: Page) -> dict[str, str]:
    """Return what is posted along when the time of a page is over: nothing is asked then any more."""
    return {over_name(page.key): "1", "confirmed": "1"}


def _locked(assignment: Assignment, pages: Sequence[Page]) -> OnPage:
    """Wait until no other request of the same task is at its pages; refuse a task that is done or gone."""
    writer_lock(assignment.worker_id)
    rows = Assignment.objects.select_for_update(no_key=True)
    if rows.get(pk=assignment.pk).state not in {State.LEASED, State.EXPIRED}:
        raise PageClosed(_("You’ve already finished this text."))
    return page_now(assignment, pages)


def _draft_write(assignment: Assignment, key: str, fields: Mapping[str, str]) -> None:
    kept = TaskDraft.objects.filter(assignment=assignment).first()
    pages = {**(kept.fields if kept else {}), key: dict(fields)}
    if len(json.dumps(pages)) > MOST_BYTES:
        raise Refused(_("This is more than we can save."))
    TaskDraft.objects.update_or_create(assignment=assignment, defaults={"fields": pages, "saved_at": database_now()})
