"""Shares of words, compressions and sentences by what was done to them, of the release and its parts."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from edit_operations.sections.base import RELEASE, Line, ReleaseTexts, ReportSection, Row, row
from measures.alignment import CountedTexts, class_shares, operation_shares
from measures.alignment.classes import COMPRESSION_CLASSES, SENTENCE_CLASSES
from measures.core.drawn_sources import Ratio
from measures.core.undefined import Undefined

MAX_GROUPS = 500
"""Of more groups of a kind, such as editors, those with the most texts have rows."""

Group = tuple[str, str, Sequence[Line]]


def groups_of(texts: ReleaseTexts) -> Iterator[Group]:
    """Yield the kind of each part, its name and its texts: people's first, then those of systems."""
    yield RELEASE, "", texts.people
    yield from _grouped("genre", texts.people, lambda line: [line.source.genre])
    yield from _grouped("split", texts.people, lambda line: [line.source.split])
    yield from _grouped("sentences", texts.people, lambda line: [str(line.source.sentences)])
    yield from _grouped("editor", texts.people, lambda line: dict.fromkeys(line.text.editors))
    yield from _grouped("system", texts.outputs, lambda line: [line.text.system])


def _grouped(
    part: str, lines: Sequence[Line], names: Callable[[Line], Sequence[str] | dict[str, None]]
) -> Iterator[Group]:
    found: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        for name in names(line):
            found[name].append(line)
    largest = sorted(found, key=lambda name: (-len(found[name]), name))[:MAX_GROUPS]
    for name in sorted(largest, key=_natural_order):
        yield part, name, found[name]


def _natural_order(name: str) -> tuple[int, str]:
    """Sort numbers by their value, and other names after them."""
    return (int(name) if name.isascii() and name.isdecimal() and len(name) < 19 else 2**63), name


TOKEN_SHARES, COMPRESSIONS, SENTENCES = "token shares", "compression classes", "sentences"
NO_TWO_SENTENCES = Undefined("no text has a source of two sentences")


def share_rows(texts: ReleaseTexts) -> list[Row]:
    """Return the shares of the whole release, and of each genre, split, editor, system and number of sentences."""
    groups = list(groups_of(texts))
    tables = (_word_shares, _compression_classes, _sentence_classes)
    return [each for table in tables for group in groups for each in table(texts, group)]


def _word_shares(texts: ReleaseTexts, group: Group) -> list[Row]:
    lines = group[2]
    found = operation_shares(counted(texts, lines), draws=texts.parameters.draws, seed=texts.parameters.seed)
    return _rows(TOKEN_SHARES, group, found)


def _compression_classes(texts: ReleaseTexts, group: Group) -> list[Row]:
    classes = [line.text.compression for line in group[2]]
    return _rows(COMPRESSIONS, group, _class_shares(texts, group[2], classes, COMPRESSION_CLASSES))


def _sentence_classes(texts: ReleaseTexts, group: Group) -> list[Row]:
    classes = [line.text.sentences or None for line in group[2]]
    if not any(classes):
        # Of texts of one sentence there is nothing to say; of the whole release, that there are none of two.
        return (
            []
            if group[0] == "sentences"
            else _rows(SENTENCES, group, dict.fromkeys(SENTENCE_CLASSES, NO_TWO_SENTENCES))
        )
    return _rows(SENTENCES, group, _class_shares(texts, group[2], classes, SENTENCE_CLASSES))


def _class_shares(
    texts: ReleaseTexts, lines: Sequence[Line], classes: Sequence[str | None], names: Sequence[str]
) -> Mapping[str, Ratio | Undefined]:
    parameters = texts.parameters
    return class_shares(classes, texts.families(lines).tolist(), names, draws=parameters.draws, seed=parameters.seed)


def counted(texts: ReleaseTexts, lines: Sequence[Line]) -> CountedTexts:
    """Return the counts of words; a paragraph and its own sentences are drawn as one source."""
    return CountedTexts([line.text.counts for line in lines], texts.families(lines).tolist())


def _rows(table: str, group: Group, found: Mapping[str, Ratio | Undefined]) -> list[Row]:
    part, name, lines = group
    return [
        row(table, figure, part=part, group=name, **ratio_values(share, len(lines))) for figure, share in found.items()
    ]


def ratio_values(found: Ratio | Undefined, texts: int) -> dict[str, Any]:
    """Return the columns of a share or a difference of shares; without a value, `n` is the number of texts."""
    if isinstance(found, Undefined):
        return {"n": texts, "reason": found.reason}
    values: dict[str, Any] = {"value": found.value, "n": found.texts, "sources": found.sources}
    if isinstance(found.interval, Undefined):
        return {**values, "no_interval": found.interval.reason}
    return {**values, "low": found.interval.low, "high": found.interval.high}


SECTIONS = [ReportSection(10, share_rows)]
