"""What systems do more, or less, than people do to the same sources."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from edit_operations.sections.base import Line, ReleaseTexts, ReportSection, Row, row
from edit_operations.sections.shares import counted, ratio_values
from measures.alignment import share_differences
from measures.alignment.classes import COMPRESSION_CLASSES
from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import Ratio, drawn_differences
from measures.core.undefined import Undefined

SYSTEMS = "systems"
NO_TEXTS = "no source has texts of both"


def system_rows(texts: ReleaseTexts) -> list[Row]:
    """Return each system's shares minus people's, on the sources that both have."""
    outputs: dict[str, list[Line]] = defaultdict(list)
    for line in texts.outputs:
        outputs[line.text.system].append(line)
    written = {line.source.place for line in texts.people}
    rows = []
    for system in sorted(outputs):
        places = {line.source.place for line in outputs[system]} & written
        ours = [line for line in outputs[system] if line.source.place in places]
        theirs = [line for line in texts.people if line.source.place in places]
        found = share_differences(
            counted(texts, ours), counted(texts, theirs), draws=texts.parameters.draws, seed=texts.parameters.seed
        )
        shares = {**found, **_class_differences(texts, ours, theirs)}
        rows += [
            row(SYSTEMS, figure, part="system", group=system, **ratio_values(each, len(ours)))
            for figure, each in shares.items()
        ]
    return rows


def _class_differences(
    texts: ReleaseTexts, ours: Sequence[Line], theirs: Sequence[Line]
) -> Mapping[str, Ratio | Undefined]:
    """Return the differences of the shares of compressions by class."""
    parameters = texts.parameters
    one, other = (_indicators(texts, lines) for lines in (ours, theirs))
    found = drawn_differences(one, other, draws=parameters.draws, seed=parameters.seed, nothing=NO_TEXTS)
    return dict(zip(COMPRESSION_CLASSES, found, strict=True))


def _indicators(texts: ReleaseTexts, lines: Sequence[Line]) -> tuple[FloatArray, FloatArray, IntArray]:
    table = np.array(
        [[line.text.compression == name for name in COMPRESSION_CLASSES] for line in lines], dtype=np.float64
    ).reshape(-1, len(COMPRESSION_CLASSES))
    return table, np.ones_like(table), texts.families(lines)


SECTIONS = [ReportSection(40, system_rows)]
