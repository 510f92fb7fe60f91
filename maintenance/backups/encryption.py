"""Encryption by age or gpg: everything goes through the program, so that no plain archive touches the disk."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, BinaryIO, cast

from maintenance.backups import BackupRefusal, Damaged

GPG = ("gpg", "--batch", "--no-tty", "--quiet")
AGE_MAGIC = b"age-encryption.org/"
GZIP_MAGIC = b"\x1f\x8b"
PACKAGES = {"age": "age", "gpg": "gnupg"}
KEYS = {"age": "PRECIS_BACKUP_AGE_RECIPIENT", "gpg": "PRECIS_BACKUP_GPG_RECIPIENT"}


def suffix_of(recipients: Mapping[str, str]) -> str:
    """Return what the names of encrypted archives end in."""
    return next((f".{program}" for program in recipients), "")


def recipients_check(recipients: Mapping[str, str]) -> None:
    """Encrypt nothing for the recipient, so that a missing program or a bad key is known before anything is written."""
    for program, recipient in recipients.items():
        done = subprocess.run(_sealing(program, recipient), input=b"", capture_output=True, check=False)  # noqa: S603
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip()
            raise BackupRefusal(f"{program} cannot encrypt for the key of {KEYS[program]}: {reason}")


@contextlib.contextmanager
def sealed(output: BinaryIO, recipients: Mapping[str, str]) -> Iterator[BinaryIO]:
    """Yield what to write the plain archive to; without a recipient, that is the file itself."""
    if not recipients:
        yield output
        return
    [(program, recipient)] = recipients.items()
    with _running(_sealing(program, recipient), stdin=subprocess.PIPE, stdout=output) as (process, messages):
        try:
            yield cast(BinaryIO, process.stdin)
            cast(BinaryIO, process.stdin).close()
        except BrokenPipeError:
            process.wait()
            raise BackupRefusal(f"{program} could not encrypt: {_said(messages)}") from None
        if process.wait():
            raise BackupRefusal(f"{program} could not encrypt: {_said(messages)}")


@contextlib.contextmanager
def opened(path: Path, identity: Path | None) -> Iterator[BinaryIO]:
    """Yield the plain archive of a file, decrypted if need be: by the key in a file (age) or in the keyring (gpg)."""
    try:
        stream = path.open("rb", buffering=0)  # a program reads on from where we are
    except OSError as error:
        raise BackupRefusal(f"{path}: {error.strerror}") from error
    with stream:
        command = _opening(path, stream.read(len(AGE_MAGIC)), identity)
        stream.seek(0)
        if not command:
            yield cast(BinaryIO, stream)
            return
        with _running(command, stdin=cast(BinaryIO, stream), stdout=subprocess.PIPE) as (process, messages):
            yield cast(BinaryIO, _Decrypted(process, messages, command[0]))


class _Decrypted:
    """What a program decrypts; that it has come to its end in order is part of its content."""

    def __init__(self, process: "subprocess.Popen[bytes]", messages: IO[bytes], program: str) -> None:
        self._process, self._messages, self._program = process, messages, program

    def read(self, size: int, /) -> bytes:
        data = cast(BinaryIO, self._process.stdout).read(size)
        if len(data) < size and self._process.wait():
            raise Damaged(f"{self._program} could not decrypt the archive: {_said(self._messages)}")
        return data


def _sealing(program: str, recipient: str) -> Sequence[str]:
    path = _installed(program)
    if program == "age":
        return (path, "--encrypt", "--recipient", recipient)
    options = ("--trust-model", "always", "--compress-algo", "none", "--recipient", recipient)
    return (path, *GPG[1:], *options, "--encrypt")


def _opening(path: Path, begin: bytes, identity: Path | None) -> Sequence[str]:
    if begin.startswith(GZIP_MAGIC):
        return ()
    if begin == AGE_MAGIC:
        if identity is None:
            raise BackupRefusal("The archive is encrypted by age. Name the file of the secret key: --identity FILE.")
        return (_installed("age"), "--decrypt", "--identity", str(identity))
    if path.suffix != ".gpg":
        raise Damaged("This is not a backup of Précis, or its first bytes are damaged.")
    return (_installed("gpg"), *GPG[1:], "--decrypt")


def _installed(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise BackupRefusal(f"The program {program} is not installed (Debian: apt-get install {PACKAGES[program]}).")
    return path


@contextlib.contextmanager
def _running(
    command: Sequence[str], stdin: "int | BinaryIO", stdout: "int | BinaryIO"
) -> Iterator["tuple[subprocess.Popen[bytes], IO[bytes]]"]:
    """Run a program beside this one; whatever happens, it is ended with the block."""
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=messages)  # noqa: S603
        try:
            yield process, messages
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()


def _said(messages: IO[bytes]) -> str:
    messages.seek(0)
    return messages.read(2000).decode(errors="replace").strip() or "it gave no reason"
