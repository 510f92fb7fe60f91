"""The quality rule by the API: previewed, kept, applied, withdrawn; and questions, pay and experts."""

import json
from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from common.jobs import job_run
from crowd.models import Campaign
from ratings.models import QualityRun
from tests.support.api_client import Api
from tests.support.factories import EXAMPLE, golden_campaign, judged_campaign, make_campaign, staff_client

pytestmark = pytest.mark.django_db
RULE = {"share": 0.25, "min_items": 1, "roles": "raters only"}
QUESTION = {
    "source": EXAMPLE.source,
    "compression": EXAMPLE.compression,
    "why": EXAMPLE.why,
    "answers": EXAMPLE.answers,
}


def api_of(campaign: Campaign) -> tuple[Api, str]:
    return Api(campaign.staff.get()), f"campaigns/{campaign.slug}/"


def questions(*rows: Any) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("questions.jsonl", "\n".join(map(json.dumps, rows)).encode())}


def test_a_preview_tells_what_the_page_tells_and_decides_nothing() -> None:
    campaign = golden_campaign()
    api, address = api_of(campaign)
    told = api.post(f"{address}quality/preview/", RULE).json()
    page = staff_client(campaign.staff.get()).get(
        f"/campaigns/{campaign.slug}/quality/preview/?share=25&min_items=1&roles=raters only"
    )
    shown = page.context["raters"]
    assert told["job"] is None
    people = told["preview"]["raters"]["people"]
    assert [each["participant"] for each in people] == [each.worker.number for each in shown.page]
    assert [each["is_excluded"] for each in people] == [each.removed for each in shown.page]
    assert told["preview"]["ratings_kept"] == page.context["preview"]["ratings_kept"]
    assert not QualityRun.objects.exists()


def test_a_preview_that_takes_long_is_computed_by_a_job_and_kept() -> None:
    campaign = golden_campaign()
    api, address = api_of(campaign)
    with patch("ratings.api.preview.preview_is_quick", return_value=False):
        begun = api.post(f"{address}quality/preview/", RULE)
        assert (begun.status_code, begun.json()["preview"]) == (202, None)
        assert api.post(f"{address}quality/preview/", RULE).json()["job"] == begun.json()["job"]
        job_run(job_id=begun.json()["job"])
        done = api.post(f"{address}quality/preview/", RULE)
    assert (done.status_code, done.json()["job"], done.json()["is_current"]) == (200, None, True)
    quick = api.post(f"{address}quality/preview/", RULE).json()
    assert done.json()["preview"] == quick["preview"]


@pytest.mark.parametrize(
    "sent",
    [
        {"share": 0.26},
        {"share": "nan"},
        {"share": False},
        {"min_items": 0},
        {"rater_quality": "luck"},
        {"order": ""},
        {"role": "both"},
    ],
)
def test_parameters_out_of_range_are_refused_by_name(sent: dict[str, Any]) -> None:
    api, address = api_of(make_campaign())
    for path in ("preview", "apply"):
        refused = api.post(f"{address}quality/{path}/", sent)
        assert refused.status_code == 400
        assert [each["field"] for each in refused.json()["errors"]] == list(sent)


def test_a_rule_is_applied_read_and_withdrawn() -> None:
    campaign = golden_campaign()
    api, address = api_of(campaign)
    grim = campaign.workers.get(external_id="grim").number
    decision = {"decision": "exclude", "note": "Always says 1."}
    assert api.call("put", f"{address}people/{grim}/decision/rate/", decision).status_code == 200
    begun = api.post(f"{address}quality/apply/", RULE)
    assert begun.status_code == 202
    job_run(job_id=begun.json()["job"])
    (run,) = api.get(f"{address}quality/").json()["results"]
    assert (run["is_active"], run["parameters"]["share"]) == (True, 0.25)
    decisions = api.get(f"{address}quality/{run['id']}/").json()["results"]
    assert len(decisions) == 5
    (left,) = api.get(f"{address}quality/{run['id']}/", excluded="true", round="rate").json()["results"]
    assert (left["participant"], left["is_by_hand"]) == (grim, True)
    assert api.post(f"{address}quality/{run['id']}/withdraw/").json()["is_active"] is False
    (run,) = api.get(f"{address}quality/").json()["results"]
    assert run["withdrawn_by"] == campaign.staff.get().username
    assert api.get(f"{address}quality/{2**70}/").status_code == 404


def test_a_campaign_keeps_a_rule_with_which_others_begin() -> None:
    campaign = golden_campaign()
    api, address = api_of(campaign)
    assert api.get(f"{address}quality/rule/").json()["is_kept"] is False
    kept = api.call("put", f"{address}quality/rule/", {"share": 0.2, "roles": "editors only"}).json()
    assert (kept["share"], kept["roles"], kept["is_kept"]) == (0.2, "editors only", True)
    assert api.get(f"{address}quality/rule/").json() == kept
    preview = api.post(f"{address}quality/preview/", {}).json()["preview"]
    assert 0.2 in [each["share"] for each in preview["shares"]]


def test_questions_come_from_a_file_and_are_deleted() -> None:
    api, address = api_of(make_campaign())
    added = api.call("post", f"{address}examples/", questions(QUESTION), is_form=True)
    assert (added.status_code, added.json()) == (201, {"questions": 1, "added": 1})
    (item,) = api.get(f"{address}examples/").json()["results"]
    assert (item["kind"], item["source"], item["answers"]) == ("test", EXAMPLE.source, EXAMPLE.answers)
    assert api.call("delete", f"{address}examples/{item['id']}/").status_code == 204
    assert api.get(f"{address}examples/").json()["results"] == []
    assert len(api.get(f"{address}examples/", deleted="true").json()["results"]) == 1
    assert api.get(f"{address}examples/", kind="practice").json()["results"] == []


def test_gold_questions_are_added_once_and_retired() -> None:
    api, address = api_of(make_campaign())
    for added in (1, 0):
        answer = api.call("post", f"{address}gold/", questions(QUESTION), is_form=True)
        assert answer.json() == {"questions": 1, "added": added}
    (gold,) = api.get(f"{address}gold/").json()["results"]
    assert (gold["is_retired"], gold["raters"], gold["accuracy"]) == (False, 0, None)
    assert api.call("delete", f"{address}gold/{gold['id']}/").status_code == 204
    assert [each["is_retired"] for each in api.get(f"{address}gold/").json()["results"]] == [True]


def test_a_file_with_a_fault_is_refused_with_the_lines() -> None:
    api, address = api_of(make_campaign())
    wrong = {**QUESTION, "answers": {"meaning": [9], "grammar": [3]}}
    for path in ("examples/", "gold/"):
        refused = api.call("post", f"{address}{path}", questions(QUESTION, wrong), is_form=True)
        assert refused.status_code == 400
        (fault,) = refused.json()["errors"]
        assert (fault["field"], fault["reason"].startswith("line 2: 'meaning'")) == ("file", True)
        assert api.get(f"{address}{path}").json()["results"] == []


def test_time_and_pay_are_those_of_the_page() -> None:
    campaign = judged_campaign(sources=1, editor_pay="0.50", editor_pay_unit="text")
    api, address = api_of(campaign)
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/pay/")
    told = {each["round"]: each for each in api.get(f"{address}pay/").json()["rounds"]}
    for shown in page.context["found"]:
        assert told[shown.round]["people_paid"] == shown.people_paid
        assert told[shown.round]["texts_left"] == shown.texts_left
    assert (float(told["edit"]["amount"]), told["edit"]["is_per_text"]) == (0.5, True)
    assert float(told["edit"]["due"]) == 0.5
    assert told["expert"]["amount"] is None


def test_texts_are_drawn_for_experts() -> None:
    api, address = api_of(judged_campaign(sources=3))
    drawn = api.post(f"{address}experts/", {"size": 2, "experts": 1})
    assert drawn.status_code == 201
    assert (drawn.json()["size"], drawn.json()["wanted"], drawn.json()["done"]) == (2, 2, 0)
    assert sum(each["drawn"] for each in drawn.json()["strata"]) == 2
    assert api.get(f"{address}experts/").json()["results"] == [drawn.json()]
    assert api.post(f"{address}experts/", {"size": 0, "experts": 1}).json()["errors"][0]["field"] == "size"
    api.post(f"{address}experts/", {"size": 9, "experts": 1})
    assert api.post(f"{address}experts/", {"size": 9, "experts": 1}).status_code == 409
