"""A question with known answers, before it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ExampleText:
    """The content of an example: texts, the accepted points of each scale, and the explanation."""

    source: str
    compression: str
    answers: Mapping[str, Sequence[int]]
    why: str = ""
    other: str = ""
    is_practice: bool = False
