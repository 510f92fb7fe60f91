"""The means of a run as plain rows, for programs."""

from collections.abc import Mapping
from typing import Any

from measures.metrics.options import Ground
from scoring.selectors import section_of

Row = dict[str, Any]
KINDS = {"genres": "genre", "lengths": "length"}


def mean_rows(summary: Mapping[str, Any] | None, ground: Ground | None) -> list[Row]:
    """Return one row for each metric and system; none where nothing is finished."""
    if summary is None or ground is None:
        return []
    section = section_of(summary, ground)
    return [
        {"metric": metric, "system": each["system"], "outputs": each["outputs"], "value": each["means"][metric]}
        | {"low": each["low"][metric], "high": each["high"][metric]}
        for metric in section["metrics"]
        for each in section["systems"]
    ]


def part_rows(summary: Mapping[str, Any] | None, ground: Ground | None) -> list[Row]:
    """Return one row for each genre and each third of lengths, system and metric, where there are outputs."""
    if summary is None or ground is None:
        return []
    section = section_of(summary, ground)
    return [
        {"by": by, "part": name, "metric": metric, "system": each["system"]}
        | {"outputs": each[kind][name]["outputs"], "value": each[kind][name]["means"][metric]}
        for kind, by in KINDS.items()
        for name in section[kind]
        for each in section["systems"]
        if name in each[kind]
        for metric in section["metrics"]
    ]
