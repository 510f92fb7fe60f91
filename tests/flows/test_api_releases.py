"""Systems, releases, their files and erasure by the API: what pages show, programs get."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from common.models import Job
from compressions.models import Source
from corpus.models import OutputImport, Release
from crowd.models import AuditEntry, Campaign, Worker
from tests.support.api_lab import Lab, body, fields_at_fault, number_of_queries
from tests.support.buckets import Bucket, s3_server
from tests.support.factories import freeze, judged_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db
NAME = "corpus.jsonl"
FILE = f"releases/1/files/{NAME}"
METRIC = "LR-1+Recall+MULT-ALL"


@pytest.fixture
def lab() -> Lab:
    return Lab()


def test_a_release_says_what_its_page_says(lab: Lab) -> None:
    told = lab.get("releases/1/").json()

    assert (told["state"], told["sha256"], told["job"]) == ("ready", lab.release.checksum, None)
    assert told["counts"]["sources"] == lab.release.summary["sources"] == sum(told["splits"].values())
    assert told["means"]["mean_over_ratings"] == {"meaning": 2.5, "grammar": 3.0}
    assert told["systems"] == {"Echo": 1}
    assert {each["name"]: (each["size"], each["sha256"]) for each in told["files"]} == {
        each.name: (each.size, each.sha256) for each in lab.release.files.all()
    }
    file = next(each for each in told["files"] if each["name"] == NAME)
    page = staff_client(lab.owner).get(f"/campaigns/{lab.campaign.slug}/{FILE}")
    assert body(lab.api.get(file["address"].removeprefix("http://testserver"))) == body(page)


@pytest.mark.parametrize("address", ["releases/1/", "releases/1/overview/", FILE])
def test_who_has_a_release_gets_it_once(lab: Lab, address: str) -> None:
    first = lab.get(address)
    body(first)

    again = lab.get(address, None, If_None_Match=first["ETag"])
    other = lab.get(address, None, If_None_Match='"other"')

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert (other.status_code, bool(body(other))) == (200, True)


def test_a_release_that_is_being_written_has_no_etag(lab: Lab) -> None:
    Release.objects.create(campaign=lab.campaign, version=2, options={})

    told = lab.get("releases/2/")

    assert told.json()["state"] == "building"
    assert "ETag" not in told.headers
    assert lab.get("releases/2/", None, If_None_Match="*").status_code == 200
    assert lab.get("releases/2/files/manifest.json").status_code == 404


def test_a_page_knows_who_has_the_file(lab: Lab) -> None:
    client, address = staff_client(lab.owner), f"/campaigns/{lab.campaign.slug}/{FILE}"
    sha256 = lab.release.files.get(name=NAME).sha256
    assert client.get(address, headers={"if-none-match": f'W/"{sha256}", "x"'}).status_code == 304


def test_a_download_goes_on_where_it_broke_off(lab: Lab) -> None:
    whole = lab.get(FILE)
    content, etag = body(whole), whole["ETag"]

    rest = lab.get(FILE, None, Range="bytes=10-", If_Range=etag)
    other = lab.get(FILE, None, Range="bytes=10-", If_Range='"other"')
    beyond = lab.get(FILE, None, Range="bytes=99999999-")
    head = lab.api.client.head(f"/api/v1/campaigns/{lab.campaign.slug}/{FILE}", headers=lab.api.headers)

    assert (rest.status_code, body(rest)) == (206, content[10:])
    assert rest["Content-Range"] == f"bytes 10-{len(content) - 1}/{len(content)}"
    assert (other.status_code, body(other)) == (200, content)
    assert (beyond.status_code, beyond["Content-Range"]) == (416, f"bytes */{len(content)}")
    assert beyond["Content-Type"] == "application/problem+json"
    assert (head.status_code, head["Content-Length"], head["ETag"]) == (200, str(len(content)), etag)


def test_files_come_from_a_bucket_by_an_address_of_its_own(settings: Settings) -> None:
    with s3_server() as server:
        Bucket(server).use(settings)
        lab = Lab()
        settings.STORED_REDIRECT = True
        response = lab.get(FILE)
        known = lab.get(FILE, None, If_None_Match=f'"{lab.release.files.get(name=NAME).sha256}"')
        settings.STORED_REDIRECT = False
        part = lab.get(FILE, None, Range="bytes=0-4")
        assert (part.status_code, len(body(part))) == (206, 5)

    assert (response.status_code, response["Cache-Control"]) == (302, "no-store")
    assert response["Location"].startswith(server)
    assert known.status_code == 304


def test_a_release_is_frozen_with_the_options_of_the_form(
    lab: Lab, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("releases/", {"sizes": {"valid": 1, "test": 0}, "seed": 7, "min_ratings": 2})

    assert asked.status_code == 202
    assert (asked.json()["version"], asked.json()["state"]) == (2, "building")
    assert Job.objects.get(pk=asked.json()["job"]).kind == "freeze_release"
    ready = lab.get("releases/2/").json()
    assert (ready["state"], ready["splits"]["valid"], ready["options"]["seed"]) == ("ready", 1, 7)


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({"seed": -1}, ["seed"]),
        ({"min_ratings": 51, "min_compressions": -1}, ["min_ratings", "min_compressions"]),
        ({"shares": {"train": 1, "valid": -1}}, ["shares.valid", "shares.test"]),
        ({"shares": {"train": 0, "valid": 0, "test": 0}}, ["shares"]),
        ({"sizes": {"valid": 1.5, "test": 0}}, ["sizes.valid"]),
        ({"sizes": {"valid": 1, "test": 0}, "shares": {"train": 1, "valid": 1, "test": 1}}, ["sizes"]),
        ({"seeds": 1}, ["seeds"]),
    ],
)
def test_options_are_refused_by_name(lab: Lab, sent: dict[str, Any], fields: list[str]) -> None:
    assert fields_at_fault(lab.post("releases/", sent)) == fields
    assert lab.campaign.releases.count() == 1


def test_more_sources_than_there_are_are_refused_as_by_the_page(lab: Lab) -> None:
    refused = lab.post("releases/", {"sizes": {"valid": 9, "test": 0}})
    assert refused.status_code == 409
    assert "only 3 can be released" in refused.json()["detail"]


def test_figures_are_those_of_the_csv_file(lab: Lab) -> None:
    told = lab.get("releases/1/overview/").json()
    page = staff_client(lab.owner).get(f"/campaigns/{lab.campaign.slug}/releases/1/overview.csv")
    lines = body(page).decode().splitlines()[1:]

    assert len(told["rows"]) == len(lines)
    sizes = {(row["split"], row["row"], row["figure"]): row["value"] for row in told["rows"] if row["table"] == "sizes"}
    assert sizes["all", "all", "compressions"] == lab.release.summary["compressions"]


def test_outputs_are_imported_with_the_name_of_their_system(
    lab: Lab, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    source = Source.objects.filter(campaign=lab.campaign).earliest("pk")
    lines = json.dumps({"id": source.source_id, "text": "Short."}) + '\n{"id": "no such", "text": "x"}\n'
    file = SimpleUploadedFile("new.jsonl", lines.encode())

    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("systems/imports/", {"system": "New", "file": file}, is_form=True)

    assert asked.status_code == 202
    told = lab.get(f"imports/outputs/{asked.json()['id']}/").json()
    assert (told["state"], told["job"], told["added"], told["refused"]) == ("done", asked.json()["job"], 1, 1)
    assert [each["line"] for each in told["problems"]] == [2]
    systems = lab.get("systems/").json()["results"]
    assert [(each["name"], each["outputs"]) for each in systems] == [("Echo", 1), ("New", 1)]


def test_outputs_of_several_systems_are_imported_from_one_file(
    lab: Lab, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    source = Source.objects.filter(campaign=lab.campaign).earliest("pk")
    lines = [json.dumps({"id": source.source_id, "system": name, "text": f"{name}."}) for name in ("New", "Old")]

    with django_capture_on_commit_callbacks(execute=True):
        file = SimpleUploadedFile("new.jsonl", "\n".join(lines).encode())
        asked = lab.post("systems/imports/", {"file": file}, is_form=True)

    assert (asked.status_code, asked.json()["kind"]) == (202, "outputs")
    systems = lab.get("systems/").json()["results"]
    assert [(each["name"], each["outputs"]) for each in systems] == [("Echo", 1), ("New", 1), ("Old", 1)]


@pytest.mark.parametrize(("sent", "field"), [({"system": "a/b"}, "system"), ({"system": "New", "file": b""}, "file")])
def test_outputs_are_refused_by_field(lab: Lab, sent: dict[str, Any], field: str) -> None:
    file = SimpleUploadedFile("new.jsonl", sent.get("file", b"{}"))
    assert fields_at_fault(lab.post("systems/imports/", {**sent, "file": file}, is_form=True)) == [field]


def test_a_file_that_is_too_large_is_not_taken(lab: Lab, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 10
    file = SimpleUploadedFile("new.jsonl", b"x" * 11)
    refused = lab.post("systems/imports/", {"system": "New", "file": file}, is_form=True)
    assert refused.status_code == 413
    assert OutputImport.objects.count() == 1


@pytest.mark.parametrize("address", ["systems/", "releases/"])
def test_lists_take_as_many_queries_however_long_they_are(lab: Lab, address: str) -> None:
    lab.get("")  # the first use of the token is noted
    few = number_of_queries(lambda: lab.get(address))
    for number in range(3):
        lab.has_system(f"System {number}")
        freeze(lab.campaign)
    assert number_of_queries(lambda: lab.get(address)) == few
    assert len(lab.get(address).json()["results"]) == 4


def test_a_participant_is_erased_for_good(lab: Lab) -> None:
    worker = Worker.objects.filter(campaign=lab.campaign).earliest("pk")
    address = f"people/{worker.number}/erase/"
    erased = lab.post(address)

    assert erased.status_code == 200
    assert Worker.objects.get(pk=worker.pk).external_id == ""
    assert AuditEntry.objects.filter(campaign=lab.campaign, action="participant erased").count() == 1
    assert lab.post("people/999999999999999999999/erase/").status_code == 404


def test_releases_of_another_campaign_are_not_there(lab: Lab) -> None:
    other = judged_campaign(owner=make_staff())
    freeze(other)
    assert Campaign.objects.count() == 2
    assert lab.api.get(f"campaigns/{other.slug}/releases/1/").status_code == 404
    assert lab.get("releases/2/").status_code == 404
    assert lab.get(f"releases/{10**30}/").status_code == 404
