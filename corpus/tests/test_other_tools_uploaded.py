"""What other annotation tools export comes in without a shell: by the pages, and by programs."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import TestCase
from pytest_django.fixtures import Settings

from common.errors import Refused
from common.models import Job
from compressions import other_tools
from compressions.models import Source, SourceImport, SystemOutput
from corpus.models import OutputImport
from corpus.tests.test_other_tools import ANSWERS, EXPORTS, LABEL_STUDIO_FILE, TASK
from crowd.models import Campaign
from ratings.models import RatingImport, Score
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db

EXPORT = LABEL_STUDIO_FILE.read_bytes()
BY_LABEL_STUDIO = {"written_by": "label-studio"}
Sender = Callable[..., Any]


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(slug="here", owner=make_staff(), sources=0, sentence_min_words=1)


def by_page(campaign: Campaign, page: str, name: str, content: bytes, **fields: str) -> Any:
    address = f"/campaigns/{campaign.slug}/{page.replace('imports/', 'import/') if 'ratings' in page else page}"
    with TestCase.captureOnCommitCallbacks(execute=True):
        sent = {"file": SimpleUploadedFile(name, content), **fields}
        return staff_client(campaign.staff.get()).post(address, sent)


def by_program(campaign: Campaign, page: str, name: str, content: bytes, **fields: str) -> Any:
    address = f"campaigns/{campaign.slug}/{'systems/imports/' if page == 'systems/' else page}"
    with TestCase.captureOnCommitCallbacks(execute=True):
        sent = {"file": SimpleUploadedFile(name, content), **fields}
        return Api(campaign.staff.get()).call("post", address, sent, is_form=True)


@pytest.mark.parametrize("send", [by_page, by_program])
def test_texts_outputs_and_ratings_of_label_studio(campaign: Campaign, send: Sender) -> None:
    read = BY_LABEL_STUDIO

    send(campaign, "imports/", "project-1.json", EXPORT, columns="text=source", **read)
    send(campaign, "systems/", "project-1.json", EXPORT, system="T3", **read)
    send(campaign, "ratings/imports/", "project-1.json", EXPORT, pool="crowd", columns="rater = person\n\n", **read)

    assert [*Job.objects.order_by("pk").values_list("message", flat=True)] == [
        "1 text added, 0 known before, 0 rows refused.",
        "1 output added, 0 known before, 0 refused.",
        "1 rating added, 0 known before, 0 refused.",
    ]
    assert Source.objects.get().source_id == "s1"
    assert SystemOutput.objects.get().target.text == "The bridge was closed last week."
    assert dict(Score.objects.values_list("scale", "value")) == {"meaning": 3, "grammar": 2}
    for imports in (SourceImport, OutputImport, RatingImport):
        assert [0, "Left out, skipped by the annotator: 1"] in imports.objects.get().warnings


def test_a_zip_of_a_tool_and_what_nobody_else_wrote_with_other_columns(campaign: Campaign) -> None:
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w") as archive:
        for file in sorted((EXPORTS / "doccano").iterdir()):
            archive.write(file, file.name)

    by_page(campaign, "imports/", "doccano.zip", archived.getvalue(), written_by="doccano", columns="id=source_id")
    by_page(campaign, "imports/", "a.csv", b"number,words\n7,It rained.\n", columns="id=number\ntext=words")

    assert sorted(Source.objects.values_list("source_id", flat=True)) == ["7", "s1"]


SHUT = "The old bridge over the river was closed for repairs last week."
UNANSWERED: dict[str, tuple[Any, ...]] = {
    "label-studio": ("a.json", [{"id": 1, "data": {"id": "s2", "text": SHUT}, "annotations": []}]),
    "doccano": ("a.jsonl", {"id": 1, "source_id": "s2", "text": SHUT, "label": []}),
    "potato": ("a.jsonl", {"id": "s2", "text": SHUT}, {"instance_id": "s2", "user_id": "u", "labels": {}}),
    "argilla": ("a.json", [{"id": "s2", "fields": {"text": SHUT}, "metadata": {}, "responses": {}}]),
}


@pytest.mark.parametrize("tool", UNANSWERED)
def test_texts_that_nobody_has_worked_on_come_in_as_texts_alone(campaign: Campaign, tool: str) -> None:
    name, *lines = UNANSWERED[tool]
    sent, read = "\n".join(map(json.dumps, lines)).encode(), {"written_by": tool}
    columns = {"doccano": "id=source_id", "argilla": "id=item"}.get(tool, "")

    by_page(campaign, "imports/", name, sent, columns=columns, **read)
    by_page(campaign, "systems/", name, sent, system="T3", **read)

    assert Source.objects.get().source_id == "s2"
    assert SourceImport.objects.get().file_name == name
    assert Job.objects.latest("pk").message == f"{name}: nobody has answered anything in it."


def test_items_of_two_projects_with_one_number_both_come_in(campaign: Campaign) -> None:
    items = [{"id": 1, "data": {"id": name, "text": f"{name} {SHUT}"}, "annotations": []} for name in ("s1", "s2")]
    by_page(campaign, "imports/", "a.json", json.dumps([*items, TASK | {"id": 1}]).encode(), **BY_LABEL_STUDIO)
    assert sorted(Source.objects.values_list("source_id", flat=True)) == ["s1", "s2"]


@pytest.mark.parametrize("packed", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_zip_is_told_however_it_is_packed(campaign: Campaign, packed: int) -> None:
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", packed) as archive:
        archive.writestr("a.jsonl", json.dumps(UNANSWERED["doccano"][1]) * 99)
    damaged = bytearray(archived.getvalue())
    damaged[60:80] = b"\xff" * 20
    assert "a.zip is no ZIP" in failed(campaign, bytes(damaged), "a.zip", written_by="doccano")


def test_what_macos_adds_to_a_zip_is_passed_over(campaign: Campaign) -> None:
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w") as archive:
        archive.writestr("ann1.jsonl", json.dumps(UNANSWERED["doccano"][1]))
        for name in ("__MACOSX/._ann1.jsonl", ".DS_Store"):
            archive.writestr(name, b"\x00\xff")
    by_page(campaign, "imports/", "a.zip", archived.getvalue(), written_by="doccano", columns="id=source_id")
    assert Source.objects.get().source_id == "s2"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"columns": "text"}, "'text': write what is wanted"),
        ({"columns": "text="}, "'text=': write what is wanted"),
        ({"columns": "text=a\ntext = b"}, "Two columns are named for 'text'"),
        ({"written_by": "excel"}, "excel"),
        ({"columns": "a=b\n" * 300}, "1000"),
    ],
)
def test_what_cannot_be_meant_is_refused_at_once(campaign: Campaign, fields: dict[str, str], words: str) -> None:
    page = by_page(campaign, "imports/", "a.json", EXPORT, **fields)
    assert (page.status_code, words in readable(page).replace(",", "")) == (422, True)

    answer = by_program(campaign, "imports/", "a.json", EXPORT, **fields)
    assert (answer.status_code, [each["field"] for each in answer.json()["errors"]]) == (400, [*fields])
    assert not Job.objects.exists()


def failed(campaign: Campaign, content: bytes, name: str = "a.json", **fields: str) -> str:
    """What the page of an import says that came to nothing."""
    reply = by_page(campaign, "imports/", name, content, **{**BY_LABEL_STUDIO, **fields})
    assert Job.objects.get().state == "failed"
    assert not Source.objects.exists()
    return readable(staff_client(campaign.staff.get()).get(reply["Location"]))


MANY = [{**ANSWERS, "completed_by": number} for number in range(2_000)]
WIDE = {f"column {number}": "" for number in range(1_001)}


@pytest.mark.parametrize(
    ("content", "fields", "words"),
    [
        (b"[1]", {}, "a.json is not what label-studio exports"),
        (json.dumps([TASK, {"data": {}}]).encode(), {}, f"label-studio exports, after item {TASK['id']} (KeyError"),
        (b'{"id": "s2", "text": "It rained."}', {"written_by": "potato"}, "a file of items alone is a table as it is"),
        (EXPORT, {"written_by": "argilla"}, "a.json is not what argilla exports"),
        (b"{}", {"written_by": "argilla"}, "no list of records, no JSONL and no Arrow"),
        (json.dumps([TASK]).encode().replace(b"was shut", rb"\ud800"), {}, "is not what label-studio exports"),
        (EXPORT, {"columns": "text=words"}, "no column named words; found id, source, text"),
        (json.dumps([{**TASK, "data": WIDE}]).encode(), {}, "or 1,000 columns. Split it."),
        (json.dumps([{**TASK, "data": {"text": "a" * 9_999}, "annotations": MANY}]).encode(), {}, "more than 4 MiB"),
        (json.dumps([{**TASK, "data": {"item" * 2_500: ""}, "annotations": MANY}]).encode(), {}, "more than 4 MiB"),
        ((EXPORTS / "argilla.arrow").read_bytes(), {"written_by": "argilla", "name": "a.arrow"}, "by commands alone"),
    ],
)  # fmt: skip
def test_a_file_that_comes_to_nothing_says_why(
    campaign: Campaign, settings: Settings, content: bytes, fields: dict[str, str], words: str
) -> None:
    settings.UPLOAD_MAX_BYTES = 2**20
    assert words in failed(campaign, content, **fields)


def test_a_zip_is_held_to_the_size_of_an_upload_when_it_is_unpacked(campaign: Campaign, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 2**20
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tasks.json", b" " * 2**20 + b"[]")

    assert "a.zip holds more than 1000 files or 1 MiB" in failed(campaign, archived.getvalue(), "a.zip")


def test_an_item_is_not_looked_at_for_people_who_gave_no_answer(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a file of empty answers to one large item would keep a worker busy for days."""
    monkeypatch.setattr(other_tools, "_cell", lambda _value: pytest.fail("the item was looked at"))
    tasks = [{**TASK, "annotations": [{"completed_by": 1, "result": []}] * 3}]

    with pytest.raises(Refused, match="nobody has answered anything"):
        other_tools.tool_table("label-studio", "a.json", json.dumps(tasks).encode())


def test_many_people_who_judged_one_item_cost_no_more_each() -> None:
    people = range(20_000)
    responses = [{"user_id": f"u{each}", "value": 1} for each in people]
    record = {"id": 1, "fields": {"text": "a"}, "metadata": {}, "responses": {"meaning": responses}}

    table = other_tools.tool_table("argilla", "a.json", json.dumps([record]).encode())

    assert len(table.lines) == len(people)
