"""Pipelines in a storage, as each machine finds them."""

import json
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from pytest_django.fixtures import Settings

from common.stored_models import configured_model, model_store, stored_model_located, stored_model_pinned
from common.stores import store, stored_names
from measures.text import spacy_models
from measures.text.parsing import Parser
from tests.support.buckets import Bucket, s3_server


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    spacy_models.load_model.cache_clear()


def pipeline(folder: Path, content: str = "{}") -> Path:
    (folder / "parser").mkdir(parents=True, exist_ok=True)
    (folder / "meta.json").write_text(content)
    (folder / "parser" / "model").write_bytes(bytes(5000))
    return folder


def test_a_pipeline_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    digest = model_store(pipeline(tmp_path / "trained"), "de")

    assert stored_model_pinned("stored:de") == f"stored:de@{digest}"
    folder = Path(stored_model_located(f"stored:de@{digest}"))
    assert (folder / "meta.json").read_text() == "{}"
    assert (folder / "parser" / "model").read_bytes() == bytes(5000)
    assert folder.stat().st_mode & 0o077 == 0
    assert sorted(stored_names(store("models"))) == [f"de/{digest}.zip", "de/newest.json"]


def test_each_machine_fetches_it_once_from_the_bucket(tmp_path: Path, settings: Settings) -> None:
    with s3_server() as server:
        bucket = Bucket(server)
        bucket.use(settings)
        digest = model_store(pipeline(tmp_path / "trained"), "de")
        settings.DATA_DIR = tmp_path / "another-machine"
        first = stored_model_located(stored_model_pinned("stored:de"))
        bucket.delete(f"precis/models/de/{digest}.zip")

        assert stored_model_located(f"stored:de@{digest}") == first
        assert first.startswith(str(tmp_path / "another-machine"))


def test_a_name_means_the_newest_pipeline_and_a_pinned_one_stays(tmp_path: Path) -> None:
    old = model_store(pipeline(tmp_path / "trained"), "de")
    new = model_store(pipeline(tmp_path / "trained", '{"v": 2}'), "de")

    assert stored_model_pinned("stored:de") == f"stored:de@{new}"
    assert (Path(stored_model_located(f"stored:de@{old}")) / "meta.json").read_text() == "{}"


def test_the_same_pipeline_has_the_same_checksum(tmp_path: Path) -> None:
    assert model_store(pipeline(tmp_path / "a"), "de") == model_store(pipeline(tmp_path / "b"), "de")


@pytest.mark.parametrize("name", ["stored:", "stored:../x", "stored:a/b", "stored:none"])
def test_a_name_that_means_nothing_is_refused_with_a_reason(name: str, settings: Settings) -> None:
    settings.SPACY_MODEL = name

    with pytest.raises(ValueError, match="pipeline"):
        configured_model("en")


def test_what_is_no_stored_name_stays_as_it_is() -> None:
    for name in ("en_core_web_sm", "/srv/parser", "stored:de"):
        assert stored_model_located(name) == name


def test_a_stored_pipeline_parses(tmp_path: Path, settings: Settings) -> None:
    spacy = pytest.importorskip("spacy")
    model = spacy.blank("en")
    model.add_pipe("sentencizer")
    model.add_pipe("parser").add_label("dep")
    model.initialize()
    model.to_disk(tmp_path / "trained")
    meta = json.loads((tmp_path / "trained" / "meta.json").read_text())
    (tmp_path / "trained" / "meta.json").write_text(json.dumps(meta | {"name": "mine"}))
    digest = model_store(tmp_path / "trained", "mine")
    settings.SPACY_MODEL = "stored:mine"

    name = configured_model("en")

    assert name == f"stored:mine@{digest}"
    assert Parser(name).name.startswith("en_mine ")
    assert (django_settings.DATA_DIR / "pipelines" / digest).is_dir()
    assert configured_model("de") == ""
