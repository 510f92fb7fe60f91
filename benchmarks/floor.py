"""The floor of the participants' path: bare views that run its statements and send its bytes, and do nothing else.

They have the product's middleware, web server and session cookie, and the statements of the real views with nothing
around them: no models, no rules, no templates. The page is the real one, rendered once per process, with the text and
the number of the task swapped in. What the real path costs more than this is what its own code costs.
"""

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core import signing
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import include, path
from django.utils.html import escape
from django.utils.timezone import now
from django.views.decorators.cache import never_cache

from common.sql import as_stored
from compressions.models import text_digest
from compressions.selectors import sources
from compressions.services.targets import BLOCK_RATING, KNOWN
from compressions.views import editor
from crowd.access import public
from crowd.selectors.work import OWN_WORK
from crowd.services.claim_statements import BLOCK_CONFLICTING, COMPLETE, TAKE, TAKE_FIRST
from crowd.sessions import CAMPAIGN, ENROLMENT, LINK, VISIT, WORKER, WORKER_COOKIE
from ratings.selectors import next_items, rating_tasks
from ratings.selectors.qualification import MUST_PASS
from ratings.services.rating import WROTE
from ratings.views import rater

# Each with the values that every row of the benchmark has.
INSERT_ITEM = """
    INSERT INTO crowd_item (campaign_id, round, stream, position, wanted, open_slots, is_closed, is_extended)
    VALUES (%s, 'rate', 'work', %s, 3, 3, false, false) RETURNING id
"""
INSERT_CONFLICT = "INSERT INTO crowd_itemconflict (item_id, blocks_id) VALUES (%s, %s) RETURNING id"
INSERT_TARGET = """
    INSERT INTO compressions_target (source_id, text, digest, item_id) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING RETURNING id
"""
INSERT_COMPRESSION = """
    INSERT INTO compressions_compression (
        source_id, target_id, worker_id, assignment_id, text, started_from, edit_log, length, allowed, flags,
        is_flagged, is_imported, settings_version_id, guidelines_version_id
    ) VALUES (%s, %s, %s, %s, %s, 'source', %s, %s, 9999, '[]', false, false, %s, %s) RETURNING id
"""
INSERT_LEASE = """
    INSERT INTO crowd_assignment (item_id, worker_id, round, link_id, state, page_position, leased_at, lease_ends_at)
    VALUES (%s, %s, %s, %s, 'leased', 0, %s, %s) ON CONFLICT DO NOTHING RETURNING id
"""
INSERT_RATING = """
    INSERT INTO ratings_rating (
        target_id, gold_id, worker_id, assignment_id, rater_pool, version, difference_shown, is_swapped, created_at,
        settings_version_id, guidelines_version_id
    ) VALUES (%s, %s, %s, %s, 'crowd', 1, false, false, %s, %s, %s) RETURNING id
"""
INSERT_SCORES = "INSERT INTO ratings_score (rating_id, scale, value) VALUES (%s, %s, %s), (%s, %s, %s) RETURNING id"
INSERT_VERSION = """
    INSERT INTO ratings_ratingversion (rating_id, number, scores, difference_shown, created_at)
    VALUES (%s, 1, %s, false, %s) RETURNING id
"""
LIVE = "SELECT id FROM crowd_assignment WHERE worker_id = %s AND round = %s AND state = 'leased'"
SETTINGS_VERSION = len(ENROLMENT) + len(WORKER) + len(LINK) + CAMPAIGN.names.index("settings_version_id")
LEASE = timedelta(hours=1)
GOLD, TARGET = len(rating_tasks.COLUMNS[0]), sum(len(columns) for columns in rating_tasks.COLUMNS[:5])
_pages: dict[str, tuple[str, str, bytes]] = {}


class Visit:
    """The values of the visit that a request belongs to."""

    def __init__(self, request: HttpRequest, work_round: str) -> None:
        named = signing.loads(request.COOKIES[WORKER_COOKIE], salt=WORKER_COOKIE)
        row = VISIT.row(enrolment=named["enrolment"])
        assert row is not None
        self.round, self.worker, self.campaign = work_round, row[1], row[len(ENROLMENT) + 1]
        self.enrolment, self.link = named["enrolment"], row[ENROLMENT.names.index("link_id")]
        self.versions = row[SETTINGS_VERSION], row[ENROLMENT.names.index("guidelines_version_id")]
        self.now = as_stored(row[-1] or now())
        self.end = as_stored((row[-1] or now()) + LEASE)

    @property
    def own(self) -> dict[str, Any]:
        return {"worker": self.worker, "round": self.round, "link": self.link}

    def available(self, stream: str = "work") -> dict[str, Any]:
        return {**self.own, "campaign": self.campaign, "stream": stream}

    def leased(self, item: int) -> HttpResponse:
        """Lease the next task and redirect to it."""
        lease = inserted(INSERT_LEASE, item, self.worker, self.round, self.link, self.now, self.end)
        BLOCK_CONFLICTING.run(item=item, worker=self.worker)
        return self.to_task(lease)

    def to_task(self, task: int | None = None) -> HttpResponse:
        """Redirect to a task, or to the one that is leased already: the submission was sent twice."""
        return HttpResponseRedirect(f"/work/{self.round}/{task or inserted(LIVE, self.worker, self.round)}/")


def inserted(statement: str, *values: Any) -> Any:
    """Run a statement and return the only value of its first row."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return row[0] if row else None


def shown(request: HttpRequest, view: Callable[..., HttpResponseBase], task: int, text: str) -> HttpResponse:
    """Return the bytes of the real page, for this task and text."""
    if request.path.split("/")[2] not in _pages:
        real = view(request, assignment_id=task)
        assert isinstance(real, HttpResponse)
        _pages[request.path.split("/")[2]] = str(task), escape(text), real.content
    old_task, old_text, content = _pages[request.path.split("/")[2]]
    page = content.replace(old_text.encode(), escape(text).encode())
    for before in ('"', "-", "/"):  # in values, in names of fields, in addresses
        page = page.replace(f"{before}{old_task}".encode(), f"{before}{task}".encode())
    return HttpResponse(page)


@public
@never_cache
def edit(request: HttpRequest, task: int) -> HttpResponse:
    visit = Visit(request, "edit")
    row = sources.TASK.row(assignment=task, **visit.own)
    assert row is not None
    source, text, source_item = row[9], row[12], row[14]
    if request.method == "GET":
        return shown(request, editor.task, task, text)
    if row[4] != "leased":
        return visit.to_task()
    written = request.POST["text"]
    digest = text_digest(written)
    OWN_WORK.rows(worker=visit.worker)
    known = KNOWN.row(source=source, digest=digest)
    with transaction.atomic():
        COMPLETE.run(now=visit.now, assignment=task, **visit.own)
        target = known[0] if known else _target(visit, source, source_item, written, digest)
        BLOCK_RATING.run(target=target, worker=visit.worker)
        log = request.POST["log"]
        values = (source, target, visit.worker, task, written, log, len(written), *visit.versions)
        inserted(INSERT_COMPRESSION, *values)
        taken = TAKE_FIRST.row(**visit.available())
        assert taken is not None
        return visit.leased(taken[0])


def _target(visit: Visit, source: int, source_item: int, text: str, digest: str) -> int:
    item = inserted(INSERT_ITEM, visit.campaign, int(digest[:7], 16))
    inserted(INSERT_CONFLICT, item, source_item)
    target: int | None = inserted(INSERT_TARGET, source, text, digest, item)
    if target is not None:
        return target
    # Another editor submitted the same text at the same moment.
    inserted("DELETE FROM crowd_itemconflict WHERE item_id = %s RETURNING id", item)
    inserted("DELETE FROM crowd_item WHERE id = %s RETURNING id", item)
    known = KNOWN.row(source=source, digest=digest)
    assert known is not None
    return int(known[0])


@public
@never_cache
def rate(request: HttpRequest, task: int) -> HttpResponse:
    visit = Visit(request, "rate")
    row = next(row for row in rating_tasks.TASKS.rows(assignment=task, **visit.own) if row[0] == task)
    gold, target = row[GOLD], row[TARGET]
    if request.method == "GET":
        return shown(request, rater.task, task, row[TARGET + 2] or row[GOLD + 2])
    if row[4] != "leased":
        return visit.to_task()
    MUST_PASS.row(campaign=visit.campaign, enrolment=visit.enrolment)
    OWN_WORK.rows(worker=visit.worker)
    next_items.SOURCES_SEEN.rows(**visit.own)
    streams = random.sample(("work", "work", "system"), 3)  # as often as the real path begins with each
    window = next(filter(None, (next_items.WINDOW.rows(**visit.available(each), size=64) for each in streams)))
    random.shuffle(window)
    WROTE.row(target=target, worker=visit.worker)
    points = {scale: int(request.POST[f"{scale}-{task}"]) for scale in ("meaning", "grammar")}
    with transaction.atomic():
        COMPLETE.run(now=visit.now, assignment=task, **visit.own)
        rating = inserted(INSERT_RATING, target, gold, visit.worker, task, visit.now, *visit.versions)
        inserted(INSERT_SCORES, *(value for scale, point in points.items() for value in (rating, scale, point)))
        inserted(INSERT_VERSION, rating, json.dumps(points), visit.now)
        return visit.leased(next(item for item, _ in window if TAKE.run(item=item)))


urlpatterns = [
    path("work/edit/<int:task>/", edit),
    path("work/rate/<int:task>/", rate),
    path("", include("annotation.urls")),
]
