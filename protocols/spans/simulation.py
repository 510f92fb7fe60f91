"""Simulated people who mark errors that were planted in a text."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from measures.spans import Kind, Mark, Place, Preset, SpanAnswer, mark_points, refusals, tokens
from protocols.task import Subject

MOST_ERRORS = 0.12
"""The share of tokens at which an error begins in the outputs of the worst system; the best has a tenth of it."""
FALSE_ALARMS = 0.03
"""The share of tokens at which somebody without any skill marks what is no error."""
POINTS_TO_SCORE = 4
LONGEST = 3

Side = Literal["source", "output"]


class SimulatedPerson:
    """Somebody who marks the errors of a text, more or less well.

    The errors are planted: drawn from the names of source and system, so that all people meet the same. How many there
    are falls with a quality of the system from 0 to 1, which is drawn from its name alone: one begins at
    `MOST_ERRORS` * (1 - 0.9 * quality) of the tokens. Each is one to three tokens long and has a kind of the preset, a
    severity (the gravest in 3 of 10) and answers to the questions of its kind.

    With a skill s from 0 (careless) to 1 (perfect), a person

    - finds an error with probability 0.3 + 0.7 s;
    - puts each end of it a token too far or too near with probability 0.4 (1 - s);
    - draws a severity, a kind, or an answer anew with probability 0.5 (1 - s);
    - marks what is no error at `FALSE_ALARMS` * (1 - s) of the tokens;
    - keeps a mark that was there before if it overlaps an error, and deletes it if not, each with probability
      0.5 + 0.5 s;
    - gives the text a score of 100 less `POINTS_TO_SCORE` times the points of the marks, with normal noise of standard
      deviation 3 + 12 (1 - s).
    """

    def __init__(self, subject: Subject, preset: Preset, skill: float, rng: random.Random) -> None:
        self.preset, self.skill, self.rng = preset, skill, rng
        self.source, self.output = subject.body["source"], subject.body["output"]
        language = subject.body.get("language") or "en"
        self.words: dict[Side, list[tuple[int, int]]] = {
            "source": tokens(self.source, language),
            "output": tokens(self.output, language),
        }
        named = [subject.name, subject.system, subject.condition]
        self.truth = random.Random(f"errors:{named}")
        self.quality = random.Random(f"quality:{subject.system}:{subject.condition}").random()
        self.kinds = [each for each in preset.kinds if each.side not in ("whole", "missing") and not each.composite]

    def answer(self, given: Sequence[Mark]) -> SpanAnswer:
        """Return what the person says of the text, in which marks were `given` at the beginning."""
        errors = list(self._planted())
        decided = [self._decided(each, errors) for each in given]
        marks = [self._seen(each) for each in errors if self._is_luck(0.3 + 0.7 * self.skill)]
        marks += self._marked(self.rng, FALSE_ALARMS * (1 - self.skill))
        own = [replace(each, id=f"m{number}") for number, each in enumerate(marks, start=1)]
        chosen = self._possible([*decided, *own])
        is_empty = not any(each.counts for each in chosen)
        return SpanAnswer(self.source, self.output, tuple(chosen), no_errors=is_empty, score=self._score(chosen))

    # The errors

    def _planted(self) -> Iterator[Mark]:
        return self._marked(self.truth, MOST_ERRORS * (1 - 0.9 * self.quality))

    def _marked(self, rng: random.Random, rate: float) -> Iterator[Mark]:
        """Draw marks that begin at a share of the tokens."""
        for place in range(len(self.words["output"])):
            is_error, length = rng.random() < rate, rng.randint(1, LONGEST)
            if is_error and (self.kinds or not self.preset.kinds):
                yield self._mark(rng, place, length)

    def _mark(self, rng: random.Random, place: int, length: int) -> Mark:
        kind = rng.choice(self.kinds) if self.kinds else None
        output = self._place("output", place, length)
        sides = {"source": ("source",), "both": ("source", "output")}.get(kind.side if kind else "", ("output",))
        if "source" in sides and not self.words["source"]:
            sides = ("output",)
        share = place / len(self.words["output"])
        source = self._place("source", int(share * len(self.words["source"])), length) if "source" in sides else output
        places = tuple(source if side == "source" else output for side in sides)
        side, start, end = places[0]
        spans: dict[str, Any] = (
            {"side": "both", "pairs": places} if len(places) > 1 else {"side": side, "start": start, "end": end}
        )
        return self._judged(Mark("planted", kind=kind.key if kind else None, **spans), kind, rng)

    def _place(self, side: Side, first: int, length: int) -> Place:
        words = self.words[side]
        last = min(first + length, len(words)) - 1
        return Place(side, words[first][0], words[last][1])

    def _judged(self, mark: Mark, kind: Kind | None, rng: random.Random) -> Mark:
        """Give a mark a severity, the answers to the questions of its kind, and a note if it needs one."""
        own = self.preset.severities if kind is None or kind.severities is None else kind.severities
        severities = [each for each in self.preset.gravest_last if each in own]
        severity = severities[-1] if severities and rng.random() < 0.3 else next(iter(severities), None)
        answers = {each["key"]: _answered(each["options"], rng) for each in kind.questions} if kind else {}
        return replace(mark, severity=severity, answers=answers, note="simulated" if kind and kind.note_wanted else "")

    # What a person makes of them

    def _is_luck(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _seen(self, error: Mark) -> Mark:
        """Return an error as the person marks it."""
        mark = error
        if self._is_luck(0.5 * (1 - self.skill)):
            alike = [each for each in self.kinds if mark.kind and each.side == self._side_of(mark)]
            kind = self.rng.choice(alike) if alike else None
            mark = self._judged(replace(mark, kind=kind.key if kind else None), kind, self.rng)
        if mark.start is None or mark.end is None or mark.side == "both":
            return mark
        words = self.words[mark.side]
        first = next(n for n, (start, _end) in enumerate(words) if start == mark.start)
        last = next(n for n, (_start, end) in enumerate(words) if end == mark.end)
        first, last = (min(max(each + self._slip(), 0), len(words) - 1) for each in (first, last))
        first, last = min(first, last), max(first, last)
        return replace(mark, start=words[first][0], end=words[last][1])

    def _side_of(self, mark: Mark) -> str:
        kind = self.preset.kind(mark.kind)
        return kind.side if kind else ""

    def _slip(self) -> int:
        return self.rng.choice((-1, 1)) if self._is_luck(0.4 * (1 - self.skill)) else 0

    def _decided(self, mark: Mark, errors: Sequence[Mark]) -> Mark:
        """Keep or delete a mark that was there before."""
        is_error = any(_overlap(one, other) for error in errors for one in error.places for other in mark.places)
        is_right = self._is_luck(0.5 + 0.5 * self.skill)
        kind = self.preset.kind(mark.kind)
        kept = replace(self._judged(mark, kind, self.rng), fate="kept")
        return kept if is_error == is_right and self._can_be(kept) else replace(mark, fate="deleted")

    def _can_be(self, mark: Mark) -> bool:
        score = 50 if self.preset.score != "none" else None
        return not refusals(SpanAnswer(self.source, self.output, (mark,), score=score), self.preset)

    def _possible(self, marks: Sequence[Mark]) -> list[Mark]:
        """Leave out marks that no answer can have beside those before them, and those beyond what the preset allows."""
        seen, chosen = set(), list[Mark]()
        room = self.preset.max_spans if self.preset.max_spans is not None else len(marks)
        for mark in marks:
            what = (mark.side, mark.start, mark.end, mark.kind, tuple(sorted(mark.pairs)))
            is_new = mark.counts and what not in seen and room > 0 and self._can_be(mark)
            if is_new:
                seen.add(what)
                room -= 1
            if is_new or mark.fate is not None:
                chosen.append(mark if is_new else replace(mark, fate="deleted"))
        return chosen

    def _score(self, marks: Sequence[Mark]) -> int | None:
        if self.preset.score == "none":
            return None
        points = sum(mark_points(each.kind, each.severity, self.preset.weights) for each in marks if each.counts)
        noise = self.rng.gauss(0, 3 + 12 * (1 - self.skill))
        return max(0, min(100, round(100 - POINTS_TO_SCORE * points + noise)))


def _overlap(one: Place, other: Place) -> bool:
    return one.side == other.side and one.start < other.end and other.start < one.end


def _answered(options: Any, rng: random.Random) -> Any:
    if options == "binary":
        return rng.random() < 0.5
    if options == "likert-3":
        return rng.randint(1, 3)
    option = rng.choice(options)
    inner = {option["key"]: _answered(option["options"], rng)} if "options" in option else {}
    return {"val": option["key"], **inner}
