"""What people answered as annotations, which scores, agreement and files are made of."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from measures.spans import Annotation, Mark
from protocols.selectors import GivenAnswer


@dataclass(frozen=True)
class MarkedText:
    """An answer: its annotation, whether marks were there at the beginning, and what was done on the page."""

    annotation: Annotation
    premarked: bool
    actions: tuple[tuple[Any, ...], ...] = ()

    @classmethod
    def of(cls, given: GivenAnswer) -> "MarkedText":
        """Read a stored answer."""
        body, answer = given.subject.body, given.answer
        language = body.get("language", "")
        annotation = Annotation(
            given.person,
            given.subject.system,
            given.subject.name,
            body["source"],
            body["output"],
            tuple(map(Mark.from_dict, answer["marks"])),
            answer["score"],
            languages=(language, language),
            seconds=None if given.milliseconds is None else given.milliseconds / 1000,
        )
        return cls(annotation, bool(answer["premarked"]), tuple(map(tuple, answer["actions"])))


def marked_texts(given: Iterable[GivenAnswer]) -> list[MarkedText]:
    return [MarkedText.of(each) for each in given]


def language_of(annotations: Iterable[Annotation], usual: str) -> str:
    """Return the language that most texts name, or else the campaign's: it says how texts are cut into tokens."""
    named = Counter(each.languages[1] or usual for each in annotations)
    return min(named, key=lambda each: (-named[each], each), default=usual)
