"""Faults of the computer and of the programs on it: each is staged, and the sentence is there."""

import os
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from corpus.models import ReleaseFile
from maintenance.checks import computer, services
from maintenance.checks.tests.looking import FINE, UNSEEN, WRONG, look_at
from measures.text.spacy_models import load_model
from tests.support.factories import freeze, judged_campaign


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    settings.DATA_DIR = folder
    return folder


@pytest.fixture
def files_of_folder_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of the tests lies elsewhere."""
    monkeypatch.setattr(computer, "connection", SimpleNamespace(vendor="postgresql"))


# Versions


def test_python_that_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_at("python_version").verdict is FINE
    monkeypatch.setattr(computer, "PYTHON", (99, 0))
    assert "Précis needs 3.11 or newer" in look_at("python_version").words


@pytest.mark.parametrize(
    ("found", "verdict"), [("13.4", WRONG), ("14.0", FINE), ("17beta1", None), ("16.2 (Debian)", FINE)]
)
def test_postgresql_that_is_too_old(found: str, verdict: object) -> None:
    if verdict is None:
        with pytest.raises(ValueError, match="17beta1"):
            computer._postgresql(found)
        return
    finding = computer._postgresql(found)
    assert finding.verdict is verdict
    assert ("needs 14 or newer" in finding.words) == (verdict is WRONG)


def test_sqlite_that_is_too_old() -> None:
    assert "needs 3.35 or newer" in computer._sqlite((3, 31, 1)).words
    assert computer._sqlite((3, 40, 1)).verdict is FINE


def test_packages_that_differ() -> None:
    finding = computer.compared({"Django": "1.0", "no-such-package": "2.0", "pytest": version("pytest")})
    assert finding.verdict is WRONG
    assert "Django is 5." in finding.words
    assert "no-such-package is missing instead of 2.0" in finding.words
    assert "pip install -r requirements.txt" in finding.words
    assert computer.compared({"pytest": version("pytest")}).verdict is FINE


def test_requirements_that_are_not_there(settings: Settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    assert look_at("packages").verdict is UNSEEN


# Files


@pytest.mark.usefixtures("files_of_folder_only")
def test_data_that_other_accounts_can_read(own_folder: Path) -> None:
    secret = own_folder / "releases" / "corpus.jsonl"
    secret.parent.mkdir(mode=0o700)
    secret.write_text("texts")
    secret.chmod(0o600)
    assert look_at("closed_to_others").verdict is FINE
    secret.chmod(0o644)
    finding = look_at("closed_to_others")
    assert finding.verdict is WRONG
    assert f"can open {secret}, and 1 files" in finding.words
    assert f"chmod -R go= {own_folder}" in finding.words


@pytest.mark.usefixtures("files_of_folder_only")
def test_data_of_another_account(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_at("owned_by_this_account").verdict is FINE
    if os.geteuid() == 0:
        os.chown(own_folder, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    finding = look_at("owned_by_this_account")
    assert finding.verdict is WRONG
    assert "belongs to another account" in finding.words


@pytest.mark.usefixtures("files_of_folder_only")
def test_more_files_than_can_be_looked_at(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer, "MOST_FILES", 2)
    for name in "abc":
        (own_folder / name).touch(mode=0o600)
    assert look_at("closed_to_others").verdict is UNSEEN
    assert look_at("owned_by_this_account").verdict is UNSEEN


# Disk


@pytest.mark.django_db
def test_a_disk_that_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer, "free_bytes", lambda _path: computer.LEAST_BYTES - 1)
    assert "may need 2.0 GB: make room" in look_at("free_space").words
    monkeypatch.setattr(computer, "free_bytes", lambda _path: computer.LEAST_BYTES)
    assert look_at("free_space").verdict is FINE


@pytest.mark.django_db
def test_a_disk_with_no_room_for_the_next_release(monkeypatch: pytest.MonkeyPatch) -> None:
    release = freeze(judged_campaign())
    ReleaseFile.objects.filter(release=release).update(size=1)
    ReleaseFile.objects.filter(release=release, name="corpus.jsonl").update(size=computer.LEAST_BYTES)
    monkeypatch.setattr(computer, "free_bytes", lambda _path: 2 * computer.LEAST_BYTES)
    assert "may need 6.0 GB" in look_at("free_space").words


def test_a_file_system_that_takes_few_more_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _path: SimpleNamespace(f_files=100, f_favail=3))
    assert "can hold 3 more files (inodes)" in look_at("free_files").words
    monkeypatch.setattr(os, "statvfs", lambda _path: SimpleNamespace(f_files=0, f_favail=0))
    assert look_at("free_files").verdict is UNSEEN


# The database's place


def test_sqlite_on_a_network_file_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(services, "MOUNTS", mounts)
    place = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": str(tmp_path / "precis.sqlite3")})
    monkeypatch.setattr(services, "connection", place)
    assert "network file system (nfs4)" in look_at("sqlite_is_local").words
    mounts.write_text("/dev/sda / ext4 rw 0 0\n")
    assert look_at("sqlite_is_local").words == "The SQLite database lies on a file system of this computer (ext4)."
    mounts.unlink()
    assert look_at("sqlite_is_local").verdict is UNSEEN


@pytest.mark.both_databases
def test_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "database_answers", lambda: False)
    finding = look_at("database_is_there")
    assert finding.verdict is WRONG
    assert "does not answer. Check that its server runs" in finding.words


# Static files


def test_static_files_of_another_version(settings: Settings, tmp_path: Path) -> None:
    root = tmp_path / "static"
    settings.STATIC_ROOT = root
    assert "are not collected" in look_at("collected_static_files").words
    call_command("collectstatic", interactive=False, verbosity=0)
    assert look_at("collected_static_files").verdict is FINE
    changed = next(root.rglob("*.css"))
    changed.write_text("/* of yesterday */")
    assert f"such as {changed.name}. Run manage.py collectstatic" in look_at("collected_static_files").words
    changed.unlink()
    assert "1 static files of this version are not in" in look_at("collected_static_files").words


# The parser


@pytest.mark.django_db
def test_a_parser_that_is_not_installed(settings: Settings) -> None:
    load_model.cache_clear()
    settings.SPACY_MODEL = ""
    assert look_at("parser_loads").verdict is FINE
    settings.SPACY_MODEL = "xx_no_such_model"
    finding = look_at("parser_loads")
    assert finding.verdict is WRONG
    assert "The parser xx_no_such_model does not load" in finding.words
