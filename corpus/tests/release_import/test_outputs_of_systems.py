"""Outputs of many systems in one file, each line with the name of its system."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from common.errors import Refused
from common.models import Job
from compressions.models import System, SystemOutput, Target
from corpus.models import OutputImport
from corpus.services import outputs
from corpus.services.outputs import outputs_import
from crowd.models import Campaign, Item, Stream
from tests.support.factories import RATE, make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db

Rows = list[tuple[str, str, str]]
ROWS: Rows = [("1", "t3", "It met."), ("1", "lead 50", "It met."), ("2", "t3", "They, “at last”, met.")]


def as_jsonl(rows: Rows) -> bytes:
    return "\n".join(json.dumps({"id": a, "system": b, "text": c}) for a, b, c in rows).encode()


def as_csv(rows: Rows) -> bytes:
    return "\n".join(["System,text,id", *(f'{b},"{c}",{a}' for a, b, c in rows)]).encode()


def as_tsv(rows: Rows) -> bytes:
    return "\n".join(["id\tsystem\tnote\ttext", *(f"{a}\t{b}\tof May\t{c}" for a, b, c in rows)]).encode()


FILES = {"a.jsonl": as_jsonl, "a.csv": as_csv, "a.tsv": as_tsv}


def imported(campaign: Campaign, rows: Rows, *, system: str | None = None, name: str = "a.jsonl") -> OutputImport:
    return outputs_import(campaign=campaign, system=system, file_name=name, content=FILES[name](rows))


def stored(campaign: Campaign) -> Rows:
    found = SystemOutput.objects.filter(system__campaign=campaign).order_by("pk")
    return list(found.values_list("source__source_id", "system__name", "target__text"))


def uploaded(campaign: Campaign, name: str, content: bytes, **fields: str) -> Any:
    client = staff_client(campaign.staff.get())
    with TestCase.captureOnCommitCallbacks(execute=True):
        reply = client.post(
            f"/campaigns/{campaign.slug}/systems/", {"file": SimpleUploadedFile(name, content), **fields}
        )
    return client.get(reply["Location"]) if reply.status_code == 302 else reply


@pytest.mark.parametrize("name", FILES)
def test_the_page_takes_one_file_for_all_systems(name: str) -> None:
    campaign = make_campaign(owner=make_staff(), sources=2)

    page = uploaded(campaign, name, FILES[name](ROWS))

    assert stored(campaign) == ROWS
    assert Job.objects.get().message == "3 outputs added, 0 known before, 0 refused."
    assert f"Outputs of systems from {name}" in readable(page)


@pytest.mark.parametrize("name", FILES)
def test_the_command_takes_one_file_for_all_systems_and_changes_nothing_the_second_time(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = make_campaign(sources=2)
    (tmp_path / name).write_bytes(FILES[name](ROWS))

    for _ in range(2):
        call_command("import_outputs", str(tmp_path / name))

    assert capsys.readouterr().out.splitlines() == [
        "3 outputs added, 0 known before, 0 refused.",
        "0 outputs added, 3 known before, 0 refused.",
    ]
    assert stored(campaign) == ROWS


def test_two_systems_that_write_the_same_share_one_text_for_raters() -> None:
    campaign = make_campaign(sources=2)

    imported(campaign, ROWS)

    assert Target.objects.count() == 2
    assert Item.objects.filter(campaign=campaign, round=RATE, stream=Stream.SYSTEM, is_closed=False).count() == 2


def test_each_line_is_refused_for_its_own_reason() -> None:
    campaign = make_campaign(sources=2)
    rows = [
        ("1", "t3", "It met."),
        ("1", "", "It met."),
        ("1", "a/b", "It met."),
        ("1", "x" * 61, "It met."),
        ("9", "t3", "It met."),
        ("1", "t3", "It met twice."),
        ("1", " t3 ", "It met."),
        ("2", "t4", ""),
    ]

    report = imported(campaign, rows)

    named = "A system's name has 1 to 60 characters, none of them / \\ ; | or a control character: "
    assert report.problems == [
        (2, "it does not name a system"),
        (3, f"{named}'a/b'."),
        (4, f"{named}{'x' * 61!r}."),
        (5, "the campaign has no source '9'"),
        (6, "the system has another output for source '1'"),
        (8, "the output is empty"),
    ]
    assert (report.added, report.unchanged, report.refused) == (1, 1, 6)
    assert stored(campaign) == [("1", "t3", "It met.")]
    assert list(System.objects.values_list("name", flat=True)) == ["t3"]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_table_without_a_column_of_systems_is_refused_whole(name: str) -> None:
    content = FILES[name](ROWS).replace(b"ystem", b"ource")

    with pytest.raises(Refused, match="no column named system; found "):
        outputs_import(campaign=make_campaign(sources=2), system=None, file_name=name, content=content)

    assert not System.objects.exists()


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_names_another_system_than_the_command_is_refused_whole(name: str, tmp_path: Path) -> None:
    campaign = make_campaign(sources=2)
    (tmp_path / name).write_bytes(FILES[name](ROWS))

    with pytest.raises(CommandError, match=r"line \d: an output of the system 'lead 50', not of 't3'"):
        call_command("import_outputs", "t3", str(tmp_path / name))

    assert not System.objects.exists()
    assert stored(campaign) == []


@pytest.mark.parametrize("name", FILES)
def test_a_file_may_name_the_system_that_the_command_names(name: str) -> None:
    campaign = make_campaign(sources=2)
    rows = [("1", "t3", "It met."), ("2", "", "They met.")]

    imported(campaign, rows, system="t3", name=name)

    assert stored(campaign) == [("1", "t3", "It met."), ("2", "t3", "They met.")]


def test_rawdata_wants_the_name_of_its_system() -> None:
    content = b"1\tLetters\tThe text. ||| It met.\tt3\t0"

    with pytest.raises(Refused, match="Give the name of the system"):
        outputs_import(campaign=make_campaign(sources=2), system=None, file_name="a.tsv", content=content)


def test_a_file_of_too_many_systems_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "MAX_SYSTEMS", 2)
    campaign = make_campaign(sources=2)
    imported(campaign, ROWS)

    with pytest.raises(Refused, match="3 systems, at most 2 can be in one file"):
        imported(campaign, [*ROWS, ("2", "t4", "They met.")])

    assert System.objects.count() == 2


def test_queries_do_not_grow_with_the_number_of_systems() -> None:
    def queries(systems: int, *, again: bool = False) -> int:
        campaign = make_campaign(sources=4)
        rows = [(str(n % 4 + 1), f"s{n % systems}", f"Output {n}.") for n in range(20)]
        if again:
            imported(campaign, rows)
        with CaptureQueriesContext(connection) as captured:
            report = imported(campaign, rows)
        assert report.refused == 0
        return len(captured)

    assert queries(5) == queries(20)
    assert queries(5, again=True) == queries(20, again=True) < queries(5)
