"""Kinds of people who write a text, honest and not, as their edit logs show them.

They are made up: no log of a real person was looked at, and how fast people type, how often they pause, go back and
mend are our choices. Times are in milliseconds; `about(m, s)` is lognormal with median m and standard deviation s of
the logarithm.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import partial

from dashboard.simulation.writing import shortenings
from measures.keystrokes.edit_log import Kind, Operation
from measures.text.length_rule import allowed_length

WORD_AND_SPACE = re.compile(r"\s*\S+")
_SMALL = (
    "the a an of to in on at for by with from and or that which who is are was were has have had be been its it as "
    "their his her"
)
SMALL = frozenset(_SMALL.split())
_OTHER_WORDS = (
    "place group later change small people work report plan large early thing again north open clear public local "
    "simple money effort result number market trouble season road quick better"
)
STAND_INS = _OTHER_WORDS.split()
GENERIC = "This text is about a topic that matters to many people."


@dataclass
class Texts:
    """What a writer of one source can hand in."""

    source: str
    own: str
    """What the person makes of the source."""
    model: str
    """What a language model makes of it."""
    others: str
    """What somebody else handed in for it."""
    keep_percent: int = 75

    @property
    def allowed(self) -> int:
        return allowed_length(self.source, self.keep_percent)


@dataclass
class Habits:
    """How a person types, drawn once for all of their texts."""

    iki: float
    sd: float
    typo: float
    word_factor: float
    pause: float
    pause_ms: float = 2600
    thinks_ms: float = 2200
    reads: tuple[float, float] = (3.0, 6.0)
    reads_ms: float = 1500
    deletes_at_once: bool = True
    swaps: bool = True

    @classmethod
    def drawn(cls, rng: random.Random, **given: float | bool | tuple[float, float]) -> "Habits":
        drawn: dict[str, float | bool | tuple[float, float]] = {
            "iki": rng.lognormvariate(0, 0.3) * 170,
            "sd": min(0.65, max(0.3, rng.gauss(0.45, 0.08))),
            "typo": max(0.0, rng.gauss(0.025, 0.01)),
            "word_factor": rng.uniform(1.4, 2.2),
            "pause": rng.uniform(0.08, 0.18),
            "deletes_at_once": rng.random() < 0.5,
        }
        return cls(**{**drawn, **given})  # type: ignore[arg-type]


@dataclass
class Writer:
    """A person with a text before them: what they do becomes operations."""

    texts: Texts
    habits: Habits
    rng: random.Random
    number: int
    """Which of the visit's texts this is, from 0."""
    text: str = ""
    at_ms: float = 0.0
    log: list[Operation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.texts.source
        words, (slow, fast) = len(self.text.split()), self.habits.reads
        self.at_ms = (self.habits.reads_ms + 1000 * words / self.rng.uniform(slow, fast)) * self.rng.uniform(0.7, 1.4)

    def about(self, median: float, sd: float) -> float:
        return median * self.rng.lognormvariate(0, sd)

    def wait(self, ms: float) -> None:
        self.at_ms += ms

    def change(self, position: int, removed: int, inserted: str, kind: Kind) -> None:
        taken = self.text[position : position + removed]
        self.log.append(Operation(position, taken, inserted, kind, int(self.at_ms)))
        self.text = self.text[:position] + inserted + self.text[position + removed :]

    def absence(self, ms: float) -> None:
        self.log.append(Operation(0, "", "", Kind.LEAVE, int(self.at_ms)))
        self.wait(ms)
        self.log.append(Operation(0, "", "", Kind.RETURN, int(self.at_ms)))
        self.wait(self.about(900, 0.4))

    def think(self) -> None:
        self.wait(self.about(self.habits.thinks_ms, 0.7))

    def clear(self) -> None:
        self.wait(self.about(900, 0.4))
        self.change(0, len(self.text), "", Kind.DELETION)

    def delete(self, position: int, count: int, kind: Kind = Kind.DELETION) -> None:
        if self.habits.deletes_at_once or count > 60:
            self.wait(self.about(900, 0.4))
            self.change(position, count, "", kind)
            return
        for done in range(count):
            self.wait(self.about(130 if done < 8 else 45, 0.25))
            self.change(position + count - 1 - done, 1, "", kind)

    def keys(self, position: int, text: str, *, kind: Kind = Kind.TYPING, copying: bool = False) -> None:
        """Type letter by letter, and mend a wrong letter at once."""
        habits, before = self.habits, ""
        for offset, letter in enumerate(text):
            factor = 1.5 if not offset else 1.0
            if before.isspace():
                factor *= 1.25 if copying else habits.word_factor
                self.wait(self._pause(copying=copying))
            if before in {",", ";", ":"}:
                factor *= 1.3 if copying else 2.0
            if letter.isalpha() and self.rng.random() < habits.typo:
                self.wait(self.about(habits.iki * factor, habits.sd))
                self.change(position + offset, 0, self.rng.choice("aeinrst"), kind)
                self.wait(self.about(1.6 * habits.iki, 0.35))
                self.change(position + offset, 1, "", Kind.DELETION if kind is Kind.TYPING else kind)
                factor = 1.3
            self.wait(self.about(habits.iki * factor, habits.sd))
            self.change(position + offset, 0, letter, kind)
            before = letter

    def _pause(self, *, copying: bool) -> float:
        if copying:
            return self.about(900, 0.5) if self.rng.random() < 0.06 else 0.0
        return self.about(self.habits.pause_ms, 0.8) if self.rng.random() < self.habits.pause else 0.0

    def retype(self, text: str, *, copying: bool = False) -> None:
        self.clear()
        self.keys(0, text, copying=copying)

    def compose(self, text: str, *, at_word: Callable[[int], None] = lambda _number: None) -> None:
        """Write from nothing, word by word, and now and then a word too many."""
        self.clear()
        for number, word in enumerate(WORD_AND_SPACE.findall(text)):
            at_word(number)
            if number > 5 and self.rng.random() < 0.05:
                wrong = " " + "".join(self.rng.choices("aeilnorst", k=self.rng.randint(3, 7)))
                self.keys(len(self.text), wrong)
                place = len(self.text)
                self.keys(place, word)
                self.wait(self.about(1500, 0.6))
                self.delete(place - len(wrong), len(wrong))
                continue
            self._key_run(word)

    def _key_run(self, word: str) -> None:
        if word[0].isspace():
            self.keys(len(self.text), word[0])
            self.wait(self._pause(copying=False) + self.habits.iki * (self.habits.word_factor - 1))
            word = word[1:]
        self.keys(len(self.text), word)

    def pieces(self, pieces: Sequence[str], kinds: Sequence[Kind], ms: Callable[[], float]) -> None:
        """Words or phrases that come as wholes."""
        for number, piece in enumerate(pieces):
            self.wait(ms())
            self.change(len(self.text), 0, piece, kinds[number % len(kinds)])

    def edit(self, target: str, *, kind: Kind | None = None) -> None:
        """Change the words that differ, one passage after another."""
        old, new = WORD_AND_SPACE.findall(self.text), WORD_AND_SPACE.findall(target)
        steps = [step for step in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if step[0] != "equal"]
        if len(steps) > 2 and self.habits.swaps and self.rng.random() < 0.5:
            for index in range(len(steps) - 1):
                if self.rng.random() < 0.15:
                    steps[index], steps[index + 1] = steps[index + 1], steps[index]
        done: list[tuple[int, int]] = []  # where in the old words, and by how much later places have moved
        for _tag, begin, end, from_, to in steps:
            moved = sum(by for place, by in done if place < begin)
            position, removed = len("".join(old[:begin])) + moved, len("".join(old[begin:end]))
            inserted = "".join(new[from_:to])
            self.think()
            if removed:
                self.delete(position, removed, kind or Kind.DELETION)
            if inserted:
                self.wait(self.about(500, 0.5))
                self.keys(position, inserted, kind=kind or Kind.TYPING)
            done.append((begin, len(inserted) - removed))

    def cut_to(self, target: str) -> None:
        """Delete what differs, and put in what little does, such as a full stop."""
        start = _common(self.text, target)
        end = _common(self.text[start:][::-1], target[start:][::-1])
        self.think()
        self.delete(start, len(self.text) - start - end)
        for offset, letter in enumerate(target[start : len(target) - end]):
            self.wait(self.about(self.habits.iki, 0.3))
            self.change(start + offset, 0, letter, Kind.TYPING)

    def set(self, text: str, kind: Kind) -> None:
        self.change(0, len(self.text), text, kind)


def _common(one: str, other: str) -> int:
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count


Act = Callable[[Writer], None]


@dataclass(frozen=True)
class WriterKind:
    """A kind of writer: what they do with one text, and what is drawn otherwise for each person."""

    name: str
    act: Act
    is_honest: bool
    habits: Mapping[str, float | bool | tuple[float, float]] = field(default_factory=dict)


def _careful(writer: Writer) -> None:
    writer.edit(writer.texts.own)


def _scratch(writer: Writer) -> None:
    writer.compose(writer.texts.own)


def _scratch_and_look(writer: Writer) -> None:
    words = len(writer.texts.own.split())
    when = writer.rng.randrange(1, max(2, words)) if writer.rng.random() < 0.5 else -1
    writer.compose(
        writer.texts.own, at_word=lambda number: writer.absence(writer.about(20_000, 0.5)) if number == when else None
    )


def _mixed(writer: Writer) -> None:
    (_scratch if writer.number % 3 == 0 else _careful)(writer)


def _backspace(writer: Writer) -> None:
    target = writer.texts.own
    start = _common(writer.text, target)
    writer.think()
    while len(writer.text) > start:
        writer.wait(writer.about(40, 0.2))
        writer.change(len(writer.text) - 1, 1, "", Kind.DELETION)
    for word in WORD_AND_SPACE.findall(target[start:]):
        writer._key_run(word)


def _second_language(writer: Writer) -> None:
    writer.edit(writer.texts.own)
    if writer.rng.random() < 0.4:
        writer.absence(writer.about(15_000, 0.5))


def _look_up(writer: Writer) -> None:
    writer.edit(writer.texts.own)
    if writer.number % 2:
        writer.absence(writer.about(20_000, 0.5))
        place = len(writer.text)
        writer.keys(place, " perhaps")
        writer.wait(writer.about(1500, 0.5))
        writer.delete(place, len(" perhaps"))


def _interrupted(writer: Writer) -> None:
    writer.absence(writer.about(120_000, 1))
    writer.edit(writer.texts.own)


def _dictate(writer: Writer) -> None:
    writer.clear()
    words, phrases = WORD_AND_SPACE.findall(writer.texts.own), []
    while words:
        size = writer.rng.randint(3, 8)
        phrases.append("".join(words[:size]))
        words = words[size:]
    writer.pieces(phrases, (Kind.TYPING, Kind.COMPOSITION), lambda: writer.about(2300, 0.35))
    if writer.rng.random() < 0.5:
        _mend(writer, Kind.TYPING)


def _mend(writer: Writer, kind: Kind) -> None:
    """Put the second word right: it had been heard or guessed wrong."""
    words = list(WORD_AND_SPACE.finditer(writer.text))
    if len(words) > 2:
        word = words[1]
        writer.wait(writer.about(1800, 0.5))
        writer.change(word.start(), len(word[0]), " the", kind)
        writer.wait(writer.about(1200, 0.4))
        writer.change(word.start(), len(" the"), word[0], kind)


def _swipe(writer: Writer, text: str, ms: float, pause: float, corrected: float) -> None:
    writer.clear()

    def between() -> float:
        return writer.about(ms, 0.35) + (writer.about(2500, 0.8) if writer.rng.random() < pause else 0.0)

    for word in WORD_AND_SPACE.findall(text):
        writer.pieces([word], [Kind.COMPOSITION], between)
        if writer.rng.random() < corrected:
            place = len(writer.text) - len(word)
            writer.change(place, len(word), word[: len(word) // 2 + 1], Kind.COMPOSITION)
            writer.wait(between())
            writer.change(place, len(word) // 2 + 1, word, Kind.COMPOSITION)


def _phone_letters(writer: Writer) -> None:
    writer.edit(writer.texts.own, kind=Kind.COMPOSITION)


def _autocorrect(writer: Writer) -> None:
    writer.edit(writer.texts.own)
    _mend(writer, Kind.AUTOCORRECT)


def _own_notes(writer: Writer) -> None:
    writer.wait(writer.about(50_000, 0.4))
    writer.clear()
    writer.wait(writer.about(2000, 0.4))
    writer.change(0, 0, writer.texts.own, Kind.PASTE)


def _grammar_program(writer: Writer) -> None:
    writer.edit(writer.texts.own)
    writer.wait(writer.about(3000, 0.5))
    place = writer.text.find(" ")
    if place > 0:
        writer.change(place, 1, ", ", Kind.SCRIPTED)


def _one_comma_in_three(writer: Writer) -> None:
    (_cut_at_comma if writer.rng.random() < 0.33 else _careful)(writer)


def _drag(writer: Writer) -> None:
    writer.edit(writer.texts.own)
    words = list(WORD_AND_SPACE.finditer(writer.text))
    if len(words) > 3:
        word = words[2]
        writer.wait(writer.about(2500, 0.5))
        writer.change(word.start(), len(word[0]), "", Kind.CUT)
        writer.wait(writer.about(400, 0.3))
        writer.change(word.start(), 0, word[0], Kind.DROP)


def _paste(writer: Writer) -> None:
    writer.wait(writer.about(15_000, 0.4))
    writer.set(writer.texts.model, Kind.PASTE)


def _paste_in_pieces(writer: Writer) -> None:
    writer.wait(writer.about(15_000, 0.4))
    writer.clear()
    text = writer.texts.model
    writer.pieces([text[at : at + 19] for at in range(0, len(text), 19)], [Kind.PASTE], lambda: writer.about(900, 0.3))


def _paste_and_edit(writer: Writer) -> None:
    _paste(writer)
    writer.think()
    _mend(writer, Kind.TYPING)


def _fetch(writer: Writer) -> None:
    writer.absence(writer.about(25_000, 0.4))
    writer.retype(writer.texts.model, copying=True)


def _return_each_clause(writer: Writer) -> None:
    writer.clear()
    writer.absence(writer.about(20_000, 0.4))
    for number, word in enumerate(WORD_AND_SPACE.findall(writer.texts.model)):
        if number and number % 5 == 0:
            writer.absence(writer.about(3500, 0.4))
        writer.keys(len(writer.text), word, copying=True)


def _timed(writer: Writer, ms: Callable[[], float]) -> None:
    writer.clear()
    writer.wait(1000)
    for letter in writer.texts.model:
        writer.wait(ms())
        writer.change(len(writer.text), 0, letter, Kind.TYPING)


def _constant(ms: float) -> Act:
    return lambda writer: _timed(writer, lambda: ms)


def _set_by_script(writer: Writer) -> None:
    writer.wait(writer.about(12_000, 0.4))
    writer.set(writer.texts.model, Kind.OTHER)


def _phone_fetched(writer: Writer) -> None:
    writer.absence(writer.about(25_000, 0.4))
    _swipe(writer, writer.texts.model, 650, 0.03, 0.0)


def _cut_words(writer: Writer, keep: Callable[[list[str], int], list[str]]) -> None:
    """Keep some of the words, as many as 74% of the text allow."""
    words = WORD_AND_SPACE.findall(writer.text)
    writer.cut_to(_sentence("".join(keep(words, int(0.74 * len(writer.text))))))


def _sentence(text: str) -> str:
    text = text.strip().rstrip(" ,;:–-")
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _first_that_fit(words: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    while len(kept) < len(words) and len("".join(kept)) + len(words[len(kept)]) <= room:
        kept.append(words[len(kept)])
    return kept


def _last_that_fit(words: Sequence[str], room: int) -> list[str]:
    return _first_that_fit(words[::-1], room)[::-1]


def _without_middle(words: list[str], room: int) -> list[str]:
    third = len(words) // 3
    begin = words[:third]
    return [*begin, *_last_that_fit(words[third:], room - len("".join(begin)))]


def _at_comma(text: str) -> str | None:
    places = [match.start() for match in re.finditer(",", text) if 0.25 < match.start() / len(text) < 0.75]
    return _sentence(text[: places[-1]]) if places else None


def _cut_at_comma(writer: Writer) -> None:
    target = _at_comma(writer.text)
    if target is None:
        _cut_words(writer, _first_that_fit)
    else:
        writer.cut_to(target)


def _comma_each_third_honest(writer: Writer) -> None:
    (_careful if writer.number % 3 == 2 else _cut_at_comma)(writer)


def _comma_but_one(writer: Writer) -> None:
    (_careful if writer.number == 3 else _cut_at_comma)(writer)


def _comma_and_a_word(writer: Writer) -> None:
    _cut_at_comma(writer)
    words = list(WORD_AND_SPACE.finditer(writer.text))
    if len(words) > 3:
        writer.delete(words[2].start(), len(words[2][0]))


def _middle_at_once(writer: Writer) -> None:
    writer.at_ms = 12_000 - 900
    words = WORD_AND_SPACE.findall(writer.text)
    target = "".join(_without_middle(words, int(0.74 * len(writer.text))))
    start = _common(writer.text, target)
    end = _common(writer.text[start:][::-1], target[start:][::-1])
    writer.wait(900)
    writer.change(start, len(writer.text) - start - end, "", Kind.DELETION)


def _in_a_word(writer: Writer) -> None:
    place = int(0.7 * len(writer.text))
    while not (writer.text[place - 1].isalpha() and writer.text[place].isalpha()):
        place -= 1
    writer.cut_to(writer.text[:place] + ".")


def _drop_words(writer: Writer, dropped: Callable[[list[str]], Iterator[int]]) -> None:
    words = WORD_AND_SPACE.findall(writer.text)
    gone: set[int] = set()
    for index in dropped(words):
        if len("".join(word for at, word in enumerate(words) if at not in gone)) <= 0.74 * len(writer.text):
            break
        gone.add(index)
    writer.edit("".join(word for at, word in enumerate(words) if at not in gone).strip())


def _random_words(writer: Writer) -> None:
    def dropped(words: list[str]) -> Iterator[int]:
        yield from writer.rng.sample(range(1, len(words) - 1), len(words) - 2)

    _drop_words(writer, dropped)


def _telegraph(writer: Writer) -> None:
    def dropped(words: list[str]) -> Iterator[int]:
        small = [at for at, word in enumerate(words) if word.strip(" ,.;:\"'").lower() in SMALL]
        yield from small[:20]
        yield from (at for at in range(len(words) // 2, len(words)) if at not in small[:20])

    _drop_words(writer, dropped)


def _generic(writer: Writer) -> None:
    writer.retype(GENERIC, copying=True)


HONEST = [
    WriterKind("careful editor", _careful, True),
    WriterKind("hurried editor", _careful, True, {"reads": (8.0, 11.0), "reads_ms": 500.0, "thinks_ms": 800.0}),
    WriterKind("slow two-finger typist", _careful, True, {"iki": 380.0, "typo": 0.04, "thinks_ms": 3300.0}),
    WriterKind("from scratch", _scratch, True),
    WriterKind("from scratch, fast and sure", _scratch, True, {"pause": 0.05, "typo": 0.01}),
    WriterKind("from scratch, looks words up", _scratch_and_look, True),
    WriterKind("each third from scratch", _mixed, True),
    WriterKind("backspacer", _backspace, True),
    WriterKind("second language", _second_language, True, {"pause": 0.3, "pause_ms": 3200.0, "typo": 0.05}),
    WriterKind("looks a word up", _look_up, True),
    WriterKind("interrupted", _interrupted, True),
    WriterKind("dictates", _dictate, True),
    WriterKind("swipes on a phone", lambda writer: _swipe(writer, writer.texts.own, 700, 0.15, 0.05), True),
    WriterKind("takes predictions", lambda writer: _swipe(writer, writer.texts.own, 420, 0.1, 0.02), True),
    WriterKind("letters on a phone", _phone_letters, True),
    WriterKind("autocorrected", _autocorrect, True, {"thinks_ms": 2640.0}),
    WriterKind("screen reader", _careful, True, {"iki": 220.0, "deletes_at_once": False, "thinks_ms": 9000.0}),
    WriterKind("own notes pasted", _own_notes, True),
    WriterKind("grammar program", _grammar_program, True),
    WriterKind("deleter, a third one cut", _one_comma_in_three, True),
    WriterKind("drags words", _drag, True),
]
COPIED = {"typo": 0.02}
CHEATS = [
    WriterKind("pasted", _paste, False),
    WriterKind("pasted in pieces", _paste_in_pieces, False),
    WriterKind("pasted, then edited", _paste_and_edit, False),
    WriterKind("retyped", lambda writer: writer.retype(writer.texts.model, copying=True), False, COPIED),
    WriterKind("fetched, then retyped", _fetch, False, COPIED),
    WriterKind("retyped, returning each clause", _return_each_clause, False, COPIED),
    WriterKind("typed by a program, 45 ms", _constant(45), False),
    WriterKind("typed by a program, 83 ms", _constant(83), False),
    WriterKind("typed by a program, 120 ms", _constant(120), False),
    WriterKind("typed by a program, uniform", lambda w: _timed(w, lambda: 222 * w.rng.uniform(0.5, 1.6)), False),
    WriterKind("typed by a program, lognormal", lambda w: _timed(w, partial(w.about, 180, 0.45)), False),
    WriterKind("set by a script", _set_by_script, False),
    WriterKind("forged edits", lambda writer: writer.edit(writer.texts.model), False),
    WriterKind("forged composition", lambda writer: writer.compose(writer.texts.model), False),
    WriterKind("fetched, swiped on a phone", _phone_fetched, False),
    WriterKind("end cut", lambda writer: _cut_words(writer, _first_that_fit), False),
    WriterKind("cut at the last comma", _cut_at_comma, False),
    WriterKind("cut at a comma, each third honest", _comma_each_third_honest, False),
    WriterKind("cut at a comma, 6 of 7", _comma_but_one, False),
    WriterKind("cut at a comma and one word", _comma_and_a_word, False),
    WriterKind("beginning cut", lambda writer: _cut_words(writer, _last_that_fit), False),
    WriterKind("middle cut", lambda writer: _cut_words(writer, _without_middle), False),
    WriterKind("middle cut at once", _middle_at_once, False),
    WriterKind("cut in a word", _in_a_word, False),
    WriterKind("random words dropped", _random_words, False),
    WriterKind("telegraph", _telegraph, False),
    WriterKind("one generic sentence", _generic, False),
    WriterKind("another's text retyped", lambda w: w.retype(w.texts.others, copying=True), False, COPIED),
]
WRITER_KINDS = {kind.name: kind for kind in (*HONEST, *CHEATS)}


def reworded(source: str, keep_percent: int, skill: float, share: float, rng: random.Random) -> str:
    """Shorten a source, and put other words in the place of a share of its own: what they mean matters to no rule."""

    def word(each: str) -> str:
        bare = each.strip()
        is_other = bare.isalpha() and len(bare) > 3 and rng.random() < share
        return each.replace(bare, rng.choice(STAND_INS)) if is_other else each

    *_, text = [source, *shortenings(source, keep_percent, skill, rng)]
    return "".join(word(each) for each in WORD_AND_SPACE.findall(text))[: allowed_length(source, keep_percent)]


def written(
    kind: WriterKind, habits: Habits, texts: Texts, number: int, rng: random.Random
) -> tuple[str, list[Operation]]:
    """Return what a person hands in for one source, and the log of how it was written."""
    writer = Writer(texts, habits, rng, number)
    kind.act(writer)
    return writer.text, writer.log
