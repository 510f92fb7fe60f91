"""The abstract that somebody writes of a document before they link its sentences."""

import unicodedata
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.typed_text import stacked_marks_words
from measures.text.normalization import stacked_marks
from protocols.links.material import MOST_BOXES, MOST_IN_ABSTRACT, Sentences
from protocols.task import AnswerRefused

FIELD = "abstract"
LEAST, LONGEST = 3, 500
"""The fewest sentences, and the characters of one."""


def most_of(body: Mapping[str, Any]) -> int:
    """Return how many sentences an abstract of a document can have."""
    return min(MOST_IN_ABSTRACT, MOST_BOXES // len(body["sentences"]))


def written(text: str, most: int) -> Sentences:
    """Return the sentences of a field, one a line, and no more than one too many.

    An id is made of the words, so that links to a sentence are gone once it says something else.
    """
    lines = (" ".join(line.split()) for line in unicodedata.normalize("NFC", text).splitlines())
    own = [line for line in lines if line][: most + 1]
    return [{"id": sha256(line.encode(errors="replace")).hexdigest()[:12], "text": line} for line in own]


def written_check(abstract: object, body: Mapping[str, Any]) -> None:
    """Raise AnswerRefused for an abstract that cannot be linked."""
    if not isinstance(abstract, list) or not all(map(_is_sentence, abstract)):
        raise AnswerRefused([(FIELD, _("We can’t read your summary. Please open the page again."))])
    most = most_of(body)
    if not LEAST <= len(abstract) <= most:
        words = _("Write %(least)s to %(most)s sentences, each on a line of its own.")
        raise AnswerRefused([(FIELD, words % {"least": LEAST, "most": most})])
    faults = [_fault(number, each["text"]) for number, each in enumerate(abstract, start=1)]
    if len({each["id"] for each in abstract}) < len(abstract):
        faults.append(_("Two of your sentences are the same."))
    if problems := [(FIELD, words) for words in faults if words]:
        raise AnswerRefused(problems)


def _is_sentence(given: object) -> bool:
    if not isinstance(given, dict) or given.keys() != {"id", "text"}:
        return False
    return all(isinstance(each, str) for each in given.values())


def _fault(number: int, text: str) -> str:
    if (over := len(text) - LONGEST) > 0:
        words = ngettext(
            "Line %(line)s is too long. Leave out at least %(n)s character.",
            "Line %(line)s is too long. Leave out at least %(n)s characters.",
            over,
        )
        return words % {"line": number, "n": over}
    place = stacked_marks(text)
    return "" if place is None else stacked_marks_words(place)
