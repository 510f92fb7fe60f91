"""What a page shows of an alignment: each word with its class and partner, and the kind of compression."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from compressions.selectors.alignments import ShownAlignment
from compressions.text_aligner import TextPair
from measures.alignment import Places, TextOperations


@dataclass(frozen=True)
class DrawnWord:
    """A word of one side: its number from 1, its class, and its partner on the other side."""

    number: int
    word: str
    kind: str
    is_moved: bool
    partner: int | None
    partner_word: str

    @property
    def form(self) -> str:
        """What is compared to tell copied words from paraphrased ones."""
        return self.word.casefold()

    @property
    def is_mark(self) -> bool:
        return not any(map(str.isalnum, self.word))


@dataclass(frozen=True)
class Drawing:
    """The words of a source above those of a compression, and how they are joined."""

    source: Sequence[DrawnWord]
    text: Sequence[DrawnWord]
    pairs: str
    fingerprint: str
    operations: TextOperations

    @property
    def deleted(self) -> list[DrawnWord]:
        return [word for word in self.source if word.partner is None]

    @property
    def in_words(self) -> str:
        """What kind of compression it is."""
        kinds = {
            "deletion only": _("Only deletions: all words come from the original, in its order."),
            "deletion and reordering": _("Deletions and reordering: all words come from the original, and some moved."),
            "abstractive": _("With other words: some words are paraphrased or inserted."),
        }
        return kinds[self.operations.compression]


def drawing_of(shown: ShownAlignment) -> Drawing:
    return drawing(shown, shown.places)


def drawing(shown: ShownAlignment, places: Places) -> Drawing:
    """Draw places that have been checked, whether or not they are stored."""
    source, text = shown.source_words, shown.target_words
    done = shown.operations_of(places)
    moved = set(done.moved)
    back = {place: number for number, place in enumerate(places) if place is not None}
    below = [
        DrawnWord(
            number + 1,
            word,
            kind,
            number in moved,
            None if place is None else place + 1,
            "" if place is None else source[place],
        )
        for number, (word, place, kind) in enumerate(zip(text, places, done.target_classes, strict=True))
    ]
    above = [
        _above(number, word, below[back[number]] if number in back else None) for number, word in enumerate(source)
    ]
    return Drawing(above, below, pairs_text(places), shown.words.fingerprint, done)


def _above(number: int, word: str, partner: DrawnWord | None) -> DrawnWord:
    if partner is None:
        return DrawnWord(number + 1, word, "deleted", False, None, "")
    return DrawnWord(number + 1, word, partner.kind, partner.is_moved, partner.number, partner.word)


def pairs_text(places: Places) -> str:
    """Write places as the form has them: pairs of word numbers, source then text, from 1."""
    return " ".join(f"{place + 1}-{number}" for number, place in enumerate(places, start=1) if place is not None)


def places_read(typed: str, words: TextPair) -> tuple[list[int | None], list[str]]:
    """Read such pairs; return the places, and messages about the first few faults."""
    places: list[int | None] = [None] * len(words.text.words)
    faults: list[str] = []
    for pair in typed.split():
        above, _hyphen, below = pair.partition("-")
        if not (_is_number(above) and _is_number(below)):
            said = _("“%(pair)s” is not a pair. Write the number of a word above, a hyphen and one below, as in 4-2.")
            faults.append(said % {"pair": pair[:20]})
        elif not 1 <= int(below) <= len(places):
            said = _("%(pair)s: the compression has words 1 to %(words)s.")
            faults.append(said % {"pair": pair, "words": len(places)})
        elif places[int(below) - 1] is not None:
            said = _("%(pair)s: word %(number)s of the compression is already joined.")
            faults.append(said % {"pair": pair, "number": int(below)})
        else:
            places[int(below) - 1] = int(above) - 1
    return places, faults[:5]


def _is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdigit() and len(typed) <= len("99999")


def legend() -> list[dict[str, Any]]:
    """Name the classes, each with its sign."""
    return [
        {"kind": "copied", "name": _("copied"), "sign": _("word")},
        {"kind": "paraphrased", "name": _("paraphrased: dashed underline, dashed line"), "sign": _("word")},
        {"kind": "inserted", "name": _("inserted: plus"), "sign": _("word")},
        {"kind": "deleted", "name": _("deleted: struck through"), "sign": _("word")},
        {"kind": "copied is-moved", "name": _("moved: box, solid line"), "sign": _("word")},
    ]
