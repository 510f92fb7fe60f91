"""Reading RawData/*.tsv, as this app and as others write it: the lines, and why others cannot be read.

Real files differ from the description of the format: the byte order mark and CR LF may be missing, spaces stand at the
ends of fields, a rating has its words in one field, in two or nowhere, and the output of a system comes with ratings or
without. All of this is read; a line that cannot be is refused by its number, and the others are kept.

Texts are read as they stand, spaces at their ends included, so that they can be written again as they were. Only one
space on either side of the bars is theirs and not the text's.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import Refused
from compressions.readers import MAX_LINE_BYTES, TOO_LONG, text_fault
from corpus.formats.rawdata import CODES, Scales, has_codes
from crowd.scales import GRAMMAR, MEANING, Scale
from measures.text.normalization import canonical, display_text
from measures.text.segmentation import sentence_count

MAX_ID_LENGTH = 100
MAX_LINES = 1_000_000
MAX_PARTS = 1_000  # of a line
MAX_JUDGES = 200  # of a part
MAX_RATINGS = 200  # of a part
MAX_CODE_LENGTH = 100
BARS = "|||"
_SEPARATOR = re.compile(r" ?\|{3} ?")
_BREAKS = re.compile(r"[\r\v\f\x85\u2028\u2029]+")
HEAD_FIELDS = 3
MAX_RATING_FIELDS = 3
_FIRST_LINES = 1_000  # in which a file shows its format

_POINTS = {str(code): points for points, code in CODES.items()}
_COUNT = re.compile(r"[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]+")
_NUMBERS = re.compile(r"[0-9]+(?:_[0-9]+)+")
_SENTENCE_MARKS = (".", "!", "?", "…")
_CLOSING = " \"'”’»›)]}"

Scores = Mapping[str, int]


@dataclass(frozen=True)
class ReadPart:
    """A text made of the source: by whom, and the points that it was given, scale by scale."""

    text: str
    judges: tuple[str, ...]
    ratings: tuple[Scores, ...]


@dataclass(frozen=True)
class ReadLine:
    line: int
    source_id: str
    genre: str
    text: str
    sentences: int
    parts: tuple[ReadPart, ...]


@dataclass(frozen=True)
class Problem:
    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


class _UnreadableLine(Exception):
    """Why a line cannot be read."""


def is_rawdata(data: bytes) -> bool:
    """Whether a file looks like this format: its first line, but for one that names the fields, has a head and bars."""
    for raw in islice(BytesIO(data), _FIRST_LINES):
        line = _unmarked(raw[:MAX_LINE_BYTES].decode(errors="replace"))
        if not _holds_nothing(line):
            head, bars, _ = line.partition(BARS)
            return bool(bars) and len(_head_fields(head)) == HEAD_FIELDS
    return False


def rawdata_read(name: str, data: bytes, scales: Scales) -> tuple[list[ReadLine], list[Problem]]:
    """Read a file whose ratings are on these scales; `name` is what the problems call it."""
    lines: list[ReadLine] = []
    problems: list[Problem] = []
    for count, entry in enumerate(rawdata_lines(name, data, scales)):
        if count == MAX_LINES:
            raise Refused(
                _("%(file)s: more than %(most)s lines. Split the file.") % {"file": name, "most": f"{MAX_LINES:,}"}
            )
        if isinstance(entry, Problem):
            problems.append(entry)
        else:
            lines.append(entry)
    return lines, problems


def rawdata_lines(name: str, data: bytes, scales: Scales) -> Iterator[ReadLine | Problem]:
    """Yield what each line says, or why it cannot be read."""
    # A line ends at LF or CR LF alone: what else Python takes for the end of one may stand inside a field.
    for number, raw in enumerate(BytesIO(data), start=1):
        try:
            line = _unmarked(_decoded(raw))
            if not _holds_nothing(line):
                yield _line(number, line, scales)
        except _UnreadableLine as reason:
            yield Problem(name, number, str(reason))


def _decoded(raw: bytes) -> str:
    if len(raw) > MAX_LINE_BYTES:
        raise _UnreadableLine(TOO_LONG)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise _UnreadableLine(_("not UTF-8 (byte %(n)s of the line)") % {"n": error.start + 1}) from error


def _unmarked(line: str) -> str:
    """Files that were joined have a byte order mark further down, too."""
    return line.lstrip("\ufeff")


def _holds_nothing(line: str) -> bool:
    """Whether a line is blank, or the names of the fields."""
    return not line.strip() or line.partition("\t")[0].strip().lower() == "sourceid"


def _line(number: int, line: str, scales: Scales) -> ReadLine:
    head, *parts = _SEPARATOR.split(line.rstrip("\r\n"), MAX_PARTS + 1)
    if len(parts) > MAX_PARTS:
        raise _UnreadableLine(_("more than %(most)s compressions") % {"most": f"{MAX_PARTS:,}"})
    fields = _head_fields(head)
    if len(fields) != HEAD_FIELDS:
        words = ngettext(
            "%(n)s field before the first %(bars)s, not the three fields id, domain and text",
            "%(n)s fields before the first %(bars)s, not the three fields id, domain and text",
            len(fields),
        )
        raise _UnreadableLine(words % {"n": len(fields), "bars": BARS})
    source_id, genre, text = _tidy("id", fields[0]), _tidy("domain", fields[1]), _text("text", fields[2])
    _refuse_unfit_id(source_id)
    if not canonical(text):
        raise _UnreadableLine(_("the source's text is empty"))
    read = (_part(place, part, scales) for place, part in enumerate(parts, start=1))
    return ReadLine(number, source_id, genre, text, _sentences(source_id, display_text(text)), _merged(read))


def _text(name: str, given: str) -> str:
    """A text without what would end its line in a release; nothing else is changed."""
    if reason := text_fault(given):
        raise _UnreadableLine(f"{name}: {reason}")
    return _BREAKS.sub(" ", given)


def _tidy(name: str, given: str) -> str:
    return display_text(_text(name, given))


def _head_fields(head: str) -> list[str]:
    fields = head.split("\t")
    while len(fields) > HEAD_FIELDS and not fields[-1].strip():
        fields.pop()
    return fields


def _refuse_unfit_id(source_id: str) -> None:
    if not source_id:
        raise _UnreadableLine(_("the id is empty"))
    if len(source_id) > MAX_ID_LENGTH:
        words = _("the id %(id)s… has %(n)s characters, more than %(most)s")
        raise _UnreadableLine(words % {"id": repr(source_id[:40]), "n": len(source_id), "most": MAX_ID_LENGTH})


def _part(place: int, part: str, scales: Scales) -> ReadPart:
    """What stands after the bars: a text; of some systems nothing more, of others no ratings."""
    first, *more = part.split("\t")
    try:
        text = _text("text", first)
        if not canonical(text):
            raise _UnreadableLine(_("the text is empty"))
        ratings = tuple(_scores(code, scales) for code in _codes(more[1:], scales))
        judges = _judges(more[0]) if more else ()
    except _UnreadableLine as reason:
        raise _UnreadableLine(_("compression %(place)s: %(reason)s") % {"place": place, "reason": reason}) from reason
    return ReadPart(text, judges, ratings)


def _judges(given: str) -> tuple[str, ...]:
    names = given.split(";", MAX_JUDGES)
    if len(names) > MAX_JUDGES:
        raise _UnreadableLine(_("more than %(most)s judges") % {"most": f"{MAX_JUDGES:,}"})
    return tuple(dict.fromkeys(filter(None, (_tidy("judge", name) for name in names))))


def _codes(fields: list[str], scales: Scales) -> list[str]:
    """The codes of as many ratings as the first of the fields says."""
    stated, *rest = (field.strip() for field in fields or [""])
    if not _COUNT.fullmatch(stated or "0"):
        raise _UnreadableLine(_("the number of ratings is %(stated)s") % {"stated": repr(stated[:40])})
    count = int(stated or "0")
    ratings = _by_rating(count, rest)
    # A word that is a code belongs to a rating that was not counted.
    if ratings is None or any(_points(word, scales) for _, *words in ratings for word in words):
        filled = sum(map(bool, rest))
        words = ngettext(
            "the number of ratings is %(count)s, which does not fit the %(n)s field after it",
            "the number of ratings is %(count)s, which does not fit the %(n)s fields after it",
            filled,
        )
        raise _UnreadableLine(words % {"count": count, "n": filled})
    if count > MAX_RATINGS:
        words = _("%(count)s ratings, more than %(most)s")
        raise _UnreadableLine(words % {"count": f"{count:,}", "most": f"{MAX_RATINGS:,}"})
    return [code for code, *_ in ratings]


def _by_rating(count: int, fields: list[str]) -> list[list[str]] | None:
    """The fields of each rating, a code and up to two of words; None where they are not those of so many ratings."""
    for width in range(1, MAX_RATING_FIELDS + 1):
        stop = count * width
        if stop <= len(fields) and all(fields[:stop:width]) and not any(fields[stop:]):
            return [fields[start : start + width] for start in range(0, stop, width)]
    return None


def _scores(code: str, scales: Scales) -> Scores:
    if scores := _points(code, scales):
        return scores
    words = _("%(code)s is no rating on the scales %(scales)s")
    raise _UnreadableLine(words % {"code": repr(code[:40]), "scales": ", ".join(scale.key for scale in scales)})


def _points(code: str, scales: Scales) -> Scores:
    """What a code says; nothing if it is none."""
    return _points_of(code, scales) if len(code) <= MAX_CODE_LENGTH else {}


@lru_cache(maxsize=1_000)
def _points_of(code: str, scales: Scales) -> Scores:
    """What a short code says, the same object each time: a file of a few bytes for each rating stays small."""
    if has_codes(scales):
        return dict(zip((MEANING.key, GRAMMAR.key), _POINTS[code], strict=True)) if code in _POINTS else {}
    points = code.split("/")
    if len(points) != len(scales):
        return {}
    given = {scale.key: _point(point.strip(), scale) for scale, point in zip(scales, points, strict=True)}
    return given if all(given.values()) else {}


def _point(written: str, scale: Scale) -> int:
    return next((value for value in scale.values if str(value) == written), 0)


def _sentences(source_id: str, text: str) -> int:
    """Whether a source counts as one sentence or as a paragraph of two.

    A number alone names one sentence. With `_` the text is counted, since whoever numbered the sentences took a lone
    quotation mark at the end for one: the third of 98_99_100 may be nothing else. But counting misses an end at times
    (after an abbreviation, before a small letter). So where the id is numbers, one for each sentence, and more than
    one is left without that mark, it is two even if one was counted. Other ids (news_2016) number nothing.
    """
    if _NUMBER.fullmatch(source_id):
        return 1
    numbered = len(source_id.split("_")) if _NUMBERS.fullmatch(source_id) else 1
    numbered -= _ends_in_stray_marks(text)
    return min(2, max(1, numbered, sentence_count(text)))


def _ends_in_stray_marks(text: str) -> bool:
    """Whether after the end of a sentence there are signs without a letter or digit, set apart by a space."""
    before, _, last = text.rpartition(" ")
    return not any(map(str.isalnum, last)) and before.rstrip(_CLOSING).endswith(_SENTENCE_MARKS)


@dataclass
class _MergedPart:
    """Who wrote a text, each once and in order, and how it was judged."""

    judges: dict[str, None] = field(default_factory=dict)
    ratings: list[Scores] = field(default_factory=list)


def _merged(parts: Iterable[ReadPart]) -> tuple[ReadPart, ...]:
    """Parts with texts that differ, be it in a space: who wrote the same text, and judged it, comes together."""
    merged: dict[str, _MergedPart] = {}
    for part in parts:
        known = merged.setdefault(part.text, _MergedPart())
        known.judges.update(dict.fromkeys(part.judges))
        known.ratings += part.ratings
    return tuple(ReadPart(text, tuple(each.judges), tuple(each.ratings)) for text, each in merged.items())
