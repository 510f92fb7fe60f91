"""The OpenAPI document of the API, and the page on which one reads and tries it."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from crowd.access import public

JSON = "application/json"
EXAMPLES = Path(__file__).with_name("api_examples.json")
"""Of each operation what was sent and answered once; tests/flows/test_api_examples.py holds them."""
SLUG = "$request.path.slug"
FIRST = "$response.body#/results/0"
OF_CAMPAIGN = (
    "getCampaign",
    "setCampaignState",
    "getSettings",
    "changeSettings",
    "listVersions",
    "listLinks",
    "createLink",
    "pauseRound",
    "listJobs",
    "listAudit",
    "listStaff",
    "inviteStaff",
    "listTexts",
    "importTexts",
    "importTranslations",
    "listCompressions",
    "listRemarks",
    "listRatings",
    "listQualityRuns",
    "getQualityRule",
    "keepQualityRule",
    "getPay",
    "listExamples",
    "listGold",
    "listExpertSamples",
)
OF_TEXT = ("getText", "retireText", "correctText")
OF_PERSON = ("getPerson", "decidePerson")
OF_RUN = ("listQualityDecisions", "withdrawQualityRun")
OF_EXAMPLE, OF_GOLD = ("deleteExample",), ("retireGold",)
OF_MEMBER = ("setStaffRole", "removeStaff")
OF_LINK = ("changeLink", "makeLinkCodes")

OF_SCORES = ("getScores", "getScoresParquet", "getScoresTsv")
OF_RELEASE = (
    "getRelease",
    "getReleaseOverview",
    "getAgreement",
    "requestAgreementReport",
    "getOperations",
    "requestOperationsReport",
    "listOperationsTexts",
    "getEvaluation",
    "requestEvaluationReport",
    "requestScores",
    *OF_SCORES,
)
BEGIN_JOBS = (
    "importTexts",
    "importTranslations",
    "importOutputs",
    "importRatings",
    "applyQuality",
    "previewQuality",
    "freezeRelease",
    "requestAgreementReport",
    "requestOperationsReport",
    "requestEvaluationReport",
    "requestScores",
    "requestPlan",
)

# The operation that makes or lists something, what is taken from its answer, and what may be asked with that.
LINKS: tuple[tuple[str, Mapping[str, str], tuple[str, ...]], ...] = (
    *((asked_for, {"job_id": "$response.body#/job"}, ("getJob",)) for asked_for in BEGIN_JOBS),
    ("createCampaign", {"slug": "$response.body#/slug"}, OF_CAMPAIGN),
    ("createLink", {"link_id": "$response.body#/id"}, OF_LINK),
    ("listVersions", {"number": f"{FIRST}/number"}, ("getVersion",)),
    ("listStaff", {"username": f"{FIRST}/username"}, OF_MEMBER),
    ("listJobs", {"job_id": f"{FIRST}/id"}, ("getJob",)),
    ("listTexts", {"source_id": f"{FIRST}/id"}, OF_TEXT),
    *(
        (sent, {"kind": "$response.body#/kind", "import_id": "$response.body#/id"}, ("getImport",))
        for sent in ("importTexts", "importTranslations", "importOutputs", "importRatings")
    ),
    ("listCompressions", {"compression_id": f"{FIRST}/id"}, ("getCompression",)),
    (
        "listParticipants",
        {"work_round": "$request.path.work_round", "number": f"{FIRST}/number"},
        OF_PERSON,
    ),
    ("listQualityRuns", {"run_id": f"{FIRST}/id"}, OF_RUN),
    ("listExamples", {"item_id": f"{FIRST}/id"}, OF_EXAMPLE),
    ("listGold", {"gold_id": f"{FIRST}/id"}, OF_GOLD),
    (
        "makeWebhook",
        {"webhook_id": "$response.body#/id"},
        ("deleteWebhook",),
    ),
    ("createCampaignFromFile", {"slug": "$response.body#/slug"}, ("getCampaignFile",)),
    ("listModelRaters", {"rater_id": f"{FIRST}/id"}, ("deleteModelRatings",)),
    ("freezeRelease", {"version": "$response.body#/version"}, OF_RELEASE),
    ("listReleases", {"version": f"{FIRST}/version"}, OF_RELEASE),
    (
        "getRelease",
        {"version": "$response.body#/version", "name": "$response.body#/files/0/name"},
        ("getReleaseFile",),
    ),
    (
        "requestAgreementReport",
        {"version": "$request.path.version", "question": "$response.body#/question"},
        ("getAgreement",),
    ),
    ("requestScores", {"version": "$request.path.version", "run": "$response.body#/id"}, OF_SCORES),
)


def add_links(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with a link from each success of an operation to those that go on with it.

    Each takes along what it knows of the values, and the short name of the campaign.
    """
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    by_id = {operation["operationId"]: operation for operation in operations}
    for source, values, targets in LINKS:
        own = {"slug": SLUG} if "slug" in _parameters(by_id[source]) else {}
        for target in targets:
            _add_link(by_id[source], by_id[target], own | dict(values))
    return document


def _parameters(operation: Mapping[str, Any]) -> set[str]:
    return {each["name"] for each in operation.get("parameters", ())}


def _add_link(operation: Mapping[str, Any], target: Mapping[str, Any], values: Mapping[str, str]) -> None:
    known = {name: value for name, value in values.items() if name in _parameters(target)}
    name = target["operationId"]
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            response.setdefault("links", {})[name] = {"operationId": name, "parameters": known}


def add_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with an example of what each operation is sent and answers as JSON."""
    recorded = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    for path in document["paths"].values():
        for operation in path.values():
            example = recorded.get(operation["operationId"], {})
            _add_example(operation.get("requestBody", {}), example.get("request"))
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    _add_example(response, example.get("response"))
    return document


def _add_example(described: Mapping[str, Any], example: Any) -> None:
    if example is not None and JSON in described.get("content", {}):
        described["content"][JSON]["example"] = example


PREFIX = "/api/v1/"
LIMITS_OF_COLUMNS = {sign * 2**bits - (sign > 0) for sign in (1, -1) for bits in (15, 31, 63)}
# What is listed under another heading than its own name.
HEADINGS = dict.fromkeys(
    ("state", "settings", "versions", "rounds", "jobs", "audit", "file", "clone", "progress"), "campaigns"
) | {
    "flags": "compressions",
    "templates": "campaigns",
    "campaign-files": "campaigns",
    "people": "participants",
    "invitations": "staff",
}


@cache
def openapi() -> dict[str, Any]:
    """Return the document, made once for each process."""
    with override("en"):
        document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    for name, component in document["components"]["schemas"].items():
        if name.endswith("Request"):
            component["additionalProperties"] = False  # a field that nobody declared is refused
    for path, operations in document["paths"].items():
        for operation in operations.values():
            operation["tags"] = [_tag(path)]
    return add_examples(add_links(_without_limits_of_the_database(document)))


def _without_limits_of_the_database(part: Any) -> Any:
    """Return the document, or a part of it, without the largest numbers that the columns of this database hold."""
    if isinstance(part, list):
        return [_without_limits_of_the_database(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {name: _without_limits_of_the_database(each) for name, each in part.items()}
    if kept.get("type") == "integer":
        for name in ("minimum", "maximum"):
            if kept.get(name) in LIMITS_OF_COLUMNS:
                del kept[name]
        kept.pop("format", None)
    return kept


def _tag(path: str) -> str:
    """Return the heading under which an operation is listed: what lies directly below a campaign."""
    parts = path.removeprefix(PREFIX).strip("/").split("/")
    below = parts[2] if len(parts) > 2 else parts[0]
    return HEADINGS.get(below, below)


@public
@require_safe
def openapi_json(_request: HttpRequest) -> HttpResponse:
    """Send the document."""
    return HttpResponse(json.dumps(openapi()), content_type="application/json")


@public
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show all operations; with a token, each can be tried."""
    return render(request, "annotation/api.html")
