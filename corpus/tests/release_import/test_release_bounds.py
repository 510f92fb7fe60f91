"""Folders of releases that were made to be slow or large: refused with their file and line."""

import json
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.formats.jsonl import CORPUS_FILE
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from corpus.release_import import reading
from corpus.release_import.rows import people_named
from crowd.models import Campaign
from measures.tests.steps import steps
from tests.support.factories import freeze, judged_campaign, make_staff
from tests.support.normalizing import SHORT_STACK, normalization_guarded
from tests.support.stored import release_folder

pytestmark = pytest.mark.both_databases

NESTED = b'{"id": ' + b"[" * 100_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The two files of a complete release that are read."""
    release = freeze(judged_campaign(sources=2))
    for name in ("manifest.json", CORPUS_FILE):
        shutil.copy(release_folder(release) / name, tmp_path / name)
    return tmp_path


def refusal(folder: Path) -> str:
    with pytest.raises(CommandError) as refused, normalization_guarded():
        call_command("import_release", folder, "--campaign=copy", f"--owner={make_staff().username}")
    assert not Campaign.objects.filter(slug="copy").exists()
    return str(refused.value)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["manifest.json", CORPUS_FILE])
def test_what_is_nested_too_deeply_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes(NESTED)

    assert refusal(folder).endswith("is nested too deeply.")


@pytest.mark.django_db
def test_a_line_of_the_corpus_that_is_too_long_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_CORPUS_LINE_BYTES", 2**20)
    with (folder / CORPUS_FILE).open("ab") as stream:
        stream.write(b" " * (2**20 + 1))

    assert refusal(folder) == f"{CORPUS_FILE}, line 3: longer than 1 MiB."


@pytest.mark.django_db
def test_a_manifest_that_is_too_large_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_MANIFEST_BYTES", 2**20)
    (folder / "manifest.json").write_bytes(b" " * (2**20 + 1))

    assert refusal(folder) == "manifest.json: larger than 1 MiB."


@pytest.mark.django_db
@pytest.mark.parametrize("where", ["text", "genre", "compression", "editor"])
def test_a_stack_of_marks_is_named_with_its_line(folder: Path, where: str) -> None:
    lines = [json.loads(line) for line in (folder / CORPUS_FILE).read_text(encoding="utf-8").splitlines()]
    match where:
        case "compression":
            lines[1]["compressions"][0]["text"] = SHORT_STACK
        case "editor":
            lines[1]["compressions"][0]["editors"] = [SHORT_STACK]
        case _:
            lines[1][where] = SHORT_STACK
    (folder / CORPUS_FILE).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    said = refusal(folder)

    assert said.startswith(f"{CORPUS_FILE}, line 2: ")
    assert said.endswith("more than 30 accents or marks stand on one letter, at character 2.")


def source_by(number: int) -> ReleasedSource:
    ratings = tuple(ReleasedRating(f"rater {number} {each}", {"meaning": 1}) for each in range(2))
    text = ReleasedText("A b.", (f"editor {number}",), ratings)
    return ReleasedSource(str(number), "a", "A b c.", 1, "", str(number), "test", [text])


def test_twice_as_many_people_are_about_twice_the_work() -> None:
    few, many = ([source_by(number) for number in range(count)] for count in (200, 400))

    assert len(people_named(many)) == 1200
    assert steps(lambda: people_named(many)) < 3 * steps(lambda: people_named(few))
