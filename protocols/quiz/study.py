"""A quiz study as its report reads it: texts of utterances, questions, what people answered, and the summaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["short", "blank", "choice"]
Closed = Literal["handed in", "time over"]


@dataclass(frozen=True)
class Question:
    """A question of the quiz on a text. Short answers are marked by people, the others by the `key`."""

    id: str
    text_id: str
    type: int
    question: str
    kind: Kind
    key: tuple[str, ...]
    marks: float = 2
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sitting:
    """A person's quiz on a text; `place` counts their quizzes from 1, and what was left empty may lack."""

    person: str
    text_id: str
    condition: str
    place: int
    answers: Mapping[str, str]
    seconds: float | None = None
    closed: Closed = "handed in"
    heard: bool | None = None


@dataclass(frozen=True)
class Summary:
    """A summary as the ids of its utterances, in the order of the text; a program's has no person."""

    person: str | None
    text_id: str
    kind: str
    utterances: tuple[str, ...]


@dataclass(frozen=True)
class ShortAnswer:
    """A short answer as markers see it: equal ones of several people are one. Marks are in the order of their giving."""

    question_id: str
    text: str
    people: tuple[str, ...]
    marks: tuple[tuple[str, float], ...] = ()
    """Who gave each mark, and the mark: from 0 to 2 in halves."""


@dataclass(frozen=True)
class Study:
    """All that a report is on: `texts` has the utterances of each text by their ids, in their order."""

    conditions: tuple[str, ...]
    texts: Mapping[str, Mapping[str, str]]
    questions: Sequence[Question]
    sittings: Sequence[Sitting]
    summaries: Sequence[Summary] = ()
    marked: Sequence[ShortAnswer] = ()
