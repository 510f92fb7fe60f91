"""A task of several pages: going on, going back, a least time, a limit with its grace, and what is kept meanwhile."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from common.clock import override_clock
from corpus.services.erasure import worker_erase
from crowd.models import Worker
from protocols.models import PageVisit, Response, TaskDraft
from protocols.spans.task import TASK
from protocols.task import Page
from protocols.tests.test_flow import GIVEN, TEXT, at_task, with_material
from tests.support.factories import readable

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MARKING = "protocols/spans/task.html"
WHOLE = {"answer": json.dumps(GIVEN), "version": "0", "page": "marking"}


@pytest.fixture
def later() -> Iterator[Callable[[float], None]]:
    """Let the server's clock stand, and move it on by so many seconds."""
    now = [datetime(2030, 5, 1, 9, tzinfo=UTC)]

    def move(seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)

    with override_clock(lambda: now[0]):
        yield move


@pytest.fixture
def two_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = Page("reading", MARKING, closes_on_next=True, min_seconds=5), Page("marking", MARKING, max_seconds=60)
    monkeypatch.setattr(type(TASK), "pages", lambda *_args: (first, last))


@pytest.mark.usefixtures("two_pages")
def test_a_page_that_closes_is_left_after_its_least_time_and_never_seen_again(later: Callable[[float], None]) -> None:
    client, address = at_task(with_material(TEXT))

    later(4)
    assert client.get(address).context["page_key"] == "reading"
    refused = client.post(address, {"page": "reading"})
    assert (refused.status_code, "1 more second" in readable(refused)) == (422, True)
    later(1)
    for _twice in range(2):
        assert client.post(address, {"page": "reading", "note": "seen"}).headers["Location"] == address
    assert client.get(address).context["page_key"] == "marking"
    back = client.post(address, {"page": "marking", "back": "reading"}, follow=True)

    assert "You have read it" in readable(back)
    assert back.context["page_key"] == "marking"
    reading, marking = PageVisit.objects.order_by("pk")
    assert (reading.left_at, reading.back_tries) == (reading.opened_at + timedelta(seconds=5), 1)
    assert (marking.opened_at, marking.left_at) == (reading.left_at, None)
    assert TaskDraft.objects.get().fields == {"reading": {"note": "seen"}}


@pytest.mark.usefixtures("two_pages")
@pytest.mark.parametrize(
    ("seconds", "score", "closed_after"),
    [(59, 80, 59), (69, 80, 60), (71, 30, 60)],
    ids=["in time", "in the grace", "after it: what was saved last"],
)
def test_after_its_limit_what_was_saved_last_is_the_answer(
    later: Callable[[float], None], seconds: int, score: int, closed_after: int
) -> None:
    client, address = at_task(with_material(TEXT))
    later(5)
    client.post(address, {"page": "reading"})
    saved = WHOLE | {"answer": json.dumps(GIVEN | {"score": 30})}
    assert client.post(f"{address}draft/", saved).json() == {"seconds_left": 60}

    later(seconds)
    assert client.get(address).context["seconds_left"] == max(0, 60 - seconds)
    too_late = client.post(f"{address}draft/", WHOLE | {"answer": json.dumps(GIVEN | {"score": 31})})
    assert (too_late.status_code == 409) is (seconds > 70)
    client.post(f"{address}draft/", saved)
    assert client.post(address, WHOLE).status_code == 302

    assert Response.objects.get().answer["score"] == score
    visit = PageVisit.objects.get(page="marking")
    assert visit.left_at is not None
    assert (visit.left_at - visit.opened_at).total_seconds() == closed_after
    assert not TaskDraft.objects.exists()


@pytest.mark.usefixtures("two_pages")
def test_nothing_is_handed_in_before_the_last_page_and_an_erasure_leaves_no_times() -> None:
    client, address = at_task(with_material(TEXT))

    client.post(address, WHOLE)
    assert not Response.objects.exists()
    client.post(f"{address}draft/", {"page": "reading", "words": "mine"})
    PageVisit.objects.create(assignment_id=int(address.split("/")[-2]), page="x", opened_at=datetime.now(UTC))
    worker_erase(worker=Worker.objects.get())

    assert not TaskDraft.objects.exists()
    assert not PageVisit.objects.exists()


def test_a_page_that_does_not_close_is_there_again_with_what_was_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TASK), "pages", lambda *_args: (Page("first", MARKING), Page("second", MARKING)))
    client, address = at_task(with_material(TEXT))

    client.post(address, {"page": "first", "draft": "one"})
    client.post(address, {"page": "second", "back": "first", "answer": "two"})
    shown = client.get(address).context

    assert (shown["page_key"], shown["is_before_last"]) == ("first", True)
    assert (shown["posted"]["draft"], shown["posted"]["answer"]) == ("one", "two")
