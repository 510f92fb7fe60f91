"""Raters at the same moment: pages of several texts, doubled answers, corrections, extra raters, exclusion."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from crowd.models import ArmDraw, Assignment, Campaign, Enrolment, Item, Outcome
from measures.experiments.arms import arms_of_people
from ratings.models import Rating, RatingVersion, Score
from ratings.services.exclusions import person_exclude
from tests.support.arms import armed_campaign, rate_rest
from tests.support.factories import RATE, edit_all, enrol, make_campaign, worker_client
from tests.support.together import together

pytestmark = pytest.mark.django_db(transaction=True)
needs_row_locks = [
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
State = Assignment.State
TIMES = pytest.mark.parametrize("time", range(5))
K = 3


def texts_to_judge(count: int, **settings: Any) -> Campaign:
    """A campaign whose only editor has written all texts."""
    campaign = make_campaign(
        sources=count, editors_per_source=1, editor_tasks=count, raters_per_compression=K, **settings
    )
    edit_all(campaign, 1)
    return campaign


def page_at(client: Client) -> str:
    return client.get("/work/").headers.get("Location", "")


def answers(client: Client, *, meaning: int, version: int = 0) -> dict[str, str]:
    """What the page sends that a rater has before them."""
    worker = client_worker(client)
    leased = Assignment.objects.filter(worker=worker, round=RATE, state=State.LEASED).order_by("page_position")
    tasks = list(leased.values_list("pk", flat=True))
    sent = {"tasks": ",".join(map(str, tasks))}
    for task in tasks:
        sent |= {f"meaning-{task}": str(meaning), f"grammar-{task}": "3", f"version-{task}": str(version)}
    return sent


def corrected(form: dict[str, str], meaning: str) -> dict[str, str]:
    """What the page of a submitted answer sends, which was opened on its first version."""
    instead = {"meaning": meaning, "version": "1"}
    return {name: instead.get(name.partition("-")[0], value) for name, value in form.items()}


@TIMES
def test_the_last_answer_ends_the_visit_while_another_one_is_corrected(time: int) -> None:
    client = worker_client(texts_to_judge(2), RATE)
    first = answers(client, meaning=3)
    client.post(page_at(client), first)
    address = f"/work/rate/{first['tasks']}/"
    acts = [
        partial(tab.post, to, form)
        for tab, to, form in zip(
            tabs(client, 3),
            [page_at(client), page_at(client), address],
            [answers(client, meaning=2), answers(client, meaning=2), corrected(first, "1")],
            strict=True,
        )
    ]
    Random(time).shuffle(acts)

    replies = together(acts)

    assert {reply.status_code for reply in replies} == {302}
    enrolment = Enrolment.objects.get(round=RATE)
    assert enrolment.outcome == Outcome.DONE
    assert enrolment.finished_at is not None
    assert Assignment.objects.filter(worker=enrolment.worker, state=State.SUBMITTED).count() == 2
    versions = RatingVersion.objects.filter(rating__assignment=int(first["tasks"])).order_by("number")
    assert [each.scores["meaning"] for each in versions] == [3, 1]
    assert client.get("/work/done/").status_code == 200


def client_worker(client: Client) -> int:
    address = page_at(client)
    return Assignment.objects.get(pk=address.rstrip("/").rsplit("/", 1)[1]).worker_id


def tabs(client: Client, count: int) -> list[Client]:
    """The same browser in several tabs."""
    opened = [Client() for _ in range(count)]
    for tab in opened:
        tab.cookies = client.cookies
    return opened


def assert_each_place_is_open_or_held() -> None:
    for item in Item.objects.all():
        held = Assignment.objects.filter(item=item, state__in=[State.LEASED, State.SUBMITTED]).count()
        assert item.open_slots + held == item.wanted


def work(campaign: Campaign, number: int) -> None:
    """Judge page after page; one page in five is sent twice at once."""
    client, rng = worker_client(campaign, RATE, f"rater-{number}"), Random(number)
    while "/work/rate/" in (address := page_at(client)):
        form = answers(client, meaning=rng.randint(1, 3))
        copies = 2 if rng.random() < 0.2 else 1
        replies = [tab.post(address, form) for tab in tabs(client, copies)]
        assert {reply.status_code for reply in replies} <= {302, 409}


@pytest.mark.parametrize(
    ("texts", "people"),
    [pytest.param(4, 5, id="few"), pytest.param(40, 16, id="many", marks=needs_row_locks)],
)
@pytest.mark.parametrize("extra", [False, True])
def test_a_crowd_judges_every_text_as_often_as_it_should(texts: int, people: int, extra: bool) -> None:
    campaign = texts_to_judge(texts, ratings_per_page=2, rater_tasks=texts, extra_raters=extra)

    together([partial(work, campaign, number) for number in range(people)])
    for latecomer in range(100, 106):
        work(campaign, latecomer)

    ratings = Counter(Rating.objects.values_list("target__item", flat=True))
    assert ratings == dict(Item.objects.filter(round=RATE).values_list("pk", "wanted"))
    assert set(ratings.values()) <= ({K, K + 2} if extra else {K})
    assert Score.objects.count() == 2 * Rating.objects.count() == 2 * RatingVersion.objects.count()
    assert_each_place_is_open_or_held()


def work_in_an_arm(campaign: Campaign, number: int) -> None:
    """Judge text after text on the scales of one's arm."""
    person = enrol(campaign, RATE, f"rater-{number}")
    rate_rest(person)


@pytest.mark.parametrize(
    ("texts", "people"),
    [pytest.param(3, 6, id="few"), pytest.param(20, 16, id="many", marks=needs_row_locks)],
)
def test_a_crowd_in_arms_judges_every_text_as_often_in_each(texts: int, people: int) -> None:
    campaign = armed_campaign(sources=texts, texts=1, editor_tasks=texts, rater_tasks=texts)

    together([partial(work_in_an_arm, campaign, number) for number in range(people)])
    for latecomer in range(100, 108):
        work_in_an_arm(campaign, latecomer)

    arms = dict(Enrolment.objects.filter(round=RATE).values_list("worker_id", "arm"))
    done = Counter((item, arms[worker]) for item, worker in Rating.objects.values_list("target__item", "worker_id"))
    items = Item.objects.filter(round=RATE).values_list("pk", flat=True)
    assert done == {(item, arm): 2 for item in items for arm in ("three", "five")}
    drawn = list(ArmDraw.objects.order_by("number").values_list("arm", flat=True))
    assert drawn == arms_of_people(["three", "five"], ["people"] * (people + 8), seed=1)
    assert_each_place_is_open_or_held()


@TIMES
def test_somebody_who_claims_a_page_in_many_tabs_gets_one_page(time: int) -> None:
    campaign = texts_to_judge(12, ratings_per_page=3, rater_tasks=12)
    client = worker_client(campaign, RATE)
    Assignment.objects.filter(round=RATE).delete()

    replies = together([partial(tab.post, "/work/next/") for tab in tabs(client, 6)])

    assert all("/work/rate/" in reply.headers["Location"] for reply in replies)
    places = Assignment.objects.filter(state=State.LEASED).values_list("page_position", flat=True)
    assert sorted(places) == sorted(set(places))
    assert len(places) <= 3


@TIMES
def test_of_two_corrections_at_once_one_counts(time: int) -> None:
    campaign = texts_to_judge(2)
    client = worker_client(campaign, RATE)
    address, first = page_at(client), answers(client, meaning=3)
    client.post(address, first)
    changed = [corrected(first, meaning) for meaning in ("1", "2")]

    together([partial(tab.post, address, form) for tab, form in zip(tabs(client, 2), changed, strict=True)])

    rating = Rating.objects.get()
    assert rating.version == rating.versions.count() == 2
    assert rating.scores.get(scale="meaning").value == rating.versions.get(number=2).scores["meaning"]


@TIMES
def test_three_who_are_far_apart_at_once_ask_for_two_more_once(time: int) -> None:
    campaign = texts_to_judge(1, extra_raters=True)
    raters = [worker_client(campaign, RATE, f"rater-{number}") for number in range(K)]
    forms = [answers(client, meaning=meaning) for client, meaning in zip(raters, (1, 2, 3), strict=True)]

    together([partial(client.post, page_at(client), form) for client, form in zip(raters, forms, strict=True)])

    item = Item.objects.get(round=RATE)
    assert (item.wanted, item.open_slots, item.is_extended) == (K + 2, 2, True)


@TIMES
def test_whoever_is_excluded_while_they_submit_holds_no_place(time: int) -> None:
    campaign = texts_to_judge(1)
    client = worker_client(campaign, RATE, "rater")
    address, form = page_at(client), answers(client, meaning=2)
    worker = enrol(campaign, RATE, "rater").worker

    exclude = partial(person_exclude, worker=worker, work_round=RATE, note="x", user=None)
    acts: list[Callable[[], object]] = [partial(client.post, address, form), exclude]
    together(acts)

    assert Item.objects.get(round=RATE).open_slots == K
    assert not Assignment.objects.filter(worker=worker, round=RATE, state__in=[State.LEASED, State.SUBMITTED]).exists()
    assert_each_place_is_open_or_held()
