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
from crowd.services.links import join_link_create
from tests.support.clock import Clock
from tests.support.factories import EDIT, make_campaign, make_staff
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
    link = join_link_create(campaign=make_campaign(sources=1), work_round=EDIT, platform_key="prolific")
    browsers = [Client() for _ in range(8)]
    for browser in browsers:
        browser.get(link.get_absolute_url() + "?PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0f")
    replies = together([partial(browser.post, link.get_absolute_url()) for browser in browsers])
    assert Counter(reply.status_code for reply in replies) == {302: 1, 409: 7}
    assert Worker.objects.count() == Enrolment.objects.count() == 1
    assert BrowserRequest.objects.count() == 5
    assert sum(browser.get("/work/").status_code == 302 for browser in browsers) == 1
