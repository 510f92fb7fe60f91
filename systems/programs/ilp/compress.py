"""Compression of texts by integer linear programming, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.baselines import Compress, first
from systems.programs.ilp.model import Solution, program_of, significance, solve
from systems.programs.ilp.rules import rules_of
from systems.programs.lm.trigrams import TrigramModel
from systems.programs.parses import Parse, Sentence
from systems.programs.texts import Output, Range, Source, Status, is_usable, joined
from systems.programs.tokens import kept_text

WEIGHT = 1.0
MOST_WORDS = 80
"""Of a sentence: the program has a variable for every three words in their order, some 80,000 of 80 words."""

RELAXED: tuple[tuple[str, frozenset[str]], ...] = (
    ("pronouns", frozenset({"pronouns"})),
    ("determiners", frozenset({"determiners"})),
    ("the least length", frozenset()),
    ("arguments", frozenset({"arguments"})),
)
"""What is given up where there is no solution, one after another."""

Found = tuple[Solution, list[str]]


def ilp(parse: Parse, model: TrigramModel, *, weight: float = WEIGHT) -> Compress:
    """Return the system of Clarke and Lapata 2008 on a parser of Universal Dependencies.

    Source: Clarke and Lapata 2008, §3. Where there is no solution, pronouns may go, then determiners, then the output
    may be shorter, then arguments may go; the output says so.

    Parameters
    ----------
    parse : callable
        Parses a sentence.
    model : TrigramModel
        How likely words are in a row, in lower case.
    weight : float, default 1.0
        Weight of how much words matter, against how likely they are in a row.

    Returns
    -------
    callable
        The system; where nothing is found, it gives the `first` words.
    """

    def best(sentence: Sentence, document: Sequence[str], least: int, most: int) -> Found | None:
        matters = weight * significance(sentence, model, document)
        program = program_of(sentence, model, matters, [])
        rules, given_up, gone = rules_of(sentence), list[str](), set[str]()
        for name, kinds in ((("", frozenset[str]())), *RELAXED):
            gone |= kinds
            given_up += [name] if name else []
            least = 1 if name == "the least length" else least
            found = solve(program, [rule for rule in rules if rule.name not in gone], least, most)
            if found is not None:
                return found, given_up
        return None

    return _by_sentence(parse, best)


def most_likely_words(parse: Parse, model: TrigramModel) -> Compress:
    """Return the baseline that keeps the most likely words in a row, without any rule.

    Source: Clarke and Lapata 2008, §4 (their baseline).

    Parameters
    ----------
    parse : callable
        Cuts a sentence into words; its tree is not used.
    model : TrigramModel
        How likely words are in a row, in lower case.

    Returns
    -------
    callable
        The system; where nothing is found, it gives the `first` words.
    """

    def best(sentence: Sentence, _document: Sequence[str], least: int, most: int) -> Found | None:
        program = program_of(sentence, model, np.zeros(len(sentence.words)), [])
        found = solve(program, [], least, most)
        return None if found is None else (found, [])

    return _by_sentence(parse, best)


Best = Callable[[Sentence, Sequence[str], int, int], Found | None]


def _by_sentence(parse: Parse, best: Best) -> Compress:
    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        parsed = [parse(sentence) for sentence in source.sentences]
        if any(len(sentence.words) > MOST_WORDS for sentence in parsed):
            return _instead(source, range_, seed, f"a sentence has more than {MOST_WORDS} words")
        document = [word.text.lower() for sentence in parsed for word in sentence.words]
        parts, notes, is_proved = list[str](), dict[str, None](), True
        for number, (text, sentence) in enumerate(zip(source.sentences, parsed, strict=True)):
            most = range_.most_length(text)
            if number == len(parsed) - 1:  # it also has what the others left
                most = range_.most_length(source.text) - sum(length(part) + 1 for part in parts)
            found = best(sentence, document, range_.least_length(text), most)
            if found is None:
                return _instead(source, range_, seed)
            solution, given_up = found
            parts.append(kept_text(sentence.words, solution.kept))
            notes.update(dict.fromkeys(given_up))
            is_proved = is_proved and solution.is_proved
        text = joined(parts)
        if not is_usable(source, text, range_):
            return _instead(source, range_, seed)
        if notes:
            return Output(text, Status.RELAXED, f"without the rules of {', '.join(notes)}")
        return Output(text) if is_proved else Output(text, Status.UNPROVED, "the most nodes were looked at")

    return compress


def _instead(
    source: Source, range_: Range, seed: int, note: str = "no compression keeps the rules"
) -> Output | Undefined:
    words = first(source, range_, seed)
    return words if isinstance(words, Undefined) else Output(words.text, Status.FALLBACK, note)
