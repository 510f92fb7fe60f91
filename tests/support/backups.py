"""Backups as a user makes and restores them: by commands in processes of their own, on databases of their own."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection

from maintenance.backups.manifest import HEAD, MANIFEST, MANIFEST_SHA256
from maintenance.backups.streams import Compressor, Decompressor, TarWriter, members
from tests.support.processes import python
from tests.support.servers import own_postgres
from tests.support.tables import tables_in

Change = Callable[[str, bytes], tuple[str, bytes] | None]


@dataclass(frozen=True)
class Place:
    """An installation: its data folder and its database."""

    folder: Path
    url: str

    def manage(self, *arguments: str, **environment: str) -> str:
        """Run a command that succeeds; return what it says."""
        done = self.try_to_manage(*arguments, **environment)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def refused(self, *arguments: str, **environment: str) -> str:
        """Run a command that is refused; return why."""
        done = self.try_to_manage(*arguments, **environment)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return str(done.stderr)

    def try_to_manage(self, *arguments: str, **environment: str) -> Any:
        variables = {"DATABASE_URL": self.url, "PYTHONWARNINGS": "default", **environment}
        return python(self.folder, "manage.py", *arguments, **variables)

    def backup(self, **environment: str) -> Path:
        """Make a backup; return its file."""
        where = self.folder / "backups"
        where.mkdir(exist_ok=True)
        before = set(where.iterdir())
        self.manage("backup", str(where), **environment)
        [archive] = set(where.iterdir()) - before
        return archive


def this_place(folder: Path) -> Place:
    """The installation of the test itself: its storages are in its folder (conftest.py)."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return Place(folder, f"sqlite:///{values['NAME']}")
    return Place(folder, postgres_url(str(values["NAME"])))


def postgres_url(name: str) -> str:
    values = connection.settings_dict
    return f"postgres://{values['USER']}:{values['PASSWORD']}@{values['HOST']}:{values['PORT']}/{name}"


@contextmanager
def new_place(vendor: str, folder: Path) -> Iterator[Place]:
    """A new installation; its database has no tables yet (PostgreSQL), or those of this version and no rows."""
    folder.mkdir()
    if vendor == "sqlite":
        tables_in(folder)
        yield Place(folder, f"sqlite:///{folder / 'precis.sqlite3'}")
        return
    with ExitStack() as stack:
        if connection.vendor != "postgresql":
            yield Place(folder, stack.enter_context(own_postgres()).url)
            return
        name = f"{connection.settings_dict['NAME']}_{folder.name}"
        with psycopg.connect(postgres_url("postgres"), autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"'.encode())
            try:
                yield Place(folder, postgres_url(name))
            finally:
                server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def contents_of(archive: Path) -> dict[str, bytes]:
    with archive.open("rb") as stream:
        return {member.name: member.content(2**30) for member in members(Decompressor(stream))}


def manifest_of(archive: Path) -> dict[str, Any]:
    return dict(json.loads(contents_of(archive)[MANIFEST]))


def what_it_says(archive: Path) -> tuple[dict[str, tuple[int, str]], dict[str, Any]]:
    """The tables and files of an archive, alike for both databases."""
    manifest = manifest_of(archive)
    tables = {name: (sums["rows"], sums["content_sha256"]) for name, sums in manifest["tables"].items()}
    return tables, manifest["files"]


def rewritten(archive: Path, to: Path, change: Change) -> Path:
    """Write an archive again with other members; its manifest is left as it is unless `change` changes it."""
    with archive.open("rb") as stream, to.open("wb") as output:
        compressor = Compressor(output.write)
        tar = TarWriter(compressor)
        for member in members(Decompressor(stream)):
            if changed := change(member.name, member.content(2**30)):
                tar.add(changed[0], len(changed[1]), [changed[1]])
        tar.close()
        compressor.close()
    return to


def consistent(archive: Path, to: Path, *, head: bytes, manifest: bytes) -> Path:
    """Write an archive again with another head and manifest, and the manifest's own checksum."""
    checksum = sha256(manifest).hexdigest().encode()
    changed = {HEAD: head, MANIFEST: manifest, MANIFEST_SHA256: checksum}
    return rewritten(archive, to, lambda name, content: (name, changed.get(name, content)))
