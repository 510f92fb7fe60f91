"""Agreement, scores and plans by the API: what pages show, programs get."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

import reports.api
from agreement.planning import kept_plans
from common.clock import database_now
from common.extras import PARQUET
from common.models import Job
from reports.downloads import report_as
from reports.models import Report
from reports.selectors import jobs_of_reports
from reports.services import report_complete
from scoring.models import ScoreRun
from tests.support.api_lab import Lab, body, fields_at_fault
from tests.support.factories import silent
from tests.support.lacking import WITHOUT_PARQUET, lacks

pytestmark = pytest.mark.django_db
NAME = "corpus.jsonl"
FILE = f"releases/1/files/{NAME}"
METRIC = "LR-1+Recall+MULT-ALL"
EXTRA = "ROUGE-2+Recall+JACKKNIFE"


@pytest.fixture
def lab() -> Lab:
    return Lab()


def test_a_report_has_the_rows_of_its_file(
    lab: Lab, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert lab.get("releases/1/agreement/").status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("releases/1/agreement/reports/", {"draws": 5, "replications": 5})
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")

    told = lab.get("releases/1/agreement/")
    file = json.loads("".join(report_as("json", Report.objects.get())))
    assert {name: told.json()[name] for name in file} == file
    assert told.json()["state"] == "ready"
    assert lab.get("releases/1/agreement/", None, If_None_Match=told["ETag"]).status_code == 304
    assert lab.get("releases/1/agreement/", {"question": asked.json()["question"]}).json() == told.json()
    assert lab.get("releases/1/agreement/", {"question": "0" * 64}).status_code == 404
    assert fields_at_fault(lab.get("releases/1/agreement/", {"question": ""})) == ["question"]


def test_a_report_that_becomes_ready_while_it_is_looked_for_is_not_taken_for_one_that_nobody_computes(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lab.post("releases/1/agreement/reports/", {"draws": 5, "replications": 5}).json()["state"] == "queued"

    def jobs_at_last(*given: Any) -> dict[int, Job]:
        report_complete(report=Report.objects.get(), progress=silent)
        Job.objects.update(state=Job.State.DONE, finished_at=database_now())
        return jobs_of_reports(*given)

    monkeypatch.setattr(reports.api, "jobs_of_reports", jobs_at_last)
    question = Report.objects.get().digest
    assert lab.get("releases/1/agreement/", {"question": question}).json()["state"] == "ready"


def test_parameters_of_a_report_are_refused_by_name(lab: Lab) -> None:
    sent = {"draws": 0, "rounding": "up", "weights": "cubic", "replications": 10**7}
    assert fields_at_fault(lab.post("releases/1/agreement/reports/", sent)) == list(sent)
    assert not Report.objects.exists()


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


def test_without_parquet_no_scores_are_asked_for_and_none_are_lost(
    lab: Lab,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        lab.post("releases/1/scores/runs/", {"metrics": [METRIC]})
    told = lab.get("releases/1/scores/").json()
    lacks(monkeypatch, PARQUET)

    for refused in (
        lab.post("releases/1/scores/runs/", {"metrics": [EXTRA]}),
        lab.post("releases/1/scores/runs/", {"metrics": [METRIC]}),
        lab.post("releases/1/evaluation/reports/", {}),
        lab.get("releases/1/scores.tsv"),
    ):
        assert (refused.status_code, refused.json()["detail"]) == (409, WITHOUT_PARQUET)
    assert lab.get("releases/1/scores/").json() == told
    assert body(lab.get("releases/1/scores.parquet")).startswith(b"PAR1")
    assert not Report.objects.exists()


def test_settings_of_scores_are_refused_by_name(lab: Lab) -> None:
    sent = {"metrics": ["ROUGE"], "window": 51, "smoothing": "much"}
    assert fields_at_fault(lab.post("releases/1/scores/runs/", sent)) == ["metrics.0", "window", "smoothing"]
    assert not ScoreRun.objects.exists()


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
    monkeypatch.setattr(kept_plans, "QUICK_RATINGS", 0)
    assert lab.get("plan/").json()["state"] == "unasked"

    with django_capture_on_commit_callbacks(execute=True):
        asked = lab.post("plan/")

    assert (asked.status_code, asked.json()["state"], asked.json()["scales"]) == (202, "queued", None)
    told = lab.get("plan/").json()
    assert (told["state"], told["job"], told["since"]["ratings"]) == ("ready", asked.json()["job"], 0)
    assert told["computed_at"]
    assert lab.post("plan/").status_code == 200
