"""A grammar of rules with their features, and the rules that may be used at a node of a tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import log
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from measures.core.arrays import FloatArray
from systems.programs.t3.extract import Counts
from systems.programs.t3.rules import Rule, rule_of
from systems.programs.t3.trees import CHAIN, Tree

MOST_TARGETS, MOST_RULES = 20, 2_000_000
"""Most rules with the same source, the most frequent ones; and most rules of a grammar."""

FEATURES = (
    "p(target|source)",
    "p(source|target)",
    "p(rule|labels)",
    "language-model",
    "words",
    "characters",
    "deletions",
    "copies",
    "substitutions",
    "insertions",
    "reorderings",
    "composed",
    "other-label",
    "fallback",
)
"""Followed by one for each relation whose words are deleted."""

LANGUAGE_MODEL, WORDS, CHARACTERS = (FEATURES.index(name) for name in ("language-model", "words", "characters"))
PER_CHARACTERS = 10.0
"""Characters are counted in tens, so that their weight is as large as others."""


_Substitution: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
_RULES = ""
"""Where the rules of a source stand, at the end of the path of its nodes."""


class Use(NamedTuple):
    """A rule at a node: the nodes of its variables, and the places of the words of its source."""

    rule: Rule
    nodes: tuple[int, ...]
    places: tuple[int, ...]


class Grammar:
    """Rules with counts.

    Parameters
    ----------
    counts : mapping of Rule to (int, bool)
        How often each rule was seen, and whether only as a composition.
    deleted : iterable of (str, str)
        Labels of nodes that may be deleted, after those of the nodes above.

    Raises
    ------
    ValueError
        If there are more than two million rules.
    """

    def __init__(self, counts: Mapping[Rule, tuple[int, bool]], deleted: Iterable[tuple[str, str]]) -> None:
        if len(counts) > MOST_RULES:
            raise ValueError(f"{len(counts):,} rules; there is room for {MOST_RULES:,}")
        self.counts, self.deleted = dict(counts), frozenset(deleted)
        self._of_source, self._of_target = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        self._of_labels, self._kinds = Counter[tuple[str, str]](), Counter[tuple[str, ...]]()
        self._target_kinds, self._label_kinds = Counter[tuple[str, ...]](), Counter[tuple[str, str]]()
        by_source = defaultdict[tuple[str, ...], list[Rule]](list)
        for rule, (number, _is_composed) in self.counts.items():
            labels = rule.source_label, rule.target_label
            self._of_source[rule.source] += number
            self._of_target[rule.target] += number
            self._of_labels[labels] += number
            self._kinds[rule.source] += 1
            self._target_kinds[rule.target] += 1
            self._label_kinds[labels] += 1
            by_source[rule.source].append(rule)
        self._paths: dict[str, Any] = {}
        for source, rules in by_source.items():
            rules.sort(key=lambda rule: (-self.counts[rule][0], rule.target))
            at = self._paths
            for node in source:
                at = at.setdefault(node, {})
            at[_RULES] = rules[:MOST_TARGETS]
        self._known: dict[Rule, FloatArray] = {}

    @classmethod
    def of(cls, counts: Counts, *, least: int = 2) -> Grammar:
        """Take the rules that were seen.

        Parameters
        ----------
        counts : Counts
            From pairs.
        least : int, default 2
            Composed rules are left out if seen more seldom; rules that bring in words if these came in more seldom for
            the same words, in whichever rules.

        Returns
        -------
        Grammar
            The grammar.
        """
        came_in = Counter[_Substitution]()
        for rule, number in counts.smallest.items():
            came_in[_substitution(rule)] += number
        kept = {
            rule: (number, False)
            for rule, number in counts.smallest.items()
            if not rule.new_words or came_in[_substitution(rule)] >= least
        }
        for rule, number in counts.composed.items():
            if number >= least and rule not in kept:
                kept[rule] = (number, True)
        return cls(kept, counts.deleted)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the grammar as rows of text."""
        rules = sorted(self.counts.items(), key=lambda each: (each[0].source, each[0].target))
        return (
            *(
                ("composed" if is_composed else "rule", " ".join(rule.source), " ".join(rule.target), str(number))
                for rule, (number, is_composed) in rules
            ),
            *(("deleted", above, label, "") for above, label in sorted(self.deleted)),
        )

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[str]]) -> Grammar:
        """Read what `rows` wrote.

        Raises
        ------
        ValueError
            If a row is none of a grammar; the message has its number.

        Examples
        --------
        >>> rows = (("rule", "1obj/NN #NN", "1nsubj/NN #0:NN", "2"), ("deleted", "obj/NN^", "amod/JJ", ""))
        >>> Grammar.from_rows(rows).rows() == rows
        True
        """
        counts, deleted = dict[Rule, tuple[int, bool]](), list[tuple[str, str]]()
        for place, row in enumerate(rows, start=1):
            try:
                kind, source, target, number = row
                if kind == "deleted":
                    deleted.append((source, target))
                elif kind in {"rule", "composed"} and int(number) > 0:
                    counts[Rule.read(source, target)] = int(number), kind == "composed"
                else:
                    raise ValueError("it is neither a rule nor what may be deleted")
            except ValueError as fault:
                raise ValueError(f"rule {place}: {fault}") from fault
        return cls(counts, deleted)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        relations = {_relation(label) for rule in self.counts for label in rule.deleted}
        relations |= {_relation(label) for _above, label in self.deleted}
        return (*FEATURES, *(f"delete:{relation}" for relation in sorted(relations)))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def features(self, rule: Rule) -> FloatArray:
        """Return the features of a rule by itself; those of words and their likelihood are 0."""
        if (found := self._known.get(rule)) is None:
            found = self._known[rule] = self._features(rule)
        return found

    def _features(self, rule: Rule) -> FloatArray:
        number, is_composed = self.counts.get(rule, (0, False))
        labels = rule.source_label, rule.target_label
        new, lost = len(rule.new_words), len(rule.lost_words)
        found = np.zeros(len(self.names))
        found[: len(FEATURES)] = (
            _log_share(number, self._of_source[rule.source], self._kinds[rule.source]),
            _log_share(number, self._of_target[rule.target], self._target_kinds[rule.target]),
            _log_share(number, self._of_labels[labels], self._label_kinds[labels]),
            0.0,
            0.0,
            0.0,
            len(rule.deleted) + max(0, lost - new),
            rule.is_copy,
            min(new, lost),
            max(0, new - lost),
            rule.crossings,
            is_composed,
            labels[0] != labels[1],
            number == 0,
        )
        for label in rule.deleted:
            place = self._places.get(f"delete:{_relation(label)}")
            if place is not None:
                found[place] += 1
        return found

    def uses(self, tree: Tree, node: int) -> list[Use]:
        """Return the rules that may be used at a node: those seen, its copy, and deletions of one of its children.

        Parameters
        ----------
        tree : Tree
            The tree.
        node : int
            Its node.

        Returns
        -------
        list of Use
            None is there twice.
        """
        found = dict.fromkeys(self._seen(tree, node))
        found.update(dict.fromkeys(_copies(tree, node)))
        found.update(dict.fromkeys(self._deletions(tree, node)))
        return list(found)

    def _seen(self, tree: Tree, node: int) -> Iterator[Use]:
        waiting: list[tuple[dict[str, Any], tuple[int, ...], tuple[int, ...], tuple[int, ...]]]
        waiting = [(self._paths, (node,), (), ())]
        while waiting:
            at, open_, nodes, places = waiting.pop()
            if not open_:
                for rule in at.get(_RULES, ()):
                    yield Use(rule, nodes, places)
                continue
            each, rest = open_[0], open_[1:]
            label, children = tree.labels[each], tree.children[each]
            if (place := tree.places[each]) >= 0:
                if (below := at.get(tree.written(each))) is not None:
                    waiting.append((below, rest, nodes, (*places, place)))
            elif (below := at.get(tree.written(each))) is not None:
                waiting.append((below, (*children, *rest), nodes, places))
            if each != node and (below := at.get("#" + label)) is not None:
                waiting.append((below, rest, (*nodes, each), places))
            if each != node and (below := at.get("-" + label)) is not None:
                waiting.append((below, rest, nodes, places))

    def _deletions(self, tree: Tree, node: int) -> Iterator[Use]:
        children, label = tree.children[node], tree.labels[node]
        if len(children) != 2:
            return
        for gone, kept in (children, children[::-1]):
            if (label, tree.labels[gone]) not in self.deleted:
                continue
            sides = [f"#{tree.labels[kept]}" if child == kept else f"-{tree.labels[child]}" for child in children]
            for target in _may_become(tree.labels[kept]):
                yield Use(rule_of((f"2{label}", *sides), (f"#0:{target}",)), (kept,), ())


def _substitution(rule: Rule) -> _Substitution:
    """Return the words that a rule takes out, and those that it brings in."""
    return tuple(sorted(rule.lost_words)), tuple(sorted(rule.new_words))


def _copies(tree: Tree, node: int) -> Iterator[Use]:
    """Yield the copy of a node, with each label that a child may have whose own children have been deleted."""
    top, children = tree.written(node), tree.children[node]
    if (place := tree.places[node]) >= 0:
        yield Use(rule_of((top,), (top,)), (), (place,))
        return
    below = [tree.labels[child] for child in children]
    source = (top, *(f"#{each}" for each in below))
    targets: list[tuple[str, ...]] = [(top,)]
    for number, each in enumerate(below):
        targets = [(*target, f"#{number}:{own}") for target in targets for own in _may_become(each)]
    for target in targets:
        yield Use(rule_of(source, target), children, ())


def _may_become(label: str) -> tuple[str, ...]:
    """Return a label, and that of the word alone for a node that lacks dependents of its head."""
    if not label.endswith(CHAIN):
        return (label,)
    return label, label.removesuffix(CHAIN).rpartition("/")[2]


def _relation(label: str) -> str:
    return label.removesuffix(CHAIN).rpartition("/")[0] or "word"


def _log_share(number: int, total: int, kinds: int) -> float:
    """Return the log of a relative frequency, after half was added to each that was seen and to all others as one."""
    return log((number + 0.5) / (total + 0.5 * (kinds + 1)))
