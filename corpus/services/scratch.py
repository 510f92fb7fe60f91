"""What was read from the database, kept in files until the splits are known."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from corpus.formats.jsonl import jsonl_line, jsonl_read
from corpus.release.records import ReleasedSource, WrittenText


class ScratchFiles:
    """Sources and how their texts were written, first added one by one, then read once in the same order."""

    def __init__(self, folder: Path) -> None:
        self._sources, self._logs = folder / "sources.scratch", folder / "logs.scratch"
        self._files = ExitStack()

    def __enter__(self) -> Self:
        self._to_sources = self._files.enter_context(self._sources.open("wb"))
        self._to_logs = self._files.enter_context(self._logs.open("wb"))
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()
        self._sources.unlink(missing_ok=True)
        self._logs.unlink(missing_ok=True)

    def add(self, source: ReleasedSource, written: list[WrittenText]) -> None:
        self._to_sources.write(jsonl_line(source))
        rows = [[each.editor, each.text, each.started_from, each.edit_log] for each in written]
        self._to_logs.write(json.dumps(rows).encode() + b"\n")

    def read(self) -> Iterator[tuple[ReleasedSource, list[WrittenText]]]:
        self._files.close()
        with self._sources.open("rb") as sources, self._logs.open("rb") as logs:
            for source, line in zip(jsonl_read(sources), logs, strict=True):
                rows: list[list[Any]] = json.loads(line)
                yield source, [WrittenText(*row) for row in rows]
