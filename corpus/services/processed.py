"""Parsing the texts of a release, for `ProcessedData/`, where the installation has a parser for their language."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from common.errors import Refused
from common.jobs import Progress
from common.stored_models import configured_model
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.formats.processed import processed_line, texts_of
from corpus.formats.rawdata import BYTE_ORDER_MARK, line_bytes
from corpus.release.folder import CheckedStream, ReleaseFolder
from corpus.release.options import SPLIT_NAMES
from corpus.release.records import ReleasedSource
from measures.alignment import Aligner, AlignmentOptions, AlignmentResources, align_words, pipeline_vectors
from measures.text.parsing import Parser

SOURCES_AT_ONCE = 50


def release_parser(language: str) -> Parser | None:
    """Return the parser for the texts of a release: the configured one, if it is for their language."""
    try:
        model = configured_model(language)
    except (ValueError, ModuleNotFoundError) as error:
        raise Refused("PRECIS_SPACY_MODEL: " + str(error)) from error
    return Parser(model) if model else None


def processed_write(folder: ReleaseFolder, parser: Parser, total: int, progress: Progress) -> None:
    """Parse the texts of the folder's corpus of `total` sources."""
    for split in SPLIT_NAMES:
        _table(folder, split)
    done, align = 0, _aligner(parser)
    with folder.path(CORPUS_FILE).open("rb") as stream:
        for sources in _some_at_once(jsonl_read(stream)):
            parsed = parser.parse(text for source in sources for text in texts_of(source))
            for source in sources:
                of_source = list(islice(parsed, len(texts_of(source))))
                if len(of_source) > 1:  # as in RawData: not without a compression that was rated
                    _table(folder, source.split).write(line_bytes(processed_line(source, of_source, align)))
            done += len(sources)
            progress(done, total)
    folder.close_all()


def _aligner(parser: Parser) -> Aligner:
    """The aligner for the parser's language, with the vectors of its words if it has any."""
    resources = AlignmentResources(vectors=pipeline_vectors(parser.pipeline))
    return partial(align_words, options=AlignmentOptions(parser.language), resources=resources)


def _table(folder: ReleaseFolder, split: str) -> CheckedStream:
    return folder.stream(f"ProcessedData/{split}.tsv", BYTE_ORDER_MARK)


def _some_at_once(sources: Iterator[ReleasedSource]) -> Iterator[list[ReleasedSource]]:
    while some := list(islice(sources, SOURCES_AT_ONCE)):
        yield some
