"""Do annotators who build a pyramid put the same words together?"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

import numpy as np

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined

MOST_VALUES = 4_000
"""Annotators times words: distances are of each two different values."""

ONE_ANNOTATOR = Undefined("fewer than two annotators")
NO_WORD = Undefined("there is no word")
ONE_GROUP = Undefined("every word has the same group, by all annotators")

SUBSET, OVERLAP = 2 / 3, 1 / 3
"""What two sets of which one holds the other, and two that merely overlap, count beside 1 for equal sets."""


def word_group_alpha(groups: Sequence[Sequence[Collection[Hashable]]]) -> float | Undefined:
    """Compute Krippendorff's alpha of the grouping of the words of one source's references into units.

    The value of a word is the set of the words that share a unit with it, itself included; it is empty for a word in no
    unit. Two values are 1 - J M apart: J is their Jaccard index, and M is 1 for equal sets, 2/3 if one holds the other,
    1/3 if they overlap and 0 if not. The names of units do not matter, so annotators need not share them.

    Source: Passonneau 2006, "Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation";
    Krippendorff 2011, "Computing Krippendorff's alpha-reliability".

    Parameters
    ----------
    groups : sequence of sequences of collections
        For each annotator and each word, the units of the word; the words of all references in one order.

    Returns
    -------
    float or Undefined
        Alpha, at most 1; undefined for fewer than two annotators, without a word, or if all values are the same.

    Raises
    ------
    ValueError
        If annotators have different numbers of words, or their words are more than 4,000 together.

    Examples
    --------
    >>> one, other = [{1}, {1}, {2}, {2}, ()], [{"a"}, {"a"}, {"b"}, (), ()]
    >>> word_group_alpha([one, one]), round(word_group_alpha([one, other]), 3)
    (1.0, 0.563)
    """
    words = len(groups[0]) if groups else 0
    if any(len(each) != words for each in groups) or words * len(groups) > MOST_VALUES:
        raise ValueError(f"annotators must have the same words, at most {MOST_VALUES} together")
    if len(groups) < 2:
        return ONE_ANNOTATOR
    if not words:
        return NO_WORD
    values, place = np.unique(np.concatenate([_shared(each) for each in groups]), axis=0, return_inverse=True)
    distances = _distances(values)
    by_word = place.reshape(len(groups), words)
    observed = sum(distances[one, other].sum() for one in by_word for other in by_word) / (len(groups) - 1)
    counts = np.bincount(by_word.ravel(), minlength=len(values))
    expected = float(counts @ distances @ counts) / (counts.sum() - 1)
    return ONE_GROUP if expected == 0 else float(1 - observed / expected)


def _shared(units: Sequence[Collection[Hashable]]) -> BoolArray:
    """Return which words share a unit, shape (words, words)."""
    names = {name: column for column, name in enumerate(dict.fromkeys(each for word in units for each in word))}
    member = np.zeros((len(units), len(names)))
    for row, word in zip(member, units, strict=True):
        row[[names[name] for name in word]] = 1
    return np.asarray(member @ member.T > 0)


def _distances(values: BoolArray) -> FloatArray:
    """Return the MASI distance of each two sets, shape (v, v)."""
    sets = values.astype(np.float64)
    both, sizes = sets @ sets.T, sets.sum(axis=1)
    either = sizes[:, None] + sizes[None, :] - both
    smaller = np.minimum(sizes[:, None], sizes[None, :])
    weight = np.where(both == either, 1.0, np.where(both == smaller, SUBSET, OVERLAP))
    return np.where(either > 0, 1 - weight * both / np.maximum(either, 1), 0.0)
