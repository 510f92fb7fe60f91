"""Backups that are encrypted by the real programs."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from maintenance.backups import BackupRefusal, Damaged
from maintenance.backups.encryption import opened, recipients_check, sealed
from maintenance.backups.making import backup_make
from maintenance.backups.reading import Nobody, archive_read

needs_age = pytest.mark.skipif(shutil.which("age") is None, reason="no age (Debian: apt-get install age)")
needs_gpg = pytest.mark.skipif(
    shutil.which("gpg") is None, reason="gpg is not installed (Debian: apt-get install gnupg)"
)
PLAIN = os.urandom(300_000)


def age_key(path: Path) -> str:
    """Make a key pair; return the public key."""
    subprocess.run(["age-keygen", "-o", str(path)], check=True, capture_output=True)
    done = subprocess.run(["age-keygen", "-y", str(path)], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def gpg_key(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("g")
    home.chmod(0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    make = ("--quick-generate-key", "backup@example.org", "rsa2048", "encrypt", "never")
    subprocess.run(["gpg", "--batch", "--passphrase", "", *make], check=True, capture_output=True)
    yield "backup@example.org"
    subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)


def write(path: Path, recipients: dict[str, str], content: bytes = PLAIN) -> bytes:
    with path.open("wb", buffering=0) as file, sealed(file, recipients) as sink:
        for start in range(0, len(content), 1000):
            sink.write(content[start : start + 1000])
    return path.read_bytes()


def read(path: Path, identity: Path | None = None) -> bytes:
    with opened(path, identity) as source:
        parts = []
        while part := source.read(7000):
            parts.append(part)
    return b"".join(parts)


@needs_age
def test_age(tmp_path: Path) -> None:
    recipient = age_key(tmp_path / "key.txt")
    path = tmp_path / "x.age"
    sealed_bytes = write(path, {"age": recipient}, b"\x1f\x8b" + PLAIN)

    assert PLAIN[:32] not in sealed_bytes
    assert read(path, tmp_path / "key.txt") == b"\x1f\x8b" + PLAIN
    with pytest.raises(BackupRefusal, match="--identity FILE"):
        read(path)
    age_key(tmp_path / "other.txt")
    with pytest.raises(Damaged, match=r"age could not decrypt the archive: .*no identity matched"):
        read(path, tmp_path / "other.txt")


@needs_age
@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data[:-40] + b"\0" * 40], ids=["cut", "other"])
def test_what_is_encrypted_cannot_be_changed(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "x.age"
    path.write_bytes(change(write(path, {"age": age_key(tmp_path / "key.txt")})))

    with pytest.raises(Damaged, match="age could not decrypt"):
        read(path, tmp_path / "key.txt")


@needs_gpg
def test_gpg(tmp_path: Path, gpg_key: str) -> None:
    path = tmp_path / "x.gpg"
    sealed_bytes = write(path, {"gpg": gpg_key})

    assert PLAIN[:32] not in sealed_bytes
    assert read(path) == PLAIN
    path.write_bytes(sealed_bytes[:-1000])
    with pytest.raises(Damaged, match="gpg could not decrypt"):
        read(path)


@needs_age
@needs_gpg
@pytest.mark.usefixtures("gpg_key")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("recipients", [{"age": f"age1{'q' * 58}"}, {"gpg": "nobody@example.org"}], ids=["age", "gpg"])
def test_a_key_that_does_not_work_is_refused_before_anything_is_written(
    tmp_path: Path, settings: Settings, recipients: dict[str, str]
) -> None:
    settings.BACKUP_RECIPIENTS = recipients
    folder = tmp_path / "backups"
    folder.mkdir()

    with pytest.raises(BackupRefusal, match="cannot encrypt for the key of PRECIS_BACKUP_"):
        backup_make(folder, lambda _text: None)

    assert list(folder.iterdir()) == []


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    for program, package in (("age", "age"), ("gpg", "gnupg")):
        with pytest.raises(BackupRefusal, match=f"The program {program} is not installed .*apt-get install {package}"):
            recipients_check({program: "anyone"})


@needs_age
@pytest.mark.django_db(transaction=True)
def test_an_encrypted_backup_is_whole(tmp_path: Path, settings: Settings) -> None:
    settings.BACKUP_RECIPIENTS = {"age": age_key(tmp_path / "key.txt")}

    made = backup_make(tmp_path, lambda _text: None)

    assert made.path.name.endswith(".tar.gz.age")
    with opened(made.path, tmp_path / "key.txt") as source:
        _head, manifest = archive_read(source, Nobody())
    assert manifest.tables == made.manifest.tables
