"""Long lists are read a page at a time: every row once, whatever is added meanwhile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.db.models import QuerySet
from hypothesis import given
from hypothesis import strategies as st

from common.api.pages import MOST, Completed, page_of
from common.models import Job
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff

keys = st.lists(st.integers(0, 2**63 - 1) | st.integers(0, 20), unique=True, max_size=30)


@dataclass(frozen=True)
class Row:
    number: int


def walked(
    found: Callable[[], QuerySet[Any] | Sequence[Any] | Completed], limit: int, key: str, meanwhile: Callable[[], None]
) -> list[Any]:
    """Read all pages, as a program does; something may happen between two of them."""
    rows, cursor = [], -1
    while True:
        page = page_of(found(), limit=limit, cursor=cursor, key=key)
        assert len(page.rows) <= limit
        rows += page.rows
        if page.cursor is None:
            return rows
        assert page.rows
        cursor = page.cursor
        meanwhile()


@given(keys, st.integers(1, 9))
def test_walking_all_pages_of_a_sequence_gives_every_row_once_in_the_order_of_keys(
    numbers: list[int], limit: int
) -> None:
    rows = [Row(number) for number in numbers]
    assert [row.number for row in walked(lambda: rows, limit, "number", lambda: None)] == sorted(numbers)


@given(keys, st.integers(1, 9), keys)
def test_rows_that_are_added_meanwhile_shift_no_others(numbers: list[int], limit: int, later: list[int]) -> None:
    rows, waiting = [Row(number) for number in numbers], [Row(each) for each in later if each not in numbers]
    seen = walked(lambda: rows, limit, "number", lambda: rows.append(waiting.pop()) if waiting else None)
    assert len(set(seen)) == len(seen)
    assert {Row(number) for number in numbers} <= set(seen) <= set(rows)


@given(keys, st.integers(1, 9))
def test_rows_are_completed_a_page_at_a_time(numbers: list[int], limit: int) -> None:
    asked: list[int] = []

    def complete(rows: list[Any]) -> list[int]:
        asked.append(len(rows))
        return [row.number for row in rows]

    found = Completed([Row(number) for number in numbers], complete)
    assert walked(lambda: found, limit, "number", lambda: None) == sorted(numbers)
    assert max(asked) <= limit


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_walking_all_pages_of_a_table_gives_every_row_once_and_those_that_are_added(limit: int) -> None:
    campaign = make_campaign()
    for number in range(6):
        Job.objects.create(campaign=campaign, kind=str(number))
    jobs = Job.objects.filter(campaign=campaign).order_by("-pk")
    added = iter(range(6, 8))

    def add() -> None:
        if (number := next(added, None)) is not None:
            Job.objects.create(campaign=campaign, kind=str(number))

    kinds = [int(job.kind) for job in walked(lambda: jobs, limit, "pk", add)]
    assert kinds == list(range(len(kinds)))
    assert len(kinds) == {1: 8, 2: 8, 3: 8, 7: 6}[limit]


@pytest.mark.django_db
def test_a_program_that_follows_the_cursor_reads_the_whole_list() -> None:
    owner = make_staff()
    slugs = [make_campaign(owner=owner, name=f"{9 - number}").slug for number in range(5)]
    api, seen, cursor = Api(owner), list[str](), None
    for _ in range(3):
        page = api.get("campaigns/", limit=2, **({"cursor": cursor} if cursor else {})).json()
        seen += [each["slug"] for each in page["results"]]
        cursor = page["cursor"]
    assert (seen, cursor) == (slugs, None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": MOST + 1}, "limit"),
        ({"limit": "all"}, "limit"),
        ({"cursor": -2}, "cursor"),
        ({"cursor": 2**63}, "cursor"),
        ({"cursor": ""}, "cursor"),
        ({"page": 2}, "page"),
    ],
)
def test_a_page_that_cannot_be_is_refused(asked: dict[str, Any], field: str) -> None:
    answer = Api(make_staff()).get("campaigns/", **asked)
    assert answer.status_code == 400
    assert [each["field"] for each in answer.json()["errors"]] == [field]


@pytest.mark.django_db
def test_the_last_cursor_of_all_leads_to_an_empty_page() -> None:
    owner = make_staff()
    make_campaign(owner=owner)
    assert Api(owner).get("campaigns/", cursor=2**63 - 1).json() == {"cursor": None, "results": []}
