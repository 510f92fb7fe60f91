"""The rules that turn one tree into another, by the alignment of their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from systems.programs.t3.rules import Rule, composed, rule_of
from systems.programs.t3.trees import Tree

MOST_NODES, MOST_COMPOSED, MOST_VARIABLES = 60, 9, 4
"""Most nodes of the source of a rule, of a composed one, and most variables of a composed one."""


class Extracted(NamedTuple):
    """A rule, and the nodes of source and target that each of its variables stands for."""

    rule: Rule
    variables: tuple[tuple[int, int], ...]


@dataclass
class Counts:
    """How often rules were seen.

    Attributes
    ----------
    smallest, composed : Counter of Rule
        The smallest rules, and compositions of two.
    deleted : Counter of (str, str)
        Labels of nodes without an aligned word, after those of the nodes above.
    """

    smallest: Counter[Rule] = field(default_factory=Counter)
    composed: Counter[Rule] = field(default_factory=Counter)
    deleted: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, source: Tree, target: Tree, links: Sequence[int | None]) -> None:
        """Count the rules of a pair.

        Parameters
        ----------
        source, target : Tree
            The trees.
        links : sequence of int or None
            Of each target word the source word that it is aligned with, none of them twice.
        """
        partners, dropped = aligned(source, target, links)
        found = smallest_rules(source, target, partners, dropped)
        for one in found.values():
            self.smallest[one.rule] += 1
            for number, (below, _target) in enumerate(one.variables):
                if (other := found.get(below)) is not None and _may_compose(one, other):
                    self.composed[_composed(one.rule, number, other.rule)] += 1
        for node, is_dropped in enumerate(dropped):
            above = source.parents[node]
            if is_dropped and above >= 0 and not dropped[above]:
                self.deleted[source.labels[above], source.labels[node]] += 1


def _may_compose(one: Extracted, other: Extracted) -> bool:
    nodes = len(one.rule.source) + len(other.rule.source) - 1
    return nodes <= MOST_COMPOSED and len(one.variables) + len(other.variables) - 1 <= MOST_VARIABLES


def aligned(source: Tree, target: Tree, links: Sequence[int | None]) -> tuple[list[int | None], list[bool]]:
    """Align the nodes of two trees.

    Nodes are aligned if a word of the one is aligned into the other and no word of either outside the other. Of several
    target nodes it is the smallest, of equally small ones that with the same label, else the topmost. The roots are
    aligned.

    Parameters
    ----------
    source, target : Tree
        The trees.
    links : sequence of int or None
        Of each target word the source word that it is aligned with, none of them twice.

    Returns
    -------
    list of int or None
        The target node of each source node.
    list of bool
        Of each source node, whether no word of it is aligned.
    """
    of_source: list[int | None] = [None] * len(source.words)
    for place, link in enumerate(links):
        if link is not None:
            of_source[link] = place
    partners, dropped = list[int | None](), list[bool]()
    for node, (begin, end) in enumerate(source.spans):
        places = [place for place in of_source[begin:end] if place is not None]
        dropped.append(not places)
        partners.append(_partner(target, links, places, source.spans[node], source.labels[node]) if places else None)
    partners[source.root] = target.root
    return partners, dropped


def _partner(
    target: Tree, links: Sequence[int | None], places: list[int], span: tuple[int, int], label: str
) -> int | None:
    first, last = min(places), max(places)
    node = target.leaves[first]
    while target.spans[node][1] <= last:
        node = target.parents[node]
    begin, end = target.spans[node]
    if any(link is not None and not span[0] <= link < span[1] for link in links[begin:end]):
        return None
    while target.labels[node] != label:
        above = target.parents[node]
        if above < 0 or target.spans[above] != (begin, end):
            return node
        node = above
    return node


def smallest_rules(
    source: Tree, target: Tree, partners: Sequence[int | None], dropped: Sequence[bool]
) -> dict[int, Extracted]:
    """Return the smallest rule of each aligned node.

    Parameters
    ----------
    source, target : Tree
        The trees.
    partners, dropped
        As from `aligned`.

    Returns
    -------
    dict
        By the source node; a rule of more than 60 nodes is left out.
    """
    found = {}
    for node, partner in enumerate(partners):
        if partner is not None:
            rule = _smallest(source, target, partners, dropped, node, partner)
            if rule is not None:
                found[node] = rule
    return found


def _smallest(
    source: Tree, target: Tree, partners: Sequence[int | None], dropped: Sequence[bool], node: int, partner: int
) -> Extracted | None:
    symbols, variables, waiting = list[str](), list[tuple[int, int]](), [node]
    while waiting:
        each = waiting.pop()
        below = partners[each]
        if each != node and dropped[each]:
            symbols.append("-" + source.labels[each])
        elif each != node and below is not None and target.lowest[partner] <= below < partner:
            symbols.append("#" + source.labels[each])
            variables.append((each, below))
        else:
            symbols.append(source.written(each))
            waiting += reversed(source.children[each])
    numbers = {below: number for number, (_each, below) in enumerate(variables)}
    made, waiting = list[str](), [partner]
    while waiting:
        each = waiting.pop()
        if each in numbers:
            made.append(f"#{numbers[each]}:{target.labels[each]}")
        else:
            made.append(target.written(each))
            waiting += reversed(target.children[each])
    if max(len(symbols), len(made)) > MOST_NODES:
        return None
    return Extracted(rule_of(tuple(symbols), tuple(made)), tuple(variables))


# The same rules come again and again.
_composed = lru_cache(maxsize=100_000)(composed)
