"""Files of a release: fetched whole or from where an earlier attempt stopped, and checked against their checksums."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from urllib.parse import quote

import httpx

from precis_client.connection import Connection
from precis_client.errors import ChecksumError, PrecisError

ATTEMPTS = 5
PIECE = 1 << 20


def download_file(
    connection: Connection, folder: str, file: Mapping[str, Any], to: Path, shown: Callable[[int, int], None]
) -> Path:
    """Fetch a file into a folder and return its path; what an earlier attempt fetched is not fetched again."""
    target = path_in(to, file["name"])
    if target.exists():
        if _sha256_of(target) == file["sha256"]:
            return target
        raise FileExistsError(f"{target} is another file. Move it away, or give another folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    # Named by the checksum, so that attempts at other releases are not continued.
    part = target.with_name(f"{target.name}.{file['sha256'][:12]}.part")
    with part.open("r+b" if part.exists() else "w+b") as written:
        fetch(connection, folder, file, written, shown)
    part.replace(target)
    return target


def fetch(
    connection: Connection, folder: str, file: Mapping[str, Any], written: BinaryIO, shown: Callable[[int, int], None]
) -> None:
    """Complete an open file, and check it. A file that is wrong is fetched once more from its beginning."""
    for last in (False, True):
        _complete(connection, folder, file, written, shown)
        if _sha256(written) == file["sha256"]:
            return
        written.truncate(0)
        if last:
            raise ChecksumError(f"{file['name']} is not the file of the release: its SHA-256 differs.")


def path_in(folder: Path, name: str) -> Path:
    """Return where a file of a release belongs in a folder; raise ValueError if it would lie elsewhere."""
    parts = PurePosixPath(name)
    if (
        parts.is_absolute()
        or not parts.parts
        or any(each == ".." or "\\" in each or ":" in each for each in parts.parts)
    ):
        raise ValueError(f"{name!r} is not the name of a file of a release.")
    return folder.joinpath(*parts.parts)


def _complete(
    connection: Connection, folder: str, file: Mapping[str, Any], written: BinaryIO, shown: Callable[[int, int], None]
) -> None:
    """Fetch what is missing, and go on after a connection that broke."""
    size, path = file["size"], f"{folder}files/{quote(file['name'])}"
    for attempt in range(ATTEMPTS):
        begin = written.seek(0, 2)
        if begin == size:
            return
        try:
            with connection.download(path, begin if begin < size else 0) as response:
                _append(response, written, size, shown)
        except httpx.TransportError as error:
            if attempt == ATTEMPTS - 1:
                raise PrecisError(f"The connection broke too many times: {error}") from error
            connection.sleep(min(2.0**attempt / 2, 10))


def _append(response: httpx.Response, written: BinaryIO, size: int, shown: Callable[[int, int], None]) -> None:
    """Write the body behind what is there, or from the beginning if the server sends the whole file."""
    end = written.seek(0, 2)
    if response.status_code != httpx.codes.PARTIAL_CONTENT or not _begins_at(response, end):
        end = written.seek(0)
        written.truncate()
        if response.status_code != httpx.codes.OK:
            return
    for piece in response.iter_bytes():
        end += len(piece)
        if end > size:
            raise ChecksumError(f"The server sends more than the {size} bytes that the release names.")
        written.write(piece)
        shown(end, size)


def _begins_at(response: httpx.Response, begin: int) -> bool:
    return str(response.headers.get("Content-Range", "")).startswith(f"bytes {begin}-")


def _sha256(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(PIECE):
        digest.update(piece)
    return digest.hexdigest()


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return _sha256(file)
