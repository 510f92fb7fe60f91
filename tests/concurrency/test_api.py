"""Programs that send one request twice at the same moment."""

from functools import partial

import pytest
from django.db import connection

from common.models import KeptAnswer
from crowd.models import Campaign
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.mark.parametrize("time", range(3))
def test_of_the_same_request_at_the_same_moment_one_is_carried_out_and_all_get_its_answer(time: int) -> None:
    owner = make_staff()
    apis = [Api(owner) for _ in range(6)]
    send = [partial(api.post, "campaigns/", {"name": f"New {time}"}, Idempotency_Key="one") for api in apis]
    answers = together(send)
    assert [answer.status_code for answer in answers] == [201] * 6
    assert {answer.json()["slug"] for answer in answers} == {f"new-{time}"}
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == 5
    assert Campaign.objects.count() == KeptAnswer.objects.count() == 1


def test_of_refused_requests_at_the_same_moment_none_is_kept() -> None:
    owner = make_staff()
    make_campaign(owner=owner, slug="taken")
    apis = [Api(owner) for _ in range(4)]
    sent = {"name": "New", "slug": "taken"}
    answers = together([partial(api.post, "campaigns/", sent, Idempotency_Key="one") for api in apis])
    assert [answer.status_code for answer in answers] == [400] * 4
    assert not KeptAnswer.objects.exists()


def test_of_campaigns_of_one_name_at_the_same_moment_the_others_are_told_that_it_is_taken() -> None:
    owner = make_staff()
    apis = [Api(owner) for _ in range(4)]
    answers = together([partial(api.post, "campaigns/", {"name": "New", "slug": "new-one"}) for api in apis])
    assert sorted(answer.status_code for answer in answers) == [201, 400, 400, 400]
    assert {answer.json()["errors"][0]["field"] for answer in answers if answer.status_code == 400} == {"slug"}
    assert Campaign.objects.count() == 1
