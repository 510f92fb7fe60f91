"""Files of sources and of outputs that were made to be slow or large: refused by line, while the others come in."""

import csv
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import TestCase

from common import commands
from common.errors import Refused
from compressions.models import Source, SystemOutput
from compressions.readers import MAX_LINE_BYTES, Row, read_rows
from tests.support.factories import SENTENCE, make_campaign, make_staff, readable, staff_client
from tests.support.normalizing import SHORT_STACK, normalization_guarded

GOOD, NEXT = SENTENCE.format(number=1), SENTENCE.format(number=2)
STACKED = "more than 30 accents or marks stand on one letter, at character"
LONG = "60,000 characters, at most 50,000 are read"


def lines_of(name: str, bad: dict[str, str]) -> bytes:
    """A file whose second row is bad."""
    rows = [{"id": "1", "genre": "a", "text": GOOD}, bad, {"id": "2", "genre": "a", "text": NEXT}]
    if name.endswith("jsonl"):
        return "\n".join(map(json.dumps, rows)).encode()
    table = io.StringIO()
    writer = csv.DictWriter(table, ["id", "genre", "text"], delimiter="," if name.endswith("csv") else "\t")
    writer.writeheader()
    writer.writerows(rows)
    return table.getvalue().encode()


BAD = {
    "text of marks": ({"id": "3", "genre": "a", "text": f"{GOOD} {SHORT_STACK}"}, STACKED),
    "genre of marks": ({"id": "3", "genre": SHORT_STACK, "text": GOOD}, STACKED),
    "long text": ({"id": "3", "genre": "a", "text": "word " * 12_000}, LONG),
    "long genre": ({"id": "3", "genre": "g" * 60_000, "text": GOOD}, LONG),
    "long line": ({"id": "3", "genre": "a", "text": "a" * (MAX_LINE_BYTES + 1)}, "the line is longer than 1 MiB"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
@pytest.mark.parametrize("bad", BAD)
def test_a_row_of_sources_that_would_cost_much_is_named_on_the_page_and_the_others_come_in(name: str, bad: str) -> None:
    row, reason = BAD[bad]
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    client, file = staff_client(owner), SimpleUploadedFile(name, lines_of(name, row))

    with normalization_guarded(), TestCase.captureOnCommitCallbacks(execute=True):
        reply = client.post(f"/campaigns/{campaign.slug}/imports/", {"file": file})

    page = readable(client.get(reply["Location"]))
    assert reason in page
    assert set(Source.objects.values_list("source_id", flat=True)) == {"1", "2"}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
@pytest.mark.parametrize("bad", [each for each in BAD if "genre" not in each])
def test_an_output_that_would_cost_much_is_named_by_the_command(
    name: str, bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row, reason = BAD[bad]
    make_campaign(sources=3)
    (tmp_path / name).write_bytes(lines_of(name, row))

    with normalization_guarded():
        call_command("import_outputs", "t3", tmp_path / name, as_is=True)

    output = capsys.readouterr()
    assert output.out == "2 outputs added, 0 known before, 1 refused.\n"
    assert reason in output.err
    assert set(SystemOutput.objects.values_list("source__source_id", flat=True)) == {"1", "2"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "command",
    [["import_sources", "{slug}", "{file}"], ["import_outputs", "t3", "{file}"], ["import_ratings", "{file}"]],
)
def test_a_command_reads_no_more_of_a_file_than_fits(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "MAX_FILE_BYTES", 2**20)
    campaign = make_campaign(sources=1)
    (tmp_path / "a.jsonl").write_bytes(b" " * (2**20 + 1))

    with pytest.raises(CommandError, match=r"a\.jsonl: larger than 1 MiB"):
        call_command(*(part.format(slug=campaign.slug, file=tmp_path / "a.jsonl") for part in command))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
def test_millions_of_lines_are_not_in_memory_at_once(name: str) -> None:
    content = (
        b"id,genre,text\n" * name.endswith("csv") + b"id\tgenre\ttext\n" * name.endswith("tsv") + b"\r\n" * 200_000
    )

    tracemalloc.start()
    assert list(read_rows(name, content)) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 2_000_000  # a list of the lines takes eight


def test_of_a_table_only_what_is_asked_for_is_kept() -> None:
    names = ["id", "genre", "text", "sentences", *(f"c{number}" for number in range(900))]
    content = ",".join(names) + "\n" + ",".join("x" * len(names)) + "\n"

    (row,) = read_rows("a.csv", content.encode())

    assert isinstance(row, Row)
    assert row.fields == dict.fromkeys(("id", "genre", "text", "sentences"), "x")


def test_a_table_of_too_many_columns_is_refused_in_a_short_sentence() -> None:
    with pytest.raises(Refused, match=r"line 1: 1,001 columns, at most 1,000 can be read"):
        list(read_rows("a.csv", b"id,genre,text" + b",c" * 998 + b"\n"))
    with pytest.raises(Refused) as refusal:
        list(read_rows("a.csv", b",".join([b"n" * 1000] * 900) + b"\n"))
    assert len(str(refusal.value)) < 1_000


@pytest.mark.django_db
def test_what_a_row_says_is_repeated_in_part_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    campaign = make_campaign()
    rows: list[dict[str, Any]] = [
        {"id": "1", "genre": "a", "text": GOOD, "paragraph": "p" * 100_000},
        {"id": "2", "genre": "a", "text": NEXT, "sentences": "s" * 100_000},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))

    call_command("import_sources", campaign.slug, tmp_path / "a.jsonl")

    said = capsys.readouterr().err
    assert "is not among the texts" in said
    assert "a source has 1 or 2" in said
    assert len(said) < 1_000
