"""The best division of a node into two: which neighbours stay with it, and which go with its copy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray

CLOSE = 1e-9
"""Two values are equal if they differ by no more than this, or than this share of the second if that is above 1."""


def slack(value: float) -> float:
    """Return by how much a value may differ from another and still be equal to it.

    Examples
    --------
    >>> slack(0.5), round(slack(1000.0), 9)
    (1e-09, 1e-06)
    """
    return CLOSE * max(1.0, value)


@dataclass(frozen=True)
class NodeSplit:
    """The value of the best split of a node, or a bound of it.

    Attributes
    ----------
    value : float
        Split betweenness, in pairs of nodes; if `moving` is None, a bound that it does not exceed.
    moving : tuple of int or None
        Places of the neighbours that go with the copy; None where the search was given up.
    """

    value: float
    moving: tuple[int, ...] | None


def node_split(pairs: FloatArray, least: float) -> NodeSplit:
    """Merge neighbours until two groups are left, always the two with the least betweenness between them.

    Source: Gregory 2007, "An algorithm to find overlapping community structure in networks" (split
    betweenness). The paper does not say how ties are broken: here, groups stand in the order of their least
    member, and the first of equal pairs is merged.

    Parameters
    ----------
    pairs : FloatArray of shape (d, d)
        Pair betweenness of at least two neighbours, symmetric.
    least : float
        A value below this is of no interest: the search is given up once it can no longer be reached.

    Returns
    -------
    NodeSplit
        The group with the first neighbour stays. Takes time d^3 at most.

    Examples
    --------
    >>> node_split(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0.0]]), 0.0)
    NodeSplit(value=5.0, moving=(2,))
    >>> node_split(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0.0]]), 5.5)
    NodeSplit(value=5.0, moving=None)
    """
    d = len(pairs)
    weight = pairs.copy()
    left = float(weight.sum()) / 2
    np.fill_diagonal(weight, np.inf)
    flat = weight.reshape(-1)
    groups: list[list[int]] = [[place] for place in range(d)]
    least -= slack(least)
    for _ in range(d - 2):
        smallest = float(flat.min())
        first, second = divmod(int((flat <= smallest + slack(smallest)).argmax()), d)
        left -= float(weight[first, second])
        if left < least:
            return NodeSplit(left, None)
        weight[first] += weight[second]
        weight[:, first] = weight[first]
        weight[second] = weight[:, second] = np.inf
        groups[first] += groups[second]
        groups[second] = []
    _, moving = (each for each in groups if each)
    return NodeSplit(float(weight[0, moving[0]]), tuple(sorted(moving)))
