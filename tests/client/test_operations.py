"""Every request that the client makes is an operation of the OpenAPI document."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from annotation.api_document import openapi
from edit_operations.api.rows import OperationsRowSerializer
from evaluation.api.reports import EvaluationRowSerializer
from precis_client import Campaign, EvaluationRow, OperationRow, Release
from tests.client.played import Played, campaign_json, played

KIND = {"slug": "winter", "version": 1, "id": 1, "job": 1, "cursor": None, "results": [], "rounds": [], "files": []}
KIND |= {"is_current": False, "preview": {}, "question": "ab", "state": "ready", "kind": "texts", "changed": 1}


def calls(server: Played, folder: Path) -> list[Callable[[], Any]]:
    precis, path = server.precis, "campaigns/winter/"
    campaign = Campaign(precis._connection, campaign_json())
    told = {"version": 1, "files": [{"name": "a/b", "size": 0, "sha256": EMPTY}]}
    release = Release(precis._connection, path, told)
    file = folder / "study.yaml"
    file.write_text("name: X", encoding="utf-8")
    return [
        *(lambda: list(precis.campaigns()), lambda: precis.campaign("winter"), lambda: precis.create_campaign(file)),
        *(campaign.refresh, campaign.open, campaign.pause, campaign.close, lambda: campaign.settings),
        *(lambda: campaign.update({}), lambda: campaign.import_texts(file).wait().outcome()),
        *(lambda: list(campaign.texts()), lambda: list(campaign.compressions()), lambda: campaign.compression(1)),
        *(lambda: campaign.mark_flags([1]),),
        *(lambda: list(campaign.ratings()), lambda: list(campaign.participants("rate")), campaign.progress),
        *(lambda: list(campaign.participant_ids("rate")), lambda: list(campaign.links()), lambda: campaign.job(1)),
        *(campaign.preview_quality, campaign.apply_quality, lambda: list(campaign.quality_runs())),
        *(campaign.file, lambda: campaign.clone("spring", "Spring"), lambda: precis.call("get", f"{path}remarks/")),
        *(lambda: campaign.import_outputs(file), lambda: campaign.import_ratings(file, pool="crowd")),
        *(lambda: campaign.import_translations(file), lambda: campaign.import_ratings(file, pool="model").outcome()),
        *(release.operations, lambda: release.evaluation(pairs_of="BLEU"), lambda: release.evaluation(seed=1)),
        *(campaign.freeze, lambda: list(campaign.releases()), lambda: campaign.release(1)),
        *(lambda: release.agreement(seed=1), lambda: release.scores(seed=1), release.scores, release.agreement),
        *(lambda: list(campaign.watch(timeout=0)), lambda: release.open("a/b").close(), release.refresh),
    ]


EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_the_client_asks_for_nothing_that_the_api_has_not(tmp_path: Path) -> None:
    with played(lambda request: httpx.Response(200, json=KIND | {"state": state_of(request)})) as server:
        for call in calls(server, tmp_path):
            call()
    asked = {(request.method.lower(), request.url.path) for request in server.requests}
    assert len(asked) > 25
    assert sorted(each for each in asked if not is_known(*each)) == []


def state_of(request: httpx.Request) -> str:
    return "done" if "/jobs/" in request.url.path else "ready"


def is_known(method: str, path: str) -> bool:
    """Whether an operation of the document has this method and a path like this."""
    return any(
        method in operations and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", known), path)
        for known, operations in openapi()["paths"].items()
    )


def test_rows_of_evaluations_have_the_columns_that_the_server_gives() -> None:
    assert set(EvaluationRow.__annotations__) == set(EvaluationRowSerializer().fields)


def test_rows_of_operations_have_the_columns_that_the_server_gives() -> None:
    assert set(OperationRow.__annotations__) == set(OperationsRowSerializer().fields)
