"""Writing ProcessedData/*.tsv, where a parser is installed that knows the language."""

from collections.abc import Iterator
from itertools import islice

from corpus.content import ReleasedSource
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.formats.processed import processed_line, texts_of
from corpus.formats.rawdata import BYTE_ORDER_MARK, line_bytes
from corpus.options import SPLIT_NAMES
from corpus.parsing import Parser, installed_parser
from corpus.services.folder import CheckedStream, ReleaseFolder
from crowd.services.jobs import Progress

SOURCES_AT_ONCE = 50


def parser_for(language: str) -> Parser | None:
    """The installed parser, if it is one for texts in this language, such as en or en-GB."""
    parser = installed_parser()
    return parser if parser and parser.language == language.partition("-")[0].lower() else None


def processed_write(folder: ReleaseFolder, parser: Parser, total: int, progress: Progress) -> None:
    """Parse the texts of the folder's corpus of `total` sources."""
    for split in SPLIT_NAMES:
        _table(folder, split)
    done = 0
    with folder.path(CORPUS_FILE).open("rb") as stream:
        for sources in _some_at_once(jsonl_read(stream)):
            parsed = parser.parse(text for source in sources for text in texts_of(source))
            for source in sources:
                of_source = list(islice(parsed, len(texts_of(source))))
                if len(of_source) > 1:  # as in RawData: not without a compression that was rated
                    _table(folder, source.split).write(line_bytes(processed_line(source, of_source)))
            done += len(sources)
            progress(done, total)
    folder.close_all()


def _table(folder: ReleaseFolder, split: str) -> CheckedStream:
    return folder.stream(f"ProcessedData/{split}.tsv", BYTE_ORDER_MARK)


def _some_at_once(sources: Iterator[ReleasedSource]) -> Iterator[list[ReleasedSource]]:
    while some := list(islice(sources, SOURCES_AT_ONCE)):
        yield some
