"""A bucket as a store of files, against a server that speaks S3."""

import fcntl
import os
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest
from botocore.exceptions import ClientError
from django.conf import settings as django_settings
from pytest_django.fixtures import Settings

from common.errors import FilesAway
from common.stores import bucket as bucket_store
from common.stores import copies as copies_module
from common.stores import store, stored_names
from common.stores.base import FileStore, SentAs
from common.stores.copies import copies_folder, copies_shrink, local_copy
from tests.support.buckets import Bucket, closed_address, s3_server

CONTENT = bytes(range(256)) * 1000
SHA256 = sha256(CONTENT).hexdigest()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture
def bucket(server: str, settings: Settings) -> Bucket:
    bucket = Bucket(server)
    bucket.use(settings)
    return bucket


def put(name: str, content: bytes = CONTENT) -> FileStore:
    path = django_settings.DATA_DIR / "to-put"
    path.write_bytes(content)
    store("releases").put(path, name)
    assert not path.exists()
    return store("releases")


def copies() -> list[str]:
    return sorted(path.name for path in copies_folder().iterdir())


def test_a_file_lies_under_the_prefix_and_comes_back(bucket: Bucket) -> None:
    stored = put("a/Größe |3|.tsv")

    assert bucket.files() == {"precis/releases/a/Größe |3|.tsv": CONTENT}
    assert list(stored_names(stored)) == ["a/Größe |3|.tsv"]
    assert b"".join(stored.whole("a/Größe |3|.tsv", len(CONTENT))) == CONTENT
    assert b"".join(stored.pieces("a/Größe |3|.tsv", range(3, 7))) == CONTENT[3:7]
    assert stored.size("a/Größe |3|.tsv") == len(CONTENT)
    assert stored.place("a/b") == f"s3://{bucket.name}/precis/releases/a/b"


def test_an_empty_file_is_a_file(bucket: Bucket) -> None:
    stored = put("empty", b"")

    assert b"".join(stored.pieces("empty", range(0))) == b""
    with stored.local("empty", sha256(b"").hexdigest()) as path:
        assert path.read_bytes() == b""


def test_a_folder_is_removed_with_all_that_is_in_it_and_nothing_else(bucket: Bucket) -> None:
    for name in ("v1/a", "v1/b/c", "v1-2/a", "v12"):
        put(name)

    store("releases").remove("v1")

    assert list(stored_names(store("releases"))) == ["v12", "v1-2/a"]


def test_what_is_not_there_is_not_found(bucket: Bucket) -> None:
    stored = store("releases")

    for read in (lambda: stored.pieces("a", range(9)), lambda: stored.pieces("a", range(0)), lambda: stored.size("a")):
        with pytest.raises(FileNotFoundError):
            read()
    with pytest.raises(FileNotFoundError), stored.local("a", SHA256):
        pass
    assert list(stored_names(stored)) == []
    assert copies() == []


def test_a_file_that_is_shorter_than_it_was_is_not_sent_in_half(bucket: Bucket) -> None:
    stored = put("a", CONTENT[:100])

    with pytest.raises(FileNotFoundError):
        stored.whole("a", len(CONTENT))


def test_a_copy_is_fetched_once_and_has_its_checksum(bucket: Bucket) -> None:
    stored = put("a")
    with stored.local("a", SHA256) as path:
        assert path.read_bytes() == CONTENT
    bucket.delete("precis/releases/a")

    with stored.local("a", SHA256) as path:
        assert path.read_bytes() == CONTENT
    assert copies() == [SHA256]
    assert path.stat().st_mode & 0o077 == 0


def test_a_damaged_file_is_no_copy(bucket: Bucket) -> None:
    stored = put("a", CONTENT[:-1] + b"x")

    with pytest.raises(FilesAway, match="damaged"), stored.local("a", SHA256):
        pass

    assert copies() == []


def test_readers_of_one_copy_fetch_it_once(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    stored, opened, read = put("a"), list[Any](), list[bytes]()
    original = bucket_store.BucketStore._opened

    def noted(*given: Any) -> Any:
        opened.append(given)
        return original(*given)

    monkeypatch.setattr(bucket_store.BucketStore, "_opened", noted)

    def reading() -> None:
        with stored.local("a", SHA256) as path:
            read.append(path.read_bytes())

    threads = [Thread(target=reading) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert read == [CONTENT] * 5
    assert len(opened) == 1


def test_copies_that_nobody_reads_make_room(settings: Settings) -> None:
    settings.STORED_COPIES_BYTES = 10

    def copy(content: bytes) -> Any:
        return local_copy("s3://b/x", sha256(content).hexdigest(), lambda: iter([content]))

    with copy(b"0123456"):
        with copy(b"abcdefg"):
            assert len(copies()) == 2  # both are being read
        assert copies_shrink() == 1
        assert copies() == [sha256(b"0123456").hexdigest()]
    with copy(b"xyz"):
        assert len(copies()) == 2


def test_a_copy_that_was_not_used_for_a_day_is_removed() -> None:
    for name, age in (("used", 3600), ("left", 25 * 3600)):
        path = copies_folder() / name
        path.write_bytes(b"x")
        os.utime(path, (time.time() - age, time.time() - age))

    assert copies_shrink() == 1
    assert [path.name for path in copies_folder().iterdir()] == ["used"]


def test_a_copy_that_came_back_meanwhile_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"0123456"
    path = copies_folder() / sha256(content).hexdigest()
    path.write_bytes(content)
    lock = fcntl.flock

    def late(stream: Any, operation: int) -> None:
        if operation & fcntl.LOCK_NB:
            path.unlink()  # by another process, before this one has the lock; a third one fetches it
            path.with_name("new").write_bytes(content)
            path.with_name("new").rename(path)
        lock(stream, operation)

    monkeypatch.setattr(fcntl, "flock", late)

    assert not copies_module._removed(path)
    assert path.read_bytes() == content


def test_a_fetch_that_was_killed_is_begun_anew(bucket: Bucket) -> None:
    stored = put("a")
    (copies_folder() / f"{SHA256}.partial").write_bytes(b"half of it")

    with stored.local("a", SHA256) as path:
        assert path.read_bytes() == CONTENT
    assert copies() == [SHA256]


@pytest.mark.parametrize("breaks", [1, 2])
def test_a_connection_that_breaks_is_gone_on_with(bucket: Bucket, breaks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = put("a")
    break_off(monkeypatch, breaks)

    assert b"".join(stored.whole("a", len(CONTENT))) == CONTENT


def test_a_connection_that_breaks_again_and_again_ends_the_file_early(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = put("a")
    break_off(monkeypatch, 3)

    with pytest.raises(FilesAway):
        b"".join(stored.whole("a", len(CONTENT)))


def break_off(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Break the first connections after a piece each."""
    original, left = bucket_store.BucketStore._opened, [times]

    class Breaking:
        def __init__(self, body: Any) -> None:
            self.body, self.reads = body, 0

        def read(self, size: int) -> bytes:
            self.reads += 1
            if self.reads == 2:
                raise ConnectionResetError
            content: bytes = self.body.read(size)
            return content

        def close(self) -> None:
            self.body.close()

    def opened(self: Any, name: str, wanted: range) -> Any:
        body = original(self, name, wanted)
        if not left[0]:
            return body
        left[0] -= 1
        return Breaking(body)

    monkeypatch.setattr(bucket_store.BucketStore, "_opened", opened)


def test_a_link_is_for_one_file_and_says_how_to_save_it(bucket: Bucket) -> None:
    stored = put("a")
    address = stored.link("a", SentAs('attachment; filename="b.tsv"', "application/octet-stream", 60)) or ""

    with urlopen(address, timeout=10) as answer:
        assert answer.read() == CONTENT
        assert answer.headers["Content-Disposition"] == 'attachment; filename="b.tsv"'
        assert answer.headers["Content-Type"] == "application/octet-stream"
    assert parse_qs(urlsplit(address).query)["X-Amz-Expires"] == ["60"]


def test_a_server_that_does_not_answer_is_said_to_be_away(
    bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bucket_store, "TRIES", 1)
    bucket.use(settings, endpoint=closed_address())
    stored, path = store("releases"), tmp_path / "file"
    path.write_bytes(CONTENT)

    for act in (
        lambda: stored.put(path, "a"),
        lambda: stored.pieces("a", range(1)),
        lambda: stored.size("a"),
        lambda: stored.exists("a"),
        lambda: stored.remove("a"),
        lambda: list(stored_names(stored)),
    ):
        with pytest.raises(FilesAway, match="cannot be reached"):
            act()
    assert path.exists()


def test_a_bucket_that_refuses_us_is_said_to_be_away(bucket: Bucket, settings: Settings) -> None:
    bucket.client.delete_bucket(Bucket=bucket.name)

    stored = store("releases")
    for act in (
        lambda: stored.pieces("a", range(1)),
        lambda: stored.size("a"),
        lambda: stored.exists("a"),
        lambda: put("a"),
    ):
        with pytest.raises(FilesAway, match="cannot be reached") as away:
            act()
        assert away.value.reason.startswith(f"s3://{bucket.name} at {bucket.endpoint}: there is no such bucket")


@pytest.mark.parametrize("code", ["InvalidAccessKeyId", "SignatureDoesNotMatch", "403"])
def test_a_key_that_is_refused_is_named_as_that(bucket: Bucket, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    def refused(*_: object, **__: object) -> None:
        raise ClientError({"Error": {"Code": code}}, "HeadObject")

    monkeypatch.setattr("botocore.client.BaseClient._make_api_call", refused)
    with pytest.raises(FilesAway) as away:
        store("releases").size("a")
    assert away.value.reason.endswith(f": the key is refused ({code})")
