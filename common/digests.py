"""Identities of what is asked for: the same request has the same digest."""

import hashlib
import json
from pathlib import Path
from typing import Any


def json_digest(value: Any) -> str:
    """Return the SHA-256 of a value as JSON with sorted keys, in hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
