"""A format of a release is one module: it is written, described in the card and read by its readers in the tests."""

import json
from pathlib import Path

import pytest

from corpus import formats
from corpus.description import card
from corpus.formats import registry
from corpus.services import writers
from tests.support.factories import freeze, judged_campaign
from tests.support.stored import release_folder

ROOT = Path(__file__).resolve().parents[3]
MODULE = """
from corpus.formats.base import FormatWriter, ReleaseFormat


class IdsWriter(FormatWriter):
    def add(self, source, _written):
        self.folder.stream("ids.txt").write(source.source_id.encode() + b"\\n")


FORMAT = ReleaseFormat("ids", rank=35, writer=IdsWriter, card=lambda _: "`ids.txt` has the ids.")
"""


@pytest.fixture
def with_a_format_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "extension"
    folder.mkdir()
    (folder / "ids.py").write_text(MODULE)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    for module in (writers, card):
        monkeypatch.setattr(module, "FORMATS", registry.find_formats())


@pytest.mark.django_db
@pytest.mark.usefixtures("with_a_format_more")
def test_a_new_module_is_a_format_with_its_file_its_checksum_and_its_line_in_the_card() -> None:
    release = freeze(judged_campaign(sources=3))
    assert sorted((release_folder(release) / "ids.txt").read_text().split()) == ["1", "2", "3"]
    assert "`ids.txt` has the ids. `edit_logs.jsonl` has" in (release_folder(release) / "README.md").read_text()
    manifest = json.loads((release_folder(release) / "manifest.json").read_text())
    assert "ids.txt" in {file["name"] for file in manifest["files"]}


def test_every_format_is_documented() -> None:
    text = (ROOT / "docs/formats.md").read_text()
    assert [each.name for each in registry.FORMATS if each.name.partition(" ")[0] not in text and each.writer] == []
