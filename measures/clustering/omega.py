"""The Omega index: how far two sets of overlapping communities agree, beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from measures.clustering.covers import Communities, together
from measures.core.arrays import IntArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

ONE_SENTENCE = Undefined("fewer than two sentences")
NOTHING_TO_TELL_APART = Undefined("nothing to tell apart: every pair is together equally often in both")
NO_COMPARISON = Undefined("no comparison has a value")
SHUFFLES = 1_000


@dataclass(frozen=True)
class Omega:
    """The Omega index of two covers.

    Attributes
    ----------
    observed : float
        Share of the pairs of sentences that are together in as many communities of one cover as of the other.
    expected : float
        The same for covers that have nothing to do with each other.
    omega : float
        (observed - expected) / (1 - expected): 1 for equal counts, 0 for chance.
    """

    observed: float
    expected: float
    omega: float


def omega_index(one: Communities, other: Communities, nodes: int) -> Omega | Undefined:
    """Compute the Omega index of two covers of the same sentences.

    Source: Collins and Dent 1988, "Omega: a general formulation of the Rand index of cluster recovery suitable for
    non-disjoint solutions"; Murray et al. 2012, section 6.2. For covers that do not overlap it is the adjusted Rand
    index.

    Parameters
    ----------
    one, other : sequence of collection of int
        Communities, of sentences from 0. Of a document, those that are alone should be in as communities of one, as in
        `gold_cover`; a sentence in no community is together with none.
    nodes : int
        Number of sentences.

    Returns
    -------
    Omega or Undefined
        Undefined with fewer than two sentences, and where chance alone gives 1: every pair has the same count in both,
        so there is nothing to tell apart, though they are equal. Takes time nodes^2.

    Raises
    ------
    ValueError
        If a sentence is unknown, or there are more than 2,000 sentences or 10,000 communities.

    Examples
    --------
    >>> found = omega_index([[0, 1, 2], [2, 3], [3, 4, 5]], [[0, 1, 2], [2, 3, 4, 5]], 6)
    >>> round(found.observed, 3), round(found.expected, 3), round(found.omega, 3)
    (0.867, 0.493, 0.737)
    >>> omega_index([[0], [1]], [[0], [1]], 2).reason
    'nothing to tell apart: every pair is together equally often in both'
    """
    first, second = together(one, nodes), together(other, nodes)
    expected = _expected(first, second)
    if isinstance(expected, Undefined):
        return expected
    observed = float((first == second).mean())
    return Omega(observed, expected, (observed - expected) / (1 - expected))


def omega_of_shuffled(
    one: Communities, other: Communities, nodes: int, *, shuffles: int = SHUFFLES, seed: int
) -> Interval | Undefined:
    """Return what the Omega index is if the sentences of one cover are shuffled: the band of chance.

    The sizes of the communities and how they overlap stay as they are. Not in the paper.

    Parameters
    ----------
    one, other : sequence of collection of int
        As for `omega_index`.
    nodes : int
        Number of sentences.
    shuffles : int, default 1_000
        How often they are shuffled.
    seed : int
        Seed of the shuffles.

    Returns
    -------
    Interval or Undefined
        Mean, variance and 2.5th and 97.5th percentile; undefined as the index. Takes time shuffles nodes^2.

    Raises
    ------
    ValueError
        As `omega_index`, and if there is less than one shuffle.

    Examples
    --------
    >>> halves = [range(10), range(10, 20)]
    >>> band = omega_of_shuffled(halves, halves, 20, seed=1)
    >>> round(abs(band.mean), 2), round(band.low, 2), round(band.high, 2)
    (0.0, -0.06, 0.11)
    """
    if shuffles < 1:
        raise ValueError(f"shuffles must be at least 1, not {shuffles}")
    first, second = together(one, nodes), together(other, nodes)
    expected = _expected(first, second)
    if isinstance(expected, Undefined):
        return expected
    upper = np.triu_indices(nodes, 1)
    square = np.zeros((nodes, nodes), dtype=np.int64)
    square[upper] = square.T[upper] = second
    rng, equal = np.random.default_rng(seed), np.empty(shuffles)
    for place in range(shuffles):
        order = rng.permutation(nodes)
        equal[place] = (square[order[upper[0]], order[upper[1]]] == first).mean()
    return Interval.of((equal - expected) / (1 - expected))


def omega_against(cover: Communities, annotators: Sequence[Communities], nodes: int) -> float | Undefined:
    """Return the mean Omega index of a cover against those of several annotators of a document.

    Source: Murray et al. 2012, section 7.2.

    Parameters
    ----------
    cover : sequence of collection of int
        What is judged.
    annotators : sequence of sequence of collection of int
        The covers of the annotators.
    nodes : int
        Number of sentences.

    Returns
    -------
    float or Undefined
        Mean over the annotators against whom it is defined; undefined if there is none.

    Raises
    ------
    ValueError
        As `omega_index`.

    Examples
    --------
    >>> round(omega_against([[0, 1], [2, 3]], [[[0, 1], [2, 3]], [[0, 1], [2], [3]]], 4), 4)
    0.7857
    """
    return _mean([omega_index(cover, each, nodes) for each in annotators])


def omega_among(annotators: Sequence[Communities], nodes: int) -> float | Undefined:
    """Return the mean Omega index of all pairs of annotators of a document.

    Source: Murray et al. 2012, section 7.2.

    Parameters
    ----------
    annotators : sequence of sequence of collection of int
        The covers of the annotators.
    nodes : int
        Number of sentences.

    Returns
    -------
    float or Undefined
        Mean over the pairs for which it is defined; undefined if there is none.

    Raises
    ------
    ValueError
        As `omega_index`.

    Examples
    --------
    >>> omega_among([[[0, 1], [2, 3]], [[0, 1], [2, 3]]], 4)
    1.0
    """
    return _mean([omega_index(one, other, nodes) for one, other in combinations(annotators, 2)])


def _mean(found: Sequence[Omega | Undefined]) -> float | Undefined:
    values = [each.omega for each in found if isinstance(each, Omega)]
    return float(np.mean(values)) if values else NO_COMPARISON


def _expected(first: IntArray, second: IntArray) -> float | Undefined:
    pairs = len(first)
    if not pairs:
        return ONE_SENTENCE
    most = int(max(first.max(), second.max())) + 1
    counts = [np.bincount(each, minlength=most) for each in (first, second)]
    by_chance = sum(int(a) * int(b) for a, b in zip(*counts, strict=True))
    return NOTHING_TO_TELL_APART if by_chance == pairs**2 else by_chance / pairs**2
