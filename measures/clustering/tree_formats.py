"""The tree of a division in forms that other programs and pages read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from measures.clustering.division import Branch, Division

Nested: TypeAlias = "str | list[Nested]"
"""A node or copy, or a list of what came apart."""


def nested(division: Division, names: Sequence[str]) -> list[Nested]:
    """Return the tree as lists within lists.

    Parameters
    ----------
    division : Division
        A division.
    names : sequence of str
        Names of the nodes. Copies are named like "s3 (2)", in the order in which they came about.

    Returns
    -------
    list
        A list for each community at the start; in it the nodes and copies that stay together, or its two parts. What
        cannot come apart stands without a list.

    Raises
    ------
    ValueError
        If there are not as many names as nodes.

    Examples
    --------
    >>> from measures.clustering.communities import divide
    >>> division = divide([[0, 1], [0, 2], [1, 2], [2, 3], [2, 4], [3, 4]], nodes=5)
    >>> nested(division, "abcde")
    [[['a', ['b', 'c']], [['c (2)', 'e'], 'd']]]
    """
    labels = _labels(division, names)
    made = dict[int, Nested]()
    for place, branch in _from_the_leaves(division):
        leaves: list[Nested] = [labels[leaf] for leaf in branch.leaves]
        parts = [made.pop(part) for part in branch.parts] or leaves
        made[place] = parts[0] if len(parts) == 1 else parts
    return [made[place] for place in sorted(made)]


def newick(division: Division, names: Sequence[str]) -> str:
    """Return the tree in the format of Newick, which programs for phylogenetic trees read.

    Parameters
    ----------
    division : Division
        A division.
    names : sequence of str
        As for `nested`.

    Returns
    -------
    str
        Labels in quotes. The length of a branch is the number of steps between that which made it and that which ends
        it, or the last one; communities at the start hang on a root of step 0.

    Raises
    ------
    ValueError
        If there are not as many names as nodes.

    Examples
    --------
    >>> from measures.clustering.communities import divide
    >>> newick(divide([[0, 1], [1, 2]], nodes=3), ["it's", "b", "c"])
    "(('it''s':1,('b':0,'c':0):1):1);"
    """
    labels = ["'" + label.replace("'", "''") + "'" for label in _labels(division, names)]
    begun = [0] * len(division.branches)
    for branch in division.branches:
        for part in branch.parts:
            begun[part] = branch.step or 0
    made, last = dict[int, str](), len(division.steps)
    for place, branch in _from_the_leaves(division):
        parts = [made.pop(part) for part in branch.parts]
        length = (last if branch.step is None else branch.step) - begun[place]
        if not parts:
            parts = [labels[leaf] for leaf in branch.leaves]
        inner = parts[0] if len(branch.leaves) == 1 else "(" + ",".join(_hung(parts, bool(branch.leaves))) + ")"
        made[place] = f"{inner}:{length}"
    return "(" + ",".join(made[place] for place in sorted(made)) + ");"


def _hung(parts: list[str], leaves: bool) -> list[str]:
    return [f"{each}:0" for each in parts] if leaves else parts


def tree_json(division: Division, names: Sequence[str]) -> dict[str, Any]:
    """Return the tree as what JSON can hold: a flat list of branches, however deep the tree is.

    Parameters
    ----------
    division : Division
        A division.
    names : sequence of str
        As for `nested`.

    Returns
    -------
    dict
        ``steps``, their number; ``roots``, places of the communities at the start; ``isolated``, the names of nodes
        without an edge; and ``branches``, each with ``members`` (names of nodes, one with two copies once), ``step``
        (None if it does not come apart), ``parts`` (places of its two branches) and ``leaves`` (names of its nodes and
        copies, if it does not come apart).

    Raises
    ------
    ValueError
        If there are not as many names as nodes.

    Examples
    --------
    >>> from measures.clustering.communities import divide
    >>> found = tree_json(divide([[0, 1]], nodes=3), "abc")
    >>> found["roots"], found["isolated"], found["branches"][0]
    ([0], ['c'], {'members': ['a', 'b'], 'step': 1, 'parts': [1, 2], 'leaves': []})
    """
    labels = _labels(division, names)
    return {
        "steps": len(division.steps),
        "roots": list(range(division.least)),
        "isolated": [names[node] for node in division.isolated],
        "branches": [
            {
                "members": [names[node] for node in branch.members],
                "step": branch.step,
                "parts": list(branch.parts),
                "leaves": [labels[leaf] for leaf in branch.leaves],
            }
            for branch in division.branches
        ],
    }


def _labels(division: Division, names: Sequence[str]) -> list[str]:
    if len(names) != division.nodes:
        raise ValueError(f"{len(names)} names for {division.nodes} nodes")
    labels, copies = list(names), Counter[int]()
    for step in division.steps:
        if step.kind == "split":
            copies[step.other] += 1
            labels.append(f"{names[step.other]} ({copies[step.other] + 1})")
    return labels


def _from_the_leaves(division: Division) -> list[tuple[int, Branch]]:
    """Return branches with their places, parts before what they are parts of."""
    return list(enumerate(division.branches))[::-1]
