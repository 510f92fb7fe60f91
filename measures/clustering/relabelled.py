"""How much of a division is the luck of how its sentences are numbered: the same graph under other numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.clustering.communities import CONGA, Algorithm, checked_edges, divide
from measures.clustering.division import Division, Step
from measures.core.arrays import IntArray
from measures.core.undefined import Undefined

COPIES = 20
NO_VALUE = Undefined("no copy has a value")


@dataclass(frozen=True)
class TieRange:
    """A value over copies of a graph that differ in the numbers of their nodes alone.

    Attributes
    ----------
    median : float
        What stands for all copies.
    low, high : float
        The smallest and the largest.
    copies : int
        Number of copies with a value.
    """

    median: float
    low: float
    high: float
    copies: int


def relabelled_divisions(
    edges: npt.ArrayLike,
    *,
    nodes: int,
    algorithm: Algorithm = CONGA,
    copies: int = COPIES,
    seed: int,
    until: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> list[Division]:
    """Divide copies of a graph whose nodes have other numbers.

    Among equal values a division takes the least numbers, and often there are many: copies show how much hangs on that.
    Not in the papers, which show one run.

    Parameters
    ----------
    edges : array_like of int, shape (m, 2)
        As for `divide`.
    nodes : int
        Number of nodes.
    algorithm : Algorithm, default CONGA
        As for `divide`.
    copies : int, default 20
        Number of copies.
    seed : int
        Seed of the permutations of the nodes.
    until : int, optional
        As for `divide`.
    progress : callable, optional
        Called with the number of edges cut in all copies, and of all their edges.
    should_stop : callable, optional
        Asked before each step; if it says yes, the copies that are done are returned.

    Returns
    -------
    list of Division
        One for each copy, in the numbers of the graph. Takes `copies` times as long as `divide`.

    Raises
    ------
    ValueError
        As `divide`, and if there is less than one copy.

    Examples
    --------
    >>> square = [[0, 1], [1, 2], [2, 3], [0, 3]]
    >>> sorted({tuple(each.cover(2)) for each in relabelled_divisions(square, nodes=4, seed=1)})
    [((0, 1), (2, 3)), ((0, 3), (1, 2))]
    """
    if copies < 1:
        raise ValueError(f"there must be at least 1 copy, not {copies}")
    pairs, rng, found = checked_edges(edges, nodes), np.random.default_rng(seed), list[Division]()
    for copy in range(copies):
        number_of = rng.permutation(nodes)

        def told(cuts: int, _: int, before: int = copy * len(pairs)) -> None:
            if progress is not None:
                progress(before + cuts, copies * len(pairs))

        stopped = _Remembered(should_stop)
        division = divide(
            number_of[pairs], nodes=nodes, algorithm=algorithm, until=until, progress=told, should_stop=stopped
        )
        if stopped.said:
            break
        found.append(_renumbered(division, np.argsort(number_of), pairs))
    return found


def tie_range(divisions: Sequence[Division], value: Callable[[Division], float | Undefined]) -> TieRange | Undefined:
    """Compute a value of each division of relabelled copies: its median and range.

    Parameters
    ----------
    divisions : sequence of Division
        From `relabelled_divisions`.
    value : callable
        From a division to a number, such as the Omega index of its cover.

    Returns
    -------
    TieRange or Undefined
        Over the divisions for which the value is defined; undefined if there is none.

    Examples
    --------
    >>> divisions = relabelled_divisions([[0, 1], [1, 2]], nodes=3, copies=3, seed=1)
    >>> tie_range(divisions, lambda division: len(division.cover(2)))
    TieRange(median=2.0, low=2.0, high=2.0, copies=3)
    """
    found = [value(each) for each in divisions]
    values = [each for each in found if not isinstance(each, Undefined)]
    if not values:
        return NO_VALUE
    return TieRange(float(np.median(values)), float(min(values)), float(max(values)), len(values))


class _Remembered:
    """Asks whether to stop, and remembers a yes."""

    def __init__(self, ask: Callable[[], bool] | None) -> None:
        self._ask, self.said = ask, False

    def __call__(self) -> bool:
        self.said = self.said or (self._ask is not None and self._ask())
        return self.said


def _renumbered(division: Division, node_of: IntArray, pairs: IntArray) -> Division:
    """Return a division of a copy in the numbers of the graph; copies of nodes keep theirs."""
    names = [*map(int, node_of), *range(division.nodes, division.nodes + len(division.steps))]
    steps = []
    for step in division.steps:
        node, other = names[step.node], names[step.other]
        if step.kind == "cut":
            node, other = min(node, other), max(node, other)
        steps.append(Step(step.kind, node, other, step.value, tuple(sorted(names[each] for each in step.moving))))
    ends = tuple((int(one), int(other)) for one, other in pairs)
    return Division(division.nodes, ends, tuple(steps), division.complete)
