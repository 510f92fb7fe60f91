"""Participants by the API: by number without ids, and with ids where that is logged."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.models import AuditEntry, Campaign, Enrolment, Exclusion, Scope
from measures.quality_control.parameters import FilterParameters
from ratings.services.quality import quality_apply
from tests.support.api_client import Api
from tests.support.factories import RATE, judged_campaign, staff_client

pytestmark = pytest.mark.django_db


def api_of(campaign: Campaign, *scopes: str) -> Api:
    return Api(campaign.staff.get(), scopes or tuple(Scope.values))


def listed(campaign: Campaign, work_round: str = RATE, **asked: Any) -> list[dict[str, Any]]:
    answer = api_of(campaign).get(f"campaigns/{campaign.slug}/participants/{work_round}/", **asked)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def test_participants_are_listed_as_on_the_page() -> None:
    campaign = judged_campaign(sources=2, editors=2)
    quality_apply(campaign=campaign, parameters=FilterParameters(min_items=1))
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/participants/rate/?sort=number")
    for told, shown in zip(listed(campaign), page.context["page"], strict=True):
        assert (told["number"], told["submitted"]) == (shown.worker.number, shown.visitor.submitted)
        assert (told["quality"], told["decision"]) == (shown.quality, shown.decision_words)
        assert told["visits"][0]["outcome"] == shown.visitor.current.outcome
        assert told["visits"][0]["active_ms"] == shown.visitor.active_ms
    assert "rater-1" not in json.dumps(listed(campaign))


def test_participants_are_narrowed_and_read_in_pages() -> None:
    campaign = judged_campaign(sources=1)
    one, two = listed(campaign)
    api = api_of(campaign)
    decision = {"decision": "exclude", "note": "A bot."}
    api.call("put", f"campaigns/{campaign.slug}/people/{one['number']}/decision/rate/", decision)
    assert [each["number"] for each in listed(campaign, excluded="true")] == [one["number"]]
    assert [each["number"] for each in listed(campaign, excluded="false")] == [two["number"]]
    assert listed(campaign, outcome="failed") == []
    assert len(listed(campaign, link=one["visits"][0]["link"])) == 2
    assert listed(campaign, link=2**62) == []
    first = api.get(f"campaigns/{campaign.slug}/participants/rate/", limit=1).json()
    assert first["cursor"] == one["number"]
    assert [each["number"] for each in listed(campaign, cursor=first["cursor"])] == [two["number"]]
    assert api.get(f"campaigns/{campaign.slug}/participants/sing/").status_code == 404
    refused = api.get(f"campaigns/{campaign.slug}/participants/rate/", outcome="sung")
    assert [each["field"] for each in refused.json()["errors"]] == ["outcome"]


def test_lists_take_as_many_queries_however_long_they_are() -> None:
    few, many = (
        judged_campaign(sources=1, scores=((3, 3),)),
        judged_campaign(sources=3, editors=2, scores=((3, 3),) * 4),
    )
    for address in ("participants/rate/", "participants/edit/", "ratings/", "quality/", "gold/", "examples/", "pay/"):
        counts = []
        for campaign in (few, many):
            api = api_of(campaign)
            with CaptureQueriesContext(connection) as captured:
                assert api.get(f"campaigns/{campaign.slug}/{address}").status_code == 200
            counts.append(len(captured))
        assert counts[0] == counts[1], address


def test_ids_are_given_out_page_by_page_and_each_page_is_logged() -> None:
    campaign = judged_campaign(sources=1)
    Enrolment.objects.filter(worker__external_id="rater-1").update(study_id="study-7", session_id="session-9")
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/participants/rate/ids/"
    found = api.post(f"{address}?limit=1", {}, Idempotency_Key="a key").json()
    (told,) = found["results"]
    assert (told["external_id"], told["platform"]) == ("rater-1", "direct")
    assert (told["visits"][0]["study_id"], told["visits"][0]["session_id"]) == ("study-7", "session-9")
    rest = api.post(f"{address}?cursor={found['cursor']}").json()
    assert [each["external_id"] for each in rest["results"]] == ["rater-2"]
    logged = AuditEntry.objects.filter(campaign=campaign, action="ids exported").order_by("pk")
    assert [(each.subject, each.detail, each.user) for each in logged] == [
        ("participants-rate", "1 row", campaign.staff.get())
    ] * 2
    staff_client(campaign.staff.get()).post(f"/campaigns/{campaign.slug}/participants/rate.csv")
    assert logged.last().subject == "participants-rate"  # type: ignore[union-attr]


def test_ids_need_a_token_for_them() -> None:
    campaign = judged_campaign(sources=1)
    answer = api_of(campaign, Scope.READ, Scope.MANAGE).post(f"campaigns/{campaign.slug}/participants/rate/ids/")
    assert (answer.status_code, answer.json()["code"]) == (403, "scope")
    assert not AuditEntry.objects.filter(campaign=campaign, action="ids exported").exists()


def test_a_person_is_excluded_and_let_in_again() -> None:
    campaign = judged_campaign(sources=1)
    worker = campaign.workers.get(external_id="rater-1")
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/people/{worker.number}/decision/"
    refused = api.call("put", f"{address}rate/", {"decision": "exclude", "note": " "})
    assert [each["field"] for each in refused.json()["errors"]] == ["note"]
    told = api.call("put", f"{address}rate/", {"decision": "exclude", "note": "A program."}).json()
    assert [(part["round"], part["is_excluded"]) for part in told["rounds"]] == [("rate", True)]
    (decision,) = told["manual_decisions"]
    assert (decision["decision"], decision["note"]) == ("excluded", "A program.")
    kept = api.call("put", f"{address}rate/", {"decision": "keep", "note": "Known."})
    assert (kept.status_code, "excluded" in kept.json()["detail"]) == (409, True)
    assert not api.call("put", f"{address}rate/", {"decision": "rule"}).json()["rounds"][0]["is_excluded"]
    assert api.call("put", f"{address}edit/", {"decision": "exclude", "note": "No part."}).status_code == 404
    assert Exclusion.objects.get(worker=worker).withdrawn_by == campaign.staff.get()


def test_a_person_is_kept_whatever_the_rule_says() -> None:
    campaign = judged_campaign(sources=1)
    number = campaign.workers.get(external_id="rater-2").number
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/people/{number}/decision/rate/"
    assert api.call("put", address, {"decision": "keep"}).json()["errors"][0]["field"] == "note"
    (kept,) = api.call("put", address, {"decision": "keep", "note": "Known."}).json()["manual_decisions"]
    assert (kept["decision"], kept["withdrawn_at"]) == ("kept", None)
    (over,) = api.call("put", address, {"decision": "rule"}).json()["manual_decisions"]
    assert over["withdrawn_at"] is not None


def test_one_person_tells_what_the_page_tells() -> None:
    campaign = judged_campaign(sources=2)
    worker = campaign.workers.get(external_id="rater-1")
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/people/{worker.number}/")
    told = api_of(campaign).get(f"campaigns/{campaign.slug}/people/{worker.number}/").json()
    (shown,) = page.context["rounds"]
    (part,) = told["rounds"]
    assert (part["submitted"], part["record"]["ratings"]) == (shown.submitted, shown.record.ratings) == (2, 2)
    assert "rater-1" not in json.dumps(told)
    assert api_of(campaign).get(f"campaigns/{campaign.slug}/people/{2**70}/").status_code == 404
