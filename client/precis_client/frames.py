"""Tables of a release, from its `corpus.jsonl`: rows for pandas, or for whatever else takes rows."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Source = Mapping[str, Any]
BY_RATER = ", z by rater"
"""Behind the name of a scale: the column of its z-scores, as reports call them."""


def source_rows(source: Source) -> Iterator[Row]:
    """One row: the text that was shortened."""
    yield {name: source[name] for name in ("id", "split", "genre", "sentences", "paragraph", "text")}


def compression_rows(source: Source) -> Iterator[Row]:
    """A row for each text that people wrote."""
    for number, each in enumerate(source["compressions"]):
        yield {**_of(source), "compression": number, "text": each["text"], **_editors(each), **_counts(each)}


def output_rows(source: Source) -> Iterator[Row]:
    """A row for each output of a system."""
    for each in source.get("outputs", ()):
        yield {**_of(source), "system": each["system"], "text": each["text"], **_counts(each)}


def comparison_rows(source: Source) -> Iterator[Row]:
    """A row for each pair of texts that raters saw side by side."""
    for each in source.get("comparisons", ()):
        yield {**_of(source), "first": each["first"], "second": each["second"], **_counts(each)}


def rating_rows(source: Source) -> Iterator[Row]:
    """A row for each rating: what was rated, by whom, a column for each scale, and z-scores on scales of files."""
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
_OF, _COUNTS = ("source", "split", "genre"), ("ratings", "expert_ratings")
_RATED = ("of", "compression", "system", "first", "second", "text", "pool", "rater", "day")
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "sources": ("id", "split", "genre", "sentences", "paragraph", "text"),
    "compressions": (*_OF, "compression", "text", "editors", *_COUNTS),
    "ratings": (*_OF, *_RATED),
    "outputs": (*_OF, "system", "text", *_COUNTS),
    "comparisons": (*_OF, "first", "second", *_COUNTS),
}
"""What a table has even if it is empty; ratings also have columns for scales and z-scores."""


def rows_of(table: str, lines: Iterable[str | bytes]) -> Iterator[Row]:
    """Yield the rows of a table from the lines of `corpus.jsonl`."""
    if table not in TABLES:
        raise ValueError(f"There is no table {table!r}; there are: {', '.join(TABLES)}.")
    for line in lines:
        yield from TABLES[table](json.loads(line))


def columns_of(table: str, rows: Sequence[Row]) -> list[str]:
    """Return the columns of a table: those it always has, and then the scales."""
    return list(dict.fromkeys((*COLUMNS[table], *(name for row in rows for name in row))))


def whole_columns(table: str, rows: Sequence[Row]) -> list[str]:
    """Return which of the columns that tables are joined by have nothing but whole numbers, or nothing."""
    joined = {"rater", "compression"}.intersection(COLUMNS[table])
    return [name for name in joined if all(isinstance(row.get(name), int | None) for row in rows)]


def _person(name: str | None) -> int | str | None:
    """Return the number of a participant as a number, as the API does; a name stays as it is."""
    is_number = name is not None and name.isascii() and name.isdecimal() and str(int(name)) == name
    return int(name) if name is not None and is_number else name


def _editors(compression: Source) -> Row:
    return {"editors": [_person(editor) for editor in compression["editors"]]}


def _of(source: Source) -> Row:
    return {"source": source["id"], "split": source["split"], "genre": source["genre"]}


def _counts(rated: Source) -> Row:
    return {"ratings": len(rated["ratings"]), "expert_ratings": len(rated.get("expert_ratings", ()))}


def _ratings(rated: Source, told: Row) -> Iterator[Row]:
    for pool, name in (("crowd", "ratings"), ("experts", "expert_ratings")):
        for each in rated.get(name, ()):
            z_scores = {f"{scale}{BY_RATER}": number for scale, number in each.get("z_scores", {}).items()}
            person = _person(each["rater"])
            yield {**told, "pool": pool, "rater": person, "day": each.get("day"), **each["scores"], **z_scores}
