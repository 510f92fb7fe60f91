"""Reading an archive once, from its beginning to its end: whatever it says of itself is compared with what it holds."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Protocol

from maintenance.backups import Damaged
from maintenance.backups.columns import Row
from maintenance.backups.files import Name, Stored, checked_name
from maintenance.backups.manifest import (
    HEAD,
    MANIFEST,
    MANIFEST_SHA256,
    MAX_HEAD,
    MAX_MANIFEST,
    MAX_ROW,
    SETTINGS,
    Head,
    Manifest,
    TableSums,
    json_of,
)
from maintenance.backups.streams import Decompressor, Member, Source, members
from maintenance.backups.tables import Meter, Table


class Receiver(Protocol):
    """What is done with the content; until the end, nobody knows whether the archive is complete."""

    def begin(self, head: Head) -> None: ...

    def rows(self, table: Table, rows: list[Row]) -> None:
        """Take the next few rows of a table."""

    def file(self, name: Name, chunks: Iterable[bytes]) -> None:
        """Take all chunks."""


class Nobody:
    """Reads an archive only to see whether it is in order."""

    def begin(self, head: Head) -> None: ...

    def rows(self, table: Table, rows: list[Row]) -> None: ...

    def file(self, name: Name, chunks: Iterable[bytes]) -> None:  # noqa: ARG002 - a receiver's
        for _chunk in chunks:
            pass


def archive_read(source: Source, receiver: Receiver) -> tuple[Head, Manifest]:
    """Hand on the content of an archive; return what it says of itself once all of it was found to be true.

    Raises
    ------
    Damaged
        If anything in it is not what was written.
    """
    reader = _Reader(receiver)
    found = members(Decompressor(source))
    head = reader.head(_next(found, HEAD))
    settings = hashlib.sha256(_next(found, SETTINGS).content(MAX_HEAD)).hexdigest()
    for member in found:
        if member.name == MANIFEST:
            content = member.content(MAX_MANIFEST)
            break
        reader.take(member)
    else:
        raise Damaged("The archive has no manifest.")
    checksum = _next(found, MANIFEST_SHA256).content(100)
    if checksum.decode("ascii", "replace").strip() != hashlib.sha256(content).hexdigest():
        raise Damaged("The archive’s manifest does not match its checksum.")
    if next(found, None) is not None:
        raise Damaged("Something follows the manifest of the archive.")
    return head, reader.compared(settings, content)


class _Reader:
    """Goes through tables and files in the order in which they were written, and measures them."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._tables: dict[str, Table] = {}
        self._meters: dict[str, tuple[Meter, hashlib._Hash]] = {}
        self._parts: dict[str, int] = {}
        self._files: dict[Name, Stored] = {}
        self._head_sha256 = ""

    def head(self, member: Member) -> Head:
        content = member.content(MAX_HEAD)
        self._head_sha256 = hashlib.sha256(content).hexdigest()
        head = Head.of_bytes(content)
        self._tables = {table.name: table for table in head.tables}
        self._meters = {table.name: (Meter(table.columns), hashlib.sha256()) for table in head.tables}
        self._parts = dict.fromkeys(self._tables, 0)
        self._receiver.begin(head)
        return head

    def take(self, member: Member) -> None:
        kind, _slash, rest = member.name.partition("/")
        if kind == "tables":
            self._take_rows(rest.partition("/")[0], member)
        elif kind == "files":
            self._take_file(checked_name(rest), member)
        else:
            raise Damaged(f"The archive holds {member.name!r}, which no backup has.")

    def _take_rows(self, name: str, member: Member) -> None:
        self._parts[name] = self._parts.get(name, 0) + 1
        if name not in self._tables or member.name != f"tables/{name}/{self._parts[name]:06}.jsonl":
            raise Damaged(f"The archive holds {member.name!r} where something else is due.")
        table, (meter, sums) = self._tables[name], self._meters[name]
        for lines in _lines(_noted(member.chunks(), sums), member.name):
            rows = []
            for line in lines:
                row = json_of(line, member.name)
                if not isinstance(row, list) or len(row) != len(table.columns):
                    raise Damaged(f"A row of {name} in the archive has too many or too few values.")
                meter.add(row)
                rows.append(row)
            self._receiver.rows(table, rows)

    def _take_file(self, name: Name, member: Member) -> None:
        if name in self._files:
            raise Damaged(f"The archive holds {member.name!r} twice.")
        digest = hashlib.sha256()
        self._receiver.file(name, _noted(member.chunks(), digest))
        self._files[name] = Stored(member.size, digest.hexdigest())

    def compared(self, settings_sha256: str, content: bytes) -> Manifest:
        tables = {
            name: TableSums(meter.digest.rows, lines.hexdigest(), meter.digest.sha256)
            for name, (meter, lines) in self._meters.items()
        }
        problems = json.loads(content).get("problems", [])
        found = Manifest(self._head_sha256, settings_sha256, tables, self._files, tuple(map(str, problems)))
        if not found.is_same(content):
            raise Damaged(f"The content of the archive is not what its manifest says: {found.difference(content)}.")
        return found


def _noted(chunks: Iterator[bytes], digest: "hashlib._Hash") -> Iterator[bytes]:
    for chunk in chunks:
        digest.update(chunk)
        yield chunk


def _lines(chunks: Iterator[bytes], name: str) -> Iterator[list[bytes]]:
    """Yield the lines of a file, those that end in a chunk at a time: of a large file, a few are in memory."""
    begun = bytearray()
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        if ended:
            yield [bytes(begun + ended[0]), *ended[1:]]
            begun.clear()
        begun += rest
        if len(begun) > MAX_ROW:
            raise Damaged(f"{name!r} holds a row that is longer than any of a backup.")
    if begun:
        raise Damaged(f"The last row of {name!r} has no end.")


def _next(found: Iterator[Member], name: str) -> Member:
    member = next(found, None)
    if member is None or member.name != name:
        raise Damaged(f"The archive has no {name} where it is due.")
    return member
