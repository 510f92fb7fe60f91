"""Limits that hold over processes."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from common.errors import TooManyRequests
from common.models import RateCount
from common.rate_limits import (
    KEPT_FOR,
    RateLimit,
    process_counts_forget,
    rate_counts_forget,
    rate_counts_forget_old,
    rate_limit_give_back,
    rate_limit_take,
)
from tests.support.clock import Clock

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
STRICT = RateLimit("strict", 3, 60)
LENIENT = RateLimit("lenient", 8, 60, uncounted=2)


@pytest.fixture(autouse=True)
def _still(clock: Clock) -> None:
    """No window ends during a test."""
    clock.to_next_hour()


def taken(limit: RateLimit, *who: object, attempts: int = 50) -> int:
    """How many of many events come through."""
    through = 0
    for _ in range(attempts):
        try:
            rate_limit_take(limit, *who)
        except TooManyRequests:
            continue
        through += 1
    return through


def test_as_many_come_through_as_the_limit_allows() -> None:
    assert taken(STRICT, "ann") == 3
    assert taken(STRICT, "ben") == 3


def test_limits_of_one_name_and_another_are_counted_apart() -> None:
    assert taken(STRICT, "ann") == taken(RateLimit("other", 3, 60), "ann") == 3


def test_the_next_window_begins_anew_and_the_refusal_says_when(clock: Clock) -> None:
    assert taken(STRICT, "ann") == 3
    with pytest.raises(TooManyRequests) as refusal:
        rate_limit_take(STRICT, "ann")
    clock.advance(minutes=(refusal.value.retry_after + 1) / 60)
    assert taken(STRICT, "ann") == 3


def test_the_first_events_of_a_process_cost_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert taken(LENIENT, "ann", attempts=2) == 2
    assert not RateCount.objects.exists()


def test_events_left_to_the_process_count_once_there_are_more() -> None:
    assert taken(LENIENT, "ann") == 8
    assert RateCount.objects.get().count == 50


def test_over_several_processes_the_total_stays_bounded() -> None:
    processes, through = 5, 0
    for _ in range(processes):
        process_counts_forget()  # a process that has seen nothing yet
        through += taken(LENIENT, "ann")
    assert LENIENT.count <= through <= LENIENT.count + processes * LENIENT.uncounted


def test_what_did_not_count_is_given_back() -> None:
    rate_limit_take(STRICT, "ann")
    rate_limit_give_back(STRICT, "ann")
    assert taken(STRICT, "ann") == 3


def test_nothing_is_given_back_that_was_not_taken() -> None:
    rate_limit_give_back(STRICT, "ann")
    rate_limit_take(STRICT, "ann")
    rate_limit_give_back(STRICT, "ann")
    rate_limit_give_back(STRICT, "ann")
    assert RateCount.objects.get().count == 0


def test_nobody_can_be_read_from_the_table() -> None:
    rate_limit_take(STRICT, "ann@example.org", "192.0.2.7")
    stored = str(RateCount.objects.values().get())
    assert "ann" not in stored
    assert "192.0.2.7" not in stored


def test_the_secret_is_part_of_the_key(settings: Settings) -> None:
    rate_limit_take(STRICT, "ann")
    settings.SECRET_KEY = "another secret of this installation"
    rate_limit_take(STRICT, "ann")
    assert RateCount.objects.count() == 2


def test_any_text_can_be_counted() -> None:
    assert taken(STRICT, "\ud800 \x00 é") == 3


def test_old_windows_are_forgotten(clock: Clock) -> None:
    rate_limit_take(STRICT, "ann")
    assert rate_counts_forget_old() == 0
    clock.advance(minutes=(KEPT_FOR + timedelta(minutes=2)).total_seconds() / 60)
    rate_limit_take(STRICT, "ann")
    assert rate_counts_forget_old() == 1
    assert RateCount.objects.get().count == 1


def test_the_counts_of_named_limits_are_forgotten_and_no_others() -> None:
    rate_limit_take(STRICT, "ann")
    rate_limit_take(RateLimit("other", 1, 60), "ann")
    assert rate_counts_forget((STRICT,)) == 1
    assert RateCount.objects.get().limit_name == "other"
