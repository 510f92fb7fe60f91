"""The format of the public release of Toutanova et al. 2016: RawData/*.tsv.

UTF-8 with a byte order mark, CR LF; one source per line: `id, genre, text`, then for each distinct compression,
after ` ||| `, `text, judge ids, number of ratings` and for each rating its code and its words, parted by tabs.
The output of a system is written alike, into a file of its own; the judge id is then the system's name.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from corpus.formats.base import CardFacts, FormatWriter, ReleaseFormat
from corpus.release.folder import ReleaseFolder
from corpus.release.options import SPLIT_NAMES
from corpus.release.records import Ratings, ReleasedRating, ReleasedSource, WrittenText
from crowd.scales import DEFAULT_SCALES, GRAMMAR, MEANING, Scale

Scales = tuple[Scale, ...]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SEPARATOR = " ||| "
MISSING = "-"
"""In a code: the rating has nothing on this scale."""

MEANING_WORDS = {3: "Most important meaning", 2: "Much meaning", 1: "Little or none meaning"}
GRAMMAR_WORDS = {3: "Flawless language", 2: "Minor errors", 1: "Disfluent or incomprehensible"}
CODES = {
    (3, 3): 6,
    (3, 2): 7,
    (3, 1): 9,
    (2, 3): 11,
    (2, 2): 12,
    (2, 1): 14,
    (1, 3): 21,
    (1, 2): 22,
    (1, 1): 24,
}

_BREAKS = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_BARS = re.compile(r"\|{3,}")


def line_bytes(line: str) -> bytes:
    return line.encode() + b"\r\n"


def output_line(source: ReleasedSource, system: str, scales: Scales) -> str:
    """What a system made of a source, if it was rated; empty if there is nothing."""
    rated = [each for each in source.outputs if each.system == system and each.ratings]
    parts = [_text_part(each.text, (system,), each.ratings, scales) for each in rated]
    return SEPARATOR.join((_head(source), *parts)) if parts else ""


def source_line(source: ReleasedSource, scales: Scales) -> str:
    """A source with its texts, but those without a rating: the loaders in use divide by the number of ratings."""
    parts = [_text_part(text.text, text.editors, text.ratings, scales) for text in source.texts if text.ratings]
    return SEPARATOR.join((_head(source), *parts))


def rating_fields(rating: ReleasedRating, scales: Scales) -> tuple[str, str]:
    """The code, and the words of all scales in one field, as the loaders in use read them.

    The release has codes for its own two scales only. For others the code is the points in the order of the scales.
    """
    if has_codes(scales):
        meaning, grammar = rating.scores[MEANING.key], rating.scores[GRAMMAR.key]
        return str(CODES[int(meaning), int(grammar)]), f"{MEANING_WORDS[int(meaning)]} {GRAMMAR_WORDS[int(grammar)]}"
    code = "/".join(str(rating.scores.get(scale.key, MISSING)) for scale in scales)
    given = (scale for scale in scales if scale.key in rating.scores)
    return code, cell("; ".join(_point_words(scale, rating.scores[scale.key]) for scale in given))


@cache
def has_codes(scales: Scales) -> bool:
    """Whether judgements on these scales have a code in the public release, however the points are worded."""
    return {scale.key: scale.values for scale in scales} == {scale.key: scale.values for scale in DEFAULT_SCALES}


def _head(source: ReleasedSource) -> str:
    return "\t".join(map(cell, (source.source_id, source.genre, source.text)))


def _text_part(text: str, judges: Iterable[str], ratings: Ratings, scales: Scales) -> str:
    fields = [cell(text), cell(";".join(judges)), str(len(ratings))]
    for rating in ratings:
        fields += rating_fields(rating, scales)
    return "\t".join(fields)


def _point_words(scale: Scale, value: float) -> str:
    if scale.numbers is not None:
        return f"{scale.name}: {value} from {scale.lowest} to {scale.highest}"
    return f"{scale.name}: {next(point.words for point in scale.points if point.value == value)}"


def cell(text: str) -> str:
    """A text that cannot be taken for the end of a field, a part or a line."""
    return _BARS.sub(lambda bars: " ".join(bars.group()), _BREAKS.sub(" ", text))


class RawDataWriter(FormatWriter):
    """A table for each split, also where it stays empty; sources without a rated text are not in it."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        super().__init__(folder, scales)
        self._tables = {split: folder.stream(f"RawData/{split}.tsv", BYTE_ORDER_MARK) for split in SPLIT_NAMES}

    def add(self, source: ReleasedSource, _written: Sequence[WrittenText]) -> None:
        if any(text.ratings for text in source.texts):
            self._tables[source.split].write(line_bytes(source_line(source, self.scales)))


def _card(facts: CardFacts) -> str:
    said = "`RawData/` is the format of the public release of Toutanova et al. 2016."
    if facts.summary["compressions"]:
        return said
    return f"{said} Its `train.tsv`, `valid.tsv` and `test.tsv` are empty: there are no texts by editors."


FORMAT = ReleaseFormat(
    "RawData",
    rank=20,
    writer=RawDataWriter,
    card=_card,
)
