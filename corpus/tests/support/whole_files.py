"""Whole files of a format from a list of sources, as a release writes them source by source."""

from collections.abc import Iterable
from typing import BinaryIO

from corpus.formats.jsonl import jsonl_line
from corpus.formats.rawdata import BYTE_ORDER_MARK, Scales, line_bytes, output_line, source_line
from corpus.release.records import ReleasedSource


def jsonl_write(stream: BinaryIO, sources: Iterable[ReleasedSource]) -> None:
    for source in sources:
        stream.write(jsonl_line(source))


def rawdata_write(stream: BinaryIO, sources: Iterable[ReleasedSource], scales: Scales) -> None:
    """Sources with the texts that people made of them."""
    stream.write(BYTE_ORDER_MARK)
    for source in sources:
        stream.write(line_bytes(source_line(source, scales)))


def outputs_write(stream: BinaryIO, sources: Iterable[ReleasedSource], system: str, scales: Scales) -> None:
    """What one system made of sources; a source that it has nothing for has no line."""
    stream.write(BYTE_ORDER_MARK)
    for source in sources:
        if line := output_line(source, system, scales):
            stream.write(line_bytes(line))
