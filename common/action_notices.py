"""A notice on a page of staff with its remedy: one sentence, and the button that mends what it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from common.words import Words


@dataclass(frozen=True)
class ActionNotice:
    """What is said, and a button that sends fields to an address, or leads there if `sent` is None."""

    words: str
    button: Words
    address: str
    sent: Mapping[str, Any] | None = None
    is_change: bool = False
    """A link leads to where something is changed, which not everybody may."""
