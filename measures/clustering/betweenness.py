"""Shortest paths of a connected graph by products of matrices: betweenness of its edges and of pairs of neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from measures.clustering.products import product
from measures.core.arrays import FloatArray, IntArray

# A dense product takes k^3 steps, a sparse one 2 k m slower ones; measured by benchmarks/communities.py.
_SPARSE_FROM = 40
_OUT_OF_REACH = -1


@dataclass
class ShortestPaths:
    """The shortest paths from some nodes (columns) to all nodes of a graph (rows).

    Attributes
    ----------
    distance : array of int, shape (k, s)
        Number of edges from each of s sources; -1 beyond the horizon.
    paths : FloatArray of shape (k, s)
        Number of shortest paths; 0 beyond the horizon.
    onward : FloatArray of shape (k, s)
        For each path that arrives at the node, how many targets it serves: (1 + dependency) / paths. 0 at the source
        itself and beyond the horizon.
    """

    distance: IntArray
    paths: FloatArray
    onward: FloatArray

    def columns(self, chosen: IntArray) -> ShortestPaths:
        """Return the paths from some of the sources, by their columns, shape (c,)."""
        return ShortestPaths(self.distance[:, chosen], self.paths[:, chosen], self.onward[:, chosen])

    def part(self, nodes: IntArray) -> ShortestPaths:
        """Return the paths between some of the nodes, where sources are all nodes."""
        grid = np.ix_(nodes, nodes)
        return ShortestPaths(self.distance[grid], self.paths[grid], self.onward[grid])

    def with_node(self) -> ShortestPaths:
        """Return the paths with a last node that is not reached yet, where sources are all nodes."""
        edge = ((0, 1), (0, 1))
        return ShortestPaths(
            np.pad(self.distance, edge, constant_values=_OUT_OF_REACH),
            np.pad(self.paths, edge),
            np.pad(self.onward, edge),
        )

    def put(self, chosen: IntArray, found: ShortestPaths) -> None:
        """Replace the columns of some sources."""
        self.distance[:, chosen], self.paths[:, chosen] = found.distance, found.paths
        self.onward[:, chosen] = found.onward


def shortest_paths(adjacency: Any, sources: IntArray, horizon: int | None) -> ShortestPaths:
    """Search from many sources at once, level by level, and add up dependencies on the way back.

    Source: Brandes 2001, "A faster algorithm for betweenness centrality", sections 3 and 4, all sources in one
    product of matrices for each level. Only targets within the horizon count (Gregory 2008, "A fast algorithm to find
    overlapping communities in networks").

    Parameters
    ----------
    adjacency : FloatArray or sparse array, of shape (k, k)
        Ones and zeros, symmetric, with a diagonal of 0; see `for_products`.
    sources : array of int, shape (s,)
        The nodes to search from.
    horizon : int or None
        The longest distance, in edges; None for any.

    Returns
    -------
    ShortestPaths
        Takes time levels k^2 s, or levels m s in graphs with few edges.

    Examples
    --------
    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> found = shortest_paths(path, np.array([0]), None)
    >>> found.distance[:, 0].tolist(), found.onward[:, 0].tolist()
    ([0, 1, 2], [0.0, 2.0, 1.0])
    """
    columns = np.arange(len(sources))
    distance = np.full((adjacency.shape[0], len(sources)), _OUT_OF_REACH, dtype=np.int64)
    layer, level = np.zeros(distance.shape), 0
    distance[sources, columns], layer[sources, columns] = 0, 1.0
    paths = layer.copy()
    while horizon is None or level < horizon:
        reached = times(adjacency, layer)
        fresh = (reached > 0) & (distance < 0)
        if not fresh.any():
            break
        level += 1
        layer = reached * fresh
        paths += layer
        np.copyto(distance, level, where=fresh)
    return ShortestPaths(distance, paths, _onward(adjacency, distance, paths))


def _onward(adjacency: Any, distance: IntArray, paths: FloatArray) -> FloatArray:
    onward, dependency = np.zeros(paths.shape), np.zeros(paths.shape)
    for level in range(int(distance.max(initial=0)), 0, -1):
        share = np.zeros(paths.shape)
        np.divide(1 + dependency, paths, out=share, where=distance == level)
        onward += share
        if level > 1:
            dependency = paths * times(adjacency, share)
    return onward


def edge_betweenness(found: ShortestPaths, edges: IntArray, *, sparse: bool) -> FloatArray:
    """Return what the paths from some sources add to the betweenness of each edge.

    Each path is counted in the direction from the first node of an edge to the second: over all sources that counts
    each pair of nodes once.

    Parameters
    ----------
    found : ShortestPaths
        The paths, shapes (k, s).
    edges : array of int, shape (m, 2)
        The edges.
    sparse : bool
        Whether to go edge by edge, in time m s, or by dense products, in time levels k^2 s.

    Returns
    -------
    FloatArray of shape (m,)
        Sums of shares of paths; with all nodes as sources, the betweenness.

    Examples
    --------
    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> found = shortest_paths(path, np.arange(3), None)
    >>> edge_betweenness(found, np.array([[0, 1], [1, 2]]), sparse=False).tolist()
    [2.0, 2.0]
    """
    before, after = edges[:, 0], edges[:, 1]
    if sparse:
        further = found.distance[after] - found.distance[before] == 1
        return np.asarray(np.einsum("es,es,es->e", found.paths[before], found.onward[after], further))
    total = np.zeros((len(found.paths), len(found.paths)))
    for level in range(int(found.distance.max())):
        here, there = found.distance == level, found.distance == level + 1
        total += product(found.paths * here, (found.onward * there).T)
    return np.asarray(total[before, after])


def pair_betweenness(found: ShortestPaths, node: int, neighbours: IntArray) -> FloatArray:
    """Return how many pairs of nodes meet by each two neighbours of a node, through the node.

    Source: Gregory 2007, "An algorithm to find overlapping community structure in networks" (pair
    betweenness).

    Parameters
    ----------
    found : ShortestPaths
        The paths from all nodes.
    node : int
        The node.
    neighbours : array of int, shape (d,)
        Its neighbours.

    Returns
    -------
    FloatArray of shape (d, d)
        Symmetric; 0 on the diagonal and for neighbours that are neighbours of each other.

    Examples
    --------
    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> pair_betweenness(shortest_paths(path, np.arange(3), None), 1, np.array([0, 2])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    here, there = found.distance[node], found.distance[neighbours]
    before = found.paths[neighbours] * ((there == here - 1) & (there >= 0))
    after = found.onward[neighbours] * ((there == here + 1) & (here >= 0))
    counted = product(before, after.T)
    return np.asarray((counted + counted.T) / 2)


def for_products(adjacency: FloatArray, edges: IntArray) -> Any:
    """Return the matrix of a graph in the form in which products with it are quicker.

    Parameters
    ----------
    adjacency : FloatArray of shape (k, k)
        Ones and zeros.
    edges : array of int, shape (m, 2)
        The same edges, each once.

    Returns
    -------
    FloatArray or scipy.sparse.csr_array
        The matrix itself, or a sparse one where edges are few.

    Examples
    --------
    >>> full = np.ones((3, 3)) - np.eye(3)
    >>> for_products(full, np.array([[0, 1], [0, 2], [1, 2]])) is full
    True
    """
    k = len(adjacency)
    if k**2 <= _SPARSE_FROM * len(edges):
        return adjacency
    ends = np.concatenate([edges, edges[:, ::-1]])
    return scipy.sparse.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(k, k))


def times(adjacency: Any, other: FloatArray) -> FloatArray:
    """Multiply a matrix from `for_products` by another.

    Examples
    --------
    >>> times(np.eye(2), np.array([[1.0], [2]])).tolist()
    [[1.0], [2.0]]
    """
    return product(adjacency, other) if isinstance(adjacency, np.ndarray) else np.asarray(adjacency @ other)
