"""Lists of word pairs that staff upload: checked against limits and read once, before anything is computed."""

import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from common.errors import Refused
from common.typed_text import stacked_marks_words
from edit_operations.parameters import MAX_PAIR_LINES, MAX_PAIRS_BYTES
from measures.alignment import WordPairs, word_pairs
from measures.text.normalization import stacked_marks
from reports.models import Report
from reports.parameters import Attachment


class ListTooLarge(Refused):
    """The list has too many bytes or lines to be read."""


@dataclass(frozen=True)
class PairList(Attachment):
    """A list of word pairs: its text, which a report keeps, and the pairs in it."""

    pairs: WordPairs = field(default_factory=WordPairs)


NO_PAIRS = PairList()
COUNTED = re.compile(r"\|pairs:(\d+)-")


def read_pair_list(content: bytes, name: str) -> PairList:
    """Return the list of a file; raise Refused if it is too large or a line holds no pair."""
    _check_size(len(content), name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused(_("%(file)s, line %(line)s is not UTF-8.") % {"file": name, "line": line}) from error
    return pair_list(text, name)


def pair_list(text: str, name: str) -> PairList:
    """Return the list of a text; raise Refused if it is too large or a line holds no pair."""
    _check_size(len(text.encode(errors="replace")), name)
    if "\x00" in text:
        raise Refused(_("%(file)s holds a null character.") % {"file": name})
    lines = text.splitlines()
    if len(lines) > MAX_PAIR_LINES:
        raise ListTooLarge(_("%(file)s has more than %(most)s lines.") % {"file": name, "most": f"{MAX_PAIR_LINES:,}"})
    if (position := stacked_marks(text)) is not None:
        raise Refused(f"{name}: {stacked_marks_words(position)}")
    try:
        return PairList(text, word_pairs(lines, name=name))
    except ValueError as error:
        raise Refused(str(error)) from error


def pair_count(report: Report) -> int:
    """Return how many pairs of words a report's aligner used; its signature has the number, so no list is loaded."""
    found = COUNTED.search(report.pinned["signature"])
    return int(found[1]) if found else 0


def _check_size(size: int, name: str) -> None:
    if size > MAX_PAIRS_BYTES:
        words = _("%(file)s is larger than %(size)s MB.")
        raise ListTooLarge(words % {"file": name, "size": MAX_PAIRS_BYTES // 1_000_000})
