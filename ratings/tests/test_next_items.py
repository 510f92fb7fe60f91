"""Which text a rater meets next: sources not met first, an order of one's own, streams at their rates, rare gold."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from compressions.models import Source
from compressions.services.outputs import Output, outputs_add
from crowd.models import Assignment, Campaign, Enrolment, Stream
from crowd.scales import DEFAULT_SCALES
from crowd.services.claims import assignment_claim
from ratings.models import Rating
from ratings.selectors.gold import gold_is_due, gold_rank
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
        due = [gold_is_due(rater=rater.worker.number, number=number, percent=50, visit=99) for number in range(1, 7)]
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
visits = st.integers(min_value=8, max_value=30_000)
LONG = 30_000


def due(rater: int, percent: int, last: int = 400, visit: int = LONG) -> list[int]:
    return [n for n in range(1, last + 1) if gold_is_due(rater=rater, number=n, percent=percent, visit=visit)]


@given(rater=raters, percent=st.integers(1, 20))
def test_a_visit_of_twenty_has_four_gold_items_early_and_late(rater: int, percent: int) -> None:
    places = due(rater, percent, last=20, visit=20)

    assert len(places) == 4
    assert all(abs(place - middle) <= 1 for place, middle in zip(places, (3, 8, 13, 18), strict=True))


@given(rater=raters, percent=percents, visit=visits)
def test_every_visit_has_four_gold_items_or_its_share_two_of_them_in_each_half(
    rater: int, percent: int, visit: int
) -> None:
    opening = min(visit, 40)
    places = due(rater, percent, last=opening, visit=visit)

    assert len(places) >= max(4, percent * opening // 100)
    assert sum(place <= opening / 2 for place in places) >= 2 <= sum(place > opening / 2 for place in places)


@given(rater=raters, percent=percents, visit=st.integers(8, 60))
def test_a_second_visit_has_as_many_again(rater: int, percent: int, visit: int) -> None:
    places = due(rater, percent, last=2 * visit, visit=visit)

    first = sum(place <= visit for place in places)
    assert len(places) - first >= 4
    assert abs(len(places) - 2 * first) <= 1


@given(rater=raters, percent=percents, visit=st.integers(2, 7))
def test_in_a_short_visit_at_most_half_is_gold(rater: int, percent: int, visit: int) -> None:
    assert len(due(rater, percent, last=visit, visit=visit)) <= -(-visit // 2)


@given(rater=raters, visit=visits)
def test_no_share_is_no_gold(rater: int, visit: int) -> None:
    assert due(rater, 0, last=200, visit=visit) == []


@given(rater=raters, percent=percents)
def test_gold_never_stays_away(rater: int, percent: int) -> None:
    numbers = due(rater, percent)

    assert max(later - earlier for earlier, later in pairwise([0, *numbers, 401])) <= 2 * -(-100 // percent)


@given(rater=raters, percent=percents)
def test_in_the_long_run_the_share_of_gold_is_what_the_campaign_says(rater: int, percent: int) -> None:
    late = [number for number in due(rater, percent) if number > 100]

    assert 100 * len(late) / 300 == pytest.approx(percent, abs=1)


@given(percent=percents, visit=st.sampled_from([10, 20, 50]))
def test_raters_cannot_tell_each_other_when_gold_is_due(percent: int, visit: int) -> None:
    schedules = {tuple(due(rater, percent, last=20, visit=visit)) for rater in range(1, 31)}

    assert len(schedules) > 5


# Which gold is given


def answer(meaning: int, *grammar: int) -> dict[str, list[int]]:
    return {"meaning": [meaning], "grammar": list(grammar)}


def test_the_first_gold_item_deserves_the_top_points_and_the_next_other_answers() -> None:
    top, bad, same = answer(3, 3), answer(1, 3), answer(3, 2, 3)
    assert [gold_rank(each, [], DEFAULT_SCALES) for each in (top, bad, answer(1, 1), same)] == [0, 1, 2, 0]
    assert [gold_rank(each, [top], DEFAULT_SCALES) for each in (top, bad, answer(1, 1), same)] == [1, 0, 0, 1]
    assert gold_rank(same, [top, bad, same], DEFAULT_SCALES) == 2


def gold_of(rater: Enrolment) -> list[dict[str, list[int]]]:
    own = Rating.objects.filter(worker=rater.worker, gold__isnull=False).order_by("pk")
    return [rating.gold.answers for rating in own if rating.gold]


def test_no_answer_is_right_for_two_gold_items_of_a_visit_and_raters_rarely_share_all() -> None:
    campaign = campaign_with(sources=20, gold_percent=5)
    campaign.rater_tasks = 20
    campaign.save()
    kinds = [answer(3, 3), answer(1, 3), answer(2, 1), answer(3, 1)]
    for number in range(12):
        given = replace(EXAMPLE, compression=f"Version {number}.", answers=kinds[number % 4])
        gold_create(campaign=campaign, example=given)

    shared = []
    for _ in range(6):
        rater = enrol(campaign, RATE)
        rate_all(rater)
        found = gold_of(rater)
        assert found[0] == kinds[0]
        assert sorted(map(sorted, map(dict.items, found))) == sorted(map(sorted, map(dict.items, kinds)))
        shared.append(
            frozenset(Rating.objects.filter(worker=rater.worker).exclude(gold=None).values_list("gold", flat=True))
        )

    assert len(set(shared)) >= 4


# Answers: both systems' outputs of a question by the same people


def answers_of_two_systems(*, questions: int, **settings: Any) -> Campaign:
    limits = {"rater_tasks": 99, "raters_per_compression": 50, "gold_percent": 0, "system_percent": 100}
    campaign = make_campaign(sources=questions, rating_task="answer", **(limits | settings))
    for system in ("baseline", "new"):
        ids = Source.objects.filter(campaign=campaign).values_list("source_id", flat=True)
        outputs = [Output(1, each, f"What {system} says about {each}.") for each in ids]
        outputs_add(campaign=campaign, system=system, outputs=outputs)
    return campaign


def distances(judged: list[int]) -> list[int]:
    places: dict[int, list[int]] = {}
    for place, source in enumerate(judged):
        places.setdefault(source, []).append(place)
    return [place - earlier for found in places.values() for earlier, place in pairwise(found)]


@pytest.mark.parametrize("per_page", [1, 2])
def test_the_second_answer_to_a_question_comes_three_tasks_after_the_first(per_page: int) -> None:
    campaign = answers_of_two_systems(questions=9, ratings_per_page=per_page)
    rater = enrol(campaign, RATE)

    rate_all(rater)

    judged = sources_judged(rater)
    assert len(judged) == 18
    found = sorted(distances(judged))
    assert found[0] >= 3
    assert found.count(3) > 6


def test_who_does_a_few_tasks_has_judged_both_answers_to_most_of_their_questions() -> None:
    rater = enrol(answers_of_two_systems(questions=40, rater_tasks=10), RATE)

    rate_all(rater)

    both = [times for times in Counter(sources_judged(rater)).values() if times == 2]
    assert len(both) >= 4


def test_two_questions_only_are_still_answered_in_full() -> None:
    rater = enrol(answers_of_two_systems(questions=2), RATE)

    rate_all(rater)

    assert sorted(Counter(sources_judged(rater)).values()) == [2, 2]


def test_a_second_answer_far_behind_in_the_drawn_order_is_found() -> None:
    campaign = answers_of_two_systems(questions=40)
    for position, item in enumerate(campaign.items.filter(round=RATE).order_by("target__outputs__system__name", "pk")):
        campaign.items.filter(pk=item.pk).update(position=position)
    rater = enrol(campaign, RATE)

    for _ in range(12):
        rate_next(rater)

    assert distances(sources_judged(rater)).count(3) >= 4
