"""RawData/SPLIT_output.SYSTEM.tsv: what automatic systems made of the sources, each system in a file of its own.

Only what was rated, since the loaders in use divide by the number of ratings; the other formats hold all outputs.
"""

from collections.abc import Sequence

from corpus.formats.base import CardFacts, FormatWriter, ReleaseFormat
from corpus.formats.rawdata import BYTE_ORDER_MARK, line_bytes, output_line
from corpus.release.records import ReleasedSource, WrittenText


class OutputsWriter(FormatWriter):
    """Opens the file of a system when its first rated output comes."""

    def add(self, source: ReleasedSource, _written: Sequence[WrittenText]) -> None:
        for system in sorted({output.system for output in source.outputs if output.ratings}):
            table = self.folder.stream(f"RawData/{source.split}_output.{system}.tsv", BYTE_ORDER_MARK)
            table.write(line_bytes(output_line(source, system, self.scales)))


def _card(facts: CardFacts) -> str:
    if not facts.summary["rated_outputs"]:
        return ""
    return "`RawData/SPLIT_output.SYSTEM.tsv` has the outputs of each automatic system that were rated."


FORMAT = ReleaseFormat("RawData outputs", rank=60, writer=OutputsWriter, card=_card)
