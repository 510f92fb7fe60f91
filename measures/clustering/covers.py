"""Covers: sets of communities, which may overlap, of the sentences of a document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from measures.clustering.products import product
from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined

Communities: TypeAlias = Sequence[Collection[int]]
"""Communities, each as its sentences, by their numbers from 0."""

MOST_SENTENCES, MOST_COMMUNITIES = 2_000, 10_000
NO_SENTENCES = Undefined("there are no sentences")
NO_LABELS = Undefined("no sentence has an act and an entity")


def membership(cover: Communities, nodes: int) -> FloatArray:
    """Return which sentence is in which community.

    Parameters
    ----------
    cover : sequence of collection of int
        Communities.
    nodes : int
        Number of sentences.

    Returns
    -------
    FloatArray of shape (nodes, communities)
        Ones and zeros.

    Raises
    ------
    ValueError
        If a sentence is unknown, or there are more than 2,000 sentences or 10,000 communities.

    Examples
    --------
    >>> membership([[0, 1], [1, 2]], 3).tolist()
    [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """
    if nodes > MOST_SENTENCES or len(cover) > MOST_COMMUNITIES:
        raise ValueError(f"at most {MOST_SENTENCES:,} sentences and {MOST_COMMUNITIES:,} communities")
    table = np.zeros((nodes, len(cover)))
    for place, community in enumerate(cover):
        for node in community:
            if not 0 <= node < nodes:
                raise ValueError(f"community {place} holds sentence {node}, which is not one of {nodes}")
            table[node, place] = 1
    return table


def together(cover: Communities, nodes: int) -> IntArray:
    """Count for each pair of sentences the communities that hold both.

    Parameters
    ----------
    cover : sequence of collection of int
        Communities.
    nodes : int
        Number of sentences.

    Returns
    -------
    array of int, shape (nodes (nodes - 1) / 2,)
        In the order (0, 1), (0, 2) ... of `numpy.triu_indices`. Equal communities count twice.

    Raises
    ------
    ValueError
        As `membership`.

    Examples
    --------
    >>> together([[0, 1], [0, 1, 2]], 3).tolist()
    [2, 1, 1]
    """
    table = membership(cover, nodes)
    return np.asarray(product(table, table.T)[np.triu_indices(nodes, 1)], dtype=np.int64)


def gold_cover(sets: Communities, nodes: int) -> list[tuple[int, ...]]:
    """Return the communities of an annotator: the sentences of each abstract sentence, and every other one alone.

    Source: Murray et al. 2012, sections 3 and 4.

    Parameters
    ----------
    sets : sequence of collection of int
        For each abstract sentence, the sentences of the document that are linked to it; empty ones are left out.
    nodes : int
        Number of sentences of the document.

    Returns
    -------
    list of tuple of int
        Rising. Equal sets stay two communities.

    Raises
    ------
    ValueError
        As `membership`.

    Examples
    --------
    >>> gold_cover([[1, 0], [0, 1], []], 3)
    [(0, 1), (0, 1), (2,)]
    """
    linked = membership(sets, nodes).any(axis=1)
    found = [tuple(sorted(set(each))) for each in sets if each]
    return sorted([*found, *((int(node),) for node in np.flatnonzero(~linked))])


def gold_links(sets: Iterable[Collection[int]]) -> list[tuple[int, int]]:
    """Return the pairs of sentences that share a set.

    Parameters
    ----------
    sets : iterable of collection of int
        As for `gold_cover`.

    Returns
    -------
    list of (int, int)
        Rising pairs in rising order, each once: the edges of the gold graph.

    Examples
    --------
    >>> gold_links([[2, 0], [0, 2, 3]])
    [(0, 2), (0, 3), (2, 3)]
    """
    return sorted({pair for each in sets for pair in combinations(sorted(set(each)), 2)})


def message_links(
    acts: Sequence[Collection[str]], entities: Sequence[Collection[str]]
) -> list[tuple[int, int]] | Undefined:
    """Link all sentences that share an act and an entity: those of one message.

    Source: Murray, Carenini and Ng 2010, "Generating and validating abstracts of meeting conversations", as Murray et
    al. 2012, section 7.1, tell it.

    Parameters
    ----------
    acts, entities : sequence of collection of str
        Of each sentence, the dialogue acts it is and the entities it speaks of.

    Returns
    -------
    list of (int, int) or Undefined
        Rising pairs in rising order; undefined if no sentence has both an act and an entity.

    Raises
    ------
    ValueError
        If there are not as many entries of one as of the other.

    Examples
    --------
    >>> message_links([["decision"], ["decision"], ["action"]], [["remote"], ["remote", "price"], ["price"]])
    [(0, 1)]
    """
    messages = dict[tuple[str, str], set[int]]()
    for sentence, (its_acts, its_entities) in enumerate(zip(acts, entities, strict=True)):
        for act in its_acts:
            for entity in its_entities:
                messages.setdefault((act, entity), set()).add(sentence)
    return gold_links(messages.values()) if messages else NO_LABELS


def overlap(cover: Communities, nodes: int) -> float | Undefined:
    """Return in how many communities a sentence is, on average.

    Parameters
    ----------
    cover : sequence of collection of int
        Communities.
    nodes : int
        Number of sentences.

    Returns
    -------
    float or Undefined
        Communities per sentence: 1 if they do not overlap and hold every sentence. Undefined without sentences.

    Raises
    ------
    ValueError
        As `membership`.

    Examples
    --------
    >>> overlap([[0, 1], [1, 2, 3]], 4)
    1.25
    """
    return float(membership(cover, nodes).sum() / nodes) if nodes else NO_SENTENCES
