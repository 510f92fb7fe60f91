"""The ratings of an arm in which people use one scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from measures.agreement.intraclass import IntraclassResult, intraclass
from measures.agreement.mean_rounding import whole_values
from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_indices
from measures.core.undefined import Undefined


@dataclass(frozen=True, eq=False)
class ScaleArm:
    """The ratings of one arm.

    Attributes
    ----------
    category : IntArray of shape (n, r)
        Categories of the ratings of n texts, from 0; -1 where one is missing.
    person : IntArray of shape (n, r)
        Who gave them, from 0.
    categories : IntArray of shape (k,)
        The points of the scale.
    people : int
        Number of people.
    """

    category: IntArray
    person: IntArray
    categories: IntArray
    people: int

    @property
    def matrix(self) -> FloatArray:
        """The points, NaN where missing: shape (n, r)."""
        return np.where(self.category >= 0, self.category + self.categories[0], np.nan)

    @cached_property
    def sums(self) -> IntArray:
        """Sum and number of the ratings of each text, which compare exactly: shape (n, 2)."""
        there = self.category >= 0
        points = np.where(there, self.category + self.categories[0], 0)
        return np.stack([points.sum(axis=1), there.sum(axis=1)], axis=1)

    @property
    def means(self) -> FloatArray:
        """Mean of each text, NaN without ratings: shape (n,)."""
        total, number = self.sums.T
        return np.where(number > 0, total / np.maximum(number, 1), np.nan)

    @property
    def one_way(self) -> IntraclassResult | Undefined:
        """ICC(1) and ICC(1,k)."""
        return intraclass(self.matrix, categories=self.categories.tolist())


def scale_arm(matrix: npt.ArrayLike, people: npt.ArrayLike | None = None, *, categories: Categories) -> ScaleArm:
    """Put the ratings of one arm together.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Texts by ratings, NaN where missing. The rows of both arms are the same texts.
    people : array_like of int, of shape (n, r), optional
        Who gave each rating; by default each column is a person.
    categories : int or sequence of int
        The scale: two or more successive whole numbers.

    Returns
    -------
    ScaleArm
        The ratings.

    Raises
    ------
    ValueError
        If shapes differ, a rating is not one of the categories, the scale has one point, or a person rated a text
        twice.

    Examples
    --------
    >>> arm = scale_arm([[1, 3], [2, np.nan]], [[7, 9], [9, 0]], categories=3)
    >>> arm.people, arm.means.tolist()
    (2, [2.0, 2.0])
    """
    whole, places = whole_values(categories), category_indices(matrix, categories)
    if len(whole) < 2 or places.ndim != 2:
        raise ValueError(f"texts by ratings on two or more points, not {places.shape} on {len(whole)}")
    given = np.broadcast_to(np.arange(places.shape[1]), places.shape) if people is None else np.asarray(people)
    if given.shape != places.shape:
        raise ValueError(f"a person for each rating: {places.shape} is not {given.shape}")
    there = places >= 0
    names, numbers = np.unique(given[there], return_inverse=True)
    person = np.full(places.shape, -1)
    person[there] = numbers
    for one, other in combinations(range(places.shape[1]), 2):
        if (there[:, one] & (person[:, one] == person[:, other])).any():
            raise ValueError("a person rated a text twice")
    return ScaleArm(places, person, whole, len(names))


def pair_counts(arm: ScaleArm) -> FloatArray:
    """Count the pairs of ratings of a text by their points.

    Parameters
    ----------
    arm : ScaleArm
        The ratings.

    Returns
    -------
    FloatArray of shape (k, k)
        Numbers of pairs, each in both orders.

    Examples
    --------
    >>> pair_counts(scale_arm([[1, 2], [2, 2]], categories=2)).tolist()
    [[0.0, 1.0], [1.0, 2.0]]
    """
    k = len(arm.categories)
    counts = np.zeros((k, k))
    for one, other in combinations(arm.category.T, 2):
        both = (one >= 0) & (other >= 0)
        counts += np.bincount(one[both] * k + other[both], minlength=k * k).reshape(k, k)
    return counts + counts.T


def require_same_texts(one: ScaleArm, other: ScaleArm) -> None:
    """Raise ValueError if two arms have different numbers of texts."""
    if len(one.category) != len(other.category):
        raise ValueError(f"the arms must have the same texts, not {len(one.category)} and {len(other.category)}")
