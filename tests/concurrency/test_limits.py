"""Limits and visits when everything comes at the same moment."""

from collections import Counter
from functools import partial

import pytest
from django.db import connection
from django.test import Client

from common.errors import TooManyRequests
from common.models import RateCount
from common.rate_limits import RateLimit, rate_limit_take
from crowd.models import BrowserRequest, Enrolment, Worker
from crowd.services.entry import PlatformIds, worker_enter
from tests.support.clock import Clock
from tests.support.factories import EDIT, make_campaign, make_staff, open_link
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
    pytest.mark.usefixtures("clock"),  # no window ends during a test
]
COPIES = 32


def test_events_at_the_same_moment_are_all_counted(clock: Clock) -> None:
    limit = RateLimit("strict", 5, 60)

    def take() -> bool:
        try:
            rate_limit_take(limit, "ann")
        except TooManyRequests:
            return False
        return True

    assert sum(together([take] * COPIES)) == 5
    assert RateCount.objects.get().count == COPIES


def test_guesses_at_the_same_moment_are_not_all_looked_at() -> None:
    make_staff("ann")

    def guess() -> int:
        return Client().post("/login/", {"username": "ann", "password": "a guess"}).status_code

    assert Counter(together([guess] * COPIES)) == {200: 5, 429: COPIES - 5}


def test_of_many_browsers_with_one_id_at_the_same_moment_one_holds_the_visit() -> None:
    link = open_link(campaign=make_campaign(sources=1), work_round=EDIT, platform_key="prolific")
    browsers = [Client() for _ in range(8)]
    for browser in browsers:
        browser.get(link.get_absolute_url() + "?PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0f")
    replies = together([partial(browser.post, link.get_absolute_url()) for browser in browsers])
    assert Counter(reply.status_code for reply in replies) == {302: 1, 409: 7}
    assert Worker.objects.count() == Enrolment.objects.count() == 1
    assert BrowserRequest.objects.count() == 5
    assert sum(browser.get("/work/").status_code == 302 for browser in browsers) == 1


def test_of_many_people_at_the_same_moment_no_more_come_in_than_a_link_takes() -> None:
    link = open_link(campaign=make_campaign(sources=9), work_round=EDIT, platform_key="prolific", max_people=3)
    browsers = [Client() for _ in range(8)]
    for number, browser in enumerate(browsers):
        browser.get(link.get_absolute_url() + f"?PROLIFIC_PID={number:024x}")
    replies = together([partial(browser.post, link.get_absolute_url()) for browser in browsers])
    assert Counter(reply.status_code for reply in replies) == {302: 3, 409: 5}
    assert link.enrolments.count() == 3


def test_a_person_who_comes_by_two_links_at_the_same_moment_has_one_visit_for_each() -> None:
    campaign = make_campaign(sources=9)
    links = [
        open_link(campaign=campaign, work_round=EDIT, platform_key="prolific", name=name) for name in ("one", "two")
    ]
    ids = PlatformIds("5f1c0ffee5f1c0ffee5f1c0f")
    together([partial(worker_enter, link=link, ids=ids) for link in links * 4])
    enrolment = Enrolment.objects.get()
    assert {enrolment.link, enrolment.past_visits.get().link} == set(links)
