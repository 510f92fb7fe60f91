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
)
OF_LINK = ("getLink", "changeLink", "setLinkState", "makeLinkCodes", "forgetLinkWrongIds", "getLinkKeys", "setLinkKeys")

# The operation that makes or lists something, what is taken from its answer, and what may be asked with that.
LINKS: tuple[tuple[str, Mapping[str, str], tuple[str, ...]], ...] = (
    ("createCampaign", {"slug": "$response.body#/slug"}, OF_CAMPAIGN),
    ("createLink", SLUG | {"link_id": "$response.body#/id"}, OF_LINK),
    ("listVersions", SLUG | {"number": "$response.body#/results/0/number"}, ("getVersion",)),
    ("listJobs", SLUG | {"job_id": "$response.body#/results/0/id"}, ("getJob",)),
    (
        "makeWebhook",
        {"webhook_id": "$response.body#/id"},
        ("getWebhook", "changeWebhook", "listWebhookDeliveries", "testWebhook", "deleteWebhook"),
    ),
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
                    target: {"operationId": target, "parameters": dict(values)} for target in targets
                }
    return document
