"""The OpenAPI document has an example of each operation, as it was sent and answered once.

`make openapi` records them again, with WRITE_API_EXAMPLES=1, from the calls of the table of addresses.
"""

import json
import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from pytest_django.fixtures import Settings

from annotation.api_document import EXAMPLES, JSON
from common.outgoing.hosts import checked_receivers
from corpus.models import Release
from protocols.comparison.report import KIND as SYSTEMS
from protocols.comparison.tests.releases import compared_release
from protocols.quiz.tests.sounds import MP3, heard_lines
from protocols.quiz.tests.studies import imported, quiz_campaign
from protocols.scale_against_scale.report import KIND as SCALES
from protocols.scale_against_scale.tests.planted import planted_release
from protocols.tests.test_fusions import judging_campaign, written_campaign
from reports.kinds import ReportKind
from reports.services import report_complete, report_get_or_create
from tests.support.api_addresses import API_TABLE
from tests.support.api_client import Api
from tests.support.api_schema import arguments_of, json_bodies, operations
from tests.support.factories import silent
from tests.support.world import World

Place = dict[str, str]


def with_report(kind: ReportKind, release: Release, **parameters: int) -> Place:
    report = report_get_or_create(kind=kind, on=release, parameters=kind.parameters(**parameters))
    report_complete(report=report, progress=silent)
    return place_of(release)


def place_of(release: Release) -> Place:
    return {"slug": release.campaign.slug, "version": str(release.version)}


def fixed(world: World) -> Place:
    answer = Api(world.owner).call("put", f"campaigns/{world.study.slug}/analysis/", {})
    assert answer.status_code == 200
    return {"slug": world.study.slug}


def heard(world: World) -> Place:
    campaign = quiz_campaign(owner=world.owner)
    imported(campaign, heard_lines())
    return {"slug": campaign.slug}


# What is refused in the world of the tests is done elsewhere.
ELSEWHERE: dict[str, Callable[[World], Place]] = {
    "addSound": heard,
    "getFixedAnalysis": fixed,
    "getScaleComparison": lambda world: with_report(SCALES, planted_release(owner=world.owner), draws=100),
    "getSystemComparison": lambda world: with_report(SYSTEMS, compared_release(owner=world.owner), draws=100),
    "makePieces": lambda world: {"slug": judging_campaign(written_campaign(owner=world.owner)).slug},
    "requestScaleComparisonReport": lambda world: place_of(planted_release(owner=world.owner)),
}
SENT: dict[str, dict[str, Any]] = {"addSound": {"file": SimpleUploadedFile("talk.mp3", MP3)}}
LONGEST = 160
SECRET = re.compile(r"(?<=/join/)[\w-]{22}|(?<=/invitations/)[\w-]+|(?<=signing_key=)[\w-]+")
MADE_UP = {"token": "prc_0123456789abcdefghij", "secret": "0123456789abcdefghij"}


def example_of(world: World, name: str, path: str, method: str) -> dict[str, Any]:
    """Call an operation as the table of addresses does, and return what was sent and answered; nothing stays of it."""
    address, arguments = arguments_of(world, path)
    call = API_TABLE[address].calls[method]
    sent = dict(SENT.get(name, call.sent(world)))
    with transaction.atomic():
        place = {**arguments, **(ELSEWHERE[name](world) if name in ELSEWHERE else {})}
        answer = Api(world.owner).call(method, path.format(**place), sent, is_form=call.is_form)
        transaction.set_rollback(True)
    assert answer.status_code < 300, (name, answer.content)
    example = {}
    if method != "get" and not call.is_form and sent:
        example["request"] = sent
    if answer.get("Content-Type", "").startswith(JSON):
        example["response"] = short(answer.json())
    return example


def short(value: Any) -> Any:
    """Return an answer with the first of each list, without long texts, and without what opens a study."""
    if isinstance(value, dict):
        return {name: MADE_UP.get(name) if name in MADE_UP and each else short(each) for name, each in value.items()}
    if isinstance(value, list):
        return [short(each) for each in value[:1]]
    if isinstance(value, str):
        value = SECRET.sub("0123456789abcdefghijkl", value.replace("http://testserver", "https://precis.example.org"))
        return value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"
    return value


def names_in(value: Any) -> Any:
    """Return the names of an answer's fields, however deep, without their values."""
    if isinstance(value, dict):
        return {name: names_in(each) for name, each in value.items()}
    return [names_in(each) for each in value[:1]] if isinstance(value, list) else None


@pytest.mark.django_db
def test_each_operation_has_an_example_with_the_fields_that_it_takes_and_gives(
    world: World, settings: Settings
) -> None:
    settings.WEBHOOK_RECEIVERS = tuple(checked_receivers("PRECIS_WEBHOOK_HOSTS", ["hooks.example.org"]))
    made = {
        name: example_of(world, name, path, method) for name, path, method in operations() if json_bodies(path, method)
    }
    kept = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    if os.environ.get("WRITE_API_EXAMPLES"):  # of those that are still so, the times and codes stay as they were
        kept = {name: kept[name] if names_in(kept.get(name)) == names_in(made[name]) else made[name] for name in made}
        words = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
        EXAMPLES.write_text(f"{words}\n", encoding="utf-8")

    assert names_in(kept) == names_in(made), "make openapi records them again"


def test_the_document_shows_them_where_json_is_sent_or_answered() -> None:
    lacking = [
        name for name, path, method in operations() if any("example" not in each for each in json_bodies(path, method))
    ]

    assert lacking == []
