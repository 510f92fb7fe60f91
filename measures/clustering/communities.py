"""Communities of a graph that may overlap: cut its edges, or split its nodes, until it has come apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.clustering.component import Component
from measures.clustering.division import Division, Step
from measures.clustering.neighbour_groups import slack
from measures.core.arrays import FloatArray, IntArray

MOST_NODES, MOST_EDGES = 2_000, 20_000


@dataclass(frozen=True)
class Algorithm:
    """A way to divide a graph.

    Attributes
    ----------
    name : str
        What the papers call it.
    horizon : int or None
        The longest path that counts, in edges; None for any.
    splits : bool
        Whether nodes may be split, so that communities overlap.
    """

    name: str
    horizon: int | None
    splits: bool


GIRVAN_NEWMAN = Algorithm("Girvan-Newman", None, splits=False)
CONGA = Algorithm("CONGA", None, splits=True)
CONGO_2 = Algorithm("CONGO, h = 2", 2, splits=True)
CONGO_3 = Algorithm("CONGO, h = 3", 3, splits=True)
ALGORITHMS = {"girvan_newman": GIRVAN_NEWMAN, "conga": CONGA, "congo2": CONGO_2, "congo3": CONGO_3}


def divide(
    edges: npt.ArrayLike,
    *,
    nodes: int,
    algorithm: Algorithm = CONGA,
    until: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Division:
    """Divide a graph step by step.

    Each step cuts the edge of the greatest betweenness or, if one is strictly greater, splits the node of the greatest
    split betweenness, and computes anew what has changed. Betweenness counts pairs of nodes no further apart than the
    horizon, copies as nodes of their own. Values that differ by less than one part in 10^9 are equal: then the edge
    with the least numbers is cut, the node with the least number split, and a cut comes before a split. The group with
    the least neighbour stays with the node; its copy gets the next number.

    Source: Girvan and Newman 2002, "Community structure in social and biological networks"; Gregory 2007, "An algorithm
    to find overlapping community structure in networks" (CONGA); Gregory 2008, "A fast algorithm to find overlapping
    communities in networks" (CONGO); used in Murray et al. 2012, section 4. The papers do not say how ties are broken.

    Parameters
    ----------
    edges : array_like of int, shape (m, 2)
        Pairs of nodes, from 0; the order of and in pairs does not count.
    nodes : int
        Number of nodes, those without an edge included: they are set aside.
    algorithm : Algorithm, default CONGA
        `CONGA`, `CONGO_2`, `CONGO_3`, `GIRVAN_NEWMAN` or another horizon.
    until : int, optional
        Stop with so many communities of nodes that have edges; by default go on until no edge is left.
    progress : callable, optional
        Called after each step with the number of edges that have been cut, and of all edges.
    should_stop : callable, optional
        Asked before each step; if it says yes, the division so far is returned.

    Returns
    -------
    Division
        All steps, from which the communities of any number are read. At most m cuts and 2 m splits; a step takes time
        levels k^3 of a part with k nodes, or k m where edges are few.

    Raises
    ------
    ValueError
        If a node is unknown or bound to itself, an edge stands twice, there are more than 2,000 nodes or 20,000 edges,
        or `until` or the horizon is below 1.

    Examples
    --------
    >>> bow = [[0, 1], [0, 2], [1, 2], [2, 3], [2, 4], [3, 4]]
    >>> division = divide(bow, nodes=6)
    >>> division.steps[0]
    Step(kind='split', node=2, other=2, value=4.0, moving=(3, 4))
    >>> division.cover(2)
    [(0, 1, 2), (2, 3, 4)]
    >>> division.cover(2, isolated=True)
    [(0, 1, 2), (2, 3, 4), (5,)]
    """
    pairs = checked_edges(edges, nodes)
    if (until is not None and until < 1) or (algorithm.horizon is not None and algorithm.horizon < 1):
        raise ValueError(f"until {until} or horizon {algorithm.horizon} is below 1")
    state = _State(pairs, nodes, algorithm)
    cuts, steps = 0, list[Step]()
    while state.components and (until is None or state.communities < until):
        if should_stop is not None and should_stop():
            break
        step = state.step()
        steps.append(step)
        cuts += step.kind == "cut"
        if progress is not None:
            progress(cuts, len(pairs))
    ends = tuple((int(one), int(other)) for one, other in pairs)
    return Division(nodes, ends, tuple(steps), complete=not state.components)


def checked_edges(edges: npt.ArrayLike, nodes: int) -> IntArray:
    """Return the edges of a simple graph as rising pairs in rising order.

    Parameters
    ----------
    edges : array_like of int, shape (m, 2)
        Pairs of nodes, from 0.
    nodes : int
        Number of nodes.

    Returns
    -------
    array of int, shape (m, 2)
        The edges.

    Raises
    ------
    ValueError
        As `divide`.

    Examples
    --------
    >>> checked_edges([[2, 1], [1, 0]], 3).tolist()
    [[0, 1], [1, 2]]
    """
    given = np.asarray(edges)
    if not given.size:
        given = np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iu":
        raise ValueError(f"edges must be pairs of whole numbers, not of shape {given.shape}")
    if nodes > MOST_NODES or len(given) > MOST_EDGES:
        raise ValueError(f"a graph has at most {MOST_NODES:,} nodes and {MOST_EDGES:,} edges")
    for one, other in given[((given < 0) | (given >= nodes)).any(axis=1)][:1]:
        raise ValueError(f"edge {one}-{other} names a node that is not one of {nodes}")
    for one, _ in given[given[:, 0] == given[:, 1]][:1]:
        raise ValueError(f"node {one} is bound to itself")
    pairs, times = np.unique(np.sort(given, axis=1), axis=0, return_counts=True)
    for one, other in pairs[times > 1][:1]:
        raise ValueError(f"edge {one}-{other} stands twice")
    return np.asarray(pairs, dtype=np.int64)


class _State:
    """The components of a graph that still have edges, and how many communities there are."""

    def __init__(self, pairs: IntArray, nodes: int, algorithm: Algorithm) -> None:
        self.splits, self.origin = algorithm.splits, list(range(nodes))
        adjacency = np.zeros((nodes, nodes))
        adjacency[pairs[:, 0], pairs[:, 1]] = adjacency[pairs[:, 1], pairs[:, 0]] = 1
        self.components = [
            Component.of(
                places, adjacency[np.ix_(places, places)], horizon=algorithm.horizon, splitting=algorithm.splits
            )
            for places in connected(adjacency)
            if len(places) > 1
        ]
        self.communities = len(self.components)

    def step(self) -> Step:
        """Take the next step."""
        most = max(each.best_cut[0] for each in self.components)
        found = self._best_split(most + slack(most)) if self.splits else None
        return self._split(*found) if found else self._cut(most - slack(most))

    def _cut(self, least: float) -> Step:
        equal = (each for each in self.components if each.best_cut[0] >= least)
        component = min(equal, key=lambda each: each.best_cut[1:])
        value, one, other = component.best_cut
        self._replace(component, component.cut(one, other))
        return Step("cut", one, other, value)

    def _split(self, component: Component, place: int) -> Step:
        node, value = int(component.nodes[place]), float(component.bound[place])
        moving = tuple(int(component.nodes[each]) for each in component.splits[place])
        self._replace(component, component.split(place, len(self.origin)))
        self.origin.append(self.origin[node])
        return Step("split", node, self.origin[node], value, moving)

    def _best_split(self, least: float) -> tuple[Component, int] | None:
        """Return the node with the greatest split betweenness, if that is above a value."""
        candidates = [
            (float(component.bound[place]), component, int(place))
            for component in self.components
            for place in np.flatnonzero(component.bound > least)
        ]
        candidates.sort(key=lambda each: -each[0])
        best = least
        for bound, component, place in candidates:
            if bound < best - slack(best):
                break
            component.evaluate(place, best)
            if place in component.splits:
                best = max(best, float(component.bound[place]))
        equal = [
            (int(component.nodes[place]), component, place)
            for _, component, place in candidates
            if place in component.splits
            and component.bound[place] >= best - slack(best)
            and component.bound[place] > least
        ]
        return min(equal, key=lambda each: each[0])[1:] if equal else None

    def _replace(self, component: Component, parts: list[Component]) -> None:
        self.communities += len(parts) - 1
        place = self.components.index(component)
        self.components[place : place + 1] = [each for each in parts if len(each.edges)]


def connected(adjacency: FloatArray) -> Iterator[IntArray]:
    """Yield the nodes of each connected part of a graph, rising, in the order of their least nodes.

    Parameters
    ----------
    adjacency : FloatArray of shape (n, n)
        Ones and zeros, symmetric.

    Yields
    ------
    array of int
        The nodes of the next part.

    Examples
    --------
    >>> [each.tolist() for each in connected(np.array([[0.0, 0, 1], [0, 0, 0], [1, 0, 0]]))]
    [[0, 2], [1]]
    """
    parts, label = scipy.sparse.csgraph.connected_components(adjacency, directed=False)
    for part in range(parts):
        yield np.flatnonzero(label == part)
