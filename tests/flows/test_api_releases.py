"""Releases, their files, agreement, scores and plans by the API: what pages show, programs get."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from agreement.downloads import agreement_json
from agreement.models import AgreementResult
from agreement.planning import found_plans
from common.models import Job
from compressions.models import Source
from corpus.models import OutputImport, Release
from corpus.services.outputs import outputs_import
from crowd.models import AuditEntry, Campaign, Worker
from scoring.models import ScoreRun
from tests.support.api_client import Api
from tests.support.buckets import Bucket, s3_server
from tests.support.factories import freeze, judged_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db
NAME = "corpus.jsonl"
FILE = f"releases/1/files/{NAME}"
METRIC = "LR-1+Recall+MULT-ALL"


class Lab:
    """A campaign with a release, and a program of its owner."""

    def __init__(self) -> None:
        self.owner = make_staff()
        self.campaign = judged_campaign(owner=self.owner, sources=3, editors=2)
        self.has_system("Echo")
        self.release = freeze(self.campaign)
        self.api = Api(self.owner)

    def has_system(self, name: str) -> None:
        source = Source.objects.filter(campaign=self.campaign).earliest("pk")
        row = json.dumps({"id": source.source_id, "text": f"{name} is short."}).encode()
        outputs_import(campaign=self.campaign, system=name, file_name=f"{name}.jsonl", content=row)

    def get(self, address: str, asked: Any = None, **headers: str) -> Any:
        return self.api.call("get", f"campaigns/{self.campaign.slug}/{address}", asked, **headers)

    def post(self, address: str, sent: Any = None, **more: Any) -> Any:
        return self.api.call("post", f"campaigns/{self.campaign.slug}/{address}", sent, **more)


@pytest.fixture
def lab() -> Lab:
    return Lab()


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def fields_at_fault(response: Any) -> list[str]:
    assert response.status_code == 400
    return [each["field"] for each in response.json()["errors"]]


def number_of_queries(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert call().status_code == 200
    return len(queries)


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
        ({"min_ratings": 51, "min_compressions": 0}, ["min_ratings", "min_compressions"]),
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
    told = lab.get(f"systems/imports/{asked.json()['id']}/").json()
    assert (told["state"], told["job"], told["added"], told["refused"]) == ("done", asked.json()["job"], 1, 1)
    assert [each["line"] for each in told["problems"]] == [2]
    systems = lab.get("systems/").json()["results"]
    assert [(each["name"], each["outputs"]) for each in systems] == [("Echo", 1), ("New", 1)]


@pytest.mark.parametrize(("sent", "field"), [({"system": "a/b"}, "system"), ({"system": "New", "file": b""}, "file")])
def test_outputs_are_refused_by_field(lab: Lab, sent: dict[str, Any], field: str) -> None:
    file = SimpleUploadedFile("new.jsonl", sent.get("file", b"{}"))
    assert fields_at_fault(lab.post("systems/imports/", {**sent, "file": file}, is_form=True)) == [field]


def test_a_file_that_is_too_large_is_not_taken(lab: Lab, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 10
    file = SimpleUploadedFile("new.jsonl", b"x" * 11)
    refused = lab.post("systems/imports/", {"system": "New", "file": file}, is_form=True)
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert OutputImport.objects.count() == 1


@pytest.mark.parametrize("address", ["systems/", "systems/imports/", "releases/"])
def test_lists_take_as_many_queries_however_long_they_are(lab: Lab, address: str) -> None:
    few = number_of_queries(lambda: lab.get(address))
    for number in range(3):
        lab.has_system(f"System {number}")
        freeze(lab.campaign)
    assert number_of_queries(lambda: lab.get(address)) == few
    assert len(lab.get(address).json()["results"]) == 4


def test_a_participant_is_erased_for_good(lab: Lab) -> None:
    worker = Worker.objects.filter(campaign=lab.campaign).earliest("pk")
    address = f"people/{worker.number}/erase/"
    before = lab.get(address).json()

    erased = lab.post(address)

    assert (before["erased_at"], before["releases"]) == (None, [1])
    assert erased.status_code == 200
    assert Worker.objects.get(pk=worker.pk).external_id == ""
    assert lab.get(address).json()["erased_at"]
    assert AuditEntry.objects.filter(campaign=lab.campaign, action="participant erased").count() == 1
    assert lab.get("people/999999999999999999999/erase/").status_code == 404


def test_a_report_has_the_rows_of_its_file(
    lab: Lab, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert lab.get("releases/1/agreement/").status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("releases/1/agreement/reports/", {"draws": 5, "replications": 5})
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")

    told = lab.get("releases/1/agreement/")
    file = json.loads(agreement_json(AgreementResult.objects.get()))
    assert {name: told.json()[name] for name in file} == file
    assert told.json()["state"] == "ready"
    assert lab.get("releases/1/agreement/", None, If_None_Match=told["ETag"]).status_code == 304
    assert lab.get("releases/1/agreement/", {"question": asked.json()["question"]}).json() == told.json()
    assert lab.get("releases/1/agreement/", {"question": "0" * 64}).status_code == 404
    assert fields_at_fault(lab.get("releases/1/agreement/", {"question": ""})) == ["question"]


def test_parameters_of_a_report_are_refused_by_name(lab: Lab) -> None:
    sent = {"draws": 0, "replications": 10**7, "rounding": "up", "weights": "cubic"}
    assert (
        fields_at_fault(lab.post("releases/1/agreement/reports/", sent)) == list(sent)
        and not AgreementResult.objects.exists()
    )


def test_scores_are_asked_for_and_told(
    lab: Lab, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert lab.get("releases/1/scores/").status_code == 404
    sent = {"metrics": [METRIC], "reference_weights": "by-editor"}
    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("releases/1/scores/runs/", sent)
    assert (asked.status_code, asked.json()["state"], asked.json()["metrics"]) == (202, "queued", [METRIC])

    run = ScoreRun.objects.get()
    told = lab.get("releases/1/scores/").json()
    assert (told["state"], told["id"], told["job"]) == ("ready", run.pk, None)
    assert told["settings"]["options"]["reference_weights"] == "by-editor"
    assert {row["system"] for row in told["rows"]} == {"", "Echo"}
    of_all = lab.get("releases/1/scores/", {"ground": "all", "run": run.pk}).json()
    assert run.summary is not None
    means = {each["system"]: each["means"][METRIC] for each in run.summary["systems"]}
    assert {row["system"]: row["value"] for row in of_all["rows"]} == means
    assert {row["by"] for row in of_all["parts"]} == {"genre", "length"}
    tsv = lab.get("releases/1/scores.tsv", {"run": run.pk})
    assert body(tsv).startswith(b"source\t")
    assert body(lab.get("releases/1/scores.parquet")).startswith(b"PAR1")
    assert lab.get("releases/1/scores.tsv", {"run": run.pk + 1}).status_code == 404


def test_settings_of_scores_are_refused_by_name(lab: Lab) -> None:
    sent = {"metrics": ["ROUGE"], "window": 51, "smoothing": "much"}
    assert fields_at_fault(lab.post("releases/1/scores/runs/", sent)) == ["metrics.0", "window", "smoothing"]
    assert not ScoreRun.objects.exists()


def test_reports_and_runs_take_as_many_queries_however_many_they_are(lab: Lab) -> None:
    def both() -> tuple[int, int]:
        return (
            number_of_queries(lambda: lab.get("releases/1/agreement/reports/")),
            number_of_queries(lambda: lab.get("releases/1/scores/runs/")),
        )

    def ask(number: int) -> None:
        assert lab.post("releases/1/agreement/reports/", {"seed": number}).status_code == 202
        assert lab.post("releases/1/scores/runs/", {"metrics": [METRIC], "window": number}).status_code == 202

    ask(1)
    few = both()
    for number in range(2, 4):
        ask(number)
    assert both() == few


def test_a_plan_is_the_one_of_the_page(lab: Lab) -> None:
    asked = {"raters": [2, 4], "texts": [50], "price_per_rating": "0.10"}
    told = lab.get("plan/", asked).json()

    assert (told["state"], told["raters"], told["texts"]) == ("ready", [2, 4], [50])
    assert [each["scale"] for each in told["scales"]] == ["meaning", "grammar"]
    for scale in told["scales"]:
        costs = [(plan["ratings_per_text"], plan["ratings"], Decimal(plan["cost"])) for plan in scale["plans"]]
        assert costs in ([], [(2, 100, Decimal(10)), (4, 200, Decimal(20))])
    assert lab.post("plan/", {"raters": [2, 4]}).status_code == 200
    assert fields_at_fault(lab.get("plan/", {"raters": [1], "price_per_rating": "-1"})) == [
        "raters.0",
        "price_per_rating",
    ]


def test_a_job_finds_plans_of_many_ratings(
    lab: Lab,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(found_plans, "QUICK_RATINGS", 0)
    assert lab.get("plan/").json()["state"] == "unasked"

    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("plan/")

    assert (asked.status_code, asked.json()["state"], asked.json()["scales"]) == (202, "queued", None)
    told = lab.get("plan/").json()
    assert (told["state"], told["job"], told["since"]["ratings"]) == ("ready", asked.json()["job"], 0)
    assert told["computed_at"]
    assert lab.post("plan/").status_code == 200


def test_releases_of_another_campaign_are_not_there(lab: Lab) -> None:
    other = judged_campaign(owner=make_staff())
    freeze(other)
    assert Campaign.objects.count() == 2
    assert lab.api.get(f"campaigns/{other.slug}/releases/1/").status_code == 404
    assert lab.get("releases/2/").status_code == 404
    assert lab.get(f"releases/{10**30}/").status_code == 404
