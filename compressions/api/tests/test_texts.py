"""Texts by the API: found as on their page, retired, corrected, imported."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from common.jobs import job_run
from compressions.models import Source, SourceImport
from compressions.services.retirement import source_retire
from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from crowd.services.remarks import problem_report
from tests.support.api_client import Api
from tests.support.factories import EDIT, SENTENCE, edit_all, enrol, judged_campaign, make_campaign, staff_client

pytestmark = pytest.mark.django_db
RETIRED: dict[str, Any] = {"note": "It is broken.", "work_is_kept": False}


def api_of(campaign: Campaign) -> Api:
    return Api(campaign.staff.get())


def listed(campaign: Campaign, **asked: Any) -> list[dict[str, Any]]:
    answer = api_of(campaign).get(f"campaigns/{campaign.slug}/texts/", **asked)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def faults(answer: Any) -> list[str]:
    assert answer.status_code == 400, answer.content
    return [each["field"] for each in answer.json()["errors"]]


def test_a_listed_text_tells_what_the_page_tells() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 2), (2, 2)))
    (found,) = listed(campaign)
    (row,) = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/sources/").context["rows"]
    assert (found["id"], found["text"], found["genre"]) == (row.source.source_id, row.source.text, "Letters")
    assert found["means"] == row.means == {"meaning": 2.5, "grammar": 2.0}
    assert (found["compressions"], found["wanted"], found["is_reported"]) == (1, 1, False)


def test_texts_are_narrowed_as_on_the_page() -> None:
    campaign = make_campaign(sources=4, editors_per_source=1)
    first, *_others, fourth = Source.objects.filter(campaign=campaign).order_by("pk")
    source_retire(source=first, user=None, **RETIRED)
    ann = enrol(campaign, EDIT)
    held = assignment_claim(enrolment=ann)
    assert held is not None
    problem_report(enrolment=ann, assignment_id=held.pk, reason="broken", text="")
    edit_all_of(campaign, but=[first.pk])
    client = staff_client(campaign.staff.get())
    for asked in (
        {"state": "retired"},
        {"state": "complete"},
        {"state": "wants"},
        {"q": "number 3"},
        {"q": fourth.source_id},
        {"genre": "Letters"},
        {"least": 1},
        {"most": 0},
    ):
        page = client.get(f"/campaigns/{campaign.slug}/sources/", asked)
        assert [each["id"] for each in listed(campaign, **asked)] == [
            row.source.source_id for row in page.context["rows"]
        ], asked
    assert [each["id"] for each in listed(campaign, state="retired")] == [first.source_id]
    assert [each["id"] for each in listed(campaign, reported="true")] == [held.item.source.source_id]
    assert listed(campaign, genre="News") == []


def edit_all_of(campaign: Campaign, but: list[int]) -> None:
    """Let someone write a compression of all texts that are given out."""
    edit_all(campaign, 1)
    assert not Source.objects.filter(campaign=campaign, pk__in=but, compressions__isnull=False).exists()


def test_texts_are_narrowed_by_their_means_and_read_in_pages() -> None:
    campaign = judged_campaign(sources=5, scores=((3, 1),))
    assert len(listed(campaign, above=2.5)) == 5
    assert listed(campaign, above=2.5, scale="grammar") == []
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/texts/"
    seen, cursor = [], -1
    while cursor is not None:
        page = api.get(address, above=2.5, limit=2, cursor=cursor).json()
        seen += [each["id"] for each in page["results"]]
        cursor = page["cursor"]
    assert seen == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"state": "lost"}, "state"),
        ({"genres": "News"}, "genres"),
        ({"scale": "beauty"}, "scale"),
        ({"above": "nan"}, "above"),
        ({"least": -1}, "least"),
        ({"limit": 0}, "limit"),
        ({"q": "x" * 201}, "q"),
    ],
)
def test_filters_that_make_no_sense_are_refused_by_name(asked: dict[str, Any], field: str) -> None:
    campaign = make_campaign()
    assert faults(api_of(campaign).get(f"campaigns/{campaign.slug}/texts/", **asked)) == [field]


def test_texts_rated_side_by_side_have_no_means() -> None:
    campaign = make_campaign(rating_task="pair")
    assert faults(api_of(campaign).get(f"campaigns/{campaign.slug}/texts/", above=2)) == ["above"]


def queries_of(campaign: Campaign, address: str, **asked: Any) -> int:
    api = api_of(campaign)
    with CaptureQueriesContext(connection) as captured:
        assert api.get(f"campaigns/{campaign.slug}/{address}", **asked).status_code == 200
    return len(captured)


def test_a_list_takes_as_many_queries_however_long_it_is() -> None:
    few, many = judged_campaign(sources=1, editors=2), judged_campaign(sources=4, editors=3)
    for address in ("texts/", "texts/1/", "compressions/", "compressions/?flagged=true", "remarks/"):
        assert queries_of(few, address) == queries_of(many, address), address


def test_one_text_has_its_versions_and_their_ratings() -> None:
    campaign = judged_campaign(sources=1, editors=2, scores=((3, 2),))
    found = api_of(campaign).get(f"campaigns/{campaign.slug}/texts/1/").json()
    assert [len(each["ratings"]) for each in found["versions"]] == [1, 1]
    assert found["versions"][0]["ratings"][0]["points"] == {"meaning": 3, "grammar": 2}
    written = campaign.sources.get().compressions.order_by("pk")
    told = [version["compressions"][0] for version in found["versions"]]
    assert [(each["id"], each["editor"]) for each in told] == [(each.pk, each.worker.number) for each in written]
    assert api_of(campaign).get(f"campaigns/{campaign.slug}/texts/nothing/").status_code == 404


def test_a_text_is_retired_and_reinstated() -> None:
    campaign = make_campaign(sources=1)
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/texts/1/"
    found = api.post(f"{address}retire/", RETIRED).json()
    assert (found["retire_note"], found["work_is_kept"]) == ("It is broken.", False)
    assert found["retired_by"] == campaign.staff.get().username
    assert api.post(f"{address}retire/", {"retired": False}).json()["retired_at"] is None
    assert faults(api.post(f"{address}retire/", {"note": " ", "work_is_kept": True})) == ["note"]
    assert faults(api.post(f"{address}retire/", {"note": "x" + "\u0301" * 50, "work_is_kept": True})) == ["note"]
    assert faults(api.post(f"{address}retire/", {"note": "Broken."})) == ["work_is_kept"]
    assert faults(api.post(f"{address}retire/", {})) == ["note", "work_is_kept"]
    assert campaign.sources.get().retired_at is None


def test_a_corrected_text_replaces_the_old_one() -> None:
    campaign = make_campaign(sources=1)
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/texts/1/"
    old = campaign.sources.get()
    assert faults(api.post(f"{address}correct/", {"text": old.text, **RETIRED})) == ["text"]
    assert faults(api.post(f"{address}correct/", {"text": "Too short.", **RETIRED})) == ["text"]
    answer = api.post(f"{address}correct/", {"text": SENTENCE.format(number=77), **RETIRED})
    assert answer.status_code == 201
    assert (answer.json()["id"], answer.json()["corrects"]) == ("1-corrected", "1")
    assert api.get(address).json()["replaced_by"] == "1-corrected"
    refused = api.post(f"{address}retire/", {"retired": False})
    assert refused.status_code == 409
    assert "1-corrected" in refused.json()["detail"]


def test_a_file_is_imported_by_a_job_and_its_faults_are_told_by_line() -> None:
    campaign = make_campaign()
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/imports/"
    lines = [{"id": "a", "text": SENTENCE.format(number=1)}, {"id": "b", "text": "Short."}]
    content = "\n".join(map(json.dumps, lines)).encode()
    answer = api.call("post", address, {"file": SimpleUploadedFile("texts.jsonl", content)}, is_form=True)
    assert answer.status_code == 202
    begun = answer.json()
    assert (begun["file_name"], begun["state"], begun["kind"]) == ("texts.jsonl", "queued", "texts")
    job_run(job_id=begun["job"])
    found = api.get(f"{address}texts/{begun['id']}/").json()
    assert (found["state"], found["added"], found["refused"]) == ("done", 1, 1)
    assert [each["line"] for each in found["problems"]] == [2]
    assert "too short" in found["problems"][0]["reason"]
    assert api.get(f"{address}outputs/{begun['id']}/").status_code == 404
    assert api.get(f"{address}songs/{begun['id']}/").status_code == 404


def test_an_import_needs_a_file_that_is_not_too_large() -> None:
    campaign = make_campaign()
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/imports/"
    assert faults(api.call("post", address, {}, is_form=True)) == ["file"]
    assert faults(api.call("post", address, {"file": SimpleUploadedFile("a.csv", b"")}, is_form=True)) == ["file"]
    with override_settings(UPLOAD_MAX_BYTES=10):
        large = {"file": SimpleUploadedFile("a.csv", b"id,text\n" * 9)}
        assert api.call("post", address, large, is_form=True).status_code == 413
    assert api.post(address, {"file": "a.csv"}).status_code == 415
    assert not SourceImport.objects.filter(campaign=campaign, job__isnull=False).exists()


def test_ids_that_no_database_has_are_nowhere() -> None:
    campaign = make_campaign()
    api = api_of(campaign)
    for address in (f"imports/{2**70}/", f"compressions/{2**70}/"):
        assert api.get(f"campaigns/{campaign.slug}/{address}").status_code == 404
    assert api.post(f"campaigns/{campaign.slug}/remarks/{2**70}/answer/", {"answered": True}).status_code == 404
    assert api.post(f"campaigns/{campaign.slug}/compressions/{2**70}/seen/", {"seen": True}).status_code == 404
