"""Tables of a release, from its `corpus.jsonl`: rows for pandas, or for whatever else takes rows."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Row = dict[str, Any]
Source = Mapping[str, Any]


def source_rows(source: Source) -> Iterator[Row]:
    """One row: the text that was shortened."""
    yield {name: source[name] for name in ("id", "split", "genre", "sentences", "paragraph", "text")}


def compression_rows(source: Source) -> Iterator[Row]:
    """A row for each text that people wrote."""
    for number, each in enumerate(source["compressions"]):
        yield {**_of(source), "compression": number, "text": each["text"], "editors": each["editors"], **_counts(each)}


def output_rows(source: Source) -> Iterator[Row]:
    """A row for each output of a system."""
    for each in source.get("outputs", ()):
        yield {**_of(source), "system": each["system"], "text": each["text"], **_counts(each)}


def comparison_rows(source: Source) -> Iterator[Row]:
    """A row for each pair of texts that raters saw side by side."""
    for each in source.get("comparisons", ()):
        yield {**_of(source), "first": each["first"], "second": each["second"], **_counts(each)}


def rating_rows(source: Source) -> Iterator[Row]:
    """A row for each rating: what was rated, by whom, and a column for each scale."""
    for number, each in enumerate(source["compressions"]):
        yield from _ratings(each, {**_of(source), "of": "compression", "compression": number, "text": each["text"]})
    for each in source.get("outputs", ()):
        yield from _ratings(each, {**_of(source), "of": "output", "system": each["system"], "text": each["text"]})
    for each in source.get("comparisons", ()):
        yield from _ratings(each, {**_of(source), "of": "comparison", "first": each["first"], "second": each["second"]})


TABLES: Mapping[str, Callable[[Source], Iterator[Row]]] = {
    "sources": source_rows,
    "compressions": compression_rows,
    "ratings": rating_rows,
    "outputs": output_rows,
    "comparisons": comparison_rows,
}


def rows_of(table: str, lines: Iterable[str | bytes]) -> Iterator[Row]:
    """Yield the rows of a table from the lines of `corpus.jsonl`."""
    if table not in TABLES:
        raise ValueError(f"There is no table {table!r}; there are: {', '.join(TABLES)}.")
    for line in lines:
        yield from TABLES[table](json.loads(line))


def _of(source: Source) -> Row:
    return {"source": source["id"], "split": source["split"], "genre": source["genre"]}


def _counts(rated: Source) -> Row:
    return {"ratings": len(rated["ratings"]), "expert_ratings": len(rated.get("expert_ratings", ()))}


def _ratings(rated: Source, told: Row) -> Iterator[Row]:
    for pool, name in (("crowd", "ratings"), ("experts", "expert_ratings")):
        for each in rated.get(name, ()):
            yield {**told, "pool": pool, "rater": each["rater"], "day": each.get("day"), **each["scores"]}
