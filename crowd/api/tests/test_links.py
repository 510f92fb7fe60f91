"""Join links by the API: made, changed, opened and closed; viewers get no more of them than on the pages."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.models import AuditEntry, Campaign, JoinLink, Role
from crowd.models.links import CODES
from crowd.services.links import join_link_note_wrong_id
from crowd.services.members import member_set
from tests.support.api_client import Api
from tests.support.factories import EDIT, RATE, enrol, link_of, make_campaign, make_staff
from tests.support.signing import SIGNING_KEY, key_set

pytestmark = pytest.mark.django_db


def campaign_and_api(**settings: Any) -> tuple[Campaign, Api, str]:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=1, **settings)
    return campaign, Api(owner), f"campaigns/{campaign.slug}/links/"


def viewer_of(campaign: Campaign) -> Api:
    viewer = make_staff()
    member_set(campaign=campaign, member=viewer, role=Role.VIEWER, user=campaign.staff.get())
    return Api(viewer)


def faults(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {each["field"]: each["reason"] for each in answer.json()["errors"]}


def test_the_address_of_a_link_is_whole_and_says_where_the_platform_puts_its_ids() -> None:
    campaign, api, address = campaign_and_api()
    made = api.post(address, {"round": EDIT, "platform": "prolific"}).json()
    link = JoinLink.objects.get(pk=made["id"])
    assert made["address"].startswith(f"http://testserver/join/{link.token}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&")
    direct = link_of(campaign, EDIT)
    assert listed(api, address, direct)["address"] == f"http://testserver/join/{direct.token}/"


def listed(api: Api, address: str, link: JoinLink) -> dict[str, Any]:
    (found,) = (each for each in api.get(address).json()["results"] if each["id"] == link.pk)
    return dict(found)


def test_the_list_has_each_link_with_who_came_and_why_nobody_may_come() -> None:
    campaign, api, address = campaign_and_api()
    enrol(campaign, EDIT)
    JoinLink.objects.filter(campaign=campaign, round=EDIT).update(max_people=1)
    JoinLink.objects.filter(campaign=campaign, round=RATE).update(is_active=False)
    found = {each["round"]: each for each in api.get(address).json()["results"]}
    assert (found[EDIT]["people"], found[RATE]["people"]) == (1, 0)
    assert found[EDIT]["closed_because"] == "This study is full. Thank you for your interest."
    assert found[RATE]["closed_because"] == "This study is not open to new participants at the moment."
    assert found["expert"]["closed_because"] == ""
    assert [each["round"] for each in api.get(address, round=RATE).json()["results"]] == [RATE]


def test_many_links_cost_no_more_queries_than_few() -> None:
    campaign, api, address = campaign_and_api()
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            api.get(address)
        counts.append(len(queries))
        for number in range(5):
            sent = {"round": EDIT, "platform": "prolific", "name": f"study {len(counts)}.{number}", "max_people": 3}
            assert api.post(address, sent).status_code == 201
    assert JoinLink.objects.filter(campaign=campaign).count() > 10
    assert counts[1] <= counts[0]


def test_viewers_see_links_without_their_codes_and_keys() -> None:
    campaign, api, address = campaign_and_api()
    viewer = viewer_of(campaign)
    full, shown = (each.get(address).json()["results"][0] for each in (api, viewer))
    assert {name: value for name, value in full.items() if name not in {*CODES, "completion_address"}} == shown
    assert all(full[name] for name in CODES)
    assert viewer.patch(f"{address}{full['id']}/", {"keys": ""}).status_code == 403


def test_a_link_is_made_with_its_limits_and_codes_in_one_request() -> None:
    campaign, api, address = campaign_and_api()
    limits = {"name": "Pilot", "max_people": 20, "opens_at": "2026-01-01T00:00:00Z", "is_test": True}
    sent = {
        "round": RATE,
        "platform": "sona",
        "code_done": "DONE-1",
        "completion_address": "https://a.sona-systems.com/x",
    }
    made = api.post(address, limits | sent)
    assert made.status_code == 201
    assert made.json() == made.json() | limits | sent
    link = JoinLink.objects.get(pk=made.json()["id"])
    assert (link.campaign, link.max_people, link.code_done) == (campaign, 20, "DONE-1")
    assert len({getattr(link, name) for name in CODES}) == len(CODES)
    assert AuditEntry.objects.filter(campaign=campaign, action="link made", subject="Pilot").count() == 1


def test_what_is_not_sent_stays() -> None:
    _, api, address = campaign_and_api()
    sent = {"round": EDIT, "platform": "direct", "name": "Pilot", "closes_at": "2030-01-01T00:00:00Z"}
    made = api.post(address, sent).json()
    changed = api.patch(f"{address}{made['id']}/", {"code_failed": "", "closes_at": None}).json()
    assert changed == made | {"code_failed": "", "closes_at": None}


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": "Taken"}, ""),
        ({"name": "x" * 81}, "name"),
        ({"name": "x" + "\N{COMBINING ACUTE ACCENT}" * 60}, "name"),
        ({"max_people": 0}, "max_people"),
        ({"max_people": 2**31}, "max_people"),
        ({"opens_at": "tomorrow"}, "opens_at"),
        ({"opens_at": "2030-01-02T00:00:00Z", "closes_at": "2030-01-01T00:00:00Z"}, ""),
        ({"code_done": "two words"}, "code_done"),
        ({"code_done": "SAME", "code_failed": "SAME"}, ""),
        ({"completion_address": "https://example.org/"}, "completion_address"),
        ({"token": "mine"}, "token"),
        ({"is_active": "perhaps"}, "is_active"),
    ],
)
def test_a_link_that_cannot_be_is_refused_with_the_field(sent: dict[str, Any], field: str) -> None:
    campaign, api, address = campaign_and_api()
    api.post(address, {"round": EDIT, "platform": "direct", "name": "Taken"})
    before = list(JoinLink.objects.filter(campaign=campaign).order_by("pk").values())
    new = {"round": EDIT, "platform": "sona"} if "completion_address" in sent else {"round": EDIT, "platform": "direct"}
    assert set(faults(api.post(address, new | sent))) == {field}
    assert set(faults(api.patch(f"{address}{link_of(campaign, RATE).pk}/", sent))) == {field}
    assert list(JoinLink.objects.filter(campaign=campaign).order_by("pk").values()) == before


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"platform": "direct"}, "round"),
        ({"round": EDIT}, "platform"),
        ({"round": "gold", "platform": "direct"}, "round"),
        ({"round": EDIT, "platform": "account"}, "platform"),
    ],
)
def test_a_link_needs_a_round_and_a_platform_that_people_come_from(sent: dict[str, str], field: str) -> None:
    _, api, address = campaign_and_api()
    assert set(faults(api.post(address, sent))) == {field}


def test_codes_that_are_missing_are_made_and_others_kept() -> None:
    campaign, api, address = campaign_and_api()
    link = link_of(campaign, EDIT)
    api.patch(f"{address}{link.pk}/", {"code_done": "MINE", "code_failed": ""})
    made = api.post(f"{address}{link.pk}/codes/").json()
    assert made["code_done"] == "MINE"
    assert made["code_failed"] != ""
    assert made["code_no_work"] == link.code_no_work


def test_a_link_is_closed_and_opened_by_its_target_state() -> None:
    campaign, api, address = campaign_and_api()
    one = f"{address}{link_of(campaign, EDIT).pk}/"
    assert [api.patch(one, {"is_active": each}).json()["is_active"] for each in (False, False, True)] == [
        False,
        False,
        True,
    ]
    actions = AuditEntry.objects.filter(campaign=campaign, action__startswith="link ").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == ["link closed", "link opened"]
    assert set(faults(api.patch(one, {"is_active": None}))) == {"is_active"}


def test_keys_are_set_and_removed_and_what_is_no_key_is_refused() -> None:
    _, api, address = campaign_and_api()
    made = api.post(address, {"round": EDIT, "platform": "prolific"}).json()
    one, text = f"{address}{made['id']}/", json.dumps(key_set(SIGNING_KEY))
    assert api.patch(one, {"keys": text}).json()["takes_signed_ids_only"] is True
    link = JoinLink.objects.get(pk=made["id"])
    assert listed(api, address, link)["takes_signed_ids_only"] is True
    assert api.patch(one, {"keys": "a key", "name": "Not stored"}).status_code == 409
    assert listed(api, address, link)["takes_signed_ids_only"] is True
    assert listed(api, address, link)["name"] != "Not stored"
    assert api.patch(one, {"keys": ""}).json()["takes_signed_ids_only"] is False


def test_a_platform_that_does_not_sign_takes_no_keys() -> None:
    campaign, api, address = campaign_and_api()
    sent = {"keys": json.dumps(key_set(SIGNING_KEY))}
    assert api.patch(f"{address}{link_of(campaign, EDIT).pk}/", sent).status_code == 409


def test_wrong_ids_are_warned_of() -> None:
    campaign, api, address = campaign_and_api()
    link = link_of(campaign, EDIT)
    join_link_note_wrong_id(link=link, worker_id="{{%PROLIFIC_PID%}}")
    assert len(listed(api, address, link)["warnings"]) == 1


def test_a_round_is_paused_and_goes_on() -> None:
    campaign, api, _ = campaign_and_api()
    address = f"campaigns/{campaign.slug}/rounds/{{}}/pause/"
    for paused in (True, False):
        assert api.post(address.format(RATE), {"paused": paused}).json() == {"round": RATE, "paused": paused}
        assert Campaign.objects.get(pk=campaign.pk).rate_paused is paused
    assert api.post(address.format("gold"), {"paused": True}).status_code == 404


@pytest.mark.parametrize("link_id", [0, 2**70])
def test_links_of_other_campaigns_and_of_none_are_not_found(link_id: int) -> None:
    _, api, address = campaign_and_api()
    others = link_of(make_campaign(), EDIT).pk
    for each in (link_id, others):
        assert api.patch(f"{address}{each}/", {"name": "Mine"}).status_code == 404
