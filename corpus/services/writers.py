"""All formats of a release, written in one pass over the sources, and the archive of its files."""

import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from corpus.formats.jsonl import jsonl_line, jsonl_read
from corpus.formats.registry import FORMATS
from corpus.release.folder import ReleaseFolder
from corpus.release.records import ReleasedSource, WrittenText
from crowd.scales import Scale


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
        rows = [[each.editor, each.text, each.started_from, each.edit_log, each.has_exact_times] for each in written]
        self._to_logs.write(json.dumps(rows).encode() + b"\n")

    def read(self) -> Iterator[tuple[ReleasedSource, list[WrittenText]]]:
        self._files.close()
        with self._sources.open("rb") as sources, self._logs.open("rb") as logs:
            for source, line in zip(jsonl_read(sources), logs, strict=True):
                rows: list[list[Any]] = json.loads(line)
                yield source, [WrittenText(*row) for row in rows]


class ReleaseWriters:
    """Every format takes each source as it comes; nothing waits in memory but some hundred rows of Parquet."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        self._folder = folder
        self._writers = [each.writer(folder, scales) for each in FORMATS if each.writer and each.is_writable]
        self.not_written = [name for each in FORMATS if not each.is_writable for name in each.files]

    def add(self, source: ReleasedSource, written: Sequence[WrittenText]) -> None:
        for writer in self._writers:
            writer.add(source, written)

    def close(self) -> None:
        self._folder.close_all()
        for writer in self._writers:
            writer.close()


def archive_write(folder: ReleaseFolder, name: str, members: Iterable[str]) -> None:
    """One ZIP of files that are there already, each read piece by piece."""
    with zipfile.ZipFile(folder.path(name), "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for member in members:
            # The same release gives the same archive: no times of this run.
            info = zipfile.ZipInfo(member, date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with folder.path(member).open("rb") as source, archive.open(info, "w", force_zip64=True) as target:
                while piece := source.read(1 << 20):
                    target.write(piece)
    folder.add(name)
