"""Sources with their aligned texts: what the parts of a report store, and what its tables are computed from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, Self

from measures.alignment.classes import WordCounts
from measures.keystrokes.edit_order import WordOperation

Places = tuple[int | None, ...]
LogOrder = tuple[tuple[WordOperation, int, float, float | None], ...]
"""What one log says of each changed word: the operation, the word, and its place in the edits and in the time."""


@dataclass(frozen=True)
class AlignedText:
    """A distinct text of people or the output of a system, aligned to its source.

    `quality` has the mean of the crowd's ratings by scale, `given` each rating by scale: who gave which point, if it is
    known who. If staff corrected the
    alignment, `correction` is the version and `aligner_places` are the aligner's. `order` says when the words were
    changed, for each editor with a log.
    """

    text: str
    words: tuple[str, ...]
    places: Places
    classes: tuple[str, ...]
    counts: WordCounts
    moved: tuple[int, ...]
    compression: str
    sentences: str
    rate: float
    system: str = ""
    editors: tuple[str, ...] = ()
    quality: Mapping[str, float] | None = None
    ratings: int = 0
    correction: int | None = None
    aligner_places: Places | None = None
    order: tuple[LogOrder, ...] = ()
    given: Mapping[str, Sequence[Sequence[Any]]] | None = None

    @property
    def is_output(self) -> bool:
        return bool(self.system)

    @property
    def substitutes(self) -> bool:
        """Whether a word, punctuation aside, is paraphrased."""
        return self.counts.paraphrased > self.counts.paraphrased_marks

    @property
    def inserts(self) -> bool:
        return self.counts.inserted > self.counts.inserted_marks

    @property
    def reorders(self) -> bool:
        return bool(self.moved)


@dataclass(frozen=True)
class AlignedSource:
    """A source of a release with its aligned texts; `place` is its line in the release's file, from 0.

    `relations`, `heads` and `constituents` are what a parser found of its words (`measures.alignment.Grammar`); empty
    where there is none.
    """

    place: int
    source_id: str
    family: str
    paragraph_id: str
    genre: str
    split: str
    text: str
    words: tuple[str, ...]
    sentences: int
    texts: tuple[AlignedText, ...]
    relations: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    constituents: tuple[tuple[str, int, int], ...] = ()

    @property
    def by_people(self) -> Iterator[AlignedText]:
        return (text for text in self.texts if not text.is_output)

    @property
    def outputs(self) -> Iterator[AlignedText]:
        return (text for text in self.texts if text.is_output)

    def stored(self) -> dict[str, Any]:
        """Return it as JSON; what has its default is left out of the texts."""
        about = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _OF_TEXTS}
        about |= {name: found for name in _GRAMMAR if (found := getattr(self, name))}
        return {**about, "texts": [_without_defaults(text) for text in self.texts]}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        texts = tuple(_text_of(each) for each in stored["texts"])
        grammar: dict[str, Any] = {name: tuple(stored.get(name, ())) for name in _GRAMMAR}
        grammar["constituents"] = tuple(map(tuple, grammar["constituents"]))
        return cls(**{**stored, **grammar, "words": tuple(stored["words"]), "texts": texts})


_GRAMMAR = ("relations", "heads", "constituents")
_OF_TEXTS = ("texts", *_GRAMMAR)
_DEFAULTS = {field.name: field.default for field in fields(AlignedText)}
_TUPLES = ("words", "places", "classes", "moved", "editors", "aligner_places")


def _without_defaults(text: AlignedText) -> dict[str, Any]:
    values = {field.name: getattr(text, field.name) for field in fields(text)}
    return {name: value for name, value in values.items() if _DEFAULTS[name] is MISSING or value != _DEFAULTS[name]}


def _text_of(stored: Mapping[str, Any]) -> AlignedText:
    tuples: dict[str, Any] = {name: tuple(stored[name]) for name in _TUPLES if name in stored}
    order = tuple(tuple(map(tuple, log)) for log in stored.get("order", ()))
    return AlignedText(**{**stored, **tuples, "counts": WordCounts(*stored["counts"]), "order": order})
