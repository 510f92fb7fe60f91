"""Simulate how editors shorten a text, and the edit log that results.

An editor removes phrases step by step until the length rule is met. Skilled editors mostly remove filler, asides and
other whole phrases; poor ones remove arbitrary words.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from measures.keystrokes.edit_log import Kind, Operation
from measures.text.length_rule import Verdict, allowed_length
from measures.text.normalization import length

REPLACEMENTS = {
    "in order to": "to",
    "a number of": "several",
    "a large number of": "many",
    "at the present time": "now",
    "at the moment": "now",
    "because of the fact that": "because",
    "due to the fact that": "because",
    "in spite of the fact that": "although",
    "is able to": "can",
    "are able to": "can",
    "was able to": "could",
    "were able to": "could",
    "as well as": "and",
    "with regard to": "about",
    "in the event that": "if",
    "for the purpose of": "for",
    "until such time as": "until",
    "approximately": "about",
    "additional": "more",
    "however": "but",
}
FILLER = re.compile(
    r"\b(?:very|really|quite|rather|almost|just|also|simply|actually|certainly|perhaps|already|still|even"
    r"|entirely|completely|extremely|particularly|generally|usually|finally|eventually|recently|\w{4,}ly)\s",
    re.IGNORECASE,
)
ASIDE = re.compile(r",\s[^,.;:!?]{4,90}(?=[,.;:!?](?:\s|$))")
BRACKET = re.compile(r"\s\([^()]*\)|\s[–—-]\s[^–—]{3,80}\s[–—-](?=\s)")
PHRASE = re.compile(
    r"\s(?:of|in|on|at|for|from|with|by|during|after|before|between|through)\s[^,.;:!?]{3,40}?"
    r"(?=\s|[,.;:!?](?:\s|$))"
)
PATTERNS = (FILLER, BRACKET, ASIDE, PHRASE)
WORDS = re.compile(r"\s*\S+|\s+$")
WORD = re.compile(r"\s[^\s.!?;:,]+")


def shortenings(source: str, keep_percent: int, skill: float, rng: random.Random) -> Iterator[str]:
    """Yield the successive states of the text; the last one meets the length rule."""
    allowed = allowed_length(source, keep_percent)
    text = source
    while length(text) > allowed:
        text = _shorten(text, skill, rng)
        yield text


def fusions(pair: tuple[str, str], rule: Verdict, skill: float, rng: random.Random) -> Iterator[str]:
    """Yield the one text that somebody types who has put two sentences together and shortened them in their head."""
    both = f"{pair[0].rstrip(' .!?…')}, and {pair[1]}"
    *_longer, text = [both, *shortenings(both, 100 * rule.allowed // length(both), skill, rng)]
    yield text


def _shorten(text: str, skill: float, rng: random.Random) -> str:
    """Replace or remove one phrase; if unskilled or out of phrases, remove one word."""
    if rng.random() < skill:
        for long, short in REPLACEMENTS.items():
            if f" {long} " in text:
                return text.replace(f" {long} ", f" {short} ", 1)
        found = [match for pattern in PATTERNS for match in pattern.finditer(text) if match.start() > 0]
        if found:
            return _without(text, rng.choice(found))
    words = [match for match in WORD.finditer(text) if match.start() > 0]
    return _without(text, rng.choice(words)) if words else text[: -max(1, len(text) // 10)]


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + text[match.end() :]


def edit_log(states: Iterator[str], source: str, rng: random.Random) -> tuple[str, list[Operation]]:
    """Return the last state and the operations that lead to it, key by key, with human-like pauses."""
    before, operations = source, list[Operation]()
    reading_ms = int(rng.lognormvariate(5.6, 0.4) * len(source.split()))
    typist = Typist(at_ms=reading_ms, rng=rng)
    for after in list(states):
        operations += typist.change(before, after)
        before = after
    return before, operations


def with_absence(operations: list[Operation], rng: random.Random) -> list[Operation]:
    """Return the log of somebody who leaves the page once between two changes, and comes back to go on."""
    at = rng.randrange(len(operations) + 1)
    last = operations[at - 1].at_ms if at else 0
    left, back = last + 800, last + 800 + int(rng.lognormvariate(10, 0.8))
    later = [replace(edit, at_ms=edit.at_ms - last + back) for edit in operations[at:]]
    absence = [Operation(0, "", "", Kind.LEAVE, left), Operation(0, "", "", Kind.RETURN, back)]
    return [*operations[:at], *absence, *later]


class Typist:
    """A person at the keyboard, who deletes a passage at once or word by word and types letter by letter."""

    def __init__(self, at_ms: int, rng: random.Random) -> None:
        self._at_ms, self._rng = at_ms, rng

    def change(self, before: str, after: str) -> list[Operation]:
        """Return the operations that turn one text into another, after a pause to think."""
        self._wait(7.6, 0.6)
        position, removed, inserted = difference(before, after)
        return [*self._deletions(position, removed), *self._insertions(position, inserted)]

    def _deletions(self, position: int, removed: str) -> Iterator[Operation]:
        pieces = WORDS.findall(removed) if self._rng.random() < 0.5 else [removed]
        end = position + len(removed)
        for piece in filter(None, reversed(pieces)):
            end -= len(piece)
            yield Operation(end, piece, "", Kind.DELETION, self._wait(5.6, 0.3))

    def _insertions(self, position: int, inserted: str) -> Iterator[Operation]:
        for offset, character in enumerate(inserted):
            yield Operation(position + offset, "", character, Kind.TYPING, self._wait(5.2, 0.3))

    def _wait(self, mu: float, sigma: float) -> int:
        self._at_ms += int(self._rng.lognormvariate(mu, sigma))
        return self._at_ms


def difference(before: str, after: str) -> tuple[int, str, str]:
    """Return the single change between two texts: its position, the text removed and the text inserted."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, before[start : len(before) - end], after[start : len(after) - end]
