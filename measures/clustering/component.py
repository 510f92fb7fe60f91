"""A part of a graph that is being divided: its betweenness, kept up to date as it changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from measures.clustering.betweenness import (
    ShortestPaths,
    edge_betweenness,
    for_products,
    pair_betweenness,
    shortest_paths,
    times,
)
from measures.clustering.neighbour_groups import node_split, slack
from measures.core.arrays import BoolArray, FloatArray, IntArray


@dataclass(eq=False)
class Component:
    """A connected graph. Nodes are named by their place in it, edges by their place among the edges.

    Attributes
    ----------
    nodes : array of int, shape (k,)
        The numbers of its nodes in the whole graph, rising.
    adjacency : FloatArray of shape (k, k)
        Ones and zeros.
    edges : array of int, shape (m, 2)
        The edges as rising pairs, in rising order.
    horizon : int or None
        The longest path that counts, in edges.
    splitting : bool
        Whether nodes may be split.
    found : ShortestPaths
        The paths between all nodes.
    betweenness : FloatArray of shape (m,)
        Edge betweenness, in pairs of nodes.
    bound : FloatArray of shape (k,)
        What the split betweenness of each node does not exceed.
    splits : dict of int to tuple of int
        Of the nodes whose bound is their split betweenness: the neighbours that go with a copy.
    """

    nodes: IntArray
    adjacency: FloatArray
    edges: IntArray
    horizon: int | None
    splitting: bool
    found: ShortestPaths
    betweenness: FloatArray
    bound: FloatArray
    splits: dict[int, tuple[int, ...]] = field(default_factory=dict)
    best_cut: tuple[float, int, int] = field(init=False, default=(0.0, 0, 0))

    @classmethod
    def of(cls, nodes: IntArray, adjacency: FloatArray, *, horizon: int | None, splitting: bool) -> Component:
        """Compute the betweenness of a connected graph.

        Examples
        --------
        >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
        >>> Component.of(np.array([3, 5, 9]), path, horizon=None, splitting=True).best_cut
        (2.0, 3, 5)
        """
        edges = np.argwhere(np.triu(adjacency))
        matrix = for_products(adjacency, edges)
        found = shortest_paths(matrix, np.arange(len(nodes)), horizon)
        betweenness = edge_betweenness(found, edges, sparse=matrix is not adjacency)
        component = cls(nodes, adjacency, edges, horizon, splitting, found, betweenness, np.zeros(len(nodes)))
        component._look(np.ones(len(nodes), dtype=bool))
        return component

    def evaluate(self, place: int, least: float) -> None:
        """Search the best split of a node, unless its value is known; its bound falls, at best to that value.

        The search is given up once it cannot reach `least`, in pairs of nodes.
        """
        if place in self.splits:
            return
        around = np.flatnonzero(self.adjacency[place])
        split = node_split(pair_betweenness(self.found, place, around), least)
        self.bound[place] = split.value
        if split.moving is not None:
            self.splits[place] = tuple(int(around[each]) for each in split.moving)

    def cut(self, one: int, other: int) -> list[Component]:
        """Take the edge between two nodes, by their numbers, away; return what is left, as one part or two."""
        ends = np.searchsorted(self.nodes, (one, other))
        near, far = self.found.distance[ends]
        moved = near != far
        if self.horizon is not None:
            # Of the two ends one is a step nearer; beyond the horizon is -1, and the edge leads there at most once.
            moved &= np.where(near < 0, far, np.where(far < 0, near, np.minimum(near, far))) < self.horizon
        kept = np.flatnonzero((self.edges != ends).any(axis=1))
        self.adjacency[ends, ends[::-1]] = 0
        self._change(self.edges[kept], kept, np.flatnonzero(moved), ends)
        return self._parts(int(ends[0]))

    def split(self, place: int, copy: int) -> list[Component]:
        """Give the neighbours in `splits` to a copy of a node, with the greatest number; return one part or two."""
        last, moving = len(self.nodes), np.array(self.splits[place])
        touched = np.concatenate([[place, last], np.flatnonzero(self.adjacency[place])])
        moved = np.append(np.flatnonzero(self.found.distance[place] >= 0), last)
        self.adjacency = np.pad(self.adjacency, ((0, 1), (0, 1)))
        self.adjacency[place, moving] = self.adjacency[moving, place] = 0
        self.adjacency[last, moving] = self.adjacency[moving, last] = 1
        renamed = self.edges.copy()
        at_place = (renamed == place) & np.isin(renamed[:, ::-1], moving)
        renamed[at_place] = last
        renamed.sort(axis=1)
        order = np.lexsort((renamed[:, 1], renamed[:, 0]))
        self.nodes, self.bound = np.append(self.nodes, copy), np.append(self.bound, 0.0)
        self.found = self.found.with_node()
        self._change(renamed[order], order, moved, touched)
        return self._parts(place)

    def _change(self, edges: IntArray, kept: IntArray, moved: IntArray, touched: IntArray) -> None:
        """Take over changed edges, which alter the paths from `moved` alone; `kept` has their places among the old."""
        matrix, k = for_products(self.adjacency, edges), len(self.nodes)
        every, sparse = len(moved) == k, matrix is not self.adjacency
        old = self.found if every else self.found.columns(moved)
        new = shortest_paths(matrix, moved, self.horizon)
        partly = self.horizon is not None and 2 * len(moved) < k
        if partly:
            rest = (self.betweenness - edge_betweenness(old, self.edges, sparse=sparse))[kept]
            self.betweenness = rest + edge_betweenness(new, edges, sparse=sparse)
        if every:
            self.found = new
        else:
            self.found.put(moved, new)
        if not partly:
            self.betweenness = edge_betweenness(self.found, edges, sparse=sparse)
        self.edges = edges
        self._look(self._stale(matrix, old, new, touched))

    def _stale(self, matrix: Any, old: ShortestPaths, new: ShortestPaths, touched: IntArray) -> BoolArray:
        """Return the nodes around which pair betweenness may have changed."""
        if self.horizon is None or not self.splitting:
            return np.ones(len(self.nodes), dtype=bool)
        changed = (old.distance != new.distance) | (old.paths != new.paths) | (old.onward != new.onward)
        near = changed | (times(matrix, changed.astype(np.float64)) > 0)
        stale = np.zeros(len(self.nodes), dtype=bool)
        stale[touched] = True
        for each in (old, new):
            stale |= (near & (each.distance >= 1) & (each.distance < self.horizon)).any(axis=1)
        return stale

    def _look(self, stale: BoolArray) -> None:
        """Find the best cut, and a bound of the splits of the nodes whose betweenness may have changed."""
        if not len(self.edges):
            return
        most = float(self.betweenness.max())
        one, other = self.nodes[self.edges[int((self.betweenness >= most - slack(most)).argmax())]]
        self.best_cut = most, int(one), int(other)
        if self.splitting:
            ends = np.bincount(self.edges.ravel(), np.repeat(self.betweenness, 2), minlength=len(self.nodes))
            reached = (self.found.distance[stale] > 0).sum(axis=1)
            self.bound[stale] = (ends[stale] - reached) / 2
            self.splits = {place: moving for place, moving in self.splits.items() if not stale[place]}

    def _parts(self, place: int) -> list[Component]:
        inside = self._connected(place)
        if inside.all():
            return [self]
        return [self._part(np.flatnonzero(inside)), self._part(np.flatnonzero(~inside))]

    def _connected(self, place: int) -> BoolArray:
        if self.horizon is None:
            return np.asarray(self.found.distance[:, place] >= 0)
        inside = np.zeros(len(self.nodes), dtype=bool)
        fresh = inside.copy()
        fresh[place] = True
        while fresh.any():
            inside |= fresh
            fresh = self.adjacency[fresh].any(axis=0) & ~inside
        return inside

    def _part(self, places: IntArray) -> Component:
        place_of = np.full(len(self.nodes), -1)
        place_of[places] = np.arange(len(places))
        within = place_of[self.edges[:, 0]] >= 0
        part = Component(
            self.nodes[places],
            self.adjacency[np.ix_(places, places)],
            place_of[self.edges[within]],
            self.horizon,
            self.splitting,
            self.found.part(places),
            self.betweenness[within],
            self.bound[places],
            {
                int(place_of[place]): tuple(int(place_of[each]) for each in moving)
                for place, moving in self.splits.items()
                if place_of[place] >= 0
            },
        )
        part._look(np.zeros(len(places), dtype=bool))
        return part
