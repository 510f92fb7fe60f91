"""The format of the public release of Toutanova et al. 2016: RawData/*.tsv.

UTF-8 with a byte order mark, CR LF; one source per line: `id, genre, text`, then for each distinct compression,
after ` ||| `, `text, judge ids, number of ratings` and for each rating its code and its words, parted by tabs.
"""

import re
from collections.abc import Iterable
from typing import BinaryIO

from corpus.content import ReleasedRating, ReleasedSource, ReleasedText

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SEPARATOR = " ||| "

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


def rawdata_write(stream: BinaryIO, sources: Iterable[ReleasedSource]) -> None:
    stream.write(BYTE_ORDER_MARK)
    for source in sources:
        stream.write(source_line(source).encode() + b"\r\n")


def source_line(source: ReleasedSource) -> str:
    parts = ["\t".join((source.source_id, _cell(source.genre), _cell(source.text)))]
    parts += [_text_part(text) for text in source.texts]
    return SEPARATOR.join(parts)


def _text_part(text: ReleasedText) -> str:
    judges = ";".join(map(str, text.editors))
    fields = [_cell(text.text), judges, str(len(text.ratings))]
    for rating in text.ratings:
        fields += rating_fields(rating)
    return "\t".join(fields)


def rating_fields(rating: ReleasedRating) -> tuple[str, str]:
    """The code, and the words of both scales in one field, as the loaders in use read them."""
    code = CODES[rating.meaning, rating.grammar]
    return str(code), f"{MEANING_WORDS[rating.meaning]} {GRAMMAR_WORDS[rating.grammar]}"


def _cell(text: str) -> str:
    """A text that cannot be taken for the end of a field, a part or a line."""
    return _BARS.sub(lambda bars: " ".join(bars.group()), _BREAKS.sub(" ", text))
