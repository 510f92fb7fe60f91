"""Links of the OpenAPI document: what one operation's answer gives to another, for clients and for tests."""

from collections.abc import Mapping
from typing import Any

SLUG = {"slug": "$request.path.slug"}
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
    "listTexts",
    "importTexts",
    "listTextImports",
    "listCompressions",
    "listFlags",
    "listRemarks",
    "getParagraphs",
    "listRatings",
    "listQualityRuns",
    "getQualityPreview",
    "getQualityRule",
    "keepQualityRule",
    "getPay",
    "listExamples",
    "listGold",
    "listExpertSamples",
)
OF_TEXT = ("getText", "retireText", "reinstateText", "correctText")
OF_COMPRESSION, OF_REMARK = ("getCompression", "setFlagsSeen"), ("answerRemark",)
OF_PERSON = ("getPerson", "excludePerson", "includePerson", "resetTest")
OF_RUN = ("listQualityDecisions", "withdrawQualityRun")
OF_EXAMPLE, OF_GOLD = ("getExample", "deleteExample", "restoreExample"), ("getGold", "retireGold", "restoreGold")
FIRST = "$response.body#/results/0"
OF_LINK = ("getLink", "changeLink", "setLinkState", "makeLinkCodes", "forgetLinkWrongIds", "getLinkKeys", "setLinkKeys")

# The operation that makes or lists something, what is taken from its answer, and what may be asked with that.
LINKS: tuple[tuple[str, Mapping[str, str], tuple[str, ...]], ...] = (
    ("createCampaign", {"slug": "$response.body#/slug"}, OF_CAMPAIGN),
    ("createLink", SLUG | {"link_id": "$response.body#/id"}, OF_LINK),
    ("listVersions", SLUG | {"number": "$response.body#/results/0/number"}, ("getVersion",)),
    ("listJobs", SLUG | {"job_id": "$response.body#/results/0/id"}, ("getJob",)),
    ("listTexts", SLUG | {"source_id": f"{FIRST}/id"}, OF_TEXT),
    ("importTexts", SLUG | {"import_id": "$response.body#/id"}, ("getTextImport",)),
    ("listTextImports", SLUG | {"import_id": f"{FIRST}/id"}, ("getTextImport",)),
    ("listCompressions", SLUG | {"compression_id": f"{FIRST}/id"}, OF_COMPRESSION),
    ("listFlags", SLUG | {"compression_id": f"{FIRST}/id"}, OF_COMPRESSION),
    ("listRemarks", SLUG | {"remark_id": f"{FIRST}/id"}, OF_REMARK),
    (
        "listParticipants",
        SLUG | {"work_round": "$request.path.work_round", "number": f"{FIRST}/number"},
        OF_PERSON,
    ),
    ("listQualityRuns", SLUG | {"run_id": f"{FIRST}/id"}, OF_RUN),
    ("listExamples", SLUG | {"item_id": f"{FIRST}/id"}, OF_EXAMPLE),
    ("listGold", SLUG | {"gold_id": f"{FIRST}/id"}, OF_GOLD),
    (
        "makeWebhook",
        {"webhook_id": "$response.body#/id"},
        ("getWebhook", "changeWebhook", "listWebhookDeliveries", "testWebhook", "deleteWebhook"),
    ),
    ("createCampaignFromFile", {"slug": "$response.body#/slug"}, ("getCampaignFile",)),
    ("cloneCampaign", {"slug": "$response.body#/slug"}, ("getCampaignFile",)),
    ("listTemplates", {"key": "$response.body#/results/0/key"}, ("getTemplate",)),
SLUG = "$request.path.slug"
OF_RUN = ("getScores", "getScoresParquet", "getScoresTsv")
OF_RELEASE = (
    "getRelease",
    "getReleaseOverview",
    "getAgreement",
    "listAgreementReports",
    "requestAgreementReport",
    "listScoreRuns",
    "requestScores",
    *OF_RUN,
)
# The operation that makes or lists something, what is taken from its answer, and what may be asked with that.
LINKS: tuple[tuple[str, Mapping[str, str], tuple[str, ...]], ...] = (
    ("importOutputs", {"import_id": "$response.body#/id"}, ("getOutputImport",)),
    ("listOutputImports", {"import_id": "$response.body#/results/0/id"}, ("getOutputImport",)),
    ("freezeRelease", {"version": "$response.body#/version"}, OF_RELEASE),
    ("listReleases", {"version": "$response.body#/results/0/version"}, OF_RELEASE),
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
    (
        "listAgreementReports",
        {"version": "$request.path.version", "question": "$response.body#/results/0/question"},
        ("getAgreement",),
    ),
    ("requestScores", {"version": "$request.path.version", "run": "$response.body#/id"}, OF_RUN),
    ("listScoreRuns", {"version": "$request.path.version", "run": "$response.body#/results/0/id"}, OF_RUN),
)


def add_links(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with a link from each success of an operation to those that go on with it."""
    by_id = {
        operation["operationId"]: operation
        for path in document["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
    }
    for source, values, targets in LINKS:
        for status, response in by_id[source]["responses"].items():
            if status.startswith("2"):
                response["links"] = response.get("links", {}) | {
                    target: {"operationId": target, "parameters": {"slug": SLUG, **values}} for target in targets
                }
    return document
