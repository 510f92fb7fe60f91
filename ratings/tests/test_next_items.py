"""Which text a rater meets next: sources not met first, an order of one's own, streams at their rates, rare gold."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from compressions.models import Source
from compressions.services.outputs import Output, outputs_add
from crowd.models import Assignment, Campaign, Enrolment, Stream
from crowd.services.claims import assignment_claim
from ratings.models import Rating
from ratings.selectors.gold import gold_is_due
from ratings.services.gold import gold_create
from tests.support.factories import (
    EXAMPLE,
    RATE,
    edit_all,
    enrol,
    link_of,
    make_campaign,
    rate_all,
    rate_next,
    readable,
    worker_client,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def campaign_with(*, sources: int, editors: int = 1, outputs: bool = False, **settings: Any) -> Campaign:
    """A campaign with texts of editors, and perhaps outputs of a system, for everybody who comes."""
    limits = {"editor_tasks": sources, "rater_tasks": 99, "raters_per_compression": 50, "gold_percent": 0}
    campaign = make_campaign(sources=sources, editors_per_source=editors, **(limits | settings))
    edit_all(campaign, editors)
    if outputs:
        add_outputs(campaign)
    return campaign


def add_outputs(campaign: Campaign) -> None:
    ids = Source.objects.filter(campaign=campaign).values_list("source_id", flat=True)
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, each, f"The output for {each}.") for each in ids])


def streams_of(rater: Enrolment) -> list[str]:
    """The streams of the tasks on a rater's page, in their order."""
    assignment_claim(enrolment=rater)
    leases = Assignment.objects.filter(worker=rater.worker, state=Assignment.State.LEASED).order_by("page_position")
    return list(leases.values_list("item__stream", flat=True))


def sources_judged(rater: Enrolment) -> list[int]:
    own = Rating.objects.filter(worker=rater.worker, gold=None).order_by("pk")
    return list(own.values_list("target__source_id", flat=True))


# Sources


def test_texts_of_sources_that_the_rater_has_not_met_come_first() -> None:
    rater = enrol(campaign_with(sources=4, editors=3), RATE)

    rate_all(rater)

    judged = sources_judged(rater)
    assert len(judged) == 12
    assert [len(set(judged[start : start + 4])) for start in (0, 4, 8)] == [4, 4, 4]


def test_a_page_of_several_texts_has_each_of_another_source() -> None:
    campaign = campaign_with(sources=3, editors=2, ratings_per_page=3)
    rater = enrol(campaign, RATE)

    assignment_claim(enrolment=rater)

    page = Assignment.objects.filter(worker=rater.worker, state=Assignment.State.LEASED)
    assert page.values("item__target__source").distinct().count() == 3


def test_a_source_met_in_one_stream_is_met_in_the_other() -> None:
    campaign = campaign_with(sources=4, outputs=True, system_percent=50)
    rater = enrol(campaign, RATE)

    for _ in range(4):
        rate_next(rater)

    streams = {rating.assignment.item.stream for rating in Rating.objects.all() if rating.assignment}
    assert streams == {Stream.WORK, Stream.SYSTEM}
    assert len(set(sources_judged(rater))) == 4


# An order of one's own


def test_every_rater_meets_the_texts_in_an_order_of_their_own() -> None:
    campaign = campaign_with(sources=8)
    raters = [enrol(campaign, RATE) for _ in range(4)]

    for rater in raters:
        rate_all(rater)

    orders = [tuple(sources_judged(rater)) for rater in raters]
    assert len(set(orders)) == 4
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(orders[0]))}


def test_a_page_that_is_opened_again_has_the_same_texts_in_the_same_order() -> None:
    client = worker_client(campaign_with(sources=8, ratings_per_page=5), RATE)

    def tasks_shown(address: str) -> list[str]:
        page = client.get(address).content.decode()
        return re.findall(r'data-task="(\d+)"', page)

    address = client.get("/work/")["Location"]
    shown = tasks_shown(address)

    assert len(set(shown)) == 5
    assert client.post("/work/next/")["Location"] == address
    assert tasks_shown(address) == shown
    assert Assignment.objects.filter(state=Assignment.State.LEASED).count() == 5


def test_the_order_of_the_tasks_is_stored_with_them() -> None:
    client = worker_client(campaign_with(sources=8, ratings_per_page=5), RATE)

    page = client.get(client.get("/work/")["Location"]).content.decode()

    leases = Assignment.objects.filter(state=Assignment.State.LEASED).order_by("page_position")
    assert re.findall(r'data-task="(\d+)"', page) == [str(each.pk) for each in leases]


# Streams


@pytest.mark.parametrize(("percent", "expected"), [(0, Stream.WORK), (100, Stream.SYSTEM)])
def test_none_or_all_of_the_tasks_are_outputs_of_systems(percent: int, expected: Stream) -> None:
    campaign = campaign_with(sources=8, outputs=True, system_percent=percent, ratings_per_page=8)

    assert streams_of(enrol(campaign, RATE)) == [expected] * 8


def test_outputs_of_systems_are_mixed_in_at_the_campaign_s_rate() -> None:
    campaign = campaign_with(sources=18, outputs=True, system_percent=30, ratings_per_page=18)

    met = Counter(stream for _ in range(8) for stream in streams_of(enrol(campaign, RATE)))

    assert met.total() == 144
    assert 0.2 <= met[Stream.SYSTEM] / 144 <= 0.4


def test_without_outputs_people_s_texts_are_judged_at_any_rate() -> None:
    campaign = campaign_with(sources=3, system_percent=100, ratings_per_page=5)

    assert streams_of(enrol(campaign, RATE)) == [Stream.WORK] * 3


def test_without_people_s_texts_outputs_are_judged_at_any_rate() -> None:
    campaign = make_campaign(sources=3, system_percent=0, gold_percent=0, ratings_per_page=5)
    add_outputs(campaign)

    assert streams_of(enrol(campaign, RATE)) == [Stream.SYSTEM] * 3


def test_when_one_stream_is_done_the_other_goes_on() -> None:
    campaign = campaign_with(sources=3, outputs=True, system_percent=0, ratings_per_page=6)

    assert streams_of(enrol(campaign, RATE)) == [Stream.WORK] * 3 + [Stream.SYSTEM] * 3


# Gold beside the work


def golden(**settings: Any) -> Campaign:
    campaign = campaign_with(gold_percent=50, **settings)
    for _ in range(5):
        gold_create(campaign=campaign, example=EXAMPLE)
    return campaign


def test_gold_is_met_among_the_work() -> None:
    rater = enrol(golden(sources=10), RATE)

    assert rate_all(rater) > 10
    assert 3 <= Rating.objects.exclude(gold=None).count() <= 5


def test_gold_falls_on_the_same_tasks_whether_a_page_has_one_text_or_several() -> None:
    campaign = golden(sources=9, ratings_per_page=6)
    for _ in range(3):
        rater = enrol(campaign, RATE)
        due = [gold_is_due(rater=rater.worker.number, number=number, percent=50) for number in range(1, 7)]
        assert [stream == Stream.GOLD for stream in streams_of(rater)] == due


def test_each_gold_item_is_met_once() -> None:
    rater = enrol(golden(sources=20), RATE)

    rate_all(rater)

    assert Rating.objects.exclude(gold=None).count() == 5
    assert Rating.objects.filter(gold=None).count() == 20


def test_the_last_task_is_never_gold() -> None:
    campaign = golden(sources=4)

    for _ in range(4):
        rater = enrol(campaign, RATE)
        rate_all(rater)
        assert Rating.objects.filter(worker=rater.worker).latest("pk").gold is None


def test_who_finds_no_other_work_is_given_no_gold() -> None:
    campaign = make_campaign(sources=3, gold_percent=50)
    for _ in range(5):
        gold_create(campaign=campaign, example=EXAMPLE)

    assert [assignment_claim(enrolment=enrol(campaign, RATE)) for _ in range(5)] == [None] * 5


def test_gold_alone_lets_nobody_in() -> None:
    campaign = make_campaign(sources=3, gold_percent=50)
    gold_create(campaign=campaign, example=EXAMPLE)
    link = link_of(campaign, RATE)

    page = Client().get(f"/join/{link.token}/?participant=ann", follow=True)

    assert link.code_no_work in readable(page)


def test_without_a_share_of_gold_nobody_meets_any() -> None:
    campaign = golden(sources=10, rater_tasks=99)
    campaign.gold_percent = 0
    campaign.save()

    rate_all(enrol(campaign, RATE))

    assert not Rating.objects.exclude(gold=None).exists()


def test_raters_meet_gold_at_different_places() -> None:
    campaign = golden(sources=6)
    places = []
    for _ in range(4):
        rater = enrol(campaign, RATE)
        rate_all(rater)
        own = list(Rating.objects.filter(worker=rater.worker).order_by("pk"))
        places.append(tuple(number for number, rating in enumerate(own) if rating.gold_id))

    assert len(set(places)) > 1


# When gold is due

raters = st.integers(min_value=1, max_value=100_000)
percents = st.integers(min_value=1, max_value=50)


def due(rater: int, percent: int, last: int = 400) -> list[int]:
    return [number for number in range(1, last + 1) if gold_is_due(rater=rater, number=number, percent=percent)]


@given(rater=raters, percent=percents)
def test_the_first_gold_item_is_among_the_first_three_tasks(rater: int, percent: int) -> None:
    assert due(rater, percent, last=3)


@given(rater=raters)
def test_no_share_is_no_gold(rater: int) -> None:
    assert due(rater, 0, last=200) == []


@given(rater=raters)
def test_each_gold_item_takes_half_as_long_again_as_the_one_before(rater: int) -> None:
    numbers = due(rater, 5, last=80)

    for count, end in enumerate((3, 7, 14, 24, 39, 59, 79), start=1):
        assert abs(sum(number <= end for number in numbers) - count) <= (end > 3)


@given(rater=raters, percent=percents)
def test_gold_never_becomes_more_frequent(rater: int, percent: int) -> None:
    """In windows of two of the longest stretches, which hold one to three of them as the borders fall."""
    window = 2 * -(-100 // percent)
    counts = Counter((number - 1) // window for number in due(rater, percent, last=4 * window))

    assert counts[0] >= max(counts.values()) - 2
    assert all(counts[later] <= counts[earlier] + 2 for earlier, later in pairwise(range(4)))


@given(rater=raters, percent=percents)
def test_gold_never_stays_away(rater: int, percent: int) -> None:
    numbers = due(rater, percent)

    assert max(later - earlier for earlier, later in pairwise([0, *numbers, 401])) <= 2 * -(-100 // percent)


@given(rater=raters, percent=percents)
def test_in_the_long_run_the_share_of_gold_is_what_the_campaign_says(rater: int, percent: int) -> None:
    late = [number for number in due(rater, percent) if number > 100]

    assert 100 * len(late) / 300 == pytest.approx(percent, abs=1)


@given(percent=percents)
def test_raters_cannot_tell_each_other_when_gold_is_due(percent: int) -> None:
    schedules = {tuple(due(rater, percent, last=20)) for rater in range(1, 31)}

    assert len(schedules) > 5
