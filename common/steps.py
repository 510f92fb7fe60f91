"""Steps of a checklist."""

from dataclasses import dataclass

from common.words import Words


@dataclass(frozen=True)
class Step:
    """One thing to do: how it stands, in words, and where it is done by which button, if by any."""

    title: Words
    is_ready: bool
    words: str
    address: str = ""
    button: Words = ""
