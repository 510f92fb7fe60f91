"""Campaigns by the API: listed with one's role, made as the page makes them."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.default_texts import default_settings
from crowd.models import AuditEntry, Campaign, CampaignState, JoinLink, Role, Round
from crowd.models.settings_version import VERSIONED
from crowd.services.members import member_set
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db


def faults(answer: Any) -> dict[str, str]:
    return {each["field"]: each["reason"] for each in answer.json()["errors"]}


def test_the_list_has_ones_own_campaigns_with_the_role_in_each() -> None:
    owner, viewer = make_staff(), make_staff()
    first = make_campaign(owner=owner, name="First")
    second = make_campaign(owner=owner, name="Second", state=CampaignState.ARCHIVED)
    member_set(campaign=second, member=viewer, role=Role.VIEWER, user=owner)
    make_campaign(name="Of others")

    listed = {each["slug"]: (each["state"], each["role"]) for each in Api(owner).get("campaigns/").json()["results"]}
    assert listed == {first.slug: ("open", "owner"), second.slug: ("archived", "owner")}
    assert [each["role"] for each in Api(viewer).get("campaigns/").json()["results"]] == ["viewer"]
    found = Api(owner).get("campaigns/", state="archived").json()["results"]
    assert [each["slug"] for each in found] == [second.slug]
    assert Api(viewer).get(f"campaigns/{second.slug}/").json()["role"] == "viewer"


def test_experts_find_no_campaign_and_administrators_own_them_all() -> None:
    campaign, expert = make_campaign(), make_staff()
    member_set(campaign=campaign, member=expert, role=Role.EXPERT, user=campaign.staff.get())
    assert Api(expert).get("campaigns/").json()["results"] == []
    listed = Api(make_staff(administrator=True)).get("campaigns/").json()["results"]
    assert [(each["slug"], each["role"]) for each in listed] == [(campaign.slug, "owner")]


@pytest.mark.parametrize("asked", [{"state": "gone"}, {"sate": "open"}])
def test_a_filter_that_is_not_known_is_refused_by_name(asked: dict[str, str]) -> None:
    answer = Api(make_staff()).get("campaigns/", **asked)
    assert answer.status_code == 400
    assert set(faults(answer)) == set(asked)


def test_a_long_list_costs_no_more_queries_than_a_short_one() -> None:
    owner = make_staff()
    api = Api(owner)
    make_campaign(owner=owner)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            api.get("campaigns/")
        counts.append(len(queries))
        for _ in range(4):
            make_campaign(owner=owner)
    assert counts[1] <= counts[0]  # the first call has noted that the token was used


def test_a_campaign_made_by_a_program_is_like_one_made_on_the_page() -> None:
    owner = make_staff()
    few = {"name": "On the page", "language": "de", "page_language": "de", "rating_task": "single"}
    sizes = {"keep_percent": 60, "editors_per_source": 4, "raters_per_compression": 2}
    staff_client(owner).post("/campaigns/new/", few | sizes)
    answer = Api(owner).post("campaigns/", few | sizes | {"name": "By a program"})

    assert answer.status_code == 201
    assert answer.json() | {"created_at": ""} == {
        "slug": "by-a-program",
        "name": "By a program",
        "state": "draft",
        "role": "owner",
        "language": "de",
        "created_at": "",
    }
    page, program = (Campaign.objects.get(slug=slug) for slug in ("on-the-page", "by-a-program"))
    assert program.versioned_settings == page.versioned_settings
    assert program.versioned_settings.keys() == set(VERSIONED)
    assert program.scales == default_settings("de")["scales"]
    assert program.settings_version is not None
    assert program.settings_version.created_by == owner
    assert set(JoinLink.objects.filter(campaign=program).values_list("round", flat=True)) == set(Round.values)
    entries = [
        list(AuditEntry.objects.filter(campaign=each).values_list("action", "username")) for each in (page, program)
    ]
    assert entries == [[("campaign created", owner.username)]] * 2


def test_a_new_campaign_has_the_settings_that_were_sent() -> None:
    scale = {"key": "style", "name": "Style", "question": "How is it?", "points": ["Bad", "Good"]}
    sent = {"name": "Own", "slug": "own", "editor_pay": "2.50", "scales": [scale], "consent": "Will you?"}
    answer = Api(owner := make_staff()).post("campaigns/", sent)
    assert answer.status_code == 201, answer.content
    settings = Api(owner).get("campaigns/own/settings/").json()
    assert {name: settings[name] for name in sent if name != "slug"} == {
        name: value for name, value in sent.items() if name != "slug"
    }


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "New", "slug": "new"}, "slug"),
        ({"name": "New", "slug": "taken"}, "slug"),
        ({"name": "New", "slug": "not a slug"}, "slug"),
        ({"name": "New", "keep_percent": 100}, "keep_percent"),
        ({"name": "New", "keep_percent": None}, "keep_percent"),
        ({"name": "New", "page_language": "xx"}, "page_language"),
        ({"name": "New", "consent": "[" * 501}, "consent"),
        ({"name": "New", "consent": "Pay: {wage}"}, "consent"),
        ({"name": "New", "scales": []}, "scales"),
        ({"name": "New", "state": "open"}, "state"),
        ({"name": "a" + "\N{COMBINING ACUTE ACCENT}" * 100}, "name"),
    ],
)
def test_a_campaign_that_cannot_be_is_refused_with_the_field(sent: dict[str, Any], field: str) -> None:
    owner = make_staff()
    make_campaign(owner=owner, slug="taken")
    answer = Api(owner).post("campaigns/", sent)
    assert answer.status_code == 400
    assert [each.split(".")[0] for each in faults(answer)] == [field]
    assert Campaign.objects.count() == 1


def test_without_a_short_name_the_next_free_one_is_made() -> None:
    api = Api(make_staff())
    assert [api.post("campaigns/", {"name": "New"}).json()["slug"] for _ in range(2)] == ["new-2", "new-3"]
