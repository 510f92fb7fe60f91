"""The files of the storages that belong to the rows of one moment."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from common.stores import store, stored_names
from corpus.models import Release, ReleaseFile
from maintenance.backups import BackupRefusal, Damaged
from protocols.models import Sound
from scoring.models import ScorePart, ScoreRun
from systems.models import SystemRun, TrainedSystem

Name = tuple[str, str]  # of a storage, and in it


class Changed(Exception):
    """A file was deleted or written while it was read: what is named is of a moment that is over."""


@dataclass(frozen=True)
class Stored:
    size: int
    sha256: str


@dataclass
class Wanted:
    """What the rows name: folders that are complete, and files that must be there (with the checksum, if known)."""

    folders: dict[str, set[str]] = field(default_factory=dict)
    files: dict[Name, str] = field(default_factory=dict)

    def has(self, storage: str, name: str) -> bool:
        """Whether a file belongs to the backup: of models of spaCy all, of the others what the rows name."""
        if storage not in self.folders:
            return True
        folders = self.folders[storage]
        return (storage, name) in self.files or any(str(parent) in folders for parent in PurePosixPath(name).parents)


def wanted_by(database: BaseDatabaseWrapper) -> Wanted:
    """Return which files the rows name."""
    quote = database.ops.quote_name
    wanted = Wanted({name: set() for name in ("releases", "scores", "systems", "sounds")})

    def table(model: type[Model]) -> str:
        return quote(model._meta.db_table)

    with database.cursor() as cursor:
        cursor.execute(
            f"SELECT folder, name, sha256 FROM {table(Release)} AS made "  # noqa: S608 - quoted
            f"LEFT JOIN {table(ReleaseFile)} AS file ON file.release_id = made.id WHERE state = %s",
            [Release.State.READY],
        )
        for folder, name, sha256 in cursor.fetchall():
            wanted.folders["releases"].add(folder)
            if name is not None:
                wanted.files["releases", f"{folder}/{name}"] = sha256
        for scored in (ScoreRun, ScorePart):
            cursor.execute(f"SELECT file, file_sha256 FROM {table(scored)} WHERE file <> ''")  # noqa: S608 - quoted
            wanted.files |= {("scores", name): sha256 for name, sha256 in cursor.fetchall()}
        for made in (TrainedSystem, SystemRun):
            cursor.execute(f"SELECT folder, files FROM {table(made)} WHERE folder <> ''")  # noqa: S608 - quoted
            for folder, files in cursor.fetchall():
                named = json.loads(files) if isinstance(files, str) else files
                wanted.files |= {("systems", f"{folder}/{name}"): sha256 for name, sha256 in named.items()}
        cursor.execute(f"SELECT file, sha256 FROM {table(Sound)}")  # noqa: S608 - quoted
        wanted.files |= {("sounds", name): sha256 for name, sha256 in cursor.fetchall()}
    return wanted


def all_storages() -> Mapping[str, Storage]:
    return {name: storages[name] for name in settings.STORED}


def names_of(wanted: Wanted) -> Iterator[Name]:
    """Yield the names of all files that belong to the backup and are there."""
    for storage in settings.STORED:
        yield from ((storage, name) for name in stored_names(storages[storage]) if wanted.has(storage, name))


def file_chunks(name: Name, size: int, took: Callable[[bytes], object]) -> Iterator[bytes]:
    """Yield the content of a file piece by piece: opened, a file of a bucket would be in memory as a whole."""
    stored = store(name[0])
    try:
        for chunk in stored.pieces(name[1], range(size)):
            took(chunk)
            yield chunk
        is_same = stored.size(name[1]) == size
    except FileNotFoundError as error:
        raise Changed(f"{name[1]} was deleted meanwhile") from error
    if not is_same:
        raise Changed(f"{name[1]} was written meanwhile")


def digest_of(name: Name) -> Stored:
    """Return the size and checksum of a file as it is stored."""
    stored, digest = store(name[0]), hashlib.sha256()
    size = stored.size(name[1])
    for chunk in stored.pieces(name[1], range(size)):
        digest.update(chunk)
    return Stored(size, digest.hexdigest())


def checked_name(path: str) -> Name:
    """Return where a file of an archive goes, if that is a place in a storage of ours and nowhere else."""
    storage, _slash, name = path.partition("/")
    parts = name.split("/")
    is_plain = all(part not in {"", ".", ".."} and part.isprintable() and "\\" not in part for part in parts)
    if storage not in settings.STORED:
        raise BackupRefusal(f"The archive holds files for a place that does not exist here: {storage!r}.")
    if not is_plain:
        raise Damaged(f"The archive holds a file whose name leads elsewhere: {path!r}.")
    return storage, name
