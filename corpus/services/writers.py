"""The files of a release that hold its texts and how they were written, all in one pass over the sources."""

import zipfile
from collections.abc import Iterable

from corpus.content import ReleasedSource, WrittenText
from corpus.formats.history import history_head, history_line, log_line
from corpus.formats.jsonl import CORPUS_FILE, jsonl_line
from corpus.formats.parquet import ParquetFile
from corpus.formats.rawdata import BYTE_ORDER_MARK, line_bytes, output_line, source_line
from corpus.options import SPLIT_NAMES
from corpus.services.folder import CheckedStream, ReleaseFolder
from crowd.scales import Scale

HISTORY_FILE, LOGS_FILE = "compressionhistory.tsv", "edit_logs.jsonl"


class ReleaseWriters:
    """Every format takes each source as it comes; nothing waits in memory but some hundred rows of Parquet."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        self._folder, self._scales = folder, scales
        self._corpus = folder.stream(CORPUS_FILE)
        self._parquet: dict[str, ParquetFile] = {}
        for split in SPLIT_NAMES:
            self._table(f"RawData/{split}.tsv")
            self._parquet_of(split)
        self._history, self._logs = folder.stream(HISTORY_FILE, history_head(scales)), folder.stream(LOGS_FILE)

    def add(self, source: ReleasedSource, written: Iterable[WrittenText]) -> None:
        self._corpus.write(jsonl_line(source))
        table = self._table(f"RawData/{source.split}.tsv")
        if any(text.ratings for text in source.texts):
            table.write(line_bytes(source_line(source, self._scales)))
        for system in sorted({output.system for output in source.outputs}):
            outputs = self._table(f"RawData/{source.split}_output.{system}.tsv")
            outputs.write(line_bytes(output_line(source, system, self._scales)))
        self._parquet_of(source.split).add(source)
        self._add_writing(source, written)

    def _add_writing(self, source: ReleasedSource, written: Iterable[WrittenText]) -> None:
        ratings = {text.text: text.ratings for text in source.texts}
        for each in written:
            self._logs.write(log_line(source, each))
            if ratings[each.text]:  # a text that was only compared has no averages
                self._history.write(history_line(source, each, ratings[each.text], self._scales))

    def close(self) -> None:
        self._folder.close_all()
        for split, file in self._parquet.items():
            file.close()
            self._folder.add(f"parquet/{split}.parquet")

    def _table(self, name: str) -> CheckedStream:
        return self._folder.stream(name, BYTE_ORDER_MARK)

    def _parquet_of(self, split: str) -> ParquetFile:
        if split not in self._parquet:
            self._parquet[split] = ParquetFile(self._folder.path(f"parquet/{split}.parquet"), self._scales)
        return self._parquet[split]


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
