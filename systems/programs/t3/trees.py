"""Binary trees made from the dependencies of a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from systems.programs.parses import Sentence, Word

CHAIN = "^"
"""Ends the label of a node that lacks dependents of its head."""


@dataclass(frozen=True)
class Tree:
    """A tree; children come before their parents, and the root last.

    Attributes
    ----------
    labels : tuple of str
        Of each node: the tag of a leaf, else relation and tag.
    children : tuple of tuple of int
        None for a leaf, one or two for other nodes.
    places : tuple of int
        Of each leaf the place of its word, else -1.
    spans : tuple of (int, int)
        Of each node the places of its first word and after its last.
    words : tuple of str
        The words; the first one without a capital that it only has there.
    """

    labels: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[str, ...]

    @cached_property
    def root(self) -> int:
        """The last node."""
        return len(self.labels) - 1

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """Of each node its parent; the root's is -1."""
        found = [-1] * len(self.labels)
        for node, children in enumerate(self.children):
            for child in children:
                found[child] = node
        return tuple(found)

    @cached_property
    def lowest(self) -> tuple[int, ...]:
        """Of each node the first of the nodes below it, or itself: they stand in a row."""
        found: list[int] = []
        for node, children in enumerate(self.children):
            found.append(min((found[child] for child in children), default=node))
        return tuple(found)

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Of each word its leaf."""
        found = [0] * len(self.words)
        for node, place in enumerate(self.places):
            if place >= 0:
                found[place] = node
        return tuple(found)

    def written(self, node: int) -> str:
        """Return a node as rules have it: its word and label, or the number of its children and its label."""
        if self.places[node] >= 0:
            return f"={self.words[self.places[node]]}/{self.labels[node]}"
        return f"{len(self.children[node])}{self.labels[node]}"


def tree_of(sentence: Sentence) -> Tree:
    """Make the binary tree of a sentence.

    Each word is a leaf, labelled by the first two letters of its tag. First its right dependents, from near to far, and
    then its left ones are attached one at a time by nodes `relation/TAG^`; a node `relation/TAG` is on top. A dependent
    that would break the order of the words is lifted to its nearest ancestor where it does not.

    Parameters
    ----------
    sentence : Sentence
        At least one word.

    Returns
    -------
    Tree
        The tree.

    Raises
    ------
    ValueError
        If there is no word.

    Examples
    --------
    >>> words = (Word("Men", True, 1, "nsubj", "NOUN", "NNS"), Word("slept", True, 1, "root", "VERB", "VBD"))
    >>> tree = tree_of(Sentence(words))
    >>> tree.labels, tree.children[-1]
    (('NN', 'nsubj/NN', 'VB', 'root/VB^', 'root/VB'), (3,))
    """
    if not sentence.words:
        raise ValueError("a sentence without words has no tree")
    heads = _ordered_heads(sentence)
    dependents: list[list[int]] = [[] for _ in heads]
    for place, head in enumerate(heads):
        if head != place:
            dependents[head].append(place)
    made = _Making(sentence, dependents)
    made.subtree(next(place for place, head in enumerate(heads) if head == place))
    words = tuple(_form(word, place) for place, word in enumerate(sentence.words))
    return Tree(tuple(made.labels), tuple(made.children), tuple(made.places), tuple(made.spans), words)


class _Making:
    """The nodes made so far."""

    def __init__(self, sentence: Sentence, dependents: list[list[int]]) -> None:
        self.sentence, self.dependents = sentence, dependents
        self.labels, self.children = list[str](), list[tuple[int, ...]]()
        self.places, self.spans = list[int](), list[tuple[int, int]]()

    def node(self, label: str, children: tuple[int, ...], place: int = -1) -> int:
        self.labels.append(label)
        self.children.append(children)
        self.places.append(place)
        own = (place, place + 1)
        self.spans.append((self.spans[children[0]][0], self.spans[children[-1]][1]) if children else own)
        return len(self.labels) - 1

    def subtree(self, place: int) -> int:
        """Make the nodes below a word in an order in which those of each node stand in a row."""
        word = self.sentence.words[place]
        label = f"{word.plain_relation or 'dep'}/{_tag(word)}"
        left = [each for each in self.dependents[place] if each < place]
        made_left = [self.subtree(each) for each in left]
        found = self.node(_tag(word), (), place)
        for each in (each for each in self.dependents[place] if each > place):
            found = self.node(label + CHAIN, (found, self.subtree(each)))
        for each in reversed(made_left):
            found = self.node(label + CHAIN, (each, found))
        return self.node(label, (found,))


def _tag(word: Word) -> str:
    return (word.tag or word.pos or "X")[:2].replace("/", "|")


def _form(word: Word, place: int) -> str:
    """Return a word without the capital that it has as the first one."""
    initial, rest = word.text[:1], word.text[1:]
    is_name = word.pos == "PROPN" or word.text == "I" or rest != rest.lower()
    is_plain = len(initial.lower()) == 1 and initial.lower().upper() == initial
    return initial.lower() + rest if place == 0 and is_plain and not is_name else word.text


def _ordered_heads(sentence: Sentence) -> list[int]:
    """Return heads with one root, without circles, and with all words below a head in a row."""
    heads = [word.head for word in sentence.words]
    root = next((place for place, head in enumerate(heads) if place == head), 0)
    heads[root] = root
    for place in range(len(heads)):
        seen, each = set[int](), place
        while each != root and each not in seen:
            seen.add(each)
            each = heads[each]
        if each != root:  # a circle, or another root
            heads[each] = root
    while (lifted := _crossing(heads)) is not None:
        heads[lifted] = heads[heads[lifted]]
    return heads


def _crossing(heads: list[int]) -> int | None:
    """Return the dependent nearest to its head of those with a word between that is not below the head."""

    def is_below(place: int, head: int) -> bool:
        while place != head and heads[place] != place:
            place = heads[place]
        return place == head

    for place in sorted(range(len(heads)), key=lambda place: (abs(heads[place] - place), place)):
        head = heads[place]
        low, high = min(head, place), max(head, place)
        if not all(is_below(between, head) for between in range(low + 1, high)):
            return place
    return None
