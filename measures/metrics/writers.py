"""Scores as tables of text."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from measures.core.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Result:
    """Scores with the names of outputs and the signatures of metrics.

    Attributes
    ----------
    names : sequence of str, of length n
        What each output is called.
    scores : FloatArray of shape (n, m)
        A row for each output, a column for each metric.
    signatures : mapping of str to str, of length m
        Of each metric, in the order of the columns.
    """

    names: Sequence[str]
    scores: FloatArray
    signatures: Mapping[str, str]

    def __post_init__(self) -> None:
        if self.scores.shape != (len(self.names), len(self.signatures)):
            raise ValueError(
                f"scores of shape {self.scores.shape} for {len(self.names)} names and {len(self.signatures)} signatures"
            )

    def mean(self) -> Result:
        """Return the means over all outputs as one row; nothing where there are none."""
        if not self.names:
            return self
        return Result(["mean"], self.scores.mean(axis=0, keepdims=True), self.signatures)


def write_tsv(result: Result, stream: TextIO) -> None:
    """Write a row of names, one of signatures, and one for each output.

    Parameters
    ----------
    result : Result
        The scores.
    stream : TextIO
        Where to.
    """
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow(["id", *result.signatures])
    writer.writerow(["signature", *result.signatures.values()])
    for name, row in zip(result.names, result.scores.tolist(), strict=True):
        writer.writerow([name, *row])


def write_json(result: Result, stream: TextIO) -> None:
    """Write the signatures, and an object for each output.

    Parameters
    ----------
    result : Result
        The scores.
    stream : TextIO
        Where to.
    """
    rows = [
        {"id": name, **dict(zip(result.signatures, row, strict=True))}
        for name, row in zip(result.names, result.scores.tolist(), strict=True)
    ]
    stream.write(json.dumps({"signatures": result.signatures, "scores": rows}, ensure_ascii=False, indent=1) + "\n")


WRITERS: Mapping[str, Callable[[Result, TextIO], None]] = {"tsv": write_tsv, "json": write_json}
