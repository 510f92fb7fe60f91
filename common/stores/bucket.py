"""A store in a bucket that speaks S3. This module is only imported where a bucket is set.

Django's methods open a file by loading it whole; those of this class read piece by piece, and hand out copies that the
data folder keeps (`common/stores/copies.py`).
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.response import StreamingBody
from django.utils.translation import gettext as _
from storages.backends.s3 import S3Storage

from common.errors import FilesAway
from common.stores.base import FileStore, SentAs, no_such_file
from common.stores.copies import local_copy

logger = logging.getLogger(__name__)

PIECE = 1 << 16
CONNECT_SECONDS, READ_SECONDS = 3, 20
TRIES = 3
NOT_THERE = {"404", "NoSuchKey", "NotFound"}
REFUSALS = {
    "NoSuchBucket": "there is no such bucket",
    **dict.fromkeys(("AccessDenied", "403", "InvalidAccessKeyId", "SignatureDoesNotMatch"), "the key is refused"),
}


class BucketStore(S3Storage, FileStore):  # type: ignore[misc]  # it is not typed
    def __init__(self, **options: Any) -> None:
        has_endpoint = bool(options.get("endpoint_url"))
        config = Config(
            signature_version="s3v4",
            s3={"addressing_style": "path" if has_endpoint else "auto"},
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"mode": "standard", "total_max_attempts": TRIES},
            # Not every server that speaks S3 knows the newer checksums; files are checked by their SHA-256.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        super().__init__(**{"client_config": config, **options})

    def put(self, path: Path, name: str) -> None:
        size = path.stat().st_size
        with self._answering(name):
            self.bucket.upload_file(str(path), self._key(name), Config=self.transfer_config)
            arrived = self.bucket.Object(self._key(name)).content_length
        if arrived != size:
            raise self._away(f"{arrived} of {size} bytes of {name} have arrived")
        path.unlink()

    def local(self, name: str, sha256: str = "") -> AbstractContextManager[Path]:
        return local_copy(self.place(name), sha256, partial(self._whole, name))

    def whole(self, name: str, size: int) -> Iterable[bytes]:
        return self.pieces(name, range(size))

    def pieces(self, name: str, wanted: range) -> Iterator[bytes]:
        if not wanted:
            self.size(name)
            return iter(())
        return _Pieces(partial(self._opened, name), wanted, self._away)

    def link(self, name: str, sent_as: SentAs) -> str | None:
        asked = {"ResponseContentDisposition": sent_as.disposition, "ResponseContentType": sent_as.content_type}
        where = {"Bucket": self.bucket_name, "Key": self._key(name), **asked}
        with self._answering(name):
            address: str = self.connection.meta.client.generate_presigned_url(
                "get_object", Params=where, ExpiresIn=sent_as.seconds
            )
        return address

    def remove(self, name: str) -> None:
        key = self._key(name)
        with self._answering(name):
            self.bucket.Object(key).delete()
            for each in self.bucket.objects.filter(Prefix=f"{key}/"):  # many servers have no request for several
                each.delete()

    def place(self, name: str) -> str:
        return f"s3://{self.bucket_name}/{self._key(name)}"

    def exists(self, name: str) -> bool:
        try:
            return self.size(name) >= 0
        except FileNotFoundError:
            return False

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with self._answering(path):
            folders, files = super().listdir(path)
        return folders, files

    def size(self, name: str) -> int:
        try:
            with self._answering(name):
                return int(self.bucket.Object(self._key(name)).content_length)
        except FileNotFoundError:
            self._check_bucket()
            raise

    def _check_bucket(self) -> None:
        """Raise FilesAway if the bucket is gone: a question without a body gets the same answer as for a lost file."""
        try:
            with self._answering(""):
                self.connection.meta.client.head_bucket(Bucket=self.bucket_name)
        except FileNotFoundError as error:
            raise self._away(REFUSALS["NoSuchBucket"]) from error

    @contextmanager
    def _answering(self, name: str) -> Iterator[None]:
        """Say that a file does not exist, or that its store does not answer, in the app's own exceptions."""
        try:
            yield
        except (ClientError, BotoCoreError, Boto3Error, OSError) as error:
            # An upload is refused by an error of its own, which was raised while the refusal was handled.
            refusal = error if isinstance(error, ClientError) else error.__context__
            if not isinstance(refusal, ClientError):
                raise self._away(f"it does not answer ({type(error).__name__})") from error
            code = refusal.response.get("Error", {}).get("Code", "")
            if code in NOT_THERE:
                raise no_such_file(name) from error
            raise self._away(f"{REFUSALS.get(code, 'it refuses')} ({code})") from error

    def _away(self, why: str) -> FilesAway:
        reason = f"s3://{self.bucket_name} at {self.endpoint_url or 'AWS'}: {why}"
        logger.warning("the storage of files: %s", reason)
        return FilesAway(_("The files cannot be reached right now. Try again in a few minutes."), reason=reason)

    def _key(self, name: str) -> str:
        key: str = self._normalize_name(name)
        return key

    def _whole(self, name: str) -> Iterator[bytes]:
        return self.pieces(name, range(self.size(name)))

    def _opened(self, name: str, wanted: range) -> StreamingBody:
        asked = f"bytes={wanted.start}-{wanted.stop - 1}"
        with self._answering(name):
            answer = self.bucket.Object(self._key(name)).get(Range=asked)
        if answer["ContentLength"] != len(wanted):
            answer["Body"].close()
            logger.error("%s has %s instead of %s bytes at %s", name, answer["ContentLength"], len(wanted), asked)
            raise no_such_file(self.place(name), "The file is shorter than it was")
        body: StreamingBody = answer["Body"]
        return body


class _Pieces(Iterator[bytes]):
    """The bytes of a file. Where the connection breaks, they go on with the one that would have come next."""

    def __init__(
        self, opened: Callable[[range], StreamingBody], wanted: range, away: Callable[[str], FilesAway]
    ) -> None:
        self._opened, self._wanted, self._away, self._breaks = opened, wanted, away, 0
        self._body = opened(wanted)

    def __next__(self) -> bytes:
        while self._wanted:
            try:
                if piece := self._body.read(PIECE):
                    self._wanted = self._wanted[len(piece) :]
                    return bytes(piece)
                raise OSError("the file ended early")
            except (BotoCoreError, OSError) as error:
                self._begin_again(error)
        raise StopIteration

    def close(self) -> None:
        self._body.close()

    def _begin_again(self, error: Exception) -> None:
        self._breaks += 1
        self.close()
        if self._breaks == TRIES:
            broke = f"a file broke off with {len(self._wanted)} bytes to come ({type(error).__name__})"
            raise self._away(broke) from error
        self._body = self._opened(self._wanted)
