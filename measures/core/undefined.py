"""Undefined results, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Undefined:
    """A result that does not exist; returned instead of a number so that it cannot be taken for 0 or 1.

    Attributes
    ----------
    reason : str
        Why there is no value.
    """

    reason: str


NO_PAIRS = Undefined("no item has two ratings")
ONE_CATEGORY = Undefined("all ratings are in one category")
