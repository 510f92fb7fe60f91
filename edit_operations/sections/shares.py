"""Shares of words, compressions and sentences by what was done to them, of the release and its parts."""

from collections.abc import Mapping, Sequence
from typing import Any

from edit_operations.sections.base import Line, ReleaseTexts, ReportSection, Row, row
from edit_operations.sections.groups import Group, groups_of
from measures.alignment import CountedTexts, class_shares, operation_shares
from measures.alignment.classes import COMPRESSION_CLASSES, SENTENCE_CLASSES
from measures.core.drawn_sources import Ratio
from measures.core.undefined import Undefined

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
