"""Campaigns with outputs of systems, and files of ratings for them."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from compressions.services.outputs import Output, outputs_add
from crowd.models import Campaign
from ratings.models import ImportPool, RatingImport
from ratings.services.rating_imports import file_ratings_import
from tests.support.factories import make_campaign

SYSTEMS = ("Alpha", "Beta")

Line = Mapping[str, Any]


def with_outputs(sources: int = 2, systems: Sequence[str] = SYSTEMS, **settings: Any) -> Campaign:
    """A campaign in which each system has an output of its own for each source."""
    campaign = make_campaign(sources=sources, **settings)
    for system in systems:
        add_outputs(campaign, system, [output(system, n) for n in range(1, sources + 1)])
    return campaign


def add_outputs(campaign: Campaign, system: str, texts: Sequence[str]) -> None:
    """Import a system's outputs for the first sources."""
    outputs = [Output(n, str(n), text) for n, text in enumerate(texts, start=1)]
    outputs_add(campaign=campaign, system=system, outputs=outputs)


def output(system: str, number: int) -> str:
    return f"{system} says it was bridge {number}."


def as_jsonl(rows: Sequence[Line]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def as_table(rows: Sequence[Line], delimiter: str = ",") -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def line(system: str = "Alpha", number: int = 1, rater: str = "ann", meaning: object = 3, grammar: object = 2) -> Line:
    return {"id": str(number), "system": system, "rater": rater, "meaning": meaning, "grammar": grammar}


def imported(
    campaign: Campaign, rows: Sequence[Line] | bytes, pool: str = "crowd", name: str = "ratings.jsonl"
) -> RatingImport:
    content = rows if isinstance(rows, bytes) else as_jsonl(rows)
    record = file_ratings_import(campaign=campaign, pool=ImportPool(pool), file_name=name, content=content)
    record.refresh_from_db()
    return record


def counts(record: RatingImport) -> tuple[int, int, int]:
    return record.added, record.unchanged, record.refused
