"""Tables 5 and 6: the quality of texts with and without an operation, and of paragraphs shortened as a whole or not."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from crowd.scales import Scale
from edit_operations.aligned import AlignedText
from edit_operations.sections.base import Line, ReleaseTexts, ReportSection, Row, row
from measures.alignment import (
    PairedComparison,
    SentenceTexts,
    holm_family,
    joint_against_apart,
    paired_operation,
    paired_within_editors,
)
from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.text.normalization import length

TABLE_5, TABLE_6, WITHIN_EDITORS = "table 5", "table 6", "within editors"
SUBSTITUTE, REORDER, MERGE, DELETE_SENTENCE = "substitute", "reorder", "merge", "sentence deleted"
OF_TWO_SENTENCES = (MERGE, DELETE_SENTENCE)
Compare = Callable[[Sequence[Line], Scale, Sequence[bool]], PairedComparison | Undefined]


def operations_present(texts: ReleaseTexts) -> Mapping[str, Callable[[AlignedText], bool]]:
    """Return how to tell whether a text has each operation of Table 5."""
    is_wide = texts.parameters.substitute == "paraphrased or inserted"
    return {
        SUBSTITUTE: lambda text: text.substitutes or (is_wide and text.inserts),
        REORDER: lambda text: text.reorders,
        MERGE: lambda text: text.sentences == "merged",
        DELETE_SENTENCE: lambda text: text.sentences == "sentence deleted",
    }


def lines_with(texts: ReleaseTexts, operation: str) -> list[Line]:
    """Return people's texts that can have an operation: some only those of sources with two sentences."""
    return [line for line in texts.people if operation not in OF_TWO_SENTENCES or line.text.sentences]


def quality_of(lines: Sequence[Line], scale: Scale) -> FloatArray:
    """Return the mean rating of each text by the crowd; NaN where it has none."""
    return np.array([(line.text.quality or {}).get(scale.key, np.nan) for line in lines], dtype=np.float64)


def table_5(texts: ReleaseTexts) -> list[Row]:
    """Compare texts of the same source with and without each operation."""
    chosen = texts.parameters

    def compare(lines: Sequence[Line], scale: Scale, present: Sequence[bool]) -> PairedComparison | Undefined:
        return paired_operation(
            present,
            quality_of(lines, scale),
            [line.source.place for line in lines],
            cells="sources" if chosen.means == "sources" else "texts",
            draws=chosen.draws,
            seed=chosen.seed,
        )

    return _operation_rows(texts, TABLE_5, compare)


def within_editors(texts: ReleaseTexts) -> list[Row]:
    """Compare texts of the same editor with and without each operation; a text of several counts for the first one."""

    def compare(lines: Sequence[Line], scale: Scale, present: Sequence[bool]) -> PairedComparison | Undefined:
        named = [number for number, line in enumerate(lines) if line.text.editors]
        return paired_within_editors(
            [present[number] for number in named],
            quality_of([lines[number] for number in named], scale),
            [lines[number].text.editors[0] for number in named],
            draws=texts.parameters.draws,
            seed=texts.parameters.seed,
        )

    return _operation_rows(texts, WITHIN_EDITORS, compare, pairs="editors")


def _operation_rows(texts: ReleaseTexts, table: str, compare: Compare, pairs: str = "sources") -> list[Row]:
    cells: list[tuple[str, str, int]] = []
    found: list[PairedComparison | Undefined] = []
    for operation, has in operations_present(texts).items():
        lines = lines_with(texts, operation)
        present = [has(line.text) for line in lines]
        for scale in texts.rated_scales:
            cells.append((operation, scale.key, len(lines)))
            found.append(compare(lines, scale, present))
    return [
        row(table, scale, group=operation, **comparison_values(each, number, ("present", "absent", pairs)))
        for (operation, scale, number), each in zip(cells, holm_family(found), strict=True)
    ]


def table_6(texts: ReleaseTexts) -> list[Row]:
    """Compare paragraphs that were shortened as a whole with their own sentences, shortened one by one."""
    single = [line for line in texts.people if line.source.paragraph_id]
    paragraphs = {line.source.paragraph_id for line in single}
    whole = [line for line in texts.people if line.source.source_id in paragraphs]
    found = [_joint_against_apart(texts, scale, whole, single) for scale in texts.rated_scales]
    return [
        row(TABLE_6, scale.key, **comparison_values(each, len(whole) + len(single), ("joint", "apart", "sources")))
        for scale, each in zip(texts.rated_scales, holm_family(found), strict=True)
    ]


def _joint_against_apart(
    texts: ReleaseTexts, scale: Scale, whole: Sequence[Line], single: Sequence[Line]
) -> PairedComparison | Undefined:
    by_length = texts.parameters.apart == "by length"
    apart = SentenceTexts(
        quality_of(single, scale).tolist(),
        [line.source.paragraph_id for line in single],
        [line.source.source_id for line in single],
        [max(1, length(line.source.text)) for line in single] if by_length else None,
    )
    return joint_against_apart(
        quality_of(whole, scale),
        np.array([line.source.source_id for line in whole], dtype=np.str_),
        apart,
        draws=texts.parameters.draws,
        seed=texts.parameters.seed,
    )


def comparison_values(found: PairedComparison | Undefined, texts: int, named: tuple[str, str, str]) -> dict[str, Any]:
    """Return the columns of a paired comparison; `low` to `high` is the interval of the Hodges-Lehmann difference.

    `named` are the columns of the two sides and of the number of pairs.
    """
    columns = (*named, "mean_difference", "z", "rank_biserial", "difference", "detectable")
    if isinstance(found, Undefined):
        return {**dict.fromkeys(columns), "n": texts, "reason": found.reason}
    test, shift = found.test, found.shift
    sides = (found.present, found.absent, found.sources, found.difference)
    values = (*sides, test.z, test.rank_biserial, shift.estimate, found.detectable)
    low, high = (None, None) if isinstance(shift.interval, Undefined) else (shift.interval.low, shift.interval.high)
    without = {"no_interval": shift.interval.reason} if isinstance(shift.interval, Undefined) else {}
    plain = [None if isinstance(value, Undefined) else value for value in values]
    known = dict(zip(columns, plain, strict=True))
    value = {"value": shift.estimate, "low": low, "high": high, "p": found.p, "p_holm": found.p_holm, "n": texts}
    return {**known, **value, **without}


SECTIONS = [ReportSection(20, table_5), ReportSection(25, table_6), ReportSection(55, within_editors)]
