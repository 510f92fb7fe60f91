"""How far the rounds are, as programs get it."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.selectors.progress import round_progress
from tests.support.api_client import Api
from tests.support.factories import edit_next, enrol, make_campaign, make_staff

pytestmark = pytest.mark.django_db


def rounds(api: Api, slug: str) -> dict[str, Any]:
    answer = api.get(f"campaigns/{slug}/progress/")
    assert answer.status_code == 200
    return {each["round"]: each for each in answer.json()["rounds"]}


def test_progress_is_that_of_the_pages() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=2, editors_per_source=1)
    edit_next(enrol(campaign, "edit"))
    told = rounds(Api(owner), campaign.slug)
    assert set(told) == {"edit", "rate", "expert"}
    assert told["edit"]["done"] == round_progress(campaign, "edit").done == 1
    assert (told["edit"]["wanted"], told["edit"]["percent_done"], told["edit"]["is_complete"]) == (2, 50, False)
    assert told["rate"]["items"] == 1
    assert (told["expert"]["wanted"], told["expert"]["percent_done"]) == (0, None)


def queries(api: Api, slug: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        rounds(api, slug)
    return len(asked)


def test_progress_takes_as_many_queries_for_more_work() -> None:
    owner = make_staff()
    small, large = make_campaign(owner=owner, sources=1), make_campaign(owner=owner, sources=5)
    edit_next(enrol(large, "edit"))
    api = Api(owner)
    rounds(api, small.slug)  # notes the first use of the token
    assert queries(api, small.slug) == queries(api, large.slug) <= 6
