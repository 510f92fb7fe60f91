"""The integer linear program of a sentence: which words to keep, so that they are likely in a row and matter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import scipy

from measures.core.arrays import FloatArray, IntArray
from systems.programs.ilp.rules import CLAUSES, Rule
from systems.programs.lm.trigrams import BEGIN_PLACE, END_PLACE, TrigramModel
from systems.programs.parses import Sentence
from systems.programs.tokens import FINAL

TIE = 1e-9
"""Is taken from the weight of a word, times its place, so that of equal compressions the earlier words stay."""

_OPENING, _NO_BEGIN = frozenset(("(", "[", '"', "“", "«", "„", "‘", "``")), frozenset(")]}»”’,;:.!?…'")


@dataclass(frozen=True)
class Solution:
    """The words that are kept, what they are worth, and whether nothing is worth more."""

    kept: frozenset[int]
    value: float
    is_proved: bool


def significance(sentence: Sentence, model: TrigramModel, document: Sequence[str]) -> FloatArray:
    """Return how much each word matters; 0 for all but nouns and verbs.

    Source: Clarke and Lapata 2008, §3.2: (l / N) f ln(F_a / F).

    Parameters
    ----------
    sentence : Sentence
        A parsed sentence.
    model : TrigramModel
        Its counts are those of the corpus: F of a word, at least 1, and F_a of all. Where it has none, as when it was
        read from an ARPA file, its own probability of the word stands for F / F_a.
    document : sequence of str
        Lower-case words of the document, or of the source: f of a word.

    Returns
    -------
    FloatArray of shape (words,)
        l is the number of clauses from the root down to the word, N the most of any word of the sentence.
    """
    depth = np.array([_clauses_above(sentence, place) for place in range(len(sentence.words))], dtype=np.float64)
    counts = {word: document.count(word) for word in {each.text.lower() for each in sentence.words}}
    rarity = _rarity(model)
    found = np.zeros(len(sentence.words))
    for place, word in enumerate(sentence.words):
        if word.pos in {"NOUN", "PROPN", "VERB"}:
            form = word.text.lower()
            found[place] = max(1, counts[form]) * rarity(model.vocabulary.number(form))
    matters: FloatArray = found * depth / max(1.0, float(depth.max(initial=0)))
    return matters


def _rarity(model: TrigramModel) -> Callable[[int], float]:
    """Return ln(F_a / F) of a word by its number; a model that knows no counts says how unlikely it takes the word."""
    if not model.counts.any():
        return lambda number: -float(model.unigrams.log_p[number])
    total = int(model.counts.sum())
    return lambda number: log(total / max(1, int(model.counts[number]) if number else 1))


def _clauses_above(sentence: Sentence, place: int) -> int:
    found, seen = 0, set[int]()
    while place not in seen:
        seen.add(place)
        found += sentence.words[place].plain_relation in CLAUSES
        place = sentence.words[place].head
    return found


@dataclass(frozen=True, eq=False)
class Program:
    """What is to be solved: the arcs that may be, their values, and the lengths.

    Attributes
    ----------
    begins, pairs, triples, ends : IntArray of shape (count, 1), (count, 2), (count, 3), (count, 2)
        Words that may come first, first and second, one after another, and last.
    begin_values, pair_values, triple_values, end_values : FloatArray
        The value of each.
    weights : FloatArray of shape (words,)
        What keeping a word is worth by itself.
    lengths, spaces : FloatArray of shape (words,)
        Characters of each word, and whether white space stands to its left.
    """

    begins: IntArray
    pairs: IntArray
    triples: IntArray
    ends: IntArray
    begin_values: FloatArray
    pair_values: FloatArray
    triple_values: FloatArray
    end_values: FloatArray
    weights: FloatArray
    lengths: FloatArray
    spaces: FloatArray

    def value(self, kept: Collection[int]) -> float | None:
        """Return what words are worth that are kept; None if one of their arcs may not be."""
        words = sorted(kept)
        if len(words) < 2:
            return None
        arcs = [
            (self.begins, self.begin_values, [words[:1]]),
            (self.pairs, self.pair_values, [words[:2]]),
            (self.triples, self.triple_values, [words[at : at + 3] for at in range(len(words) - 2)]),
            (self.ends, self.end_values, [words[-2:]]),
        ]
        total = float(self.weights[words].sum())
        for rows, values, wanted in arcs:
            for each in wanted:
                at = np.flatnonzero((rows == each).all(axis=1))
                if not len(at):
                    return None
                total += float(values[at[0]])
        return total

    def length(self, kept: Collection[int]) -> int:
        """Return the characters of words that are kept, with the white space between them."""
        words = sorted(kept)
        return int(self.lengths[words].sum() + self.spaces[words].sum() - self.spaces[words[0]]) if words else 0


def program_of(sentence: Sentence, model: TrigramModel, weights: FloatArray, must_stay: Collection[int]) -> Program:
    """Set up the program of a sentence.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    model : TrigramModel
        How likely words are in a row, in lower case.
    weights : FloatArray of shape (words,)
        What each word is worth by itself.
    must_stay : collection of int
        Words that no arc may jump over.

    Returns
    -------
    Program
        Two signs are neighbours only if they are so in the sentence, no compression begins with a closing sign, and a
        final mark stays.
    """
    words = sentence.words
    n = len(words)
    stays = set(must_stay) | ({n - 1} if n and words[-1].text in FINAL else set())
    next_stay = [min((each for each in stays if each > place), default=n - 1) for place in range(-1, n)]
    signs = [word.is_sign for word in words]

    def follows(place: int) -> list[int]:
        """Return the words that may come next; -1 is before the first."""
        last = next_stay[place + 1]
        return [
            each
            for each in range(place + 1, last + 1)
            if place < 0 or not (signs[place] and signs[each]) or each == place + 1
        ]

    begins = [each for each in follows(-1) if words[each].text not in _NO_BEGIN]
    after = [follows(place) for place in range(n)]
    last_stay = max(stays, default=-1)
    pairs = [(i, j) for i in begins for j in after[i]]
    reached = sorted({(i, j) for i in range(n) for j in after[i]})
    triples = [(i, j, k) for i, j in reached for k in after[j]]
    ends = [(i, j) for i, j in reached if j >= last_stay]
    numbers = model.vocabulary.numbers(word.text.lower() for word in words)
    tables = [
        np.array(rows, dtype=np.int64).reshape(-1, width)
        for rows, width in ((begins, 1), (pairs, 2), (triples, 3), (ends, 2))
    ]
    first, second, third, last = tables

    def log_p(one: Any, two: Any, three: Any) -> FloatArray:
        return model.log_probabilities(*np.broadcast_arrays(one, two, three))

    return Program(
        first,
        second,
        third,
        last,
        log_p(BEGIN_PLACE, BEGIN_PLACE, numbers[first[:, 0]]),
        log_p(BEGIN_PLACE, numbers[second[:, 0]], numbers[second[:, 1]]),
        log_p(numbers[third[:, 0]], numbers[third[:, 1]], numbers[third[:, 2]]),
        log_p(numbers[last[:, 0]], numbers[last[:, 1]], END_PLACE),
        weights - TIE * np.arange(n),
        np.array([len(word.text) for word in words], dtype=np.float64),
        np.array(
            [
                word.is_spaced or (place > 0 and words[place - 1].text in _OPENING and not word.is_sign)
                for place, word in enumerate(words)
            ],
            dtype=np.float64,
        ),
    )


def solve(
    program: Program, rules: Sequence[Rule], least: int, most: int, *, node_limit: int = 20_000
) -> Solution | None:
    """Find the best compression.

    Parameters
    ----------
    program : Program
        The program.
    rules : sequence of Rule
        What must hold.
    least, most : int
        Characters.
    node_limit : int
        Most nodes of branch and bound: no decision is made by the clock.

    Returns
    -------
    Solution or None
        None if there is none.
    """
    n = len(program.weights)
    sizes = [n, len(program.begins), len(program.pairs), len(program.triples), len(program.ends)]
    if not all(sizes[1:3]) or not sizes[4]:
        return None
    d, a, s, g, b = np.cumsum([0, *sizes[:-1]]).tolist()
    rows = _Rows(sum(sizes))
    place = {(int(i), int(j)): number for number, (i, j) in enumerate(_all_pairs(program))}
    # What comes to a pair goes on from it: first two or after another one; to a third or to the end.
    flow = len(place)
    rows.add(
        flow,
        [
            (np.array([place[i, j] for i, j in program.pairs.tolist()]), s + np.arange(sizes[2]), 1.0),
            (
                np.array([place[j, k] for _i, j, k in program.triples.tolist()], dtype=np.int64),
                g + np.arange(sizes[3]),
                1.0,
            ),
            (
                np.array([place[i, j] for i, j, _k in program.triples.tolist()], dtype=np.int64),
                g + np.arange(sizes[3]),
                -1.0,
            ),
            (np.array([place[i, j] for i, j in program.ends.tolist()]), b + np.arange(sizes[4]), -1.0),
        ],
        0,
        0,
    )
    number_of = {int(word): number for number, word in enumerate(program.begins[:, 0])}
    rows.add(
        sizes[1],
        [
            (np.arange(sizes[1]), a + np.arange(sizes[1]), 1.0),
            (np.array([number_of[i] for i in program.pairs[:, 0].tolist()]), s + np.arange(sizes[2]), -1.0),
        ],
        0,
        0,
    )
    rows.add(1, [(np.zeros(sizes[1], np.int64), a + np.arange(sizes[1]), 1.0)], 1, 1)
    rows.add(1, [(np.zeros(sizes[4], np.int64), b + np.arange(sizes[4]), 1.0)], 1, 1)
    rows.add(
        n,
        [
            (np.arange(n), d + np.arange(n), 1.0),
            (program.begins[:, 0], a + np.arange(sizes[1]), -1.0),
            (program.pairs[:, 1], s + np.arange(sizes[2]), -1.0),
            (program.triples[:, 2], g + np.arange(sizes[3]), -1.0),
        ],
        0,
        0,
    )
    rows.add(
        1,
        [
            (np.zeros(n, np.int64), d + np.arange(n), program.lengths + program.spaces),
            (np.zeros(sizes[1], np.int64), a + np.arange(sizes[1]), -program.spaces[program.begins[:, 0]]),
        ],
        least,
        most,
    )
    for rule in rules:
        words = np.array(list(rule.weights), dtype=np.int64)
        weights = np.array(list(rule.weights.values()), dtype=np.float64)
        rows.add(1, [(np.zeros(len(words), np.int64), d + words, weights)], rule.low, rule.high)
    values = np.concatenate(
        [program.weights, program.begin_values, program.pair_values, program.triple_values, program.end_values]
    )
    integrality = np.zeros(sum(sizes))
    integrality[:n] = 1
    found = scipy.optimize.milp(
        -values,
        integrality=integrality,
        bounds=scipy.optimize.Bounds(0, 1),
        constraints=rows.constraint(),
        options={"mip_rel_gap": 0, "node_limit": node_limit, "presolve": True},
    )
    if found.x is None:
        return None
    kept = frozenset(np.flatnonzero(found.x[:n] > 0.5).tolist())
    return Solution(kept, float(-found.fun), found.status == 0)


def _all_pairs(program: Program) -> IntArray:
    return np.unique(
        np.concatenate([program.pairs, program.triples[:, :2], program.triples[:, 1:], program.ends]), axis=0
    )


class _Rows:
    """The rows of a sparse matrix of constraints, block by block."""

    def __init__(self, columns: int) -> None:
        self.columns, self.number = columns, 0
        self.parts: list[tuple[IntArray, IntArray, FloatArray]] = []
        self.low: list[FloatArray] = []
        self.high: list[FloatArray] = []

    def add(self, number: int, parts: Sequence[tuple[Any, Any, Any]], low: float, high: float) -> None:
        for rows, columns, values in parts:
            self.parts.append(
                (self.number + rows, columns, np.broadcast_to(np.asarray(values, np.float64), np.shape(rows)))
            )
        self.number += number
        self.low.append(np.full(number, low, dtype=np.float64))
        self.high.append(np.full(number, high, dtype=np.float64))

    def constraint(self) -> Any:
        rows, columns, values = (np.concatenate(each) for each in zip(*self.parts, strict=True))
        matrix = scipy.sparse.coo_array((values, (rows, columns)), shape=(self.number, self.columns)).tocsr()
        return scipy.optimize.LinearConstraint(matrix, np.concatenate(self.low), np.concatenate(self.high))
