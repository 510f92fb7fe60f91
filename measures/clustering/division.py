"""The course of a division: communities of any number, and the tree of how they came apart."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

Cover: TypeAlias = list[tuple[int, ...]]
"""Communities, each as its nodes in rising order, in rising order."""


@dataclass(frozen=True)
class Step:
    """One step of a division.

    Attributes
    ----------
    kind : {"cut", "split"}
        Whether an edge was cut or a node split.
    node, other : int
        The ends of the edge; or the node, which may be a copy, and the node of the graph that it stands for.
    value : float
        The betweenness of the edge, or the split betweenness of the node, in pairs of nodes.
    moving : tuple of int
        The neighbours that went with the copy, whose number is the next free one; none for a cut.
    """

    kind: Literal["cut", "split"]
    node: int
    other: int
    value: float
    moving: tuple[int, ...] = ()


@dataclass(frozen=True)
class Branch:
    """A community in the tree of a division.

    Attributes
    ----------
    members : tuple of int
        Nodes of the graph, rising; one with two copies in the community stands once.
    step : int or None
        The number of the step, from 1, after which it has come apart; None if it never does.
    parts : tuple of int
        The two branches that it comes apart into, by their places among the branches.
    leaves : tuple of int
        If it never comes apart: its nodes and copies, by their numbers.
    """

    members: tuple[int, ...]
    step: int | None
    parts: tuple[int, ...]
    leaves: tuple[int, ...]


@dataclass(frozen=True)
class Division:
    """All steps of the division of a graph.

    Attributes
    ----------
    nodes : int
        Number of nodes of the graph.
    edges : tuple of (int, int)
        Its edges, rising.
    steps : tuple of Step
        What was done to it.
    complete : bool
        Whether no edge is left. If not, the division was stopped or told how far to go.

    Examples
    --------
    >>> division = Division(3, ((0, 1), (1, 2)), (Step("cut", 0, 1, 2.0), Step("cut", 1, 2, 1.0)), True)
    >>> division.least, division.most, division.cover(2)
    (1, 3, [(0,), (1, 2)])
    """

    nodes: int
    edges: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    complete: bool

    @cached_property
    def isolated(self) -> tuple[int, ...]:
        """The nodes without an edge, which were set aside."""
        return tuple(sorted(set(range(self.nodes)) - {node for edge in self.edges for node in edge}))

    @property
    def least(self) -> int:
        """Number of communities at the start: of parts of the graph with an edge."""
        return len(self.branches) - 2 * self._partings

    @property
    def most(self) -> int:
        """Number of communities at the end, those of copies included."""
        return len(self.branches) - self._partings

    @property
    def _partings(self) -> int:
        return sum(each.step is not None for each in self.branches)

    def cover(self, communities: int, *, isolated: bool = False, drop_subsets: bool = False) -> Cover:
        """Return the communities when there were so many of them for the first time.

        Parameters
        ----------
        communities : int
            How many, of nodes with edges. Below the number at the start it gives the start, beyond the last number the
            last.
        isolated : bool, default False
            Add a community for each node without an edge.
        drop_subsets : bool, default False
            Leave out communities that lie inside others, and all but one of equal ones.

        Returns
        -------
        list of tuple of int
            The communities.

        Raises
        ------
        ValueError
            If `communities` is below 1.
        """
        if communities < 1:
            raise ValueError(f"there is at least 1 community, not {communities}")
        begun = self.least + 2 * min(max(0, communities - self.least), self._partings)
        apart = {place for branch in self.branches[:begun] for place in branch.parts if place < begun}
        found = [branch.members for branch in self.branches[:begun] if not (branch.parts and branch.parts[0] in apart)]
        found += [(node,) for node in self.isolated] if isolated else []
        return without_subsets(found) if drop_subsets else sorted(found)

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The tree: communities at the start, then the two parts of each that comes apart, step by step."""
        origin = [*range(self.nodes), *(step.other for step in self.steps if step.kind == "split")]
        isolated, joined = set(self.isolated), _Joined(len(origin))
        for one, other in self._edges_left():
            joined.join(one, other)
        tree = {
            root: Branch(_members(leaves, origin), None, (), leaves)
            for root, leaves in joined.groups().items()
            if root not in isolated
        }
        made, copy = dict[int, tuple[Branch, Branch]](), len(origin)
        # Backwards, a cut edge comes back and a copy becomes its node again: what joins is what had come apart.
        for number in range(len(self.steps), 0, -1):
            step = self.steps[number - 1]
            copy -= step.kind == "split"
            one, other = joined.root(step.node), joined.root(copy if step.kind == "split" else step.other)
            if one != other:
                first, second = sorted((tree.pop(one), tree.pop(other)), key=lambda each: each.members)
                made[number] = first, second
                members = tuple(sorted({*first.members, *second.members}))
                tree[joined.join(one, other)] = Branch(members, number, (), ())
        return _in_order(sorted(tree.values(), key=lambda each: each.members), made)

    def _edges_left(self) -> list[tuple[int, int]]:
        if self.complete:
            return []
        around, copy = defaultdict[int, set[int]](set), self.nodes
        for one, other in self.edges:
            around[one].add(other)
            around[other].add(one)
        for step in self.steps:
            if step.kind == "cut":
                around[step.node].remove(step.other)
                around[step.other].remove(step.node)
                continue
            for neighbour in step.moving:
                around[neighbour].remove(step.node)
                around[neighbour].add(copy)
            around[step.node].difference_update(step.moving)
            around[copy], copy = set(step.moving), copy + 1
        return [(one, other) for one, others in around.items() for other in others if one < other]


class _Joined:
    """Sets of nodes that are joined two by two."""

    def __init__(self, nodes: int) -> None:
        self._above = list(range(nodes))

    def root(self, node: int) -> int:
        while self._above[node] != node:
            self._above[node] = node = self._above[self._above[node]]
        return node

    def join(self, one: int, other: int) -> int:
        self._above[self.root(other)] = root = self.root(one)
        return root

    def groups(self) -> dict[int, tuple[int, ...]]:
        found = defaultdict[int, list[int]](list)
        for node in range(len(self._above)):
            found[self.root(node)].append(node)
        return {root: tuple(nodes) for root, nodes in found.items()}


def _members(leaves: tuple[int, ...], origin: list[int]) -> tuple[int, ...]:
    return tuple(sorted({origin[leaf] for leaf in leaves}))


def _in_order(roots: list[Branch], parts_at: dict[int, tuple[Branch, Branch]]) -> tuple[Branch, ...]:
    """Number branches in the order in which they come about."""
    found, place_of = list(roots), {each.step: place for place, each in enumerate(roots)}
    for number in sorted(parts_at):
        place = place_of[number]
        found[place] = replace(found[place], parts=(len(found), len(found) + 1))
        for part in parts_at[number]:
            place_of[part.step] = len(found)
            found.append(part)
    return tuple(found)


def without_subsets(cover: Cover) -> Cover:
    """Leave out communities that lie inside others, and all but one of equal ones.

    Parameters
    ----------
    cover : list of tuple of int
        Communities.

    Returns
    -------
    list of tuple of int
        What is left, in rising order.

    Examples
    --------
    >>> without_subsets([(1, 2), (2,), (1, 2, 3), (4,), (4,)])
    [(1, 2, 3), (4,)]
    """
    distinct = {frozenset(each) for each in cover}
    return sorted(tuple(sorted(each)) for each in distinct if not any(each < other for other in distinct))
