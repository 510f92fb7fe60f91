"""Jobs and the audit log by the API."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.models import Job
from crowd.services.audit import audit_record
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff

pytestmark = pytest.mark.django_db


def test_jobs_are_listed_by_state_and_kind_and_say_how_far_they_are() -> None:
    owner = make_staff()
    campaign, other = make_campaign(owner=owner), make_campaign(owner=owner)
    done = Job.objects.create(campaign=campaign, kind="import_sources", state="done", message="3 texts.")
    failed = Job.objects.create(campaign=campaign, kind="apply_quality", state="failed", done=2, total=5)
    elsewhere = Job.objects.create(campaign=other, kind="import_sources")
    api, address = Api(owner), f"campaigns/{campaign.slug}/jobs/"

    def ids(**asked: str) -> list[int]:
        return [each["id"] for each in api.get(address, **asked).json()["results"]]

    assert ids() == [done.pk, failed.pk]
    assert (ids(state="failed"), ids(kind="import_sources"), ids(kind="none")) == ([failed.pk], [done.pk], [])
    shown = api.get(f"{address}{failed.pk}/").json()
    assert (shown["state"], shown["done"], shown["total"], shown["finished_at"]) == ("failed", 2, 5, None)
    assert "parameters" not in shown
    assert [api.get(f"{address}{each}/").status_code for each in (elsewhere.pk, 2**70)] == [404, 404]
    assert api.get(address, state="gone").json()["errors"][0]["field"] == "state"


def test_the_audit_log_is_filtered_as_on_the_page() -> None:
    owner = make_staff("ann")
    campaign = make_campaign(owner=owner)
    audit_record(campaign=campaign, user=None, action="backup made", subject="b")
    api, address = Api(owner), f"campaigns/{campaign.slug}/audit/"

    def actions(**asked: str) -> list[str]:
        return [each["action"] for each in api.get(address, **asked).json()["results"]]

    assert actions() == ["campaign created", "backup made"]
    assert (actions(person="ann"), actions(person="-")) == (["campaign created"], ["backup made"])
    assert (actions(action="backup made"), actions(action="none")) == (["backup made"], [])
    assert api.get(address).json()["results"][0]["username"] == "ann"


@pytest.mark.parametrize("asked", ["person", "action"])
def test_a_nul_in_a_filter_is_refused(asked: str) -> None:
    owner = make_staff()
    answer = Api(owner).get(f"campaigns/{make_campaign(owner=owner).slug}/audit/", **{asked: "a\0"})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, asked)


@pytest.mark.parametrize("listed", ["audit", "jobs"])
def test_long_lists_cost_no_more_queries_than_short_ones(listed: str) -> None:
    owner = make_staff()
    campaign, api = make_campaign(owner=owner), Api(owner)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            api.get(f"campaigns/{campaign.slug}/{listed}/")
        counts.append(len(queries))
        for number in range(5):
            Job.objects.create(campaign=campaign, kind="import_sources", requested_by=owner)
            audit_record(campaign=campaign, user=owner, action="noted", subject=str(number))
    assert counts[1] <= counts[0]
