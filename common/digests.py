"""Identities of what is asked for: the same request has the same digest."""

import hashlib
import json
from typing import Any


def json_digest(value: Any) -> str:
    """Return the SHA-256 of a value as JSON with sorted keys, in hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
