"""An archive is read as it was written, or refused: whatever is changed, cut off, added, or made to do harm."""

import hashlib
import io
import json
import tarfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maintenance.backups import BackupRefusal, Damaged
from maintenance.backups.columns import Row
from maintenance.backups.files import Name
from maintenance.backups.manifest import FORMAT, FORMAT_VERSION, HEAD, MANIFEST, MANIFEST_SHA256, SETTINGS, json_bytes
from maintenance.backups.reading import Nobody, archive_read
from maintenance.backups.streams import CHUNK, HEADER, Compressor, Decompressor, TarWriter, members
from maintenance.backups.tables import Table

FILE = "files/models/english/config.cfg"
ROWS = "tables/auth_group/000001.jsonl"
Members = list[tuple[str, bytes]]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def packed(contents: Members) -> bytes:
    output = io.BytesIO()
    compressor = Compressor(output.write)
    tar = TarWriter(compressor)
    for name, content in contents:
        tar.add(name, len(content), [content])
    tar.close()
    compressor.close()
    return output.getvalue()


def contents(file: str = FILE, rows: bytes = '[1,"ä"]\n[2,null]\n'.encode()) -> Members:
    """A small archive, true in all that it says."""
    columns = [{"name": "id", "kind": "integer", "places": 0}, {"name": "name", "kind": "text", "places": 0}]
    head = json_bytes(
        {
            **{"format": FORMAT, "format_version": FORMAT_VERSION, "product": "1", "database": "sqlite"},
            **{"created_at": "2026-01-01T00:00:00+00:00", "migrations": []},
            "tables": [{"name": "auth_group", "key": "id", "columns": columns, "last_key": 2}],
        }
    )
    content = b"[nlp]\n"
    sums = {"rows": rows.count(b"\n"), "sha256": sha256(rows), "content_sha256": sha256(rows)}
    manifest = json_bytes(
        {
            **{HEAD: sha256(head), SETTINGS: sha256(b"{}"), "tables": {"auth_group": sums}, "problems": []},
            "files": {file.removeprefix("files/"): {"size": len(content), "sha256": sha256(content)}},
        }
    )
    last = (MANIFEST_SHA256, sha256(manifest).encode())
    return [(HEAD, head), (SETTINGS, b"{}"), (ROWS, rows), (file, content), (MANIFEST, manifest), last]


class Received(Nobody):
    def __init__(self) -> None:
        self.got: list[tuple[Any, Any]] = []

    def rows(self, table: Table, rows: list[Row]) -> None:
        self.got.append((table.name, rows))

    def file(self, name: Name, chunks: Iterable[bytes]) -> None:
        self.got.append((name, b"".join(chunks)))


def test_what_was_written_is_read() -> None:
    received = Received()

    head, manifest = archive_read(io.BytesIO(packed(contents())), received)

    assert received.got == [("auth_group", [[1, "ä"], [2, None]]), (("models", "english/config.cfg"), b"[nlp]\n")]
    assert (head.last_keys, manifest.tables["auth_group"].rows) == ({"auth_group": 2}, 2)


def test_rows_of_a_large_part_are_read_in_slices() -> None:
    rows = [[number, "x" * (number % 7)] for number in range(200_000)] + [[200_000, "y" * 3 * CHUNK]]
    lines = "".join(f'[{number},"{name}"]\n' for number, name in rows).encode()
    received = Received()

    archive_read(io.BytesIO(packed(contents(rows=lines))), received)

    slices = [part for name, part in received.got if name == "auth_group"]
    assert [row for part in slices for row in part] == rows
    assert max(map(len, slices)) < CHUNK / len('[1,""]')


def test_tar_and_gzip_of_others_read_it_too() -> None:
    long = "files/models/" + "ü" * 120
    with tarfile.open(fileobj=io.BytesIO(packed(contents(long))), mode="r:gz") as archive:
        assert [(each.name, each.size) for each in archive] == [(name, len(data)) for name, data in contents(long)]


@given(place=st.integers(0, len(packed(contents())) - 1))
def test_a_wrong_byte_anywhere_is_refused(place: int) -> None:
    wrong = bytearray(packed(contents()))
    wrong[place] ^= 0xFF

    with pytest.raises(BackupRefusal):
        archive_read(io.BytesIO(bytes(wrong)), Nobody())


@given(end=st.integers(0, len(packed(contents())) - 1))
def test_an_archive_without_its_end_is_refused(end: int) -> None:
    with pytest.raises(Damaged):
        archive_read(io.BytesIO(packed(contents())[:end]), Nobody())


@pytest.mark.parametrize("more", [b"\0", b"x", packed(contents())])
def test_nothing_may_follow(more: bytes) -> None:
    with pytest.raises(Damaged, match="follows the end"):
        archive_read(io.BytesIO(packed(contents()) + more), Nobody())


def other(name: str, change: Callable[[bytes], bytes]) -> Members:
    return [(each, change(content) if each == name else content) for each, content in contents()]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (other(FILE, lambda content: content[:-1] + b"?"), "models/english/config.cfg"),
        (other(ROWS, lambda rows: rows.replace(b"2", b"3")), "auth_group"),
        (other(ROWS, lambda rows: rows[:9]), "auth_group"),
        (other(ROWS, lambda rows: rows[:-1]), "has no end"),
        (other(ROWS, lambda rows: rows.replace(b"2,", b"")), "too many or too few values"),
        (other(ROWS, lambda rows: rows.replace(b"[", b"{")), "not JSON"),
        (other(SETTINGS, lambda _content: b"{ }"), "its head or its settings"),
        (other(MANIFEST, lambda content: content + b" "), "does not match its checksum"),
        ([each for each in contents() if each[0] != FILE], "models/english/config.cfg"),
        ([each for each in contents() if each[0] != MANIFEST], "which no backup has"),
        (contents()[1:], "no backup.json where it is due"),
        ([*contents(), ("more", b"")], "follows the manifest"),
        ([*contents()[:4], *contents()[3:]], "twice"),
        ([*contents()[:3], *contents()[2:]], "something else is due"),
        ([*contents()[:4], ("other", b""), *contents()[4:]], "no backup has"),
    ],
)
def test_an_archive_that_is_not_what_it_says_is_refused(wrong: Members, reason: str) -> None:
    with pytest.raises(Damaged, match=reason):
        archive_read(io.BytesIO(packed(wrong)), Nobody())


@pytest.mark.parametrize(
    "name",
    [
        *("models/../../outside.txt", "models/..", "models//etc/passwd", "models/./x", "models/a\\..\\b", "models/\nx"),
        *("models/", "models", "secrets/x", "../x", "/etc/passwd"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    received = Received()

    with pytest.raises(BackupRefusal, match=r"leads elsewhere|a place that does not exist here"):
        archive_read(io.BytesIO(packed(contents(f"files/{name}"))), received)

    assert len(received.got) == 1  # the rows


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE])
def test_links_and_devices_are_refused(kind: bytes) -> None:
    info = tarfile.TarInfo("files/models/x")
    info.type, info.linkname = kind, "/etc/passwd"

    with pytest.raises(Damaged, match="not a file"):
        list(members(io.BytesIO(info.tobuf() + bytes(1024))))


def test_a_bomb_is_refused_long_before_it_fills_anything() -> None:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = HEADER + b"".join(deflate.compress(bytes(2**20)) for _ in range(500)) + deflate.flush()
    stream = Decompressor(io.BytesIO(bomb))

    with pytest.raises(Damaged, match="made to fill disks"):
        stream.read(500 * 2**20)


@pytest.mark.parametrize("size", ["99999999999999999999", "-5", "x"])
def test_a_size_that_makes_no_sense_is_refused(size: str) -> None:
    record = f"size={size}\n"
    text = f"{len(record) + 3} {record}".encode()
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, len(text)
    block = info.tobuf() + text + bytes(512 - len(text))

    with pytest.raises(Damaged, match="size is not a number"):
        list(members(io.BytesIO(block + tarfile.TarInfo("x").tobuf() + bytes(1024))))


def test_a_newer_format_is_named(tmp_path: Path) -> None:
    changed = {**json.loads(contents()[0][1]), "format_version": 2, "product": "9.9"}

    with pytest.raises(BackupRefusal, match=r"format 2, made by Précis 9\.9"):
        archive_read(io.BytesIO(packed([(HEAD, json_bytes(changed))])), Nobody())
