"""A reader without the app says whether a release is whole, and whether a report follows from its ratings."""

import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from crowd.models import Enrolment, Round
from measures.verify_release.__main__ import main
from ratings.services.experts import expert_sample_draw
from tests.support.factories import RATE, edit_all, enrol, freeze, make_campaign, rate_next
from tests.support.product import ROOT
from tests.support.reports import report_of
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db
Damage = Callable[[Path], object]


def verified(place: Path, *options: str) -> tuple[int, str]:
    """The exit code, and what is printed."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = main([str(place), *options])
    return code, out.getvalue()


def sealed(folder: Path) -> None:
    """Let the manifest state what the files are now, as somebody would who changed them on purpose."""
    manifest = read(folder)
    for each in manifest["files"]:
        content = (folder / each["name"]).read_bytes()
        each |= {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    write(folder, manifest)


def read(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return manifest


def write(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def change_records(folder: Path, change: Callable[[list[Any]], object]) -> None:
    """Change the records and seal the files."""
    path = folder / "corpus.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    sealed(folder)


def rate_in_turn(enrolment: Enrolment, step: int) -> None:
    number = 0
    while rate_next(enrolment, 1 + number * step % 3, 1 + number % 3):
        number += 1


def flip(folder: Path) -> None:
    path = folder / "RawData" / "train.tsv"
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


def rate_otherwise(rows: list[Any]) -> None:
    rating = rows[0]["compressions"][0]["ratings"][0]
    rating["scores"]["meaning"] = rating["scores"]["meaning"] % 3 + 1


def climb(folder: Path) -> None:
    manifest = read(folder)
    manifest["files"][0]["name"] = "../outside"
    write(folder, manifest)


def age(folder: Path) -> None:
    """As the earliest releases were: numbers for people, two scales by name, no logs, fewer counts."""

    def change(rows: list[Any]) -> None:
        for row in rows:
            for text in row["compressions"]:
                for rating in (*text["ratings"], *text.get("expert_ratings", ())):
                    rating.update(rating.pop("scores"))
                    del rating["day"]
                    rating["rater"] = int(rating["rater"])

    manifest = read(folder)
    manifest["files"] = [each for each in manifest["files"] if each["name"] in ("corpus.jsonl", "RawData/train.tsv")]
    del manifest["scales"], manifest["summary"]["rated_outputs"], manifest["summary"]["overview"]
    write(folder, manifest)
    (folder / "edit_logs.jsonl").unlink()
    change_records(folder, change)


def link_out(folder: Path) -> None:
    path = folder / "RawData" / "train.tsv"
    outside = folder.parent / "outside.tsv"
    shutil.move(path, outside)
    path.symlink_to(outside)


def empty(folder: Path) -> None:
    (folder / "corpus.jsonl").write_bytes(b"")
    sealed(folder)


def shorten_table(folder: Path) -> None:
    path = folder / "parquet" / "tables" / "ratings.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    sealed(folder)


def spoil_table(folder: Path) -> None:
    (folder / "parquet" / "train.parquet").write_bytes(b"PAR1 and no more PAR1")
    sealed(folder)


CASES: dict[str, tuple[Damage, int, str]] = {
    "nothing": (lambda _: None, 0, "pass         joins: each line of edit_logs.jsonl"),
    "a damaged byte": (flip, 1, "FAILED       files: RawData/train.tsv: SHA-256 "),
    "a removed record": (lambda at: change_records(at, lambda rows: rows.pop()), 1, "summary says sources 6, and"),
    "a changed rating": (lambda at: change_records(at, rate_otherwise), 1, "manifest.json: "),
    "a rating beyond its scale": (
        lambda at: change_records(
            at, lambda rows: rows[1]["compressions"][0]["ratings"][0]["scores"].update(meaning=4)
        ),
        1,
        "corpus.jsonl, line 2: compressions, number 1, ratings, number 1: 4 is not on the scale meaning",
    ),
    "a record without a split": (
        lambda at: change_records(at, lambda rows: rows[2].pop("split")),
        1,
        "corpus.jsonl, line 3: split is None",
    ),
    "nuggets of another form": (
        lambda at: change_records(at, lambda rows: rows[2].update(nuggets=["One.", ["Two."]])),
        1,
        "corpus.jsonl, line 3: nuggets is not a list of texts",
    ),
    "another editor": (
        lambda at: change_records(at, lambda rows: rows[0]["compressions"][0].update(editors=["77"])),
        1,
        "FAILED       joins: edit_logs.jsonl, line ",
    ),
    "a missing file": (lambda at: (at / "RawData" / "test.tsv").unlink(), 1, "RawData/test.tsv: is missing"),
    "a path out of the folder": (climb, 1, "../outside: lies outside of the release"),
    "a link out of the folder": (link_out, 1, "RawData/train.tsv: leads out of the folder"),
    "no manifest": (lambda at: (at / "manifest.json").unlink(), 2, "no manifest.json, so there is nothing to hold"),
    "a manifest that is no JSON": (lambda at: (at / "manifest.json").write_text("{"), 2, "manifest.json: "),
    "deeply nested": (lambda at: (at / "manifest.json").write_text("[" * 100_000), 2, "nested too deeply"),
    "an older release": (age, 0, "not checked  counts: rated_outputs: the manifest of this older release"),
    "an empty release": (empty, 1, "summary says sources 6, and corpus.jsonl has 0"),
    "a table without a row": (shorten_table, 1, "FAILED       tables: parquet/tables/ratings.parquet: "),
    "a table that is none": (spoil_table, 1, "FAILED       tables: parquet/train.parquet: "),
    "more than the manifest names": (lambda at: (at / "notes.txt").write_text("mine"), 0, "notes.txt: not in"),
}


def test_a_release_and_its_report_are_verified_and_each_damage_is_named(tmp_path: Path) -> None:
    tasks: dict[str, Any] = {"editors_per_source": 2, "raters_per_compression": 3, "editor_tasks": 6, "rater_tasks": 12}
    campaign = make_campaign(sources=6, **tasks)
    edit_all(campaign, 2)
    for number in range(3):
        rate_in_turn(enrol(campaign, RATE), number + 1)
    expert_sample_draw(campaign=campaign, size=8, seed=1, experts=2)
    for number in range(2):
        rate_in_turn(enrol(campaign, Round.EXPERT), number + 1)
    release = freeze(campaign)
    report = report_of(release)
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report), encoding="utf-8")
    whole = release_folder(release)

    code, said = verified(whole, f"--report={file}")
    assert code == 0, said
    assert [line.split(":")[0] for line in said.splitlines() if line.startswith("pass")] == [
        f"pass         {name}" for name in ("files", "records", "counts", "joins", "tables", "agreement")
    ]
    compared = [row for row in report["rows"] if not row["group"] and "told from 0" not in row["measure"]]
    assert f"{len(compared)} of {len(report['rows'])} rows" in said
    assert "not checked  agreement: " in said
    assert "by genre (" in said
    assert verified(whole / f"{release.name}.zip", f"--report={file}")[0] == 0

    for name, (damage, expected, words) in CASES.items():
        copy = tmp_path / name / "release"
        shutil.copytree(whole, copy)
        damage(copy)
        code, said = verified(copy)
        assert (code, words in said) == (expected, True), f"{name}: {said}"

    damaged = tmp_path / "a changed rating" / "release"
    another = report | {"release_sha256": hashlib.sha256((damaged / "manifest.json").read_bytes()).hexdigest()}
    for row in report["rows"]:
        row["value"] = row["value"] and row["value"] + 1e-5
    for place, given, words in [
        (damaged, another, "FAILED       agreement: meaning, worker versus worker, agreement: value is "),
        (whole, report, "value is "),
        (whole, report | {"release_sha256": "0" * 64}, "not on this one"),
        (whole, {"rows": []}, "no parameters and rows"),
        (whole, report | {"parameters": report["parameters"] | {"draws": 10**9}}, "beyond what a report can have"),
    ]:
        file.write_text(json.dumps(given), encoding="utf-8")
        code, said = verified(place, f"--report={file}")
        assert (code, words in said) == (1, True), said


def test_archives_are_read_within_bounds(tmp_path: Path) -> None:
    stated = {"name": "corpus.jsonl", "size": 64 << 20, "sha256": "0" * 64}
    manifest = json.dumps({"files": [stated], "summary": {}})
    for name, members, words in [
        ("bomb", {"corpus.jsonl": b"0" * (64 << 20)}, "as no text does: not read"),
        ("climbing", {"../x": b"x", "corpus.jsonl": b""}, "../x: lies outside of the release"),
    ]:
        place = tmp_path / f"{name}.zip"
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in {"manifest.json": manifest.encode(), **members}.items():
                archive.writestr(member, content)
        code, said = verified(place)
        assert (code, words in said) == (1, True), said
    (tmp_path / "none.zip").write_bytes(b"PK")
    assert verified(tmp_path / "none.zip")[0] == verified(tmp_path / "nowhere")[0] == 2


def test_it_is_a_command() -> None:
    command = [sys.executable, "-m", "measures.verify_release", "--help"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "Exit code: 0 if nothing is wrong" in done.stdout
