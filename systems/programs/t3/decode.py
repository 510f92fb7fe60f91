"""The best shorter trees of a tree, from its leaves up (cube pruning: Chiang 2007, "Hierarchical phrase-based
translation", §5)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from measures.core.arrays import FloatArray
from systems.programs.lm.trigrams import BEGIN_PLACE, END_PLACE, TrigramModel
from systems.programs.parses import Sentence
from systems.programs.t3.grammar import CHARACTERS, LANGUAGE_MODEL, PER_CHARACTERS, WORDS, Grammar, Use
from systems.programs.t3.rules import Rule, Variable
from systems.programs.t3.trees import Tree, tree_of
from systems.programs.tokens import CLOSING

BINS = 12
_OPENING = frozenset(("(", "[", "{", '"', "“", "«", "„", "‘", "``", "$", "£", "€"))
_CLITICS = frozenset(("'s", "’s", "'", "’", "n't", "n’t", "'re", "'ve", "'ll", "'d", "'m"))
Ends = tuple[int, ...]


@dataclass(frozen=True)
class Beam:
    """How many items are kept of a node.

    Attributes
    ----------
    items : int or None
        Most items; None for all of them.
    in_bin : int or None
        Most items of about the same length, of twelve lengths up to that of the node's own words; None for all, and
        then items count as the same only if their lengths are.
    """

    items: int | None = 100
    in_bin: int | None = 10


@dataclass(frozen=True, eq=False)
class Item:
    """What a node may become.

    Attributes
    ----------
    label : str
        Label of the target.
    words : int
        How many there are.
    left, right : tuple of int
        Numbers of the first two and the last two words.
    characters : int
        With the white space between words.
    likely : float
        ln P of the words whose two words before are known.
    score : float
        The weighted sum of all features.
    use : Use
        The rule.
    below : tuple of Item
        Of the rule's variables.
    """

    label: str
    words: int
    left: Ends
    right: Ends
    characters: int
    likely: float
    score: float
    use: Use
    below: tuple[Item, ...]

    @property
    def key(self) -> tuple[str, Ends, Ends]:
        """What the rest of the sentence sees of it, but for its length."""
        return self.label, self.left, self.right


class Made(NamedTuple):
    """A shorter sentence."""

    text: str
    score: float
    item: Item


class _Words:
    """The words of a sentence and those that rules bring in, by number: the former are numbered by their places."""

    def __init__(self, sentence: Sentence, tree: Tree, model: TrigramModel) -> None:
        self.sentence, self.model = sentence, model
        self.forms = list(tree.words)
        self.known = [model.vocabulary.number(form.lower()) for form in self.forms]
        self._new: dict[str, int] = {}
        self._likely: dict[tuple[int, int, int], float] = {}
        self._apart: dict[tuple[int, int], bool] = {}

    def new(self, form: str) -> int:
        if (number := self._new.get(form)) is None:
            number = self._new[form] = len(self.forms)
            self.forms.append(form)
            self.known.append(self.model.vocabulary.number(form.lower()))
        return number

    def log_p(self, first: int, second: int, word: int) -> float:
        """Return ln P of a word after two others, by their numbers in the language model."""
        key = first, second, word
        if (found := self._likely.get(key)) is None:
            arrays = (np.array([each], dtype=np.int64) for each in key)
            found = self._likely[key] = float(self.model.log_probabilities(*arrays)[0])
        return found

    def is_apart(self, before: int, word: int) -> bool:
        """Say whether white space stands between two words."""
        if (found := self._apart.get((before, word))) is None:
            found = self._apart[before, word] = self._has_space(before, word)
        return found

    def _has_space(self, before: int, word: int) -> bool:
        own = self.sentence.words[word] if word < len(self.sentence.words) else None
        if own is not None and before == word - 1:
            return own.is_spaced
        form = self.forms[word]
        if form in CLOSING or form.lower() in _CLITICS or self.forms[before] in _OPENING:
            return False
        return own is None or own.is_spaced or not own.is_sign


class Decoder:
    """Finds what a sentence may become.

    Parameters
    ----------
    grammar : Grammar
        The rules.
    weights : FloatArray of shape (features,)
        Weight of each of the grammar's features.
    model : TrigramModel
        How likely words are in a row, in lower case.
    beam : Beam
        How many items are kept.
    """

    def __init__(self, grammar: Grammar, weights: FloatArray, model: TrigramModel, beam: Beam = Beam()) -> None:
        self.grammar, self.weights, self.model, self.beam = grammar, weights, model, beam
        self.of_rule: dict[Rule, float] = {}

    def best(self, sentence: Sentence) -> list[Made]:
        """Return the best shorter sentences.

        Parameters
        ----------
        sentence : Sentence
            A parsed sentence of at least one word.

        Returns
        -------
        list of Made
            The best first; no more than there are items of a node.
        """
        tree = tree_of(sentence)
        return _Search(self, sentence, tree).found()

    def features(self, made: Made) -> FloatArray:
        """Return the features of a shorter sentence: its score is their sum, each times its weight."""
        whole, waiting = np.zeros(len(self.weights)), [made.item]
        while waiting:
            item = waiting.pop()
            whole += self.grammar.features(item.use.rule)
            waiting += item.below
        whole[LANGUAGE_MODEL] += made.item.likely
        whole[WORDS] += made.item.words
        whole[CHARACTERS] += made.item.characters / PER_CHARACTERS
        return whole

    def score_of(self, rule: Rule) -> float:
        """Return what a rule is worth by itself."""
        if (found := self.of_rule.get(rule)) is None:
            found = self.of_rule[rule] = float(self.weights @ self.grammar.features(rule))
        return found


class _Search:
    """The items of the nodes of one tree."""

    def __init__(self, decoder: Decoder, sentence: Sentence, tree: Tree) -> None:
        self.decoder, self.sentence, self.tree = decoder, sentence, tree
        self.words = _Words(sentence, tree, decoder.model)
        self.by_label: list[dict[str, list[Item]]] = []
        weights = decoder.weights
        self.of_likely, self.of_word = float(weights[LANGUAGE_MODEL]), float(weights[WORDS])
        self.of_character = float(weights[CHARACTERS]) / PER_CHARACTERS

    def found(self) -> list[Made]:
        for node in range(len(self.tree.labels)):
            by_label: dict[str, list[Item]] = {}
            for item in self.kept(node, self.cheapest(node)):
                by_label.setdefault(item.label, []).append(item)
            self.by_label.append(by_label)
        whole = [self.whole(item) for items in self.by_label[-1].values() for item in items]
        return sorted(whole, key=lambda made: (-made.score, made.text))

    def cheapest(self, node: int) -> Iterator[Item]:
        """Yield items of a node, about the best first."""
        order, heap, seen = count(), list[tuple[float, int, int, tuple[int, ...], Item]](), set[tuple[int, Ends]]()
        choices = []
        for use in self.decoder.grammar.uses(self.tree, node):
            wanted = sorted(part for part in use.rule.yields if isinstance(part, Variable))
            lists = [
                self.by_label[below].get(variable.label, []) for below, variable in zip(use.nodes, wanted, strict=True)
            ]
            if all(lists):
                choices.append((use, self.plan(use), lists))

        def push(choice: int, ranks: tuple[int, ...]) -> None:
            use, plan, lists = choices[choice]
            if (choice, ranks) in seen or any(rank >= len(items) for rank, items in zip(ranks, lists, strict=True)):
                return
            seen.add((choice, ranks))
            below = tuple(items[rank] for rank, items in zip(ranks, lists, strict=True))
            item = self.combined(use, plan, below)
            heapq.heappush(heap, (-item.score, next(order), choice, ranks, item))

        for choice, (_use, _plan, lists) in enumerate(choices):
            push(choice, (0,) * len(lists))
        while heap:
            _score, _order, choice, ranks, item = heapq.heappop(heap)
            yield item
            for number in range(len(ranks)):
                push(choice, (*ranks[:number], ranks[number] + 1, *ranks[number + 1 :]))

    def kept(self, node: int, items: Iterator[Item]) -> list[Item]:
        """Return the best items of a node, one of those that look the same to the rest of the sentence."""
        most, in_bin = self.decoder.beam.items, self.decoder.beam.in_bin
        begin, end = self.tree.spans[node]
        own = 1 + sum(len(self.words.forms[place]) + 1 for place in range(begin, end))
        best = dict[tuple[str, Ends, Ends, int], Item]()
        for tried, item in enumerate(items, start=1):
            place = item.characters if in_bin is None else min(BINS - 1, BINS * item.characters // own)
            key = (*item.key, place)
            if key not in best or item.score > best[key].score:
                best[key] = item
            if most is not None and tried >= 2 * most:
                break
        chosen, filled = list[Item](), dict[int, int]()
        for key, item in sorted(best.items(), key=lambda each: (-each[1].score, each[0])):
            filled[key[-1]] = filled.get(key[-1], 0) + 1
            if (in_bin is None or filled[key[-1]] <= in_bin) and (most is None or len(chosen) < most):
                chosen.append(item)
        return chosen

    def plan(self, use: Use) -> tuple[tuple[bool, int], ...]:
        """Return the parts of a rule's target: words by their numbers, and variables, which are marked by True."""
        left = list(use.places)
        found = []
        for part in use.rule.yields:
            if isinstance(part, Variable):
                found.append((True, part.number))
                continue
            place = next((each for each in left if self.words.forms[each] == part), None)
            if place is not None:
                left.remove(place)
            found.append((False, self.words.new(part) if place is None else place))
        return tuple(found)

    def combined(self, use: Use, plan: Sequence[tuple[bool, int]], below: tuple[Item, ...]) -> Item:
        line = _Line(self.words)
        score = self.decoder.score_of(use.rule)
        for is_variable, number in plan:
            if is_variable:
                item = below[number]
                line.add_item(item)
                score += item.score
            else:
                line.add(number)
        score += self.of_likely * (line.likely - sum(item.likely for item in below))
        score += self.of_word * (line.number - sum(item.words for item in below))
        score += self.of_character * (line.characters - sum(item.characters for item in below))
        return Item(
            use.rule.target_label,
            line.number,
            tuple(line.left),
            tuple(line.right),
            line.characters,
            line.likely,
            score,
            use,
            below,
        )

    def whole(self, item: Item) -> Made:
        """Return a sentence, with the likelihood of its beginning and end."""
        numbers = [BEGIN_PLACE, BEGIN_PLACE, *(self.words.known[word] for word in item.left)]
        likely = sum(self.words.log_p(*numbers[place - 2 : place + 1]) for place in range(2, len(numbers)))
        before = ([BEGIN_PLACE, BEGIN_PLACE, *(self.words.known[word] for word in item.right)])[-2:]
        likely += self.words.log_p(before[0], before[1], END_PLACE)
        done = Item(
            item.label,
            item.words,
            item.left,
            item.right,
            item.characters,
            item.likely + likely,
            item.score + self.of_likely * likely,
            item.use,
            item.below,
        )
        return Made(self.text(list(self.yield_of(done))), done.score, done)

    def yield_of(self, item: Item) -> Iterator[int]:
        for is_variable, number in self.plan(item.use):
            if is_variable:
                yield from self.yield_of(item.below[number])
            else:
                yield number

    def text(self, numbers: Sequence[int]) -> str:
        written = ""
        for place, number in enumerate(numbers):
            is_apart = place > 0 and self.words.is_apart(numbers[place - 1], number)
            written += (" " if is_apart else "") + self.words.forms[number]
        is_capital = "".join(word.text for word in self.sentence.words)[:1].isupper()
        return written[:1].upper() + written[1:] if is_capital else written


class _Line:
    """Words in a row, with what is known of them."""

    def __init__(self, words: _Words) -> None:
        self.words = words
        self.left, self.right = list[int](), list[int]()
        self.number, self.characters, self.likely = 0, 0, 0.0

    def add(self, word: int) -> None:
        self._after(word, len(self.words.forms[word]))

    def add_item(self, item: Item) -> None:
        """Add the words of an item, of which it knows all but the likelihood of the first two."""
        inner = item.characters
        if item.words <= 2:
            for place, word in enumerate(item.left):
                self._after(word, inner if place == 0 else 0, is_inside=place > 0)
        else:
            self._after(item.left[0], inner)
            self._after(item.left[1], 0, is_inside=True)
            self.number += item.words - 2
            self.right = list(item.right)
        self.likely += item.likely

    def _after(self, word: int, characters: int, *, is_inside: bool = False) -> None:
        if self.number >= 2:
            known = self.words.known
            self.likely += self.words.log_p(known[self.right[-2]], known[self.right[-1]], known[word])
        else:
            self.left.append(word)
        if self.number and not is_inside:
            self.characters += self.words.is_apart(self.right[-1], word)
        self.characters += characters
        self.right = [*self.right[-1:], word]
        self.number += 1
