"""Secrets that an installation generates for itself if none is configured."""

import os
import secrets
from pathlib import Path


def local_secret(path: Path, random_bytes: int = 64) -> str:
    """Return the secret stored in `path`; the first call generates it, readable by its owner only.

    The file is created atomically. If several processes start at once, the first one wins: unlike a rename, a hard
    link never replaces an existing file.
    """
    if path.exists():
        return _read(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        _write_private(draft, secrets.token_urlsafe(random_bytes))
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
    return _read(path)


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> str:
    secret = path.read_text(encoding="ascii").strip()
    if not secret:
        raise ValueError(f"{path} is empty: delete it, and a new secret is made at the next start.")
    return secret
