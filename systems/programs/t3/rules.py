"""Rules: a piece of the tree of a sentence, and what it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

Piece: TypeAlias = tuple[str, ...]
"""Nodes of a piece, each before its children. A node is written with a first sign that says what it is: "1" or "2" and
the label of a node with so many children; "=" and `word/TAG`; "-" and the label of what is deleted; "#" and the label
of a variable, in a target with its number before it, as "#0:obj/NN"."""


class Variable(NamedTuple):
    """A variable of a target: which one of the source, and the label that its target must have."""

    number: int
    label: str


@dataclass(frozen=True)
class Rule:
    """What a piece of a tree becomes; its sides are pieces with the same variables, as `Rule.read` makes sure.

    Attributes
    ----------
    source, target : tuple of str
        The pieces; variables of the source count from 0, in order.

    Examples
    --------
    >>> rule = Rule(("2obj/NN^", "-amod/JJ", "#NN"), ("#0:NN",))
    >>> rule.source_label, rule.target_label, rule.deleted
    ('obj/NN^', 'NN', ('amod/JJ',))
    """

    source: Piece
    target: Piece

    @classmethod
    def read(cls, source: str, target: str) -> Rule:
        """Read a rule whose sides are written with a space between nodes.

        Raises
        ------
        ValueError
            If one of them is no piece, or they have not the same variables.
        """
        rule = cls(tuple(source.split()), tuple(target.split()))
        if not (_is_piece(rule.source, "12=-#") and _is_piece(rule.target, "12=#")):
            raise ValueError("a rule's side is no piece of a tree")
        found = sorted(part.number for part in rule.yields if isinstance(part, Variable))
        if found != list(range(len(rule.variables))):
            raise ValueError("the variables of a rule's sides differ")
        return rule

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.source, self.target))

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """Labels of the variables of the source."""
        return tuple(node[1:] for node in self.source if node[0] == "#")

    @cached_property
    def yields(self) -> tuple[str | Variable, ...]:
        """Words and variables of the target, in order."""
        return tuple(
            _variable(node) if node[0] == "#" else node[1:].rpartition("/")[0]
            for node in self.target
            if node[0] in "#="
        )

    @property
    def source_label(self) -> str:
        """Label of the source's root."""
        return _label(self.source[0])

    @property
    def target_label(self) -> str:
        """Label of the target's root."""
        first = self.target[0]
        return _variable(first).label if first[0] == "#" else _label(first)

    @property
    def deleted(self) -> tuple[str, ...]:
        """Labels of what is deleted."""
        return tuple(node[1:] for node in self.source if node[0] == "-")

    @property
    def source_words(self) -> list[str]:
        """The words of the source."""
        return [node[1:].rpartition("/")[0] for node in self.source if node[0] == "="]

    @property
    def new_words(self) -> list[str]:
        """Words of the target beyond those of the source."""
        return _beyond([part for part in self.yields if isinstance(part, str)], self.source_words)

    @property
    def lost_words(self) -> list[str]:
        """Words of the source beyond those of the target."""
        return _beyond(self.source_words, [part for part in self.yields if isinstance(part, str)])

    @property
    def is_copy(self) -> bool:
        """Whether the target is the source."""
        number, copied = 0, list[str]()
        for node in self.source:
            copied.append(f"#{number}:{node[1:]}" if node[0] == "#" else node)
            number += node[0] == "#"
        return tuple(copied) == self.target

    @property
    def crossings(self) -> int:
        """How many pairs of variables change their order."""
        numbers = [part.number for part in self.yields if isinstance(part, Variable)]
        return sum(one > other for place, one in enumerate(numbers) for other in numbers[place + 1 :])


rule_of = lru_cache(maxsize=100_000)(Rule)
"""The same rules come again and again, and what is known of one is found once."""


def composed(rule: Rule, number: int, other: Rule) -> Rule:
    """Return a rule with another one in the place of a variable.

    Parameters
    ----------
    rule, other : Rule
        The rules.
    number : int
        The variable; its labels are those of the other rule's roots.

    Returns
    -------
    Rule
        The composition.

    Examples
    --------
    >>> composed(Rule(("1obj/NN", "#NN"), ("1obj/NN", "#0:NN")), 0, Rule(("=home/NN",), ("=house/NN",)))
    Rule(source=('1obj/NN', '=home/NN'), target=('1obj/NN', '=house/NN'))
    """
    more = len(other.variables) - 1
    at = [place for place, node in enumerate(rule.source) if node[0] == "#"][number]
    target = list[str]()
    for node in rule.target:
        if node[0] != "#":
            target.append(node)
            continue
        own = _variable(node)
        if own.number == number:
            target += [_shifted(each, number) for each in other.target]
        else:
            target.append(_shifted(node, more if own.number > number else 0))
    return Rule((*rule.source[:at], *other.source, *rule.source[at + 1 :]), tuple(target))


def _shifted(node: str, by: int) -> str:
    if node[0] != "#":
        return node
    variable = _variable(node)
    return f"#{variable.number + by}:{variable.label}"


def _variable(node: str) -> Variable:
    number, _, label = node[1:].partition(":")
    if not (number.isascii() and number.isdigit()):
        raise ValueError(f"the variable {node!r} has no number")
    return Variable(int(number), label)


def _label(node: str) -> str:
    return node[1:].rpartition("/")[2] if node[0] == "=" else node[1:]


def _is_piece(nodes: Sequence[str], signs: str) -> bool:
    """Say whether nodes are one whole piece, made of these kinds."""
    open_ = 1
    for node in nodes:
        if open_ == 0 or len(node) < 2 or node[0] not in signs:
            return False
        open_ += int(node[0]) - 1 if node[0] in "12" else -1
    return open_ == 0


def _beyond(words: list[str], known: list[str]) -> list[str]:
    left = list(known)
    found = []
    for word in words:
        if word in left:
            left.remove(word)
        else:
            found.append(word)
    return found
