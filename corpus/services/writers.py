"""All formats of a release, written in one pass over the sources, and the archive of its files."""

import zipfile
from collections.abc import Iterable, Sequence

from corpus.formats.registry import FORMATS
from corpus.release.folder import ReleaseFolder
from corpus.release.records import ReleasedSource, WrittenText
from crowd.scales import Scale


class ReleaseWriters:
    """Every format takes each source as it comes; nothing waits in memory but some hundred rows of Parquet."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        self._folder = folder
        self._writers = [each.writer(folder, scales) for each in FORMATS if each.writer]

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
